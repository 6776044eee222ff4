// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <string_view>

namespace stretto::dynamic {

/// What a rank of a role runs of a schedule with roles, as `stretto::projection`: the tasks of the
/// role and those of all ranks, and its ends of transfers, planned as in the schedule of all ranks.
/// `pipeline<mpi::collectives> p(projection(s, rank == 0 ? "reader" : "trainer"));` It hands out
/// those results of the schedule that it has at the end; a rank whose role does not read the
/// source's slot runs with `follow()`. All ranks stop after the same batch.
///
/// Bodies and threads may be changed afterwards, and nothing else: change \p whole, and project
/// that. Throws `schedule_error` if anything is wrong with the schedule, and `usage_error` if no
/// task has the role, or if \p whole is a projection.
STRETTO_INLINE schedule projection(const schedule& whole, std::string_view role);

}  // namespace stretto::dynamic

#if !defined(STRETTO_COMPILED)
#  include <stretto/dynamic/query/projection.ipp>
#endif
