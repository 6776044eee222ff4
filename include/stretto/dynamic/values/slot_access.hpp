// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/values/ready_call.hpp>
#include <stretto/dynamic/values/slot_type.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/verdict_book.hpp>
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
  std::size_t ago = 0;  ///< of an earlier batch
  bool takes = false;
  bool latest = false;
  std::size_t items = 0;  ///< for each call; 0: one value
  std::size_t since = 0;  ///< the first batch for which there is a value
  const runner::verdict_book* verdicts = nullptr;
  planner::view<std::size_t> droppers{};  ///< who keeps the slot from being written, if anybody may

  /// Whether there is no value, of an earlier batch, because that was dropped.
  bool dropped(std::size_t batch) const {
    return verdicts != nullptr && verdicts->unwritten(droppers, batch - ago);
  }
};

/// The slots that somebody may ask for: of a task, what it reads, then what it writes.
struct slot_names {
  std::string owner;  ///< as errors name it
  std::vector<named_slot> named;
  std::string_view listed_in = "`reads` or `writes`";
  const slot_type* only = nullptr;  ///< the type, if there is one slot and that is known
};

/// The slots, as errors list them.
STRETTO_INLINE std::string quoted_names(const slot_names& names);
/// Throws the `usage_error` of who asks for a slot that it does not have, or not so.
[[noreturn]] STRETTO_INLINE void refuse_access(const slot_names& names, std::string_view slot,
                                               const std::string& why);
/// Throws the `usage_error` of who asks for the one slot of an owner that has none, or several.
[[noreturn]] STRETTO_INLINE void refuse_unnamed(const slot_names& names);
/// Where a slot is among those of its owner. Throws `usage_error` if it is not there, is of another
/// type, or is not to be written.
STRETTO_INLINE std::size_t place_of(const slot_names& names, std::string_view slot, bool to_write,
                                    const slot_type& asked, std::size_t ago = 0,
                                    bool latest = false);
/// Where a slot is whose value the owner takes; throws if the owner does not.
STRETTO_INLINE std::size_t place_to_take(const slot_names& names, std::string_view slot,
                                         const slot_type& asked);

}  // namespace detail

/// The slots of a task at work, asked for by name: for callables that do not know before they run
/// what they take.
class slot_access {
 public:
  slot_access(const detail::slot_names& names, const detail::word* slot_list, std::size_t batch)
      : names_(names), slots_(slot_list), batch_(batch) {}

  /// The value of a slot that the task reads or writes. Throws `usage_error` if it does neither, or
  /// if the slot's type is another; the pipeline then stops on that task.
  template <slot_value Type>
  const Type& read(std::string_view slot) const {
    return *static_cast<const Type*>(
        slots_[detail::place_of(names_, slot, false, type_of<Type>())].slot);
  }
  /// What a slot held that the task reads as `use::previous(slot, ago)`; null where there is no
  /// such batch. Throws as `read` does.
  template <slot_value Type>
  const Type* previous(std::string_view slot, std::size_t ago = 1) const {
    const std::size_t place = detail::place_of(names_, slot, false, type_of<Type>(), ago);
    const detail::named_slot& read = names_.named[place];
    return batch_ < read.since || read.dropped(batch_)
               ? nullptr
               : static_cast<const Type*>(slots_[place].slot);
  }
  /// What was written last to a slot that the task reads as `use::latest_of(slot, ago)`; null where
  /// nothing has been written yet. Throws as `read` does.
  template <slot_value Type>
  const Type* latest(std::string_view slot, std::size_t ago = 0) const {
    const std::size_t place = detail::place_of(names_, slot, false, type_of<Type>(), ago, true);
    return batch_ < names_.named[place].since ? nullptr
                                              : static_cast<const Type*>(slots_[place].slot);
  }
  /// The value of a slot that the task takes.
  template <slot_value Type>
  Type&& take(std::string_view slot) const {
    return static_cast<Type&&>(
        *static_cast<Type*>(slots_[detail::place_to_take(names_, slot, type_of<Type>())].slot));
  }
  /// The value of a slot that the task writes.
  template <slot_value Type>
  Type& write(std::string_view slot) const {
    return *static_cast<Type*>(slots_[detail::place_of(names_, slot, true, type_of<Type>())].slot);
  }

 private:
  const detail::slot_names& names_;
  const detail::word* slots_;
  std::size_t batch_;
};

}  // namespace stretto::dynamic

#if !defined(STRETTO_COMPILED)
#  include <stretto/dynamic/values/slot_access.ipp>
#endif
