// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stretto/run/threads/core_quota.hpp>
#include <string>
#include <string_view>

namespace stretto::runner::detail {

/// All that a file says; nothing where there is none.
STRETTO_INLINE std::string quota_text(const char* path) {
  std::string text;
  if (std::FILE* const file = std::fopen(path, "re")) {
    char some[1024];  // NOLINT(modernize-avoid-c-arrays): as fread takes it
    while (const std::size_t read = std::fread(some, 1, sizeof some, file)) text.append(some, read);
    std::fclose(file);
  }
  return text;
}

/// Cuts off what comes before a separator, and the separator; all of it where there is none.
STRETTO_INLINE std::string_view cut_off(std::string_view& rest, std::string_view separator) {
  const std::size_t at = std::min(rest.find(separator), rest.size());
  const std::string_view first = rest.substr(0, at);
  rest.remove_prefix(std::min(at + separator.size(), rest.size()));
  return first;
}

/// Whether a list with commas has a word.
STRETTO_INLINE bool lists(std::string_view list, std::string_view word) {
  while (!list.empty())
    if (cut_off(list, ",") == word) return true;
  return false;
}

/// How many cores' time that is; infinite for what is no share, such as `max` and -1.
STRETTO_INLINE double cores_of(const char* quota, const char* period) {
  const double time = std::strtod(quota, nullptr);
  const double each = std::strtod(period, nullptr);
  return time > 0 && each > 0 ? time / each : std::numeric_limits<double>::infinity();
}

/// What the files of one group give it, in version 2 and in version 1 of control groups.
STRETTO_INLINE double cores_of_group(const std::string& folder, bool unified) {
  if (!unified)
    return cores_of(quota_text((folder + "/cpu.cfs_quota_us").c_str()).c_str(),
                    quota_text((folder + "/cpu.cfs_period_us").c_str()).c_str());
  const std::string both = quota_text((folder + "/cpu.max").c_str());
  const std::size_t space = std::min(both.find(' '), both.size());
  return cores_of(both.c_str(), both.c_str() + space);
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
    std::string_view line = cut_off(mounts, "\n");
    for (int field = 0; field < 3; ++field) cut_off(line, " ");
    quota_mount mount;
    mount.root = cut_off(line, " ");
    mount.at = cut_off(line, " ");
    cut_off(line, " - ");
    const std::string_view kind = cut_off(line, " ");
    cut_off(line, " ");
    if (unified ? kind == "cgroup2" : kind == "cgroup" && lists(line, "cpu")) return mount;
  }
  return {};
}

STRETTO_INLINE double cores_of_quota(const quota_files& files) {
  const std::string groups = quota_text(files.groups);
  const std::string mounts = quota_text(files.mounts);
  double least = std::numeric_limits<double>::infinity();
  for (std::string_view rest = groups; !rest.empty();) {
    // Number of the hierarchy, controllers, path; version 2 has no controllers there.
    std::string_view path = cut_off(rest, "\n");
    cut_off(path, ":");
    const std::string_view controllers = cut_off(path, ":");
    const bool unified = controllers.empty();
    if (!unified && !lists(controllers, "cpu")) continue;
    const quota_mount mount = mount_of(mounts, unified);
    if (mount.at.empty()) continue;
    // Of a container both may begin with the container's own group, or neither.
    if (mount.root != "/" && path.substr(0, mount.root.size()) == mount.root)
      path.remove_prefix(mount.root.size());
    // The group, those that it is in, and the one that is mounted. (One that is not there says
    // nothing.)
    while (true) {
      std::string folder(mount.at);
      folder.append(path);
      least = std::min(least, cores_of_group(folder, unified));
      if (path.empty()) break;
      const std::size_t above = path.rfind('/');
      path = path.substr(0, above == std::string_view::npos ? 0 : above);
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
