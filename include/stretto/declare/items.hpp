// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <span>
#include <stretto/declare/access.hpp>
#include <stretto/declare/count.hpp>
#include <type_traits>

namespace stretto {

/// The most items of a slot that a batch holds.
inline constexpr int most_items = 65536;

namespace declare {

/// Items of a slot that lie next to each other.
template <class Value, int Items>
class item_range {
 public:
  using value_type = std::remove_const_t<Value>;

  constexpr explicit item_range(Value* first) noexcept : first_(first) {}

  static constexpr std::size_t size() noexcept { return static_cast<std::size_t>(Items); }
  constexpr Value* data() const noexcept { return first_; }
  constexpr Value* begin() const noexcept { return first_; }
  constexpr Value* end() const noexcept { return first_ + size(); }
  constexpr Value& operator[](std::size_t item) const noexcept { return first_[item]; }
  constexpr Value& front() const noexcept { return *first_; }
  constexpr Value& back() const noexcept { return first_[size() - 1]; }
  constexpr Value& operator*() const noexcept
    requires(Items == 1)
  {
    return *first_;
  }
  constexpr Value* operator->() const noexcept
    requires(Items == 1)
  {
    return first_;
  }
  // NOLINTNEXTLINE(google-explicit-constructor,hicpp-explicit-conversions): is one
  constexpr operator std::span<Value>() const noexcept { return {first_, size()}; }

 private:
  Value* first_;
};

}  // namespace declare

/// That a task reads `Items` items of a slot each time that it is called: for `reads`, or as a
/// parameter in place of such an entry. A range of `const T`; `*c` is the item, where it is one.
///
/// `void operator()(stretto::consumes<cd, 3> in, stretto::produces<dat, 2> out) const`
///
/// A batch is one iteration of the synchronous dataflow graph that tasks with such entries are: the
/// planner finds how often each is called for a batch, so that what is produced is consumed. These
/// are the least numbers that solve the balance equations (Lee and Messerschmitt, "Static
/// scheduling of synchronous data flow programs for digital signal processing", 1987). Calls follow
/// each other in one place of the plan, and each goes on where the one before it ended. A slot that
/// is used so holds all items of a batch; others have one value per batch, as ever.
///
/// An error if no numbers solve the equations, if a batch would have more than 65,536 items of a
/// slot, or if somebody uses the slot without such an entry (rule 9).
template <class Slot, auto Items = 1>
class consumes : public declare::item_range<
                     const typename declare::value_in<typename declare::accessed<Slot>::type>::type,
                     declare::count<Items>> {
 public:
  using slot = typename declare::accessed<Slot>::type;
  using consumes::item_range::item_range;
};

/// That a task writes `Items` items of a slot each time that it is called: for `writes`, or as a
/// parameter in place of such an entry. A range of `T`, with what an earlier batch left there; `*p`
/// is the item, and `p = v` assigns to it, where it is one. Errors are those of `consumes`.
template <class Slot, auto Items = 1>
class produces : public declare::item_range<
                     typename declare::value_in<typename declare::accessed<Slot>::type>::type,
                     declare::count<Items>> {
 public:
  using slot = typename declare::accessed<Slot>::type;
  using produces::item_range::item_range;
  constexpr produces(const produces&) noexcept = default;
  produces& operator=(const produces&) = delete;

  template <class Given = typename produces::value_type>
    requires(Items == 1 && !std::is_arithmetic_v<typename produces::value_type> &&
             std::is_assignable_v<typename produces::value_type&, Given>)
  constexpr const produces& operator=(Given&& given) const
      noexcept(std::is_nothrow_assignable_v<typename produces::value_type&, Given>) {
    **this = static_cast<Given&&>(given);
    return *this;
  }
  constexpr const produces& operator=(
      declare::number_in<typename produces::value_type> given) const noexcept
    requires(Items == 1 && std::is_arithmetic_v<typename produces::value_type>)
  {
    **this = given;
    return *this;
  }
};

namespace declare {

template <class>
inline constexpr bool is_no_slot = false;

/// Of what other parameters cannot name.
template <class Slot, auto Items>
struct value_in<consumes<Slot, Items>> : value_in<typename accessed<Slot>::type> {
  static_assert(is_no_slot<Slot>,
                "`consumes<slot, N>` is a parameter, or an entry of `reads`, of its own: other "
                "parameters and entries name the slot");
};
template <class Slot, auto Items>
struct value_in<produces<Slot, Items>> : value_in<typename accessed<Slot>::type> {
  static_assert(is_no_slot<Slot>,
                "`produces<slot, N>` is a parameter, or an entry of `writes`, of its own: other "
                "parameters and entries name the slot");
};

}  // namespace declare
}  // namespace stretto
