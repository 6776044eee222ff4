// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/dynamic/values/concat.hpp>
#include <stretto/dynamic/values/slot_access.hpp>
#include <stretto/plan/text/sentence.hpp>
#include <stretto/run/error.hpp>
#include <string>
#include <string_view>

namespace stretto::dynamic::detail {

STRETTO_INLINE std::string quoted_names(const slot_names& names) {
  std::string all;
  for (const named_slot& s : names.named)
    all += joined(all.empty() ? "" : ", ", planner::quoted(s.name));
  return all;
}

[[noreturn]] STRETTO_INLINE void refuse_access(const slot_names& names, std::string_view slot,
                                               const std::string& why) {
  throw usage_error(joined(names.owner, " asks for slot ", planner::quoted(slot), ", ", why,
                           "; it has ", (names.named.empty() ? "no slots" : quoted_names(names))));
}

[[noreturn]] STRETTO_INLINE void refuse_unnamed(const slot_names& names) {
  if (names.named.empty())
    throw usage_error(
        joined(names.owner, " has no slots: list what is asked for in ", names.listed_in));
  throw usage_error(
      joined(names.owner, " has several slots, ", quoted_names(names), ": say which is asked for"));
}

STRETTO_INLINE std::size_t place_of(const slot_names& names, std::string_view slot, bool to_write,
                                    const slot_type& asked, std::size_t ago, bool latest) {
  bool known = false;
  for (std::size_t i = 0; i < names.named.size(); ++i) {
    const named_slot& s = names.named[i];
    if (s.name != slot) continue;
    known = known || (s.ago == 0 && !s.latest);
    if ((to_write && !s.writes) || s.ago != ago || s.latest != latest) continue;
    if (*s.type == asked) return i;
    refuse_access(
        names, slot,
        joined("as `", asked.name, "`, but it holds ",
               s.type->name == asked.name ? "another type spelled `" : "`", s.type->name, "`"));
  }
  if (latest)
    refuse_access(names, slot,
                  joined("what was written last to it, which it does not declare: list "
                         "`use::latest_of` of it in `reads`"));
  if (ago > 0)
    refuse_access(names, slot,
                  joined("of ", ago, ago == 1 ? " batch" : " batches",
                         " ago, which it does not declare: list it in `reads`"));
  refuse_access(names, slot,
                known ? "to write it, but only reads it: list it in `writes`"
                      : joined("which it does not declare: list it in ", names.listed_in));
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
