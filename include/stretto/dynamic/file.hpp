// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/file/document.hpp>
#include <stretto/dynamic/file/problem.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <string>
#include <string_view>
#include <vector>

/// Schedules as JSON files. Needs nlohmann/json; nothing else of the library includes this.
namespace stretto::dynamic {

namespace detail {

/// `std::filesystem::path`, or the like: files that use none do not include it.
template <class Type>
concept path_of_file = requires(const Type& path) {
  { path.string() } -> std::convertible_to<std::string>;
  path.native();
};

}  // namespace detail

/// A schedule that was read from a file, and where in the file each part of it stands.
class schedule_file {
 public:
  /// Takes a text apart. Total: what cannot be used is among the problems, the rest is in the
  /// schedule.
  explicit schedule_file(std::string text, std::string name = "schedule.json");

  /// Reads a file, whose path is a text or a `std::filesystem::path`. Total; a file that cannot be
  /// read has that problem.
  static schedule_file read(std::string_view from);
  template <detail::path_of_file Path>
  static schedule_file read(const Path& from) {
    return read(std::string_view(from.string()));
  }

  /// Whether it is a schedule file; the schedule may still break rules.
  bool ok() const { return document_.problems.empty(); }
  /// What keeps it from being one, in the order of the file; at most a hundred.
  const std::vector<file_problem>& problems() const { return document_.problems; }
  const std::string& name() const { return name_; }
  const dynamic::schedule& schedule() const { return schedule_; }

  /// Everything that is wrong: what keeps it from being a schedule file or, if nothing does, what
  /// breaks the rules and where. At most a hundred.
  std::vector<file_problem> diagnose() const;

 private:
  schedule_file() = default;

  /// What breaks the rules.
  std::vector<file_problem> breaches() const;
  /// Keeps nothing of the text but \p why.
  void give_up(std::string why);

  std::string name_;
  detail::document document_;
  dynamic::schedule schedule_;
};

/// The schedule in a file. Throws `file_error` if it is no schedule file; whether it keeps the
/// rules is asked where it is planned.
STRETTO_INLINE schedule load(std::string_view from);
template <detail::path_of_file Path>
schedule load(const Path& from) {
  return load(std::string_view(from.string()));
}

/// A schedule as the text of a file: the same for equal schedules, and read back it is an equal
/// one, except bodies. Throws `usage_error` if a name is not UTF-8.
STRETTO_INLINE std::string to_json(const schedule& s);

/// Writes a schedule to a file. Throws `file_error` if that cannot be written.
STRETTO_INLINE void save(const schedule& s, std::string_view to);
template <detail::path_of_file Path>
void save(const schedule& s, const Path& to) {
  save(s, std::string_view(to.string()));
}

}  // namespace stretto::dynamic

#if !defined(STRETTO_COMPILED)
#  include <stretto/dynamic/file.ipp>
#endif
