// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/dynamic/values/concat.hpp>
#include <stretto/dynamic/values/slot_type.hpp>
#include <stretto/plan/text/sentence.hpp>
#include <stretto/run/error.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto::dynamic {

namespace detail {

/// A slot as a task sees it.
struct named_slot {
  std::string_view name;
  const slot_type* type = nullptr;
  bool writes = false;
};

/// The slots that somebody may ask for: of a task, what it reads, then what it writes.
struct slot_names {
  std::string owner;  ///< as errors name it
  std::vector<named_slot> named;
};

[[noreturn]] inline void refuse_access(const slot_names& names, std::string_view slot,
                                       const std::string& why) {
  std::string has;
  for (const named_slot& s : names.named)
    has += joined(has.empty() ? "" : ", ", planner::quoted(s.name));
  throw usage_error(joined(names.owner, " asks for slot ", planner::quoted(slot), ", ", why,
                           "; it has ", (has.empty() ? "no slots" : has)));
}

/// Where a slot is among those of its owner.
template <class Type>
std::size_t place_of(const slot_names& names, std::string_view slot, bool to_write) {
  bool known = false;
  for (std::size_t i = 0; i < names.named.size(); ++i) {
    const named_slot& s = names.named[i];
    if (s.name != slot) continue;
    known = true;
    if (to_write && !s.writes) continue;
    if (*s.type == type_of<Type>()) return i;
    refuse_access(names, slot,
                  joined("as `", type_of<Type>().name, "`, but it holds ",
                         s.type->name == type_of<Type>().name ? "another type spelled `" : "`",
                         s.type->name, "`"));
  }
  refuse_access(names, slot,
                known ? "to write it, but only reads it: list it in `writes`"
                      : "which it does not declare: list it in `reads` or `writes`");
}

}  // namespace detail

/// The slots of a task at work, asked for by name: for callables that do not know before they run
/// what they take.
class slot_access {
 public:
  slot_access(const detail::slot_names& names, void* const* slot_list)
      : names_(names), slots_(slot_list) {}

  /// The value of a slot that the task reads or writes. Throws `usage_error` if it does neither, or
  /// if the slot's type is another; the pipeline then stops on that task.
  template <slot_value Type>
  const Type& read(std::string_view slot) const {
    return *static_cast<const Type*>(slots_[detail::place_of<Type>(names_, slot, false)]);
  }
  /// The value of a slot that the task writes.
  template <slot_value Type>
  Type& write(std::string_view slot) const {
    return *static_cast<Type*>(slots_[detail::place_of<Type>(names_, slot, true)]);
  }

 private:
  const detail::slot_names& names_;
  void* const* slots_;
};

}  // namespace stretto::dynamic
