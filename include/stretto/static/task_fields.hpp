// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <stretto/declare/fields.hpp>
#include <stretto/declare/name.hpp>
#include <stretto/declare/part.hpp>
#include <stretto/plan/declaration.hpp>
#include <stretto/plan/view.hpp>
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

template <class T>
consteval int own_lookahead() {
  if constexpr (has_lookahead<T>) {
    return T::lookahead;
  } else {
    return 0;
  }
}
template <class T>
consteval int own_weight() {
  if constexpr (has_weight<T>) {
    return T::weight;
  } else {
    return 1;
  }
}
template <class T>
consteval std::string_view own_stream() {
  if constexpr (has_stream<T>) {
    return T::stream::value;
  } else {
    return {};
  }
}
template <class T>
consteval std::string_view own_thread() {
  if constexpr (has_thread<T>) {
    return T::thread::value;
  } else {
    return {};
  }
}
template <class T>
consteval bool own_collective() {
  if constexpr (has_collective<T>) {
    return T::collective;
  } else {
    return false;
  }
}

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

  static constexpr int lookahead = own_lookahead<T>();
  static constexpr int weight = own_weight<T>();
  static constexpr std::string_view stream = own_stream<T>();
  static constexpr std::string_view thread = own_thread<T>();
  static constexpr bool collective = own_collective<T>();
};

/// An entry of a field: whom it names, and the number beside the name, if any (a slot's offset; how
/// many batches ago).
struct field_entry {
  const name* named;
  int number;
};

// One table per list of entries, shared by the tasks that have the same list.
template <class... E>
inline constexpr field_entry slot_entries[] = {
    {&name_of<typename slot_entry<E>::slot>, slot_entry<E>::offset}...};
template <class... E>
inline constexpr field_entry task_entries[] = {
    {&name_of<typename entry<E>::task>, entry<E>::batches}...};
template <class... E>
inline constexpr field_entry cross_entries[] = {
    {&name_of<typename cross_entry<E>::task>, cross_entry<E>::batches}...};
template <class... E>
inline constexpr field_entry name_entries[] = {{&name_of<E>, 0}...};

template <class... E>
consteval plan::view<field_entry> slots_named(pack<E...>) {
  if constexpr (sizeof...(E) == 0) {
    return {};
  } else {
    return slot_entries<E...>;
  }
}
template <class... E>
consteval plan::view<field_entry> tasks_named(pack<E...>) {
  if constexpr (sizeof...(E) == 0) {
    return {};
  } else {
    return task_entries<E...>;
  }
}
template <class... E>
consteval plan::view<field_entry> earlier_named(pack<E...>) {
  if constexpr (sizeof...(E) == 0) {
    return {};
  } else {
    return cross_entries<E...>;
  }
}
template <class... E>
consteval plan::view<field_entry> resources_named(pack<E...>) {
  if constexpr (sizeof...(E) == 0) {
    return {};
  } else {
    return name_entries<E...>;
  }
}

/// What a task's own type declares, as values.
struct own_fields {
  const name* id;
  int lookahead;
  int weight;
  std::string_view stream;
  std::string_view thread;
  bool collective;
  plan::view<field_entry> reads, writes;
  plan::view<field_entry> depends_on, cross_iter_depends_on, same_progress_sync;
  plan::view<field_entry> observes, mutates;
};

template <class T>
consteval own_fields fields_of() {
  using types = task_fields<T>;
  return {&name_of<T>,
          types::lookahead,
          types::weight,
          types::stream,
          types::thread,
          types::collective,
          slots_named(typename types::read_entries{}),
          slots_named(typename types::write_entries{}),
          tasks_named(typename types::depends_on{}),
          earlier_named(typename types::cross_iter_depends_on{}),
          tasks_named(typename types::same_progress_sync{}),
          resources_named(typename types::observes{}),
          resources_named(typename types::mutates{})};
}

template <class... Names>
consteval std::array<name, sizeof...(Names)> names(pack<Names...>) {
  return {name_of<Names>...};
}

}  // namespace stretto::detail
