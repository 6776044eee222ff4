// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <stretto/dynamic/file/new_file.hpp>
#include <stretto/dynamic/file/problem.hpp>
#include <string>
#include <string_view>
#include <system_error>

namespace stretto::dynamic {

namespace detail {

/// What a path leads to, and whether that is one that can be replaced. What a link in /proc leads
/// to, as `/dev/stdout` does, is open elsewhere, where a new file would not be seen.
struct file_place {
  explicit file_place(std::string_view of) : path(of) {
    std::error_code error;
    constexpr int most_links = 40;
    for (int i = 0; i < most_links; ++i) {
      const std::filesystem::path folder = std::filesystem::canonical(folder_of(path), error);
      if (!error && folder.string().starts_with("/proc/")) return;
      if (std::filesystem::symlink_status(path, error).type() !=
          std::filesystem::file_type::symlink)
        break;
      const std::filesystem::path next = std::filesystem::read_symlink(path, error);
      if (error) return;
      path = path.parent_path() / next;
    }
    const std::filesystem::file_type type = std::filesystem::status(path, error).type();
    exists = type == std::filesystem::file_type::regular;
    replaceable = exists || type == std::filesystem::file_type::not_found;
  }
  static std::filesystem::path folder_of(const std::filesystem::path& file) {
    return file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  }

  std::filesystem::path path;
  bool exists = false;
  bool replaceable = false;
};

}  // namespace detail

STRETTO_INLINE new_file::new_file(std::string_view path, std::string_view content) : path_(path) {
  const detail::file_place place(path);
  place_ = place.path.string();
  if (place.exists) {  // one that may not be written stays, though it might be replaced
    std::FILE* const old = std::fopen(place_.c_str(), "ab");
    if (old == nullptr) refuse(errno);
    std::fclose(old);
  }
  if (place.replaceable) {
    const std::filesystem::path folder = detail::file_place::folder_of(place.path);
    int error = EEXIST;
    for (int i = 0; error == EEXIST && i < 1'000; ++i) {
      beside_ = (folder / (".stretto-" + std::to_string(i))).string();
      error = fill(beside_, "wbx", content, place.exists ? place_ : std::string());
    }
    if (error == 0) return;
    beside_.clear();
    const bool closed_folder = error == EACCES || error == EPERM || error == EROFS;
    if (!place.exists || !closed_folder) refuse(error);
  }
  content_ = content;
}

STRETTO_INLINE new_file::~new_file() {
  if (!beside_.empty()) std::remove(beside_.c_str());
}

STRETTO_INLINE void new_file::put_in_place() {
  if (beside_.empty()) {
    if (const int error = fill(place_, "wb", content_, {}); error != 0) refuse(error);
    return;
  }
  if (std::rename(beside_.c_str(), place_.c_str()) != 0) refuse(errno);
  beside_.clear();
}

STRETTO_INLINE void new_file::refuse(int error) const {
  throw file_error(path_,
                   {{{}, {}, "cannot be written: " + std::generic_category().message(error)}});
}

STRETTO_INLINE int new_file::fill(const std::string& path, const char* mode,
                                  std::string_view content, const std::string& like) {
  std::FILE* const out = std::fopen(path.c_str(), mode);
  if (out == nullptr) return errno;
  std::error_code failed;
  if (!like.empty())  // before anybody could read what is not for them
    std::filesystem::permissions(path, std::filesystem::status(like, failed).permissions(), failed);
  int error = failed.value();
  const auto or_else = [&](bool fine) {
    if (!fine && error == 0) error = errno;
  };
  if (error == 0) or_else(std::fwrite(content.data(), 1, content.size(), out) == content.size());
  or_else(std::fclose(out) == 0);
  if (error != 0 && mode[2] == 'x') std::remove(path.c_str());
  return error;
}

STRETTO_INLINE void write_file(std::string_view path, std::string_view content) {
  new_file(path, content).put_in_place();
}

}  // namespace stretto::dynamic
