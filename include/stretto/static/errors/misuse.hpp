// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/declare/count.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/schedule.hpp>
#include <stretto/declare/slot.hpp>
#include <stretto/declare/task.hpp>
#include <stretto/declare/thread.hpp>
#include <stretto/errors/emit.hpp>
#include <stretto/errors/misuse_text.hpp>
#include <stretto/errors/words.hpp>
#include <stretto/plan/model/name_index.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/text/misused_groups.hpp>
#include <stretto/static/errors/exceeded_bounds.hpp>
#include <stretto/static/errors/first_diagnostic.hpp>
#include <stretto/static/errors/misspelled.hpp>
#include <stretto/static/errors/parts.hpp>
#include <stretto/static/errors/placements.hpp>
#include <stretto/static/errors/thread_maps.hpp>
#include <stretto/static/errors/unlisted_threads.hpp>
#include <stretto/static/errors/waste.hpp>
#include <stretto/static/values/declared.hpp>
#include <stretto/static/values/said_by_parameters.hpp>
#include <stretto/static/values/task_fields.hpp>
#include <string_view>
#include <type_traits>

/// Slips in how a schedule is written, found before any rule is asked: members that nobody would
/// look at, fields that are not Stretto's lists, entries that are not slots.
namespace stretto::typed {

namespace detail {

template <class Type>
std::true_type upcast_to_slot(const slot<Type>*);
template <class Type>
std::true_type upcast_to_resource(const resource<Type>*);
template <class Type>
concept is_slot = requires(Type* t) { upcast_to_slot(t); };
template <class Type>
concept is_resource = requires(Type* t) { upcast_to_resource(t); };

template <class Type>
inline constexpr bool is_ago = false;
template <class Type, auto Batches>
inline constexpr bool is_ago<ago<Type, Batches>> = true;

// The name of a field that is a type, given to a value. First it is asked whether there is one.
// clang-format off
template <class Type>
concept stream_as_value = requires { Type::stream; } && (requires { requires member_declares<decltype(Type::stream), decltype(&Type::stream)>; } || (!requires { &Type::stream; } && member_declares<decltype(Type::stream)>));
template <class Type>
concept thread_as_value = requires { Type::thread; } && (requires { requires member_declares<decltype(Type::thread), decltype(&Type::thread)>; } || (!requires { &Type::thread; } && member_declares<decltype(Type::thread)>));
template <class Type>
concept role_as_value = requires { Type::role; } && (requires { requires member_declares<decltype(Type::role), decltype(&Type::role)>; } || (!requires { &Type::role; } && member_declares<decltype(Type::role)>));
template <class Type>
concept communicator_as_value = requires { Type::communicator; } && (requires { requires member_declares<decltype(Type::communicator), decltype(&Type::communicator)>; } || (!requires { &Type::communicator; } && member_declares<decltype(Type::communicator)>));
template <class Type>
concept reads_as_value = requires { Type::reads; } && (requires { requires member_declares<decltype(Type::reads), decltype(&Type::reads)>; } || (!requires { &Type::reads; } && member_declares<decltype(Type::reads)>));
template <class Type>
concept writes_as_value = requires { Type::writes; } && (requires { requires member_declares<decltype(Type::writes), decltype(&Type::writes)>; } || (!requires { &Type::writes; } && member_declares<decltype(Type::writes)>));
template <class Type>
concept depends_on_as_value = requires { Type::depends_on; } && (requires { requires member_declares<decltype(Type::depends_on), decltype(&Type::depends_on)>; } || (!requires { &Type::depends_on; } && member_declares<decltype(Type::depends_on)>));
template <class Type>
concept cross_iter_depends_on_as_value = requires { Type::cross_iter_depends_on; } && (requires { requires member_declares<decltype(Type::cross_iter_depends_on), decltype(&Type::cross_iter_depends_on)>; } || (!requires { &Type::cross_iter_depends_on; } && member_declares<decltype(Type::cross_iter_depends_on)>));
template <class Type>
concept same_progress_sync_as_value = requires { Type::same_progress_sync; } && (requires { requires member_declares<decltype(Type::same_progress_sync), decltype(&Type::same_progress_sync)>; } || (!requires { &Type::same_progress_sync; } && member_declares<decltype(Type::same_progress_sync)>));
template <class Type>
concept observes_as_value = requires { Type::observes; } && (requires { requires member_declares<decltype(Type::observes), decltype(&Type::observes)>; } || (!requires { &Type::observes; } && member_declares<decltype(Type::observes)>));
template <class Type>
concept mutates_as_value = requires { Type::mutates; } && (requires { requires member_declares<decltype(Type::mutates), decltype(&Type::mutates)>; } || (!requires { &Type::mutates; } && member_declares<decltype(Type::mutates)>));
template <class Type>
concept on_failure_as_value = requires { Type::on_failure; } && (requires { requires member_declares<decltype(Type::on_failure), decltype(&Type::on_failure)>; } || (!requires { &Type::on_failure; } && member_declares<decltype(Type::on_failure)>));
// clang-format on

template <class Type>
concept has_nameless_stream = has_stream<Type> && Type::stream::value.empty();
template <class Type>
concept has_nameless_thread = has_thread<Type> && Type::thread::value.empty();

/// What bounds how many failures are dropped, of which there is one at least.
template <class Type>
concept bounds_failures =
    declare::part_is<Type, tag::max_failures>() && requires { requires Type::value >= 1; };

/// A type that stands for a number, as std::integral_constant does, or is that of one.
template <class Type>
concept number_as_type = std::is_same_v<Type, int> || requires {
  requires std::is_pointer_v<decltype(&Type::value)>;
  requires std::is_arithmetic_v<decltype(Type::value)>;
};

/// A phase that is no number an int can be; a text is the task's own affair.
template <class Type>
concept phase_as_value =
    requires { Type::phase; } && !states<scalar::phase, Type> &&
    (requires { requires declares<std::remove_cvref_t<decltype(Type::phase)>>; } ||
     (!in_object<scalar::phase, Type> && requires {
       requires std::is_arithmetic_v<std::remove_cvref_t<decltype(Type::phase)>>;
       requires std::is_const_v<decltype(Type::phase)>;
     }));

/// A number called `weight` that is no constant. In an object, what is no number is the task's own
/// affair.
template <class Type>
consteval bool weight_is_odd() {
  if constexpr (states<scalar::weight, Type>) {
    return false;
  } else if constexpr (in_object<scalar::weight, Type>) {
    return number_in_object<scalar::weight, Type> ||
           declares<std::remove_cvref_t<scalar::weight::type<Type>>>;
  } else {
    return requires { Type::weight; } || requires { requires declares<typename Type::weight>; } ||
           requires { requires number_as_type<typename Type::weight>; };
  }
}
/// Whether a member called `every` is odd in that way, or a phase next to one: a truth value, or a
/// number that is no constant or that no int can be. A phase that is a number's type is odd by
/// itself; what else is called `phase` is the task's own affair.
template <class Type>
consteval bool rate_is_odd() {
  if constexpr (
      requires { requires declares<typename Type::phase>; } ||
      requires { requires number_as_type<typename Type::phase>; } || phase_as_value<Type>) {
    return true;
  } else if constexpr (states<scalar::every, Type>) {
    return !states<scalar::phase, Type> && !in_object<scalar::phase, Type> &&
           requires { requires std::is_arithmetic_v<std::remove_cvref_t<decltype(Type::phase)>>; };
  } else if constexpr (in_object<scalar::every, Type>) {
    return number_in_object<scalar::every, Type> ||
           declares<std::remove_cvref_t<scalar::every::type<Type>>>;
  } else {
    return requires { Type::every; } || requires { requires declares<typename Type::every>; } ||
           requires { requires number_as_type<typename Type::every>; };
  }
}

/// Whether a task says by a constant that it runs at the end, too, and of how many batches at all.
template <class Type>
concept ends_groups = states<scalar::every, Type> && states<scalar::and_at_end, Type>;

/// A parameter that says nothing of a slot, behind or before one that does, or where nothing does.
template <class Type>
consteval auto parameters_diagnostic() {
  using said = said_by_task<Type>;
  using parameters = typename said::parameters;
  if constexpr (said::odd != 0) {
    return errors::odd_parameter<Type, said::odd, declare::nth<said::odd - 1, parameters>>{};
  } else if constexpr (parameters::size == 0 || said::accesses::size != 0) {
    return errors::no_error{};
  } else if constexpr (parameters::size > 1) {  // the first may be the context
    return errors::unsaid_parameter<Type, 2, declare::nth<1, parameters>>{};
  } else if constexpr (!std::is_reference_v<declare::nth<0, parameters>> ||
                       std::is_class_v<std::remove_cvref_t<declare::nth<0, parameters>>>) {
    return errors::no_error{};  // the context, or what a device or a communicator is
  } else {
    return errors::unsaid_parameter<Type, 1, declare::nth<0, parameters>>{};
  }
}

/// What is wrong with a task that has no list, or `no_error`: it is none, its lists are private, or
/// its parameters are references.
/// (If it has one, data of its own with such a name is its own affair.)
template <class Type>
consteval auto listless_diagnostic() {
  namespace m = invalid::member;
  if constexpr (is_slot<Type>) {
    return errors::slot_as_part<Type>{};
  } else if constexpr (is_resource<Type>) {
    return errors::resource_as_part<Type>{};
  } else if constexpr (!std::is_class_v<Type> || std::is_final_v<Type>) {
    return errors::no_error{};
  } else {
    using seen = with_known_names<Type>;
    // clang-format off
    if constexpr (!requires { typename seen::reads; } && !requires { typename Type::reads; }) return errors::private_member<Type, m::reads>{};
    else if constexpr (!requires { typename seen::writes; } && !requires { typename Type::writes; }) return errors::private_member<Type, m::writes>{};
    else if constexpr (!requires { typename seen::depends_on; } && !requires { typename Type::depends_on; }) return errors::private_member<Type, m::depends_on>{};
    else if constexpr (!requires { typename seen::cross_iter_depends_on; } && !requires { typename Type::cross_iter_depends_on; }) return errors::private_member<Type, m::cross_iter_depends_on>{};
    else if constexpr (!requires { typename seen::same_progress_sync; } && !requires { typename Type::same_progress_sync; }) return errors::private_member<Type, m::same_progress_sync>{};
    else if constexpr (!requires { typename seen::observes; } && !requires { typename Type::observes; }) return errors::private_member<Type, m::observes>{};
    else if constexpr (!requires { typename seen::mutates; } && !requires { typename Type::mutates; }) return errors::private_member<Type, m::mutates>{};
    else if constexpr (lists_slots<Type>) return errors::no_error{};
    else return parameters_diagnostic<Type>();
    // clang-format on
  }
}

/// What is said of failures that cannot be.
template <class Type, verdict Outcome, class... Bound>
consteval auto failure_diagnostic(on_failure<Outcome, Bound...>*) {
  constexpr std::size_t odd = first_true<sizeof...(Bound)>({!bounds_failures<Bound>...});
  if constexpr (Outcome != verdict::drop) {
    return errors::kept_failure<Type>{};
  } else if constexpr (odd < sizeof...(Bound)) {
    return errors::odd_failure_bound<Type, declare::nth<odd, pack<Bound...>>>{};
  } else if constexpr (sizeof...(Bound) > 1) {
    return errors::odd_failure_bound<Type, declare::nth<1, pack<Bound...>>>{};
  } else {
    return errors::no_error{};
  }
}

/// A member that has the right name but is something else.
template <class Type>
consteval auto odd_member() {
  if constexpr (!states<scalar::lookahead, Type> &&
                (
                    requires { Type::lookahead; } || requires { typename Type::lookahead; })) {
    return errors::odd_lookahead<Type>{};
  } else if constexpr ((!has_stream<Type> && requires { typename Type::stream; }) ||
                       stream_as_value<Type>) {
    return errors::odd_stream<Type>{};
  } else if constexpr ((!has_thread<Type> && requires { typename Type::thread; }) ||
                       thread_as_value<Type>) {
    return errors::odd_thread<Type>{};
  } else if constexpr ((!has_role<Type> && requires { typename Type::role; }) ||
                       role_as_value<Type>) {
    return errors::odd_role<Type>{};
  } else if constexpr ((!has_communicator<Type> && requires { typename Type::communicator; }) ||
                       communicator_as_value<Type>) {
    return errors::odd_communicator<Type>{};
  } else if constexpr (has_nameless_stream<Type>) {
    return errors::nameless_stream<Type>{};
  } else if constexpr (has_nameless_thread<Type>) {
    return errors::nameless_thread<Type>{};
  } else if constexpr (!states<scalar::collective, Type> &&
                       (
                           requires { Type::collective; } ||
                           requires { typename Type::collective; })) {
    return errors::odd_collective<Type>{};
  } else if constexpr (weight_is_odd<Type>()) {
    return errors::odd_weight<Type>{};
  } else if constexpr (own<scalar::weight, Type> < 0) {
    return errors::negative_weight<Type>{};
  } else if constexpr (rate_is_odd<Type>()) {
    return errors::odd_rate<Type>{};
  } else if constexpr (states<scalar::phase, Type> && !states<scalar::every, Type>) {
    return errors::phase_without_every<Type>{};
  } else if constexpr (requires { Type::and_at_end; } && !ends_groups<Type>) {
    return errors::odd_end_of_group<Type>{};
  } else if constexpr (has_on_failure<Type>) {
    return failure_diagnostic<Type>(static_cast<typename Type::on_failure*>(nullptr));
  } else if constexpr (requires { typename Type::on_failure; } || on_failure_as_value<Type>) {
    return errors::odd_on_failure<Type>{};
  } else if constexpr (requires {
                         requires is_static<decltype(&Type::max_failures)>;
                         typename constant<Type::max_failures>;
                       }) {
    // Of its own, because GCC, above, sees types or constants of one name.
    return errors::misspelled<Type, invalid::member::max_failures,
                              invalid::did_you_mean::on_failure>{};
  } else if constexpr (own<scalar::lookahead, Type> > most_batches) {
    return errors::distant_lookahead<Type>{};
  } else if constexpr (requires {
                         requires has_communicator<Type> && !own<scalar::collective, Type>;
                       }) {
    return errors::idle_communicator<Type>{};
  } else {
    return errors::no_error{};
  }
}

/// A list under the name of another, or none of Stretto's. Or a private member whose name says when
/// a task runs, or after what: such names are not for data; where they are public they are an error
/// unless they declare something. (`weight`, `stream` and the like may well be called so by data of
/// the task's own, which nobody can tell from outside.)
template <class Type>
consteval auto list_diagnostic() {
  namespace m = invalid::member;
  // clang-format off
  if constexpr (reads_as_value<Type>) return errors::list_as_value<Type, m::reads>{};
  else if constexpr (writes_as_value<Type>) return errors::list_as_value<Type, m::writes>{};
  else if constexpr (depends_on_as_value<Type>) return errors::list_as_value<Type, m::depends_on>{};
  else if constexpr (cross_iter_depends_on_as_value<Type>) return errors::list_as_value<Type, m::cross_iter_depends_on>{};
  else if constexpr (same_progress_sync_as_value<Type>) return errors::list_as_value<Type, m::same_progress_sync>{};
  else if constexpr (observes_as_value<Type>) return errors::list_as_value<Type, m::observes>{};
  else if constexpr (mutates_as_value<Type>) return errors::list_as_value<Type, m::mutates>{};
  else if constexpr (requires { requires !field_types<reads, typename Type::reads>::ok; }) return errors::not_the_list<Type, m::reads, typename Type::reads>{};
  else if constexpr (requires { requires !field_types<writes, typename Type::writes>::ok; }) return errors::not_the_list<Type, m::writes, typename Type::writes>{};
  else if constexpr (requires { requires !field_types<depends_on, typename Type::depends_on>::ok; }) return errors::not_the_list<Type, m::depends_on, typename Type::depends_on>{};
  else if constexpr (requires { requires !field_types<cross_iter_depends_on, typename Type::cross_iter_depends_on>::ok; }) return errors::not_the_list<Type, m::cross_iter_depends_on, typename Type::cross_iter_depends_on>{};
  else if constexpr (requires { requires !field_types<same_progress_sync, typename Type::same_progress_sync>::ok; }) return errors::not_the_list<Type, m::same_progress_sync, typename Type::same_progress_sync>{};
  else if constexpr (requires { requires !field_types<observes, typename Type::observes>::ok; }) return errors::not_the_list<Type, m::observes, typename Type::observes>{};
  else if constexpr (requires { requires !field_types<mutates, typename Type::mutates>::ok; }) return errors::not_the_list<Type, m::mutates, typename Type::mutates>{};
  else if constexpr (!can_be_base<Type>) return errors::no_error{};
  else {
    using seen = with_known_names<Type>;
    if constexpr (!requires { typename seen::depends_on; } && !requires { typename Type::depends_on; } && !requires { Type::depends_on; } && !requires { &Type::depends_on; }) return errors::private_member<Type, m::depends_on>{};
    else if constexpr (!requires { typename seen::cross_iter_depends_on; } && !requires { typename Type::cross_iter_depends_on; } && !requires { Type::cross_iter_depends_on; } && !requires { &Type::cross_iter_depends_on; }) return errors::private_member<Type, m::cross_iter_depends_on>{};
    else if constexpr (!requires { typename seen::same_progress_sync; } && !requires { typename Type::same_progress_sync; } && !requires { Type::same_progress_sync; } && !requires { &Type::same_progress_sync; }) return errors::private_member<Type, m::same_progress_sync>{};
    else if constexpr (!requires { typename seen::observes; } && !requires { typename Type::observes; } && !requires { Type::observes; } && !requires { &Type::observes; }) return errors::private_member<Type, m::observes>{};
    else if constexpr (!requires { typename seen::mutates; } && !requires { typename Type::mutates; } && !requires { Type::mutates; } && !requires { &Type::mutates; }) return errors::private_member<Type, m::mutates>{};
    else if constexpr (!requires { seen::lookahead; } && !requires { typename Type::lookahead; } && !requires { Type::lookahead; } && !requires { &Type::lookahead; }) return errors::private_member<Type, m::lookahead>{};
    else if constexpr (!requires { typename seen::on_failure; } && !requires { typename Type::on_failure; } && !requires { Type::on_failure; } && !requires { &Type::on_failure; }) return errors::private_member<Type, m::on_failure>{};
    else if constexpr (!requires { seen::every; } && !requires { typename Type::every; } && !requires { Type::every; } && !requires { &Type::every; }) return errors::private_member<Type, m::every>{};
    else return errors::no_error{};
  }
  // clang-format on
}

// What a list holds, as flags: they do not depend on the task, so equal lists are looked at once.
template <class... Entry>
consteval auto slots_missing(pack<Entry...>) {
  return std::array<bool, sizeof...(Entry)>{!is_slot<Entry>...};
}
template <class... Entry>
consteval auto resources_missing(pack<Entry...>) {
  return std::array<bool, sizeof...(Entry)>{!is_resource<Entry>...};
}
template <class... Entry>
consteval auto odd_numbers(pack<Entry...>) {
  return std::array<bool, sizeof...(Entry)>{has_odd_number<Entry>...};
}
template <class... Entry>
consteval auto agos(pack<Entry...>) {
  return std::array<bool, sizeof...(Entry)>{is_ago<Entry>...};
}

template <class... Entry>
consteval auto out_of_range(pack<Entry...>) {
  return std::array<bool, sizeof...(Entry)>{!slot_entry<Entry>::batches::in_range...};
}
template <class... Entry>
consteval auto taken_of_past(pack<Entry...>) {
  return std::array<bool, sizeof...(Entry)>{
      (slot_entry<Entry>::takes && slot_entry<Entry>::batches::looks_back)...};
}
template <class... Entry>
consteval auto nested(pack<Entry...>) {
  return std::array<bool, sizeof...(Entry)>{slot_entry<Entry>::nests...};
}
template <class... Entry>
consteval auto produced(pack<Entry...>) {
  return std::array<bool, sizeof...(Entry)>{slot_entry<Entry>::produces...};
}
/// A read that looks back by no batch, or too many, or would take what it sees there; items that
/// are none, too many, or in the wrong list.
template <class Type>
consteval auto past_diagnostic() {
  using entries = typename task_fields<Type>::read_entries;
  using write_entries = typename task_fields<Type>::write_entries;
  constexpr std::size_t at = first_true(out_of_range(entries{}));
  constexpr std::size_t written_at = first_true(out_of_range(write_entries{}));
  constexpr std::size_t misplaced = first_true(produced(entries{}));
  constexpr std::size_t taken = first_true(taken_of_past(entries{}));
  constexpr std::size_t nested_at = first_true(nested(entries{}));
  if constexpr (nested_at < entries::size) {
    return errors::nested_past<Type, declare::nth<nested_at, entries>>{};
  } else if constexpr (at < entries::size) {
    return errors::past_out_of_range<Type, declare::nth<at, entries>>{};
  } else if constexpr (written_at < write_entries::size) {
    return errors::past_out_of_range<Type, declare::nth<written_at, write_entries>>{};
  } else if constexpr (misplaced < entries::size) {
    return errors::misplaced_items<Type, declare::nth<misplaced, entries>>{};
  } else if constexpr (taken < entries::size) {
    return errors::past_taken<Type, declare::nth<taken, entries>>{};
  } else if constexpr (lists_slots<Type>) {
    return errors::no_error{};
  } else {
    return parameters_diagnostic<Type>();
  }
}

/// An entry that a list cannot hold.
template <class Type>
consteval auto entry_diagnostic() {
  using fields = task_fields<Type>;
  using read = typename fields::reads;
  using written = typename fields::writes;
  using same_batch = typename fields::depends_on;
  using earlier = typename fields::cross_iter_depends_on;
  using synced = typename fields::same_progress_sync;
  using observed = typename fields::observes;
  using mutated = typename fields::mutates;
  constexpr std::size_t reads_at = first_true(slots_missing(read{}));
  constexpr std::size_t writes_at = first_true(slots_missing(written{}));
  constexpr std::size_t depends_at = first_true(agos(same_batch{}));
  constexpr std::size_t odd_read = first_true(odd_numbers(typename fields::read_entries{}));
  constexpr std::size_t odd_write = first_true(odd_numbers(typename fields::write_entries{}));
  constexpr std::size_t odd_ago = first_true(odd_numbers(earlier{}));
  constexpr std::size_t syncs_at = first_true(agos(synced{}));
  constexpr std::size_t observes_at = first_true(resources_missing(observed{}));
  constexpr std::size_t mutates_at = first_true(resources_missing(mutated{}));
  // clang-format off
  if constexpr (reads_at < read::size) return errors::reads_no_slot<Type, declare::nth<reads_at, read>>{};
  else if constexpr (writes_at < written::size) return errors::writes_no_slot<Type, declare::nth<writes_at, written>>{};
  else if constexpr (depends_at < same_batch::size) return errors::misplaced_ago<Type, declare::nth<depends_at, same_batch>>{};
  else if constexpr (syncs_at < synced::size) return errors::misplaced_ago<Type, declare::nth<syncs_at, synced>>{};
  else if constexpr (odd_read < fields::read_entries::size) return errors::odd_entry_number<Type, declare::nth<odd_read, typename fields::read_entries>>{};
  else if constexpr (odd_write < fields::write_entries::size) return errors::odd_entry_number<Type, declare::nth<odd_write, typename fields::write_entries>>{};
  else if constexpr (odd_ago < earlier::size) return errors::odd_entry_number<Type, declare::nth<odd_ago, earlier>>{};
  else if constexpr (observes_at < observed::size) return errors::observes_no_resource<Type, declare::nth<observes_at, observed>>{};
  else if constexpr (mutates_at < mutated::size) return errors::mutates_no_resource<Type, declare::nth<mutates_at, mutated>>{};
  else if constexpr (read::size + written::size + same_batch::size + earlier::size + synced::size + observed::size + mutated::size == 0) return listless_diagnostic<Type>();
  else if constexpr (fields::looks_back) return past_diagnostic<Type>();
  else if constexpr (lists_slots<Type>) return errors::no_error{};
  else return parameters_diagnostic<Type>();
  // clang-format on
}

template <class Type, class Field>
consteval auto field_diagnostic() {
  constexpr int times = declare::times_said<Type, Field>();
  return std::conditional_t<times == 1, errors::no_error,
                            std::conditional_t<times == 0, errors::no_field<Type, Field>,
                                               errors::field_given_twice<Type, Field>>>{};
}
template <class Type, class... Field>
auto odd_fields(pack<Field...>) -> pack<decltype(field_diagnostic<Type, Field>())...>;

/// What is wrong with the fields that a task made of a body is given, or `no_error`.
template <class Type>
consteval auto given_diagnostic() {
  if constexpr (requires { typename Type::stretto_fields; }) {
    return first_of<decltype(odd_fields<Type>(typename Type::stretto_fields{}))>{};
  } else {
    return errors::no_error{};
  }
}

template <class Type>
consteval auto task_diagnostic() {
  if constexpr (!requires { sizeof(Type); }) {
    return errors::undefined_task<Type>{};
  } else {
    return first_diagnostic(
        pack<decltype(misspelled_member<Type>()), decltype(given_diagnostic<Type>()),
             decltype(odd_member<Type>()), decltype(list_diagnostic<Type>()),
             decltype(entry_diagnostic<Type>())>{});
  }
}

template <class... Type>
auto odd_tasks(pack<Type...>) -> pack<decltype(task_diagnostic<Type>())...>;
template <class... Entry>
auto odd_results(pack<Entry...>) -> pack<
    std::conditional_t<is_slot<Entry>, errors::no_error, errors::result_of_no_slot<Entry>>...>;
template <class Entry>
consteval auto placement_diagnostic() {
  if constexpr (declare::part_is<Entry, tag::lookahead>()) {
    return std::conditional_t<declare::is_count<Entry::value>, errors::no_error,
                              errors::odd_placed_number<Entry>>{};
  } else if constexpr (declare::part_is<Entry, tag::weight>()) {
    if constexpr (!declare::is_count<Entry::value>) {
      return errors::odd_placed_number<Entry>{};
    } else if constexpr (Entry::value < 0) {
      return errors::negative_placed_weight<Entry>{};
    } else {
      return errors::no_error{};
    }
  } else if constexpr (declare::part_is<Entry, tag::stream>() ||
                       declare::part_is<Entry, tag::thread>()) {
    return std::conditional_t<Entry::value.empty(), errors::nameless<Entry>, errors::no_error>{};
  } else {
    constexpr bool places = declare::place_among(placements_of_tasks, declare::tag_of<Entry>()) <
                            placements_of_tasks.size();
    return std::conditional_t<places, errors::no_error, errors::odd_placement<Entry>>{};
  }
}
template <class... Entry>
auto odd_placements(pack<Entry...>) -> pack<decltype(placement_diagnostic<Entry>())...>;
template <class... Place>
auto all_odd_placements(pack<Place...>)
    -> pack<first_of<decltype(odd_placements(typename Place::placement{}))>...>;

/// The first of `Named` that is no task, if one is none.
template <template <class> class Diagnostic, class... Task, class... Named>
consteval auto unknown_task(pack<Task...>, pack<Named...> all) {
  if constexpr (sizeof...(Named) == 0) {
    return errors::no_error{};
  } else {
    constexpr std::size_t place = [] {
      planner::name_index tasks(sizeof...(Task));
      for (const name* const n : std::array<const name*, sizeof...(Task)>{&name_of<Task>...})
        tasks.number(*n);
      return first_true<sizeof...(Named)>({(tasks.find(name_of<Named>) == planner::none)...});
    }();
    if constexpr (place < sizeof...(Named)) {
      return Diagnostic<declare::nth<place, decltype(all)>>{};
    } else {
      return errors::no_error{};
    }
  }
}

template <class... Place>
auto placed_tasks(pack<Place...>) -> pack<typename Place::task...>;

template <class Map>
consteval auto grouped_tasks() {
  if constexpr (requires { typename Map::tasks; }) {
    return typename Map::tasks{};
  } else {
    return pack<>{};
  }
}
template <class Tasks, class... Map>
auto strays_of_groups(pack<Map...>)
    -> pack<decltype(unknown_task<errors::stray_group>(Tasks{}, grouped_tasks<Map>()))...>;

template <class Source>
consteval auto source_part_diagnostic() {
  if constexpr (std::is_void_v<Source>) {
    return errors::no_error{};
  } else if constexpr (!is_slot<typename Source::slot>) {
    return errors::source_of_no_slot<typename Source::slot>{};
  } else {
    return first_of<decltype(odd_placements(typename Source::placement{}))>{};
  }
}

template <class Group>
consteval auto group_out_of_range() {
  if constexpr (Group::in_range) {
    return errors::no_error{};
  } else {
    // A queue has one worker, which would be in range.
    return std::conditional_t<Group::number == 1, errors::queue_out_of_range<Group>,
                              errors::workers_out_of_range<Group>>{};
  }
}
template <class... Group>
auto groups_out_of_range(pack<Group...>) -> pack<decltype(group_out_of_range<Group>())...>;
template <class... Slack>
auto slacks_out_of_range(pack<Slack...>) -> pack<
    std::conditional_t<Slack::in_range, errors::no_error, errors::slack_out_of_range<Slack>>...>;

template <class... Bound>
auto bounds_out_of_range(pack<Bound...>) -> pack<
    std::conditional_t<Bound::in_range, errors::no_error, errors::bound_out_of_range<Bound>>...>;

template <class Map>
consteval auto empty_map() {
  if constexpr (is_generated<Map>) {
    return std::conditional_t<(Map::number > 0), errors::no_error,
                              errors::generated_on_no_thread<Map>>{};
  } else if constexpr (requires { typename Map::tasks; }) {
    return std::conditional_t<Map::value.empty(), errors::nameless<Map>, errors::no_error>{};
  } else {
    return errors::no_error{};
  }
}
template <class... Map>
auto empty_maps(pack<Map...>) -> pack<decltype(empty_map<Map>())...>;

template <class... Map>
auto generated_maps(pack<Map...>) {
  constexpr std::size_t place = first_true<sizeof...(Map)>({is_generated<Map>...});
  return declare::nth<place, pack<Map...>>{};
}

// A function of its own: nvcc evaluates a constant of a template as soon as it reads it, which took
// 0.3 GB here.
template <class Schedule>
constexpr int threads_beyond_generated() {
  return static_cast<int>(planner::crowded_by(declared<Schedule>::bare));
}
/// Threads asked for by name, and the caller's, beyond those of a generated map. Asked of a
/// schedule that is fine otherwise.
template <class Schedule>
consteval auto crowded_map() {
  constexpr int named = threads_beyond_generated<Schedule>();
  if constexpr (named > 0) {
    using map = typename declared<Schedule>::thread_part::map;
    return errors::generated_on_too_few<decltype(generated_maps(map{})), named>{};
  } else {
    return errors::no_error{};
  }
}

/// A queue or workers that a thread group cannot have. `Meant`: the thread that was probably meant,
/// if one was.
template <planner::group_misuse What, class Group, class Task, class... Meant>
struct misused_group {
  static consteval auto named() {
    using planner::group_misuse;
    // clang-format off
    if constexpr (What == group_misuse::in_generated_map) return pack<invalid::a_generated_thread_map_has_no_queues_and_no_workers<Group>>{};
    else if constexpr (What == group_misuse::on_caller) return pack<invalid::the_calling_thread_has_no_queue_and_no_workers<Group>>{};
    else if constexpr (What == group_misuse::of_nobody) return pack<invalid::a_queue_or_workers_are_for_a_thread_group_without_tasks<Group, invalid::did_you_mean::group<Meant>...>>{};
    else if constexpr (What == group_misuse::pulls) return pack<invalid::a_source_is_pulled_by_one_thread_not_by_workers<Group>>{};
    else if constexpr (What == group_misuse::suspends) return pack<invalid::a_task_that_is_a_coroutine_cannot_have_workers<Task>>{};
    else return pack<invalid::a_task_on_a_stream_or_a_collective_cannot_have_workers<Task>>{};
    // clang-format on
  }
  static constexpr errors::words text() {
    const planner::thread_group group{Group::value, Group::batches, Group::number};
    planner::text_builder told;
    if constexpr (std::is_void_v<Task>) {
      planner::add_sentence(told, What, group, Meant::value...);
    } else {
      planner::add_sentence(told, What, group, name_of<Task>.text);
    }
    return errors::words(told);
  }
};

/// The first part that gives a group a queue or workers that it cannot have; none: as many as there
/// are.
struct first_misuse {
  std::size_t part = 0;
  planner::misused_group found;
};
template <class Schedule, class... Group>
consteval first_misuse judge_groups(pack<Group...>) {
  const planner::group_judge judge(declared<Schedule>::bare);
  first_misuse first;
  for (const planner::thread_group& g : std::array<planner::thread_group, sizeof...(Group)>{
           planner::thread_group{Group::value, Group::batches, Group::number}...}) {
    first.found = judge.misuse_of(g);
    if (first.found.what != planner::group_misuse::sound) break;
    ++first.part;
  }
  return first;
}

/// What is wrong with queues and workers, or `no_error`. Asked of a schedule that is fine
/// otherwise.
template <class Schedule>
consteval auto groups_diagnostic() {
  using from = declared<Schedule>;
  using groups = typename from::group_parts;
  if constexpr (groups::size == 0 || from::is_alone) {
    return errors::no_error{};
  } else {
    constexpr first_misuse first = judge_groups<Schedule>(groups{});
    if constexpr (first.part == groups::size) {
      return errors::no_error{};
    } else if constexpr (!first.found.meant.empty()) {
      return misused_group<first.found.what, declare::nth<first.part, groups>, void,
                           thread<fixed_string<first.found.meant.size() + 1>(first.found.meant)>>{};
    } else if constexpr (first.found.task == planner::none) {
      return misused_group<first.found.what, declare::nth<first.part, groups>, void>{};
    } else {
      return misused_group<first.found.what, declare::nth<first.part, groups>,
                           declare::nth<first.found.task, typename from::tasks>>{};
    }
  }
}

/// What is wrong with how the parts of a schedule are written, or `no_error`.
template <class Schedule>
consteval auto parts_diagnostic() {
  if constexpr (!requires { typename Schedule::parts; }) {
    return errors::no_schedule<Schedule>{};
  } else {
    using parts = typename Schedule::parts;
    using tasks = declare::only<void, parts>;
    using places = declare::only<tag::place, parts>;
    using map = typename declare::first<tag::threads, parts, threads<>>::map;
    return first_diagnostic(
        pack<decltype(parts_slip_diagnostic<Schedule>()), first_of<decltype(odd_tasks(tasks{}))>,
             decltype(source_part_diagnostic<declare::first<tag::source, parts>>()),
             first_of<decltype(odd_results(
                 typename declare::first<tag::result, parts, result<>>::slot_list{}))>,
             first_of<decltype(all_odd_placements(places{}))>,
             decltype(unknown_task<errors::stray_place>(tasks{},
                                                        decltype(placed_tasks(places{})){})),
             first_of<decltype(strays_of_groups<tasks>(map{}))>,
             first_of<decltype(empty_maps(map{}))>,
             first_of<decltype(groups_out_of_range(declare::only<tag::thread_group, parts>{}))>,
             first_of<decltype(slacks_out_of_range(declare::only<tag::slack, parts>{}))>,
             first_of<decltype(bounds_out_of_range(declare::only<tag::max_in_flight, parts>{}))>,
             first_of<decltype(bounds_out_of_range(declare::only<tag::max_bytes, parts>{}))>,
             decltype(source_slip_diagnostic<declare::first<tag::source, parts>>()),
             decltype(places_slip_diagnostic<Schedule>()),
             decltype(lost_placement_diagnostic<Schedule, tag::place>()),
             decltype(lost_placement_diagnostic<Schedule, tag::source>()),
             decltype(map_slip_diagnostic<Schedule>())>{});
  }
}

/// Whether a task further ahead than another writes a slot.
constexpr bool written_ahead(const planner::declaration& d, std::size_t task, const name& slot) {
  const auto ahead = [](const planner::task& t) { return planner::larger(t.lookahead, t.stage); };
  for (const planner::task& t : d.tasks)
    if (ahead(t) > ahead(d.tasks[task]))
      for (const planner::access& a : t.writes)
        if (a.slot == slot) return true;
  return false;
}

/// The first update of a slot that no task further ahead writes, by task and among its updates; of
/// the source's slot, which nobody may write, rules tell.
struct stray_update_at {
  std::size_t task = planner::none;
  std::size_t update = 0;
};
template <class Schedule, class... Task>
consteval stray_update_at first_stray_update(pack<Task...>) {
  const planner::declaration& d = declared<Schedule>::bare;
  std::size_t task = 0;
  for (const planner::view<field_entry> updated :
       std::array<planner::view<field_entry>, sizeof...(Task)>{
           entries_of<entry>(updates<Task>{})...}) {
    for (std::size_t u = 0; u != updated.size(); ++u) {
      const name& slot = *updated[u].named;
      if (!(slot == d.from.slot) && !written_ahead(d, task, slot)) return {task, u};
    }
    ++task;
  }
  return {};
}

template <class... Task>
consteval bool updates_any(pack<Task...>) {
  for (const std::size_t number : std::array<std::size_t, sizeof...(Task)>{updates<Task>::size...})
    if (number > 0) return true;
  return false;
}

/// What is wrong with `inout` parameters, or `no_error`. Asked of a schedule that is fine
/// otherwise.
template <class Schedule>
consteval auto updates_diagnostic() {
  using tasks = typename declared<Schedule>::tasks;
  if constexpr (!updates_any(tasks{})) {
    return errors::no_error{};
  } else {
    constexpr stray_update_at found = first_stray_update<Schedule>(tasks{});
    if constexpr (found.task == planner::none) {
      return errors::no_error{};
    } else {
      using task = declare::nth<found.task, tasks>;
      return errors::stray_update<task, declare::nth<found.update, updates<task>>>{};
    }
  }
}

/// What is wrong with where results are handed out, or `no_error`.
template <class Schedule>
consteval auto results_diagnostic() {
  using results_part = declare::first<tag::result_on, typename Schedule::parts>;
  if constexpr (std::is_void_v<results_part>) {
    return errors::no_error{};
  } else {
    constexpr bool known = [] {
      using declares = typename declared<Schedule>::stream_part;
      for (std::size_t s = 0; s != declares::size; ++s)
        if (declares::value[s] == results_part::value) return true;
      return false;
    }();
    return std::conditional_t<known, errors::no_error,
                              errors::undeclared_result_stream<results_part>>{};
  }
}

}  // namespace detail

/// What is wrong with how a schedule is written, or `no_error`.
template <class Schedule>
consteval auto shape_diagnostic() {
  if constexpr (errors::is_no_error<decltype(detail::parts_diagnostic<Schedule>())>) {
    return detail::first_diagnostic(pack<decltype(detail::unlisted_diagnostic<Schedule>()),
                                         decltype(detail::crowded_map<Schedule>()),
                                         decltype(detail::groups_diagnostic<Schedule>()),
                                         decltype(detail::results_diagnostic<Schedule>()),
                                         decltype(detail::alone_diagnostic<Schedule>()),
                                         decltype(detail::waste_diagnostic<Schedule>()),
                                         decltype(detail::updates_diagnostic<Schedule>()),
                                         decltype(detail::bounds_diagnostic<Schedule>())>{});
  } else {
    return detail::parts_diagnostic<Schedule>();
  }
}

template <class Schedule>
inline constexpr bool well_formed = errors::is_no_error<decltype(shape_diagnostic<Schedule>())>;

}  // namespace stretto::typed
