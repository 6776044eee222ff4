// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdio>
#include <cstdlib>
#include <limits>
#include <stretto/run/text_builder.hpp>
#include <stretto/run/threads/core_quota.hpp>
#include <string_view>

namespace stretto::runner::detail {

/// Adds all that a file says; nothing where there is none.
STRETTO_INLINE void add_file(text_builder& text, const char* path) {
  std::FILE* const file = std::fopen(path, "re");
  if (file == nullptr) return;
  char some[1024];  // NOLINT(modernize-avoid-c-arrays): as fgets takes it
  while (std::fgets(some, sizeof some, file) != nullptr) text.add(some);
  std::fclose(file);
}

/// Cuts off what comes before a character, and the character; all of it where there is none.
STRETTO_INLINE std::string_view cut_off(std::string_view& rest, char separator) {
  std::size_t at = 0;
  while (at < rest.size() && rest[at] != separator) ++at;
  const std::string_view first = rest.substr(0, at);
  rest.remove_prefix(at < rest.size() ? at + 1 : at);
  return first;
}

/// Whether a list with commas has a word.
STRETTO_INLINE bool lists(std::string_view list, std::string_view word) {
  while (!list.empty())
    if (cut_off(list, ',') == word) return true;
  return false;
}

/// How many cores' time that is; infinite for what is no share, such as `max` and -1.
STRETTO_INLINE double cores_of(const char* quota, const char* period) {
  const double time = std::strtod(quota, nullptr);
  const double each = std::strtod(period, nullptr);
  return time > 0 && each > 0 ? time / each : std::numeric_limits<double>::infinity();
}

/// What a group is given, by its files, of version 2 and of version 1 of control groups.
STRETTO_INLINE double cores_of_group(std::string_view mount, std::string_view path, bool unified) {
  const auto read = [&](text_builder& text, std::string_view name) {
    text_builder file;
    add_file(text, file.add(mount).add(path).add("/").add(name).text());
    return text.text();
  };
  text_builder text;
  if (!unified) {
    text_builder period;
    return cores_of(read(text, "cpu.cfs_quota_us"), read(period, "cpu.cfs_period_us"));
  }
  const char* const quota = read(text, "cpu.max");
  const char* period = quota;
  while (*period != '\0' && *period != ' ') ++period;
  return cores_of(quota, period);
}

/// Where a hierarchy of control groups is mounted.
struct quota_mount {
  std::string_view root;  ///< which of its groups is there
  std::string_view at;
};

/// That of a hierarchy: the one of version 2, or the one of version 1 that has the processor.
STRETTO_INLINE quota_mount mount_of(std::string_view mounts, bool unified) {
  while (!mounts.empty()) {
    // proc_pid_mountinfo(5): four fields, where it is, options, a dash, kind, source, options.
    std::string_view line = cut_off(mounts, '\n');
    for (int field = 0; field < 3; ++field) cut_off(line, ' ');
    quota_mount mount;
    mount.root = cut_off(line, ' ');
    mount.at = cut_off(line, ' ');
    while (!line.empty() && cut_off(line, ' ') != "-") {
    }
    const std::string_view kind = cut_off(line, ' ');
    cut_off(line, ' ');
    if (unified ? kind == "cgroup2" : kind == "cgroup" && lists(line, "cpu")) return mount;
  }
  return {};
}

STRETTO_INLINE double cores_of_quota(const quota_files& files) {
  text_builder groups;
  text_builder mounts;
  add_file(groups, files.groups);
  add_file(mounts, files.mounts);
  const std::string_view all_mounts = mounts.text();
  double least = std::numeric_limits<double>::infinity();
  for (std::string_view rest = groups.text(); !rest.empty();) {
    // Number of the hierarchy, controllers, path; version 2 has no controllers there.
    std::string_view path = cut_off(rest, '\n');
    cut_off(path, ':');
    const std::string_view controllers = cut_off(path, ':');
    const bool unified = controllers.empty();
    if (!unified && !lists(controllers, "cpu")) continue;
    const quota_mount mount = mount_of(all_mounts, unified);
    if (mount.at.empty()) continue;
    // Of a container both may begin with the container's own group, or neither.
    if (mount.root != "/" && path.substr(0, mount.root.size()) == mount.root)
      path.remove_prefix(mount.root.size());
    // The group, those that it is in, and the one that is mounted. (One that is not there says
    // nothing.)
    while (true) {
      const double given = cores_of_group(mount.at, path, unified);
      if (given < least) least = given;
      if (path.empty()) break;
      do path.remove_suffix(1);
      while (!path.empty() && path.back() != '/');
      if (!path.empty()) path.remove_suffix(1);
    }
  }
  return least;
}

STRETTO_INLINE bool quota_is_short_for(std::size_t threads) {
  static const bool looked = [] {
    cores_given = cores_of_quota({});
    return true;
  }();
  static_cast<void>(looked);
  return cores_given < static_cast<double>(threads);
}

}  // namespace stretto::runner::detail
