// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/dynamic/query/part_of_role.hpp>
#include <stretto/dynamic/query/planned.hpp>
#include <stretto/dynamic/query/projection.hpp>
#include <stretto/dynamic/values/concat.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/run/error.hpp>
#include <string>
#include <string_view>

namespace stretto::dynamic {

STRETTO_INLINE schedule projection(const schedule& whole, std::string_view role) {
  if (!whole.whole.empty())
    throw usage_error(detail::joined("schedule ", detail::quoted_name{whole.name},
                                     " is what a rank of role ", detail::quoted_name{whole.role},
                                     " runs; project the schedule of all ranks, its `whole`"));
  const planned_schedule all(whole);
  if (const std::string text = detail::unknown_role(whole, all.declaration(), role); !text.empty())
    throw usage_error(text);
  return detail::project(whole, all.declaration(), all.plan(), role);
}

}  // namespace stretto::dynamic
