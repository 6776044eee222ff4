// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <stretto/declare/fields.hpp>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/view.hpp>
#include <string_view>
#include <type_traits>

namespace stretto::detail {

template <class Type>
struct entry {
  using task = Type;
  static constexpr int batches = 0;
};
template <class Type, int Batches>
struct entry<ago<Type, Batches>> {
  static_assert(Batches <= most_batches, "`ago` names a run of at most 100,000 batches ago");
  using task = Type;
  static constexpr int batches = Batches;
};

/// An entry of cross_iter_depends_on: a bare task means one batch ago.
template <class Type>
struct cross_entry : entry<Type> {
  static constexpr int batches = 1;
};
template <class Type, int Batches>
struct cross_entry<ago<Type, Batches>> : entry<ago<Type, Batches>> {};

/// An entry of reads or writes: a bare slot is where its task is.
template <class Slot>
struct slot_entry {
  using slot = Slot;
  static constexpr int offset = planner::deepest;
};
template <class Slot, int Offset>
struct slot_entry<at<Slot, Offset>> {
  using slot = Slot;
  static constexpr int offset = Offset;
};
template <class... Entry>
auto slots_in(pack<Entry...>) -> pack<typename slot_entry<Entry>::slot...>;

/// The entries of one of Stretto's lists. What is no such list has none, and misuse.hpp complains.
template <template <class...> class Field, class List>
struct field_types {
  static constexpr bool ok = false;
  using type = pack<>;
};
template <template <class...> class Field, class... Type>
struct field_types<Field, Field<Type...>> {
  static constexpr bool ok = true;
  using type = pack<Type...>;
};

template <class Type>
using member_reads = typename Type::reads;
template <class Type>
using member_writes = typename Type::writes;
template <class Type>
using member_depends_on = typename Type::depends_on;
template <class Type>
using member_cross_iter_depends_on = typename Type::cross_iter_depends_on;
template <class Type>
using member_same_progress_sync = typename Type::same_progress_sync;
template <class Type>
using member_observes = typename Type::observes;
template <class Type>
using member_mutates = typename Type::mutates;

/// The types that a task lists in a field; a task without the member lists none.
template <template <class> class Member, template <class...> class Field, class Type>
consteval auto listed() {
  if constexpr (requires { typename Member<Type>; }) {
    return typename field_types<Field, Member<Type>>::type{};
  } else {
    return pack<>{};
  }
}

// Data members that happen to have such a name are the task's own affair, or a slip for misuse.hpp.
// They are asked for first, because GCC does not forgive their use as constants.
template <class Type>
concept lookahead_in_object = std::is_member_pointer_v<decltype(&Type::lookahead)>;
template <class Type>
concept collective_in_object = std::is_member_pointer_v<decltype(&Type::collective)>;
template <class Type>
concept weight_in_object = std::is_member_pointer_v<decltype(&Type::weight)>;

template <class Type>
concept has_lookahead =
    !lookahead_in_object<Type> && requires { std::integral_constant<int, Type::lookahead>{}; };
template <class Type>
concept has_weight =
    !weight_in_object<Type> && requires { std::integral_constant<int, Type::weight>{}; };
template <class Type>
concept has_stream = part_is<typename Type::stream, tag::stream>();
template <class Type>
concept has_thread = part_is<typename Type::thread, tag::thread>();
template <class Type>
concept has_collective =
    !collective_in_object<Type> && requires { std::bool_constant<Type::collective>{}; };

template <class Type>
consteval int own_lookahead() {
  if constexpr (has_lookahead<Type>) {
    return Type::lookahead;
  } else {
    return 0;
  }
}
template <class Type>
consteval int own_weight() {
  if constexpr (has_weight<Type>) {
    return Type::weight;
  } else {
    return 1;
  }
}
template <class Type>
consteval std::string_view own_stream() {
  if constexpr (has_stream<Type>) {
    return Type::stream::value;
  } else {
    return {};
  }
}
template <class Type>
consteval std::string_view own_thread() {
  if constexpr (has_thread<Type>) {
    return Type::thread::value;
  } else {
    return {};
  }
}
template <class Type>
consteval bool own_collective() {
  if constexpr (has_collective<Type>) {
    return Type::collective;
  } else {
    return false;
  }
}

/// What a task type declares. Total: what is declared wrongly counts as not declared. (misuse.hpp
/// complains.)
template <class Type>
struct task_fields {
  using read_entries = decltype(listed<member_reads, stretto::reads, Type>());
  using write_entries = decltype(listed<member_writes, stretto::writes, Type>());
  using reads = decltype(slots_in(read_entries{}));
  using writes = decltype(slots_in(write_entries{}));
  using depends_on = decltype(listed<member_depends_on, stretto::depends_on, Type>());
  using cross_iter_depends_on =
      decltype(listed<member_cross_iter_depends_on, stretto::cross_iter_depends_on, Type>());
  using same_progress_sync =
      decltype(listed<member_same_progress_sync, stretto::same_progress_sync, Type>());
  using observes = decltype(listed<member_observes, stretto::observes, Type>());
  using mutates = decltype(listed<member_mutates, stretto::mutates, Type>());

  static constexpr int lookahead = own_lookahead<Type>();
  static constexpr int weight = own_weight<Type>();
  static constexpr std::string_view stream = own_stream<Type>();
  static constexpr std::string_view thread = own_thread<Type>();
  static constexpr bool collective = own_collective<Type>();
};

/// An entry of a field: whom it names, and the number next to the name, if any (a slot's offset;
/// how many batches ago).
struct field_entry {
  const name* named;
  int number;
};

// One table per list of entries, shared by the tasks that have the same list.
template <class... Entry>
inline constexpr field_entry slot_entries[] = {
    {&name_of<typename slot_entry<Entry>::slot>, slot_entry<Entry>::offset}...};
template <class... Entry>
inline constexpr field_entry task_entries[] = {
    {&name_of<typename entry<Entry>::task>, entry<Entry>::batches}...};
template <class... Entry>
inline constexpr field_entry cross_entries[] = {
    {&name_of<typename cross_entry<Entry>::task>, cross_entry<Entry>::batches}...};
template <class... Entry>
inline constexpr field_entry name_entries[] = {{&name_of<Entry>, 0}...};

template <class... Entry>
consteval planner::view<field_entry> slots_named(pack<Entry...>) {
  if constexpr (sizeof...(Entry) == 0) {
    return {};
  } else {
    return slot_entries<Entry...>;
  }
}
template <class... Entry>
consteval planner::view<field_entry> tasks_named(pack<Entry...>) {
  if constexpr (sizeof...(Entry) == 0) {
    return {};
  } else {
    return task_entries<Entry...>;
  }
}
template <class... Entry>
consteval planner::view<field_entry> earlier_named(pack<Entry...>) {
  if constexpr (sizeof...(Entry) == 0) {
    return {};
  } else {
    return cross_entries<Entry...>;
  }
}
template <class... Entry>
consteval planner::view<field_entry> resources_named(pack<Entry...>) {
  if constexpr (sizeof...(Entry) == 0) {
    return {};
  } else {
    return name_entries<Entry...>;
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
  planner::view<field_entry> reads, writes;
  planner::view<field_entry> depends_on, cross_iter_depends_on, same_progress_sync;
  planner::view<field_entry> observes, mutates;
};

template <class Type>
consteval own_fields fields_of() {
  using types = task_fields<Type>;
  return {&name_of<Type>,
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
