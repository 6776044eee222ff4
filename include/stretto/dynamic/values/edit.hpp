// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <string>
#include <string_view>
#include <vector>

/// Changes to a schedule that touch every place where a name is mentioned. All else is changed by
/// assigning to its fields.
namespace stretto::dynamic {

/// Renames a task wherever it is mentioned. Returns whether there was such a task.
STRETTO_INLINE bool rename_task(schedule& s, std::string_view from, std::string_view to);

/// Renames a slot wherever it is mentioned. Returns the number of places changed.
STRETTO_INLINE std::size_t rename_slot(schedule& s, std::string_view from, std::string_view to);

/// Takes a task out, with every entry that names it. Returns the tasks that named it; slots that
/// nobody writes any more are for `diagnose` to tell. Throws `usage_error` if there is no such
/// task.
STRETTO_INLINE std::vector<std::string> remove_task(schedule& s, std::string_view name);

}  // namespace stretto::dynamic

#if !defined(STRETTO_COMPILED)
#  include <stretto/dynamic/values/edit.ipp>
#endif
