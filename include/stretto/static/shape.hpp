// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/declare/schedule.hpp>
#include <stretto/declare/slot.hpp>
#include <stretto/plan/name_index.hpp>
#include <stretto/static/declared.hpp>
#include <stretto/static/pack.hpp>
#include <stretto/static/refused.hpp>
#include <stretto/static/slips.hpp>
#include <stretto/static/task_fields.hpp>
#include <string_view>
#include <type_traits>

/// Slips in how a schedule is written, found before any rule is asked: members that nobody would
/// look at, fields that are not Stretto's lists, entries that are not slots.
namespace stretto::detail {

template <class T>
std::true_type upcast_to_slot(const slot<T>*);
template <class T>
std::true_type upcast_to_resource(const resource<T>*);
template <class T>
concept is_slot = requires(T* t) { upcast_to_slot(t); };
template <class T>
concept is_resource = requires(T* t) { upcast_to_resource(t); };

template <class T>
inline constexpr bool is_ago = false;
template <class T, int N>
inline constexpr bool is_ago<ago<T, N>> = true;

/// Whether a type was meant to declare something to Stretto, whatever the name it goes by.
template <class T>
inline constexpr bool declares = is_part<T>;
template <class... T>
inline constexpr bool declares<reads<T...>> = true;
template <class... T>
inline constexpr bool declares<writes<T...>> = true;
template <class... T>
inline constexpr bool declares<depends_on<T...>> = true;
template <class... T>
inline constexpr bool declares<cross_iter_depends_on<T...>> = true;
template <class... T>
inline constexpr bool declares<same_progress_sync<T...>> = true;
template <class... T>
inline constexpr bool declares<observes<T...>> = true;
template <class... T>
inline constexpr bool declares<mutates<T...>> = true;

/// The place of the first `true`, or the size.
template <std::size_t N>
constexpr std::size_t first_true(const std::array<bool, N>& flags) {
  std::size_t place = 0;
  for (const bool flag : flags) {
    if (flag) break;
    ++place;
  }
  return place;
}

/// The first complaint that is one.
template <class... Complaint>
consteval auto first_complaint(pack<Complaint...> all) {
  if constexpr (constexpr std::size_t place =
                    first_true<sizeof...(Complaint)>({!is_fine<Complaint>...});
                place < sizeof...(Complaint)) {
    return nth<place, decltype(all)>{};
  } else {
    return fine{};
  }
}

// Such names are common for a task's own data, so only constants that could be weights count.
template <class T>
concept cost_is_constant = !requires { requires std::is_member_pointer_v<decltype(&T::cost)>; } &&
                           requires { std::integral_constant<int, T::cost>{}; };
template <class T>
concept weights_is_constant = !requires {
  requires std::is_member_pointer_v<decltype(&T::weights)>;
} && requires { std::integral_constant<int, T::weights>{}; };

template <class T>
consteval auto misspelt_member() {
  namespace m = invalid::member;
  namespace meant = invalid::did_you_mean;
  // clang-format off
  if constexpr (requires { requires declares<typename T::read>; }) return misspelt<T, m::read, meant::reads>{};
  else if constexpr (requires { requires declares<typename T::input>; }) return misspelt<T, m::input, meant::reads>{};
  else if constexpr (requires { requires declares<typename T::inputs>; }) return misspelt<T, m::inputs, meant::reads>{};
  else if constexpr (requires { requires declares<typename T::write>; }) return misspelt<T, m::write, meant::writes>{};
  else if constexpr (requires { requires declares<typename T::output>; }) return misspelt<T, m::output, meant::writes>{};
  else if constexpr (requires { requires declares<typename T::outputs>; }) return misspelt<T, m::outputs, meant::writes>{};
  else if constexpr (requires { requires declares<typename T::depend_on>; }) return misspelt<T, m::depend_on, meant::depends_on>{};
  else if constexpr (requires { requires declares<typename T::depends>; }) return misspelt<T, m::depends, meant::depends_on>{};
  else if constexpr (requires { requires declares<typename T::dependencies>; }) return misspelt<T, m::dependencies, meant::depends_on>{};
  else if constexpr (requires { requires declares<typename T::cross_iter>; }) return misspelt<T, m::cross_iter, meant::cross_iter_depends_on>{};
  else if constexpr (requires { requires declares<typename T::cross_iter_depend_on>; }) return misspelt<T, m::cross_iter_depend_on, meant::cross_iter_depends_on>{};
  else if constexpr (requires { requires declares<typename T::cross_iter_dependencies>; }) return misspelt<T, m::cross_iter_dependencies, meant::cross_iter_depends_on>{};
  else if constexpr (requires { requires declares<typename T::sync>; }) return misspelt<T, m::sync, meant::same_progress_sync>{};
  else if constexpr (requires { requires declares<typename T::same_progress>; }) return misspelt<T, m::same_progress, meant::same_progress_sync>{};
  else if constexpr (requires { requires declares<typename T::same_progress_syncs>; }) return misspelt<T, m::same_progress_syncs, meant::same_progress_sync>{};
  else if constexpr (requires { requires declares<typename T::observe>; }) return misspelt<T, m::observe, meant::observes>{};
  else if constexpr (requires { requires declares<typename T::mutate>; }) return misspelt<T, m::mutate, meant::mutates>{};
  else if constexpr (requires { requires declares<typename T::streams>; }) return misspelt<T, m::streams, meant::stream>{};
  else if constexpr (requires { requires declares<typename T::threads>; }) return misspelt<T, m::threads, meant::thread>{};
  else if constexpr (cost_is_constant<T>) return misspelt<T, m::cost, meant::weight>{};
  else if constexpr (weights_is_constant<T>) return misspelt<T, m::weights, meant::weight>{};
  else if constexpr (requires { T::look_ahead; } || requires { requires declares<typename T::look_ahead>; }) return misspelt<T, m::look_ahead, meant::lookahead>{};
  else return fine{};
  // clang-format on
}

template <class T>
concept stream_in_object = std::is_member_pointer_v<decltype(&T::stream)>;
template <class T>
concept thread_in_object = std::is_member_pointer_v<decltype(&T::thread)>;
template <class T>
concept stream_is_text = !stream_in_object<T> && requires { std::string_view(T::stream); };
template <class T>
concept thread_is_text = !thread_in_object<T> && requires { std::string_view(T::thread); };

/// A number called `weight` that is no constant. In an object, what is no number is the task's own
/// affair.
template <class T>
consteval bool weight_is_odd() {
  if constexpr (has_weight<T>) {
    return false;
  } else if constexpr (weight_in_object<T>) {
    if constexpr (std::is_member_object_pointer_v<decltype(&T::weight)>) {
      return std::is_integral_v<std::remove_reference_t<decltype(T::weight)>>;
    } else {
      return false;
    }
  } else {
    return requires { T::weight; } || requires { requires declares<typename T::weight>; };
  }
}

/// A member that has the right name but is something else.
template <class T>
consteval auto odd_member() {
  if constexpr (!has_lookahead<T> &&
                (
                    requires { T::lookahead; } || requires { typename T::lookahead; })) {
    return odd_lookahead<T>{};
  } else if constexpr ((!has_stream<T> && requires { typename T::stream; }) || stream_is_text<T>) {
    return odd_stream<T>{};
  } else if constexpr ((!has_thread<T> && requires { typename T::thread; }) || thread_is_text<T>) {
    return odd_thread<T>{};
  } else if constexpr (!has_collective<T> &&
                       (
                           requires { T::collective; } || requires { typename T::collective; })) {
    return odd_collective<T>{};
  } else if constexpr (weight_is_odd<T>()) {
    return odd_weight<T>{};
  } else if constexpr (task_fields<T>::weight < 0) {
    return negative_weight<T>{};
  } else {
    return fine{};
  }
}

/// A list under the name of another, or none of Stretto's.
template <class T>
consteval auto list_complaint() {
  namespace m = invalid::member;
  // clang-format off
  if constexpr (requires { requires !field_types<reads, typename T::reads>::ok; }) return not_the_list<T, m::reads, typename T::reads>{};
  else if constexpr (requires { requires !field_types<writes, typename T::writes>::ok; }) return not_the_list<T, m::writes, typename T::writes>{};
  else if constexpr (requires { requires !field_types<depends_on, typename T::depends_on>::ok; }) return not_the_list<T, m::depends_on, typename T::depends_on>{};
  else if constexpr (requires { requires !field_types<cross_iter_depends_on, typename T::cross_iter_depends_on>::ok; }) return not_the_list<T, m::cross_iter_depends_on, typename T::cross_iter_depends_on>{};
  else if constexpr (requires { requires !field_types<same_progress_sync, typename T::same_progress_sync>::ok; }) return not_the_list<T, m::same_progress_sync, typename T::same_progress_sync>{};
  else if constexpr (requires { requires !field_types<observes, typename T::observes>::ok; }) return not_the_list<T, m::observes, typename T::observes>{};
  else if constexpr (requires { requires !field_types<mutates, typename T::mutates>::ok; }) return not_the_list<T, m::mutates, typename T::mutates>{};
  else return fine{};
  // clang-format on
}

// What a list holds, as flags: they do not depend on the task, so equal lists are looked at once.
template <class... E>
consteval auto slots_missing(pack<E...>) {
  return std::array<bool, sizeof...(E)>{!is_slot<E>...};
}
template <class... E>
consteval auto resources_missing(pack<E...>) {
  return std::array<bool, sizeof...(E)>{!is_resource<E>...};
}
template <class... E>
consteval auto agos(pack<E...>) {
  return std::array<bool, sizeof...(E)>{is_ago<E>...};
}

/// An entry that a list cannot hold.
template <class T>
consteval auto entry_complaint() {
  using fields = task_fields<T>;
  using read = typename fields::reads;
  using written = typename fields::writes;
  using same_batch = typename fields::depends_on;
  using synced = typename fields::same_progress_sync;
  using observed = typename fields::observes;
  using mutated = typename fields::mutates;
  constexpr std::size_t reads_at = first_true(slots_missing(read{}));
  constexpr std::size_t writes_at = first_true(slots_missing(written{}));
  constexpr std::size_t depends_at = first_true(agos(same_batch{}));
  constexpr std::size_t syncs_at = first_true(agos(synced{}));
  constexpr std::size_t observes_at = first_true(resources_missing(observed{}));
  constexpr std::size_t mutates_at = first_true(resources_missing(mutated{}));
  // clang-format off
  if constexpr (reads_at < read::size) return reads_no_slot<T, nth<reads_at, read>>{};
  else if constexpr (writes_at < written::size) return writes_no_slot<T, nth<writes_at, written>>{};
  else if constexpr (depends_at < same_batch::size) return misplaced_ago<T, nth<depends_at, same_batch>>{};
  else if constexpr (syncs_at < synced::size) return misplaced_ago<T, nth<syncs_at, synced>>{};
  else if constexpr (observes_at < observed::size) return observes_no_resource<T, nth<observes_at, observed>>{};
  else if constexpr (mutates_at < mutated::size) return mutates_no_resource<T, nth<mutates_at, mutated>>{};
  else return fine{};
  // clang-format on
}

template <class Complaints>
using first_of = decltype(first_complaint(Complaints{}));

template <class T>
consteval auto task_complaint() {
  if constexpr (!requires { sizeof(T); }) {
    return undefined_task<T>{};
  } else {
    return first_complaint(pack<decltype(misspelt_member<T>()), decltype(odd_member<T>()),
                                decltype(list_complaint<T>()), decltype(entry_complaint<T>())>{});
  }
}

template <class... T>
auto odd_tasks(pack<T...>) -> pack<decltype(task_complaint<T>())...>;
template <class... E>
auto odd_results(pack<E...>) -> pack<std::conditional_t<is_slot<E>, fine, result_of_no_slot<E>>...>;
template <class E>
consteval auto placement_complaint() {
  if constexpr (part_is<E, part::weight>()) {
    if constexpr (E::value < 0) {
      return negative_placed_weight<E>{};
    } else {
      return fine{};
    }
  } else {
    return std::conditional_t < part_is<E, part::stream>() || part_is<E, part::lookahead>() ||
               part_is<E, part::thread>(),
           fine, odd_placement < E >> {};
  }
}
template <class... E>
auto odd_placements(pack<E...>) -> pack<decltype(placement_complaint<E>())...>;
template <class... Place>
auto all_odd_placements(pack<Place...>)
    -> pack<first_of<decltype(odd_placements(typename Place::placement{}))>...>;

/// The first of `Named` that is no task, if one is none.
template <template <class> class Complaint, class... Task, class... Named>
consteval auto stranger(pack<Task...>, pack<Named...> all) {
  if constexpr (sizeof...(Named) == 0) {
    return fine{};
  } else {
    constexpr std::size_t place = [] {
      plan::name_index tasks(sizeof...(Task));
      for (const name* const n : std::array<const name*, sizeof...(Task)>{&name_of<Task>...})
        tasks.number(*n);
      return first_true<sizeof...(Named)>({(tasks.find(name_of<Named>) == plan::none)...});
    }();
    if constexpr (place < sizeof...(Named)) {
      return Complaint<nth<place, decltype(all)>>{};
    } else {
      return fine{};
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
    -> pack<decltype(stranger<stray_group>(Tasks{}, grouped_tasks<Map>()))...>;

template <class Source>
consteval auto source_part_complaint() {
  if constexpr (std::is_void_v<Source>) {
    return fine{};
  } else if constexpr (!is_slot<typename Source::slot>) {
    return source_of_no_slot<typename Source::slot>{};
  } else {
    return first_of<decltype(odd_placements(typename Source::placement{}))>{};
  }
}

template <class Map>
consteval auto empty_map() {
  if constexpr (is_generated<Map>) {
    return std::conditional_t<(Map::number > 0), fine, generated_on_no_thread<Map>>{};
  } else {
    return fine{};
  }
}
template <class... Map>
auto empty_maps(pack<Map...>) -> pack<decltype(empty_map<Map>())...>;

template <class... Map>
auto generated_maps(pack<Map...>) {
  constexpr std::size_t place = first_true<sizeof...(Map)>({is_generated<Map>...});
  return nth<place, pack<Map...>>{};
}

/// Threads asked for by name, and the caller's, beyond those of a generated map. Asked of a
/// schedule that is fine otherwise.
template <class Schedule>
consteval auto crowded_map() {
  constexpr const plan::declaration& d = declared<Schedule>::bare;
  if constexpr (d.generated > 0) {
    constexpr int named = [] {
      const plan::crew_list crew = plan::threads_of(declared<Schedule>::bare);
      return static_cast<int>(crew.named);
    }();
    if constexpr (static_cast<std::size_t>(named) > d.generated) {
      using map = typename declared<Schedule>::thread_part::map;
      return generated_on_too_few<decltype(generated_maps(map{})), named>{};
    } else {
      return fine{};
    }
  } else {
    return fine{};
  }
}

template <class Schedule>
consteval bool has_group(std::string_view name) {
  constexpr const plan::declaration& d = declared<Schedule>::bare;
  bool found = d.from.thread == name;
  for (const plan::task& t : d.tasks) found = found || plan::thread_name(t) == name;
  return found;
}

/// The first task of a group that cannot have workers; or as many as there are tasks.
template <class Schedule>
consteval std::size_t in_order_by_nature(std::string_view group) {
  constexpr const plan::declaration& d = declared<Schedule>::bare;
  std::size_t place = 0;
  for (const plan::task& t : d.tasks) {
    if (plan::thread_name(t) == group && (!t.stream.empty() || t.collective)) break;
    ++place;
  }
  return place;
}

template <class Schedule, class Group>
consteval auto workers_complaint() {
  using tasks = typename declared<Schedule>::tasks;
  if constexpr (declared<Schedule>::bare.from.thread == Group::value) {
    return workers_that_pull<Group>{};
  } else if constexpr (constexpr std::size_t place = in_order_by_nature<Schedule>(Group::value);
                       place < tasks::size) {
    return workers_on_a_stream<nth<place, tasks>>{};
  } else {
    return fine{};
  }
}

/// What is wrong with a queue or workers, or `fine`. Asked of a schedule that is fine otherwise.
template <class Schedule, class Group>
consteval auto group_complaint() {
  constexpr const plan::declaration& d = declared<Schedule>::bare;
  if constexpr (d.generated > 0) {
    return grouped_in_generated<Group>{};
  } else if constexpr (Group::value == plan::caller || Group::value == d.caller_runs) {
    return grouped_on_caller<Group>{};
  } else if constexpr (!has_group<Schedule>(Group::value)) {
    return group_of_nobody<Group>{};
  } else if constexpr (Group::number > 1) {
    return workers_complaint<Schedule, Group>();
  } else {
    return fine{};
  }
}
template <class Schedule, class... Group>
auto group_complaints(pack<Group...>) -> pack<decltype(group_complaint<Schedule, Group>())...>;

template <class Schedule>
consteval auto groups_complaint() {
  using from = declared<Schedule>;
  if constexpr (from::group_parts::size == 0 || from::is_alone) {
    return fine{};
  } else {
    return first_of<decltype(group_complaints<Schedule>(typename from::group_parts{}))>{};
  }
}

/// What is wrong with how the parts of a schedule are written, or `fine`.
template <class Schedule>
consteval auto parts_complaint() {
  if constexpr (!requires { typename Schedule::parts; }) {
    return no_schedule<Schedule>{};
  } else {
    using parts = typename Schedule::parts;
    using tasks = only<void, parts>;
    using places = only<part::place, parts>;
    using map = typename first<part::threads, parts, threads<>>::map;
    return first_complaint(
        pack<
            first_of<decltype(odd_tasks(tasks{}))>,
            decltype(source_part_complaint<first<part::source, parts>>()),
            first_of<decltype(odd_results(typename first<part::result, parts, result<>>::slots{}))>,
            first_of<decltype(all_odd_placements(places{}))>,
            decltype(stranger<stray_place>(tasks{}, decltype(placed_tasks(places{})){})),
            first_of<decltype(strays_of_groups<tasks>(map{}))>,
            first_of<decltype(empty_maps(map{}))>>{});
  }
}

/// What is wrong with where results are handed out, or `fine`.
template <class Schedule>
consteval auto results_complaint() {
  using results_part = first<part::result_on, typename Schedule::parts>;
  if constexpr (std::is_void_v<results_part>) {
    return fine{};
  } else {
    constexpr bool known = [] {
      using declares = typename declared<Schedule>::stream_part;
      for (std::size_t s = 0; s != declares::size; ++s)
        if (declares::value[s] == results_part::value) return true;
      return false;
    }();
    return std::conditional_t<known, fine, undeclared_result_stream<results_part>>{};
  }
}

/// What is wrong with how a schedule is written, or `fine`.
template <class Schedule>
consteval auto shape_complaint() {
  if constexpr (is_fine<decltype(parts_complaint<Schedule>())>) {
    return first_complaint(
        pack<decltype(crowded_map<Schedule>()), decltype(groups_complaint<Schedule>()),
             decltype(results_complaint<Schedule>())>{});
  } else {
    return parts_complaint<Schedule>();
  }
}

template <class Schedule>
inline constexpr bool well_formed = is_fine<decltype(shape_complaint<Schedule>())>;

}  // namespace stretto::detail
