// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <limits>
#include <stretto/compiled/linkage.hpp>

/// How much processor time control groups give a process (cgroups(7)), as `docker run --cpus=2` and
/// limits of Kubernetes have them do. A quota takes no core away: each thread runs until the
/// process has used its share of a period, and then none does until the next one. So threads that
/// stay awake while they wait take that time from those that work.
namespace stretto::runner::detail {

/// Where the system says which control groups a process is in, and where their files are.
struct quota_files {
  const char* groups = "/proc/self/cgroup";
  const char* mounts = "/proc/self/mountinfo";
};

/// How many cores' time the quotas of a process give it: the least of its groups and of the groups
/// that these are in, by either version of control groups. Infinite: there is no quota, or none
/// that can be read.
[[gnu::cold]] STRETTO_INLINE double cores_of_quota(const quota_files& files);

/// That of this process, once it has been looked for.
inline double cores_given = std::numeric_limits<double>::infinity();

/// Whether a quota gives less than a core's time to each of N threads, \p threads. Looks for quotas
/// at the first call only: most stay what they were.
[[gnu::cold]] STRETTO_INLINE bool quota_is_short_for(std::size_t threads);

}  // namespace stretto::runner::detail

#if !defined(STRETTO_COMPILED)
#  include <stretto/run/threads/core_quota.ipp>
#endif
