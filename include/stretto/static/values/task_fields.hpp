// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/declare/access.hpp>
#include <stretto/declare/count.hpp>
#include <stretto/declare/fields.hpp>
#include <stretto/declare/history.hpp>
#include <stretto/declare/items.hpp>
#include <stretto/declare/name.hpp>
#include <stretto/declare/on_failure.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/role.hpp>
#include <stretto/declare/slot.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/declare/verdict.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/static/values/said_by_parameters.hpp>
#include <string_view>
#include <type_traits>
#include <utility>

namespace stretto::typed {

namespace detail {

/// Whether the number of an entry is none, or is out of reach.
template <class Entry>
inline constexpr bool has_odd_number = false;
template <class Type, auto Batches>
inline constexpr bool has_odd_number<ago<Type, Batches>> =
    !declare::is_count<Batches> || declare::count<Batches> > most_batches;
template <class Slot, auto Offset>
inline constexpr bool has_odd_number<at_offset<Slot, Offset>> = !declare::is_count<Offset>;
template <class Entry>
inline constexpr bool has_odd_number<stretto::takes<Entry>> = has_odd_number<Entry>;

/// An entry of a list: what it names, and the number next to the name.
template <class Type>
struct entry {
  using named = Type;
  using slot = void;
  static constexpr int number = 0;
};
template <class Type, auto Batches>
struct entry<ago<Type, Batches>> {
  using named = Type;
  using slot = void;
  static constexpr int number = declare::count<Batches>;
};

/// An entry of cross_iter_depends_on: a bare task means one batch ago.
template <class Type>
struct cross_entry : entry<Type> {
  static constexpr int number = 1;
};
template <class Type, auto Batches>
struct cross_entry<ago<Type, Batches>> : entry<ago<Type, Batches>> {};

/// Whether an entry's number is one from 1 on, or 0.
template <int Most, auto Given>
inline constexpr bool is_from_1_to = declare::count<Given> >= 1 && declare::count<Given> <= Most;
template <auto Given>
inline constexpr bool is_0 = declare::is_count<Given> && declare::count<Given> == 0;

/// Of how many batches an entry is, and how many before the batch at hand the first of them.
template <bool OfPast, bool InRange, int Ago, int Count>
struct batches_of_entry {
  static constexpr bool looks_back = OfPast;
  static constexpr bool in_range = InRange;
  // NOLINTBEGIN(bugprone-branch-clone): not in all instances
  static constexpr int ago = InRange ? Ago : 0;
  static constexpr int count = InRange ? Count : 1;
  // NOLINTEND(bugprone-branch-clone)
};

/// An entry of reads or writes: a bare slot is where its task is. One of earlier batches names
/// itself.
template <class Slot>
struct slot_entry {
  using named = Slot;
  using slot = Slot;
  using batches = batches_of_entry<false, true, 0, 1>;
  static constexpr int number = planner::deepest;
  static constexpr bool takes = false;
  static constexpr bool latest = false;
  static constexpr int items = 0;
  static constexpr bool produces = false;
  static constexpr bool nests = false;  ///< it looks back at what looks back
  template <class Value>
  using parameter = const Value&;  ///< what a body with plain parameters gets that reads it
};
template <class Slot, auto Offset>
struct slot_entry<at_offset<Slot, Offset>> : slot_entry<Slot> {
  static constexpr int number = declare::count<Offset>;
};
template <class Entry>
struct slot_entry<stretto::takes<Entry>> : slot_entry<Entry> {
  static constexpr bool takes = true;
  template <class Value>
  using parameter = Value&&;
};
template <class Slot, auto Batches>
struct slot_entry<previous<Slot, Batches>> : slot_entry<Slot> {
  using named = declare::past<previous<Slot, Batches>>;
  static constexpr bool nests = slot_entry<Slot>::batches::looks_back;
  using batches =
      batches_of_entry<true, is_from_1_to<most_batches, Batches>, declare::count<Batches>, 1>;
};
template <class Slot, auto Batches>
struct slot_entry<window<Slot, Batches>> : slot_entry<Slot> {
  using named = declare::past<window<Slot, Batches>>;
  static constexpr bool nests = slot_entry<Slot>::batches::looks_back;
  using batches =
      batches_of_entry<true, is_from_1_to<widest_window, Batches>, 0, declare::count<Batches>>;
};
template <class Slot, auto Batches>
struct slot_entry<stretto::latest<Slot, Batches>> : slot_entry<Slot> {
  using named = declare::past<stretto::latest<Slot, Batches>>;
  static constexpr bool nests = slot_entry<Slot>::batches::looks_back;
  using batches = batches_of_entry<true, is_from_1_to<most_batches, Batches> || is_0<Batches>,
                                   declare::count<Batches>, 1>;
  static constexpr bool latest = true;
};
/// Of items, which a body gets as an object of the entry, too.
template <class Entry, class Which, auto Items>
struct entry_of_items : slot_entry<Entry> {
  using named = declare::past<Which>;
  /// Of a slot, and neither what it held earlier nor a value that is taken out of it.
  static constexpr bool of_slot =
      !slot_entry<Entry>::batches::looks_back && !slot_entry<Entry>::takes;
  using batches = batches_of_entry<true, of_slot && is_from_1_to<most_items, Items>, 0, 1>;
  static constexpr int items = declare::count<Items>;
};
template <class Entry, auto Items>
struct slot_entry<consumes<Entry, Items>> : entry_of_items<Entry, consumes<Entry, Items>, Items> {};
template <class Entry, auto Items>
struct slot_entry<stretto::produces<Entry, Items>>
    : entry_of_items<Entry, stretto::produces<Entry, Items>, Items> {
  static constexpr bool produces = true;
};
template <class... Entry>
auto slots_in(pack<Entry...>) -> pack<typename slot_entry<Entry>::named...>;
template <class... Entry>
consteval bool look_back(pack<Entry...>) {
  return (slot_entry<Entry>::batches::looks_back || ...);
}

template <class... Entry>
consteval bool produce_items(pack<Entry...>) {
  return (slot_entry<Entry>::produces || ...);
}
template <class... Entry>
consteval bool have_items(pack<Entry...>) {
  return ((slot_entry<Entry>::items != 0) || ...);
}

template <class Slot, std::size_t>
using repeated = Slot;
template <class Slot, std::size_t... Batch>
auto slot_of_each(std::index_sequence<Batch...>) -> pack<repeated<Slot, Batch>...>;
/// The slots that entries read, each once for each batch.
template <bool OfPast>
struct batches_read {
  template <class Entries>
  using of_entries = decltype(slots_in(Entries{}));
};
template <>
struct batches_read<true> {
  template <class... Entry>
  static auto slots_of(pack<Entry...>) -> decltype((
      pack<>{} + ... +
      slot_of_each<typename slot_entry<Entry>::slot>(
          std::make_index_sequence<std::size_t{slot_entry<Entry>::batches::count}>{})));
  template <class Entries>
  using of_entries = decltype(slots_of(Entries{}));
};

/// The slots that entries write.
template <bool Items>
struct slots_written {
  template <class Entries>
  using of_entries = decltype(slots_in(Entries{}));
};
template <>
struct slots_written<true> {
  template <class... Entry>
  static auto slots_of(pack<Entry...>)
      -> pack<std::conditional_t<slot_entry<Entry>::produces, typename slot_entry<Entry>::slot,
                                 typename slot_entry<Entry>::named>...>;
  template <class Entries>
  using of_entries = decltype(slots_of(Entries{}));
};

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

/// What a task reads and writes: where it has a list, by its lists, and else by its parameters, for
/// which nobody else is asked.
template <bool Lists>
struct slots_said {
  template <class Type>
  using reads = decltype(listed<member_reads, stretto::reads, Type>());
  template <class Type>
  using writes = decltype(listed<member_writes, stretto::writes, Type>());
  template <class>
  using accesses = pack<>;
  template <class>
  using accessed = pack<>;
  template <class>
  using updates = pack<>;
};
template <>
struct slots_said<false> {
  template <class Type>
  using reads = typename said_by_task<Type>::reads;
  template <class Type>
  using writes = typename said_by_task<Type>::writes;
  template <class Type>
  using accesses = typename said_by_task<Type>::accesses;
  template <class Type>
  using accessed = typename said_by_task<Type>::slot_list;
  template <class Type>
  using updates = typename said_by_task<Type>::updates;
};

}  // namespace detail

/// Whether a task lists what it reads or writes.
template <class Type>
concept lists_slots = requires { typename Type::reads; } || requires { typename Type::writes; };

/// The parameters by which a task says what it reads and writes, in their order, and their slots.
/// None: it has lists, or no slots.
template <class Type>
using accesses = typename detail::slots_said<lists_slots<Type>>::template accesses<Type>;
template <class Type>
using accessed = typename detail::slots_said<lists_slots<Type>>::template accessed<Type>;
/// The slots that a task updates by its parameters.
template <class Type>
using updates = typename detail::slots_said<lists_slots<Type>>::template updates<Type>;

/// The numbers and flags of a task: where the planner keeps each, whose default it has, and how a
/// task type states it. (No template argument can be the name of a member: each is spelled out.)
namespace scalar {
struct lookahead {
  static constexpr auto kept = &planner::task::lookahead;
  using placement = tag::lookahead;
  template <class Type>
  using address = decltype(&Type::lookahead);
  template <class Type>
  using type = decltype(Type::lookahead);
  template <class Type>
  using constant = std::integral_constant<int, Type::lookahead>;
};
struct weight {
  static constexpr auto kept = &planner::task::weight;
  using placement = tag::weight;
  template <class Type>
  using address = decltype(&Type::weight);
  template <class Type>
  using type = decltype(Type::weight);
  template <class Type>
  using constant = std::integral_constant<int, Type::weight>;
};
struct every {
  static constexpr auto kept = &planner::task::every;
  template <class Type>
  using address = decltype(&Type::every);
  template <class Type>
  using type = decltype(Type::every);
  template <class Type>
  using constant = std::integral_constant<int, Type::every>;
};
struct phase {
  static constexpr auto kept = &planner::task::phase;
  template <class Type>
  using address = decltype(&Type::phase);
  template <class Type>
  using type = decltype(Type::phase);
  template <class Type>
  using constant = std::integral_constant<int, Type::phase>;
};
struct and_at_end {
  static constexpr auto kept = &planner::task::and_at_end;
  template <class Type>
  using address = decltype(&Type::and_at_end);
  template <class Type>
  using type = decltype(Type::and_at_end);
  template <class Type>
  using constant = std::bool_constant<Type::and_at_end>;
};
struct collective {
  static constexpr auto kept = &planner::task::collective;
  template <class Type>
  using address = decltype(&Type::collective);
  template <class Type>
  using type = decltype(Type::collective);
  template <class Type>
  using constant = std::bool_constant<Type::collective>;
};
}  // namespace scalar

namespace detail {

using scalars =
    pack<scalar::lookahead, scalar::weight, scalar::every, scalar::phase, scalar::collective>;
/// Those that `place` may override.
using placed_scalars = pack<scalar::lookahead, scalar::weight>;

/// What `place` may override, as marks.
inline constexpr auto placements_of_tasks = []<class... Scalar>(pack<Scalar...>) {
  return std::array{declare::mark<tag::stream>, declare::mark<tag::thread>,
                    declare::mark<typename Scalar::placement>...};
}(placed_scalars{});

// Data members that happen to have such a name are the task's own affair, or a slip for misuse.hpp.
// They are asked for first, and private members are told by a type that nobody can name, because
// GCC does not forgive the use of data members as constants.
// Of a reference there is no pointer to member.
template <class Scalar, class Type>
concept reference_in_object = std::is_reference_v<typename Scalar::template type<Type>> &&
                              !requires { typename Scalar::template address<Type>; };
template <class Scalar, class Type>
concept in_object = std::is_member_pointer_v<typename Scalar::template address<Type>> ||
                    reference_in_object<Scalar, Type>;
/// A number of a task's own, which is no constant.
template <class Scalar, class Type>
concept number_in_object =
    std::is_integral_v<std::remove_reference_t<typename Scalar::template type<Type>>> &&
    (reference_in_object<Scalar, Type> ||
     std::is_member_object_pointer_v<typename Scalar::template address<Type>>);
template <class Scalar, class Type>
concept no_number =
    !std::is_same_v<decltype(Scalar::kept), bool planner::task::*const> &&
    std::is_pointer_v<typename Scalar::template address<Type>> &&
    declare::is_flag_or_letter<
        std::remove_cv_t<std::remove_pointer_t<typename Scalar::template address<Type>>>>;
template <class Scalar, class Type>
concept states = !in_object<Scalar, Type> && !no_number<Scalar, Type> && requires {
  typename Scalar::template type<Type>;
  typename Scalar::template constant<Type>;
};

inline constexpr planner::task task_by_default{};

}  // namespace detail

/// What a task type states, or the default.
template <class Scalar, class Type>
inline constexpr auto own = detail::task_by_default.*Scalar::kept;
template <class Scalar, class Type>
  requires detail::states<Scalar, Type>
inline constexpr auto own<Scalar, Type> = Scalar::template constant<Type>::value;

namespace detail {

template <class Type>
concept has_stream = declare::part_is<typename Type::stream, tag::stream>();
template <class Type>
concept has_thread = declare::part_is<typename Type::thread, tag::thread>();
template <class Type>
concept has_communicator = declare::part_is<typename Type::communicator, tag::communicator>();
template <class Type>
consteval std::string_view own_stream() {
  if constexpr (has_stream<Type>) {
    return Type::stream::value;
  } else {
    return {};
  }
}
template <class Type>
concept has_role = declare::part_is<typename Type::role, tag::role>();
/// Where a task runs, if not on all ranks, and of a transfer, who receives.
template <class Type>
consteval void add_role(planner::task& said) {
  said.role = Type::role::value;
  if constexpr (declare::is_transfer<Type>) said.to = Type::receivers;
}
template <class Type>
concept has_on_failure = declare::part_is<typename Type::on_failure, tag::on_failure>();
/// How many failures `on_failure` has a run drop; 0: any number.
template <verdict Outcome, class... Bound>
consteval int most_failures(on_failure<Outcome, Bound...>*) {
  int most = 0;
  ((declare::part_is<Bound, tag::max_failures>() ? most = Bound::value : 0), ...);
  return most;
}
template <class Type>
consteval std::string_view own_communicator() {
  if constexpr (own<scalar::collective, Type> && has_communicator<Type>) {
    return Type::communicator::value;
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

}  // namespace detail

/// What an entry of `reads` or `writes` names: its slot, or what an earlier batch left there.
template <class Entry>
using named_by = typename detail::slot_entry<Entry>::named;

/// What a task type lists. Total: what is declared wrongly counts as not declared. (misuse.hpp
/// complains.)
template <class Type>
struct task_fields {
  using read_entries = typename detail::slots_said<lists_slots<Type>>::template reads<Type>;
  using write_entries = typename detail::slots_said<lists_slots<Type>>::template writes<Type>;
  /// What the body is given of what the task reads: as \c reads, unless it looks back.
  using given_reads = decltype(detail::slots_in(read_entries{}));
  static constexpr bool produces = detail::produce_items(write_entries{});
  static constexpr bool has_items = produces || detail::have_items(read_entries{});
  static constexpr bool looks_back = detail::look_back(read_entries{}) || produces;
  using reads = typename detail::batches_read<looks_back>::template of_entries<read_entries>;
  /// What the body is given of what the task writes: as \c writes, unless it is items.
  using given_writes = decltype(detail::slots_in(write_entries{}));
  using writes = typename detail::slots_written<produces>::template of_entries<write_entries>;
  using depends_on =
      decltype(detail::listed<detail::member_depends_on, stretto::depends_on, Type>());
  using cross_iter_depends_on = decltype(detail::listed<detail::member_cross_iter_depends_on,
                                                        stretto::cross_iter_depends_on, Type>());
  using same_progress_sync = decltype(detail::listed<detail::member_same_progress_sync,
                                                     stretto::same_progress_sync, Type>());
  using observes = decltype(detail::listed<detail::member_observes, stretto::observes, Type>());
  using mutates = decltype(detail::listed<detail::member_mutates, stretto::mutates, Type>());
};

namespace detail {

/// An entry of a list as a value: a slot's offset, or how many batches ago, is its number.
struct field_entry {
  const name* named;
  int number;
  bool takes = false;
  int ago = 0;
  int batches = 1;
  std::size_t into = 0;  ///< how many slots it points into
  bool latest = false;
  int items = 0;
};

// Of a pointer to a slot, so that one that points nowhere costs a compiler no template.
template <class... Into>
consteval std::size_t count_into(const points_into<Into...>*) {
  return sizeof...(Into);
}
consteval std::size_t count_into(const void*) { return 0; }

// One table per list of entries, shared by the tasks that have the same list.
template <template <class> class Kind, class... Entry>
inline constexpr field_entry entry_table[] = {
    {&name_of<typename Kind<Entry>::named>, Kind<Entry>::number}...};
template <class... Entry>
inline constexpr field_entry entry_table<slot_entry, Entry...>[] = {
    {&name_of<typename slot_entry<Entry>::slot>, slot_entry<Entry>::number,
     slot_entry<Entry>::takes, slot_entry<Entry>::batches::ago, slot_entry<Entry>::batches::count,
     count_into(static_cast<typename slot_entry<Entry>::slot*>(nullptr)), slot_entry<Entry>::latest,
     slot_entry<Entry>::items}...};
template <template <class> class Kind, class... Entry>
consteval planner::view<field_entry> entries_of(pack<Entry...>) {
  if constexpr (sizeof...(Entry) == 0) {
    return {};
  } else {
    return entry_table<Kind, Entry...>;
  }
}

/// What a task declares, as values.
struct own_fields {
  planner::task said;  ///< all but the lists
  planner::view<field_entry> reads, writes;
  planner::view<field_entry> depends_on, cross_iter_depends_on, same_progress_sync;
  planner::view<field_entry> observes, mutates;
};

template <class Type, class... Scalar>
consteval own_fields fields_of(pack<Scalar...>) {
  using types = task_fields<Type>;
  planner::task said;
  said.id = name_of<Type>;
  said.stream = own_stream<Type>();
  said.thread = own_thread<Type>();
  said.communicator = own_communicator<Type>();
  if constexpr (has_role<Type>) add_role<Type>(said);
  ((said.*Scalar::kept = own<Scalar, Type>), ...);
  // Asked only of those that have a rate, which are few.
  if constexpr (states<scalar::every, Type>) said.and_at_end = own<scalar::and_at_end, Type>;
  if constexpr (has_on_failure<Type>) {
    if (Type::on_failure::outcome == verdict::drop) said.on_failure = planner::drops_it;
    said.max_failures = most_failures(static_cast<typename Type::on_failure*>(nullptr));
  }
  said.drops = may_drop<Type>;
  said.suspends = may_suspend<Type>;
  return {said,
          entries_of<slot_entry>(typename types::read_entries{}),
          entries_of<slot_entry>(typename types::write_entries{}),
          entries_of<entry>(typename types::depends_on{}),
          entries_of<cross_entry>(typename types::cross_iter_depends_on{}),
          entries_of<entry>(typename types::same_progress_sync{}),
          entries_of<entry>(typename types::observes{}),
          entries_of<entry>(typename types::mutates{})};
}

template <class... Names>
consteval std::array<name, sizeof...(Names)> names(pack<Names...>) {
  return {name_of<Names>...};
}

}  // namespace detail
}  // namespace stretto::typed
