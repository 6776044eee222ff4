// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/schedule.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/declare/thread.hpp>
#include <stretto/errors/emit.hpp>
#include <stretto/errors/misuse_text.hpp>
#include <stretto/errors/names.hpp>
#include <stretto/errors/words.hpp>
#include <stretto/plan/layout/modulo_placement.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/text/unused.hpp>
#include <stretto/static/errors/misuse.hpp>
#include <stretto/static/errors/waste.hpp>
#include <stretto/static/values/checked_rules.hpp>
#include <stretto/static/values/declared.hpp>
#include <stretto/static/values/task_fields.hpp>
#include <string_view>
#include <type_traits>

/// What `scheduled` looks for no schedule of, and why.
namespace stretto::typed::detail {

/// A schedule without bounds, but with the sizes of slots, in which tasks have no generated
/// threads.
template <class Schedule>
struct unbounded {
  using parts = typename replan<Schedule, frugal, max_in_flight<most_batches + 1>,
                                max_bytes<(std::numeric_limits<std::size_t>::max)()>>::parts;
};

struct nothing_offered {
  using list = pack<>;
  static constexpr std::size_t size = 0;
  static constexpr std::string_view value[1] = {{}};
};

/// What is asked of `scheduled`: the schedule, and what its options and the schedule's parts say.
template <class Schedule, class Options>
struct asked_search {
  using from = declared<unbounded<Schedule>>;
  using offered = declare::first<tag::offered_threads, Options, nothing_offered>;
  using all_parts = typename declare::joined<Options, typename Schedule::parts>::type;
  using most_in_flight = declare::first<tag::max_in_flight, all_parts>;
  using most_bytes = declare::first<tag::max_bytes, all_parts>;
  static constexpr planner::view<std::string_view> threads{offered::value, offered::size};
  /// 0: as many as the schedule has now.
  static constexpr int in_flight =
      declare::first<tag::max_in_flight, all_parts, std::integral_constant<int, 0>>::value;
  /// 0: as many as it takes.
  static constexpr std::size_t bytes =
      declare::first<tag::max_bytes, all_parts, std::integral_constant<std::size_t, 0>>::value;
};

template <class Schedule, int Tasks>
struct too_many_to_schedule {
  static auto named()
      -> pack<invalid::a_schedule_is_found_of_up_to_32_tasks<Schedule, invalid::tasks<Tasks>>>;
  static constexpr errors::words text() {
    return "schedule " + errors::shown<Schedule>() + " has " + errors::number(Tasks) +
           " tasks, and `scheduled` looks for one of up to " +
           errors::number(static_cast<int>(planner::most_scheduled)) +
           "; look for it at run time by `find_schedule`, or by `stretto tune`";
  }
};
template <class Schedule>
struct serial_to_schedule {
  static auto named() -> pack<invalid::scheduled_has_nothing_to_choose_in_a_serial_plan<Schedule>>;
  static constexpr errors::words text() {
    return "schedule " + errors::shown<Schedule>() +
           " is serial: one batch goes after the other, which leaves `scheduled` nothing to "
           "choose; give it the schedule that is not serial, and make that serial which is found";
  }
};
template <class Schedule>
struct pipelined_to_schedule {
  static auto named() -> pack<invalid::scheduled_and_pipelined_both_choose_lookaheads<Schedule>>;
  static constexpr errors::words text() {
    return "schedule " + errors::shown<Schedule>() +
           " is pipelined, and `scheduled` chooses lookaheads, too; leave one out";
  }
};
template <class Group>
struct group_to_schedule {
  static auto named() -> pack<invalid::scheduled_knows_no_queues_and_no_workers<Group>>;
  static constexpr errors::words text() {
    return errors::shown<Group>() +
           " is in a schedule that `scheduled` is given, which looks for none with a queue or "
           "workers; drop it: lookaheads do what a queue does";
  }
};
template <class Option>
struct no_option_of_scheduled {
  static auto named() -> pack<
      invalid::scheduled_keeps_to_offered_threads_max_in_flight_and_max_bytes_and_no_more<Option>>;
  static constexpr errors::words text() {
    return errors::shown<Option>() +
           " is no option of `scheduled`: those are `offered_threads`, `max_in_flight` and "
           "`max_bytes`; say it in a `replan` of the schedule that it is given";
  }
};
template <class First, class Second>
struct repeated_option_of_scheduled {
  static auto named() -> pack<invalid::a_schedule_has_two_parts_of_one_kind<First, Second>>;
  static constexpr errors::words text() {
    return "`scheduled` is given two options of one kind, " + errors::shown<First>() + " and " +
           errors::shown<Second>() +
           (declare::part_is<First, tag::offered_threads>() ? "; name all threads in one"
                                                            : "; keep one");
  }
};
template <class Task, int Every>
struct rate_to_schedule {
  static auto named()
      -> pack<invalid::a_schedule_is_found_of_tasks_that_run_for_every_batch<Task, every<Every>>>;
  static constexpr errors::words text() {
    return errors::shown_task<Task>() + " runs for one of " + errors::number(Every) +
           " batches, and `scheduled` looks for a schedule of tasks that run for each; drop its "
           "`every`, or let `pipelined` choose lookaheads";
  }
};
template <class Task>
struct unweighted_to_schedule {
  static auto named() -> pack<invalid::scheduled_goes_by_weights_and_a_task_has_none<Task>>;
  static constexpr errors::words text() {
    return errors::shown_task<Task>() +
           " has no weight, and `scheduled` goes by how long tasks take; write `static constexpr "
           "int weight = 300;` in it, in the unit of the others";
  }
};
template <class Schedule>
struct weightless_to_schedule {
  static auto named() -> pack<invalid::scheduled_goes_by_weights_and_all_are_zero<Schedule>>;
  static constexpr errors::words text() {
    return "all tasks of schedule " + errors::shown<Schedule>() +
           " have weight 0, so that none of its plans is better than another; `scheduled` goes by "
           "weights, which say how long tasks take";
  }
};
template <class Offered>
struct no_thread_offered {
  static auto named() -> pack<invalid::a_stream_or_a_thread_has_no_name<Offered>>;
  static constexpr errors::words text() {
    return errors::shown<Offered>() +
           " names no thread; name one, or drop it: each task is on the thread of its stream then";
  }
};
template <class Thread>
struct busy_thread_offered {
  static auto named()
      -> pack<invalid::a_thread_that_pulls_batches_or_hands_out_results_is_offered<Thread>>;
  static constexpr errors::words text() {
    return "thread `" + errors::words(Thread::value) +
           "` is offered to `scheduled`, but pulls batches or hands out results, for which all "
           "others would wait; offer another, or let tasks that are to be there name it";
  }
};
template <class Offered, class Schedule>
struct offered_to_nobody {
  static auto named()
      -> pack<invalid::threads_are_offered_and_all_tasks_have_theirs<Offered, Schedule>>;
  static constexpr errors::words text() {
    return errors::shown<Offered>() + " is for tasks without a thread, and each task of schedule " +
           errors::shown<Schedule>() +
           " has one; drop it, or the threads that tasks or a thread map name";
  }
};
template <class Map>
struct generated_to_schedule {
  static auto named() -> pack<invalid::scheduled_puts_tasks_on_threads_with_names<Map>>;
  static constexpr errors::words text() {
    return errors::shown<Map>() +
           " leaves open which threads there are, and `scheduled` puts tasks on threads with "
           "names; list them in `offered_threads`";
  }
};
template <class Lookahead>
struct source_to_schedule {
  static auto named() -> pack<invalid::scheduled_chooses_the_lookahead_of_the_source<Lookahead>>;
  static constexpr errors::words text() {
    return "the source is placed by " + errors::shown<Lookahead>() +
           ", and `scheduled` chooses how far ahead batches are pulled; leave it out";
  }
};

/// Nothing is found because a task stays where more batches are in flight than there may be.
template <class Task, class Bound, int Needed>
struct too_few_in_flight {
  static auto named() -> pack<invalid::a_task_stays_at_a_lookahead_that_exceeds_a_bound<
      Task, Bound, invalid::batches_in_flight<Needed>>>;
  static constexpr errors::words text() {
    return errors::shown_task<Task>() + " stays at lookahead " + errors::number(Needed - 1) +
           ", as it gives an offset, updates a slot or shares state; that takes " +
           errors::number(Needed) + " batches in flight, and `max_in_flight` is " +
           errors::number(Bound::value) + "; raise it to " + errors::number(Needed);
  }
};
/// Nothing is found, and what is known to do takes more bytes than there may be. `AsDeclared`: with
/// the lookaheads of the schedule; else one batch at a time.
template <class Schedule, class Bound, std::size_t Needed, bool AsDeclared>
struct too_few_bytes {
  static auto named()
      -> pack<invalid::no_schedule_is_found_within_a_bound<Schedule, Bound,
                                                           invalid::bytes_of_slots<Needed>>>;
  static constexpr errors::words text() {
    planner::text_builder told;
    told.add(" bytes, which is `max_bytes`; ");
    told.add(AsDeclared ? "with the lookaheads that it declares they take "
                        : "one batch at a time they take ");
    told.number(static_cast<long long>(Needed)).add(": raise it to that at least");
    return "`scheduled` finds no plan of schedule " + errors::shown<Schedule>() +
           " in which the copies of slots take no more than " +
           errors::words(planner::text_builder().number(static_cast<long long>(Bound::value))) +
           errors::words(told);
  }
};
/// Nothing is found, and why is not known.
template <class Schedule>
struct nothing_found {
  static auto named() -> pack<invalid::no_schedule_is_found_within_a_bound<Schedule>>;
  static constexpr errors::words text() {
    return "`scheduled` finds no plan of schedule " + errors::shown<Schedule>() +
           " within its bounds; allow more, or look for one at run time by `find_schedule`";
  }
};

/// Whether a task states how long it takes, or a `place` does; by task.
template <class... Task, std::size_t Places>
consteval std::array<bool, sizeof...(Task)> weights_stated(
    pack<Task...>, const std::array<placement, Places>& placed) {
  std::array<bool, sizeof...(Task)> stated{states<scalar::weight, Task>...};
  std::size_t t = 0;
  for (const name* const n : std::array<const name*, sizeof...(Task)>{&name_of<Task>...}) {
    for (const placement& p : placed)
      if (p.said.id == *n && p.said.weight != not_placed::value) stated[t] = true;
    ++t;
  }
  return stated;
}

/// The first option that is none, and the first of the kind of one before it.
struct option_of_scheduled_slip {
  std::size_t at = planner::none;
  std::size_t first = planner::none;  ///< none: it is no option at all
};
template <class... Option>
consteval option_of_scheduled_slip first_option_slip(pack<Option...>) {
  constexpr std::array known{declare::mark<tag::offered_threads>, declare::mark<tag::max_in_flight>,
                             declare::mark<tag::max_bytes>};
  std::array<std::size_t, known.size()> seen{};  // the place behind it; 0: not yet
  std::size_t at = 0;
  for (const std::uint64_t mark :
       std::array<std::uint64_t, sizeof...(Option)>{declare::tag_of<Option>()...}) {
    const std::size_t kind = declare::place_among(known, mark);
    if (kind == known.size()) return {at};
    if (seen[kind] != 0) return {at, seen[kind] - 1};
    seen[kind] = ++at;
  }
  return {};
}

/// Why the threads that are offered cannot be, or `no_error`.
template <class Asked, class Schedule>
consteval auto offer_diagnostic() {
  using from = typename Asked::from;
  using offered = typename Asked::offered;
  constexpr planner::view<std::string_view> threads = Asked::threads;
  constexpr std::size_t unnamed = [&] {
    std::size_t i = 0;
    while (i < threads.size() && !threads[i].empty()) ++i;
    return i;
  }();
  constexpr std::size_t again = [&] {
    for (std::size_t i = 0; i < threads.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        if (threads[i] == threads[k]) return i;
    return threads.size();
  }();
  constexpr std::size_t busy = [&] {
    std::size_t i = 0;
    while (i < threads.size() && threads[i] != planner::caller &&
           threads[i] != from::bare.caller_runs && threads[i] != from::bare.from.thread)
      ++i;
    return i;
  }();
  constexpr bool wanted = [] {
    for (const planner::task& t : from::bare.tasks)
      if (t.thread.empty()) return true;
    return false;
  }();
  if constexpr (threads.empty() && !std::is_same_v<offered, nothing_offered>) {
    return no_thread_offered<offered>{};
  } else if constexpr (threads.empty()) {
    if constexpr (generated_threads(typename from::thread_part::map{}) > 0)
      return generated_to_schedule<decltype(generated_maps(typename from::thread_part::map{}))>{};
    else
      return errors::no_error{};
  } else if constexpr (unnamed < threads.size()) {
    return wasted_part<planner::waste::thread_unnamed, unnamed, offered>{};
  } else if constexpr (again < threads.size()) {
    return wasted_part<planner::waste::thread_twice, again, offered>{};
  } else if constexpr (busy < threads.size()) {
    return busy_thread_offered<declare::nth<busy, typename offered::list>>{};
  } else if constexpr (!wanted) {
    return offered_to_nobody<offered, Schedule>{};
  } else {
    return errors::no_error{};
  }
}

/// Why no schedule of a sound one is looked for, or `no_error`.
template <class Schedule, class Options>
consteval auto sound_schedule_diagnostic() {
  using asked = asked_search<Schedule, Options>;
  using from = typename asked::from;
  using tasks = typename from::tasks;
  constexpr std::size_t rated = [] {
    std::size_t t = 0;
    while (t < tasks::size && from::bare.tasks[t].every <= 1) ++t;
    return t;
  }();
  constexpr std::size_t weightless = [] {
    const auto stated = weights_stated(tasks{}, from::placed);
    std::size_t t = 0;
    while (t < tasks::size && stated[t]) ++t;
    return t;
  }();
  constexpr bool takes_time = [] {
    for (const planner::task& t : from::bare.tasks)
      if (t.weight > 0) return true;
    return from::bare.from.weight > 0;
  }();
  if constexpr (tasks::size > planner::most_scheduled) {
    return too_many_to_schedule<Schedule, static_cast<int>(tasks::size)>{};
  } else if constexpr (from::is_pipelined) {
    return pipelined_to_schedule<Schedule>{};
  } else if constexpr (from::groups.count > 0) {
    return group_to_schedule<declare::nth<0, typename from::group_parts>>{};
  } else if constexpr (rated < tasks::size) {
    return rate_to_schedule<declare::nth<rated, tasks>, from::bare.tasks[rated].every>{};
  } else if constexpr (weightless < tasks::size) {
    return unweighted_to_schedule<declare::nth<weightless, tasks>>{};
  } else if constexpr (!takes_time) {
    return weightless_to_schedule<Schedule>{};
  } else if constexpr (from::bare.from.lookahead != planner::deepest) {
    return source_to_schedule<
        declare::first<tag::lookahead, typename from::source_part::placement>>{};
  } else {
    return offer_diagnostic<asked, Schedule>();
  }
}

/// Whether nothing but its bounds is wrong with a schedule.
template <class Schedule>
consteval bool is_sound() {
  if constexpr (well_formed<unbounded<Schedule>>) {
    return checked_rules<declared<unbounded<Schedule>>>::kept;
  } else {
    return false;
  }
}

/// What bounds that are options cannot bound, or `no_error`.
template <class Options>
consteval auto bound_options_diagnostic() {
  return first_diagnostic(
      pack<first_of<decltype(bounds_out_of_range(declare::only<tag::max_in_flight, Options>{}))>,
           first_of<decltype(bounds_out_of_range(declare::only<tag::max_bytes, Options>{}))>>{});
}

/// Why `scheduled` looks for nothing, or `no_error`. Of a schedule that is in itself invalid its
/// own diagnostic tells: there is no other then.
template <class Schedule, class Options>
consteval auto unscheduled_diagnostic() {
  constexpr option_of_scheduled_slip slip = first_option_slip(Options{});
  if constexpr (!requires { typename Schedule::parts; }) {
    return errors::no_schedule<Schedule>{};
  } else if constexpr (slip.at != planner::none && slip.first == planner::none) {
    return no_option_of_scheduled<declare::nth<slip.at, Options>>{};
  } else if constexpr (slip.at != planner::none) {
    return repeated_option_of_scheduled<declare::nth<slip.first, Options>,
                                        declare::nth<slip.at, Options>>{};
  } else if constexpr (!errors::is_no_error<decltype(bound_options_diagnostic<Options>())>) {
    return bound_options_diagnostic<Options>();
  } else if constexpr (declare::only<tag::serially, typename Schedule::parts>::size > 0) {
    return serial_to_schedule<Schedule>{};
  } else if constexpr (!is_sound<Schedule>()) {
    return errors::no_error{};
  } else {
    return sound_schedule_diagnostic<Schedule, Options>();
  }
}

}  // namespace stretto::typed::detail
