// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <vector>

namespace stretto::advising {

/// The lookaheads of a schedule's tasks if one of them, a number, worked \p step batches further
/// ahead: those that its batches go through before or after it move along, as few as leave each
/// task the values that it reads. So do, by as much, tasks that use a resource which one of them
/// changes. Empty if that cannot be.
STRETTO_INLINE std::vector<int> moved_along(const dynamic::schedule& s, std::size_t task, int step);

}  // namespace stretto::advising

#if !defined(STRETTO_COMPILED)
#  include <stretto/advice/moved_along.ipp>
#endif
