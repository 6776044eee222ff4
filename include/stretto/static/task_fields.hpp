// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <stretto/declare/fields.hpp>
#include <stretto/declare/name.hpp>
#include <stretto/declare/part.hpp>
#include <stretto/plan/declaration.hpp>
#include <stretto/static/pack.hpp>
#include <string_view>
#include <type_traits>

namespace stretto::detail {

template <class T>
struct entry {
  using task = T;
  static constexpr int batches = 0;
};
template <class T, int N>
struct entry<ago<T, N>> {
  using task = T;
  static constexpr int batches = N;
};

/// An entry of cross_iter_depends_on: a bare task means one batch ago.
template <class T>
struct cross_entry : entry<T> {
  static constexpr int batches = 1;
};
template <class T, int N>
struct cross_entry<ago<T, N>> : entry<ago<T, N>> {};

/// An entry of reads or writes: a bare slot is where its task is.
template <class Slot>
struct slot_entry {
  using slot = Slot;
  static constexpr int offset = plan::deepest;
};
template <class Slot, int Offset>
struct slot_entry<at<Slot, Offset>> {
  using slot = Slot;
  static constexpr int offset = Offset;
};
template <class... E>
auto slots_in(pack<E...>) -> pack<typename slot_entry<E>::slot...>;

/// The entries of one of Stretto's lists. What is no such list has none, and shape.hpp complains.
template <template <class...> class Field, class List>
struct field_types {
  static constexpr bool ok = false;
  using type = pack<>;
};
template <template <class...> class Field, class... T>
struct field_types<Field, Field<T...>> {
  static constexpr bool ok = true;
  using type = pack<T...>;
};

template <class T>
using member_reads = typename T::reads;
template <class T>
using member_writes = typename T::writes;
template <class T>
using member_depends_on = typename T::depends_on;
template <class T>
using member_cross_iter_depends_on = typename T::cross_iter_depends_on;
template <class T>
using member_same_progress_sync = typename T::same_progress_sync;
template <class T>
using member_observes = typename T::observes;
template <class T>
using member_mutates = typename T::mutates;

/// The types that a task lists in a field; a task without the member lists none.
template <template <class> class Member, template <class...> class Field, class T>
consteval auto listed() {
  if constexpr (requires { typename Member<T>; }) {
    return typename field_types<Field, Member<T>>::type{};
  } else {
    return pack<>{};
  }
}

// Data members that happen to have such a name are the task's own affair, or a slip for shape.hpp.
// They are asked for first, because GCC does not forgive their use as constants.
template <class T>
concept lookahead_in_object = std::is_member_pointer_v<decltype(&T::lookahead)>;
template <class T>
concept collective_in_object = std::is_member_pointer_v<decltype(&T::collective)>;
template <class T>
concept weight_in_object = std::is_member_pointer_v<decltype(&T::weight)>;

template <class T>
concept has_lookahead =
    !lookahead_in_object<T> && requires { std::integral_constant<int, T::lookahead>{}; };
template <class T>
concept has_weight = !weight_in_object<T> && requires { std::integral_constant<int, T::weight>{}; };
template <class T>
concept has_stream = part_is<typename T::stream, part::stream>();
template <class T>
concept has_thread = part_is<typename T::thread, part::thread>();
template <class T>
concept has_collective =
    !collective_in_object<T> && requires { std::bool_constant<T::collective>{}; };

/// What a task type declares. Total: what is declared wrongly counts as not declared, and shape.hpp
/// complains.
template <class T>
struct task_fields {
  using read_entries = decltype(listed<member_reads, stretto::reads, T>());
  using write_entries = decltype(listed<member_writes, stretto::writes, T>());
  using reads = decltype(slots_in(read_entries{}));
  using writes = decltype(slots_in(write_entries{}));
  using depends_on = decltype(listed<member_depends_on, stretto::depends_on, T>());
  using cross_iter_depends_on =
      decltype(listed<member_cross_iter_depends_on, stretto::cross_iter_depends_on, T>());
  using same_progress_sync =
      decltype(listed<member_same_progress_sync, stretto::same_progress_sync, T>());
  using observes = decltype(listed<member_observes, stretto::observes, T>());
  using mutates = decltype(listed<member_mutates, stretto::mutates, T>());

  static constexpr int lookahead = [] {
    if constexpr (has_lookahead<T>) {
      return int{T::lookahead};
    } else {
      return 0;
    }
  }();
  static constexpr int weight = [] {
    if constexpr (has_weight<T>) {
      return int{T::weight};
    } else {
      return 1;
    }
  }();
  static constexpr std::string_view stream = [] {
    if constexpr (has_stream<T>) {
      return std::string_view(T::stream::value);
    } else {
      return std::string_view();
    }
  }();
  static constexpr std::string_view thread = [] {
    if constexpr (has_thread<T>) {
      return std::string_view(T::thread::value);
    } else {
      return std::string_view();
    }
  }();
  static constexpr bool collective = [] {
    if constexpr (has_collective<T>) {
      return bool{T::collective};
    } else {
      return false;
    }
  }();
};

/// What a task touches at \p lookahead; \p moved: whatever offsets were stated.
template <class... E>
consteval std::array<plan::access, sizeof...(E)> accesses(pack<E...>,
                                                          [[maybe_unused]] int lookahead,
                                                          [[maybe_unused]] bool moved) {
  return {plan::access{
      name_of<typename slot_entry<E>::slot>,
      slot_entry<E>::offset == plan::deepest || moved ? lookahead : slot_entry<E>::offset}...};
}

template <class... Names>
consteval std::array<name, sizeof...(Names)> names(pack<Names...>) {
  return {name_of<Names>...};
}

template <class... Tasks>
consteval std::array<plan::dependency, sizeof...(Tasks)> dependencies(pack<Tasks...>) {
  return {plan::dependency{name_of<typename entry<Tasks>::task>, entry<Tasks>::batches}...};
}

template <class... Tasks>
consteval std::array<plan::dependency, sizeof...(Tasks)> cross_dependencies(pack<Tasks...>) {
  return {
      plan::dependency{name_of<typename cross_entry<Tasks>::task>, cross_entry<Tasks>::batches}...};
}

}  // namespace stretto::detail
