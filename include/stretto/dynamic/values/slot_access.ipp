// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/dynamic/values/concat.hpp>
#include <stretto/dynamic/values/slot_access.hpp>
#include <stretto/plan/text/sentence.hpp>
#include <stretto/run/error.hpp>
#include <string>
#include <string_view>

namespace stretto::dynamic::detail {

[[noreturn]] STRETTO_INLINE void refuse_access(const slot_names& names, std::string_view slot,
                                               const std::string& why) {
  std::string has;
  for (const named_slot& s : names.named)
    has += joined(has.empty() ? "" : ", ", planner::quoted(s.name));
  throw usage_error(joined(names.owner, " asks for slot ", planner::quoted(slot), ", ", why,
                           "; it has ", (has.empty() ? "no slots" : has)));
}

STRETTO_INLINE std::size_t place_of(const slot_names& names, std::string_view slot, bool to_write,
                                    const slot_type& asked) {
  bool known = false;
  for (std::size_t i = 0; i < names.named.size(); ++i) {
    const named_slot& s = names.named[i];
    if (s.name != slot) continue;
    known = true;
    if (to_write && !s.writes) continue;
    if (*s.type == asked) return i;
    refuse_access(
        names, slot,
        joined("as `", asked.name, "`, but it holds ",
               s.type->name == asked.name ? "another type spelled `" : "`", s.type->name, "`"));
  }
  refuse_access(names, slot,
                known ? "to write it, but only reads it: list it in `writes`"
                      : "which it does not declare: list it in `reads` or `writes`");
}

STRETTO_INLINE std::size_t place_to_take(const slot_names& names, std::string_view slot,
                                         const slot_type& asked) {
  const std::size_t place = place_of(names, slot, false, asked);
  if (!names.named[place].takes)
    refuse_access(names, slot,
                  joined("to take its value, but does not declare that: list `takes(\"", slot,
                         "\")` in `reads`"));
  return place;
}

}  // namespace stretto::dynamic::detail
