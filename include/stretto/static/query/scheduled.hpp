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
#include <stretto/plan/layout/modulo_evaluation.hpp>
#include <stretto/plan/layout/modulo_placement.hpp>
#include <stretto/plan/layout/modulo_problem.hpp>
#include <stretto/plan/layout/modulo_problem_of.hpp>
#include <stretto/plan/layout/modulo_search.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/static/values/checked_rules.hpp>
#include <stretto/static/values/constant_draft.hpp>
#include <stretto/static/values/constant_words.hpp>
#include <stretto/static/values/declared.hpp>
#include <stretto/static/values/mentioned_slot.hpp>
#include <string_view>
#include <type_traits>
#include <utility>

namespace stretto {

namespace typed::detail {

/// How many numbers a problem is written down with, at most.
constexpr std::size_t words_for_problem(const planner::declaration& d) {
  return 3 * usual_row(d) + 16 * d.tasks.size() * d.tasks.size();
}

template <std::size_t Capacity>
constexpr constant_words<Capacity> write_problem(const planner::modulo_problem& p) {
  constant_words<Capacity> row;
  const auto number = [&](long long n) { row.push(static_cast<std::size_t>(n)); };
  const auto arcs = [&](const planner::list<planner::modulo_problem::arc>& all) {
    row.push(all.size());
    for (const planner::modulo_problem::arc& a : all) {
      row.push(a.from);
      row.push(a.to);
      number(a.ago);
    }
  };
  for (const long long w : p.weight) number(w);
  for (std::size_t t = 0; t < p.tasks(); ++t) {
    row.push(p.thread[t]);
    row.push(p.holds[t]);
    number(p.least[t]);
    number(p.most[t]);
  }
  arcs(p.arcs);
  arcs(p.progresses);
  row.push(p.readers.size());
  for (const planner::modulo_problem::reader& r : p.readers) {
    row.push(r.node);
    number(r.ago);
  }
  row.push(p.slot_list.size());
  for (const planner::modulo_problem::slot& s : p.slot_list) {
    number(s.bytes);
    row.push(s.writer);
    row.push(s.readers.first);
    row.push(s.readers.last);
    row.push(s.number);
  }
  row.push(p.threads);
  row.push(p.offered);
  number(p.in_flight);
  number(p.bytes);
  return row;
}

template <std::size_t Capacity>
constexpr planner::modulo_problem read_problem(std::size_t tasks,
                                               const constant_words<Capacity>& row) {
  planner::modulo_problem p;
  word_reader from(row);
  const auto number = [&] { return static_cast<long long>(from.next()); };
  const auto arcs = [&](planner::list<planner::modulo_problem::arc>& all) {
    all.assign(from.next(), {});
    for (planner::modulo_problem::arc& a : all) {
      a.from = from.next();
      a.to = from.next();
      a.ago = from.next_int();
    }
  };
  for (std::size_t n = 0; n < tasks + 2; ++n) p.weight.push_back(number());
  for (std::size_t t = 0; t < tasks; ++t) {
    p.thread.push_back(from.next());
    p.holds.push_back(from.next());
    p.least.push_back(from.next_int());
    p.most.push_back(from.next_int());
  }
  arcs(p.arcs);
  arcs(p.progresses);
  p.readers.assign(from.next(), {});
  for (planner::modulo_problem::reader& r : p.readers) {
    r.node = from.next();
    r.ago = from.next_int();
  }
  p.slot_list.assign(from.next(), {});
  for (planner::modulo_problem::slot& s : p.slot_list) {
    s.bytes = number();
    s.writer = from.next();
    s.readers.first = from.next();
    s.readers.last = from.next();
    s.number = from.next();
  }
  p.threads = from.next();
  p.offered = from.next();
  p.in_flight = from.next_int();
  p.bytes = number();
  return p;
}

template <std::size_t Capacity>
constexpr constant_words<Capacity> state_problem(const planner::declaration& d,
                                                 const planner::modulo_limits& within) {
  // Named, because nvcc cannot destroy the temporary of a constant expression.
  const planner::plan drafted = planner::plan_without_threads(d);
  const planner::modulo_problem made = planner::make_modulo_problem(d, drafted, within);
  return write_problem<Capacity>(made);
}

template <std::size_t Capacity>
constexpr planner::modulo_progress search_on(std::size_t tasks, const constant_words<Capacity>& row,
                                             const planner::modulo_progress& before) {
  const planner::modulo_problem p = read_problem(tasks, row);
  return planner::modulo_search(p, before).run();
}

/// What was found, by task and by slot of the problem.
template <std::size_t Tasks, std::size_t Slots>
struct found_rows {
  std::array<int, Tasks> lookahead{};
  std::array<std::size_t, Tasks> order{};
  std::array<std::size_t, Slots + 1> slot{};  ///< in the graph
  std::array<int, Slots + 1> more{};          ///< copies than batches in flight need
};
template <std::size_t Tasks, std::size_t Slots, std::size_t Capacity>
constexpr found_rows<Tasks, Slots> rows_of_found(const constant_words<Capacity>& row,
                                                 const planner::modulo_progress& found) {
  found_rows<Tasks, Slots> rows;
  const planner::modulo_problem p = read_problem(Tasks, row);
  const planner::modulo_placement by(p);
  const planner::modulo_evaluation judge(p);
  const planner::list<std::size_t> order = judge.order(found.best, by);
  for (std::size_t t = 0; t < Tasks; ++t) {
    rows.lookahead[t] = found.best.ahead(t);
    rows.order[t] = order[t];
  }
  for (std::size_t s = 0; s < Slots; ++s) {
    rows.slot[s] = p.slot_list[s].number;
    rows.more[s] =
        by.copies(found.best, p.slot_list[s]) - judge.least_copies(found.best, p.slot_list[s]);
  }
  return rows;
}

/// Parts that a schedule to be found has otherwise, or that say what it keeps to.
template <class Part>
inline constexpr bool is_limit =
    declare::part_is<Part, tag::offered_threads>() ||
    declare::part_is<Part, tag::max_in_flight>() || declare::part_is<Part, tag::max_bytes>();
template <class Part>
using unless_offer =
    std::conditional_t<declare::part_is<Part, tag::offered_threads>(), pack<>, pack<Part>>;
template <class... Pack>
struct joined_all {
  using type = pack<>;
};
template <class First, class... Rest>
struct joined_all<First, Rest...> {
  using type = typename declare::joined<First, typename joined_all<Rest...>::type>::type;
};

/// A schedule without bounds, but with the sizes of slots, in which tasks have no generated
/// threads.
template <class Schedule>
struct unbounded {
  using parts = typename replan<Schedule, frugal, max_in_flight<most_batches + 1>,
                                max_bytes<(std::numeric_limits<std::size_t>::max)()>>::parts;
};

/// Why no schedule is looked for.
template <class Schedule, class Options>
struct refusal;
template <class Schedule, class... Option>
struct refusal<Schedule, pack<Option...>> {
  using from = declared<unbounded<Schedule>>;
  using offered = declare::first<tag::offered_threads, pack<Option...>, offered_threads<>>;
  using all_parts = typename declare::joined<pack<Option...>, typename Schedule::parts>::type;
  static constexpr planner::view<std::string_view> threads{offered::value, offered::list::size};
  static constexpr int in_flight =
      declare::first<tag::max_in_flight, all_parts, std::integral_constant<int, 0>>::value;
  static constexpr std::size_t bytes =
      declare::first<tag::max_bytes, all_parts, std::integral_constant<std::size_t, 0>>::value;

  static constexpr bool valid = checked_rules<from>::kept;
  static constexpr bool few = from::tasks::size <= planner::most_scheduled;
  static constexpr bool parallel = !from::is_serial;
  static constexpr bool plain = !from::is_pipelined;
  static constexpr bool ungrouped = from::groups.count == 0;
  static constexpr bool options = (is_limit<Option> && ...);
  static constexpr bool once = declare::only<tag::offered_threads, pack<Option...>>::size <= 1;
  static constexpr bool each_batch = [] {
    for (const planner::task& t : from::bare.tasks)
      if (t.every > 1) return false;
    return true;
  }();
  static constexpr bool weighted = planner::has_weights(from::bare);
  static constexpr bool apart = [] {
    for (std::size_t i = 0; i < threads.size(); ++i)
      if (threads[i] == planner::caller || threads[i] == from::bare.caller_runs ||
          threads[i] == from::bare.from.thread)
        return false;
    return true;
  }();
  static constexpr bool named = [] {
    for (const std::string_view t : threads)
      if (t.empty()) return false;
    return true;
  }();
  static constexpr bool distinct = [] {
    for (std::size_t i = 0; i < threads.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        if (threads[i] == threads[k]) return false;
    return true;
  }();
  static constexpr bool threaded = threads.size() > 0 ||
                                   generated_threads(typename from::thread_part::map{}) == 0;
  static constexpr bool source_free = from::bare.from.lookahead == planner::deepest;

  static constexpr bool none = few && parallel && plain && ungrouped && options && once &&
                               each_batch && weighted && named && apart && distinct && threaded &&
                               source_free;

  /// In a function, because Clang takes a class in which an assertion fails for none.
  static auto report() {
    static_assert(few,
                  "`scheduled` looks for a schedule of up to 32 tasks: for more, look for one at "
                  "run time by `find_schedule`, or by `stretto tune`");
    static_assert(parallel,
                  "a serial schedule does one batch after the other: let `scheduled` have "
                  "a schedule of its tasks, and make that serial");
    static_assert(plain, "`pipelined` chooses lookaheads, and so does `scheduled`: leave one out");
    static_assert(ungrouped,
                  "a thread group has a queue or workers, for which `scheduled` looks for "
                  "nothing: lookaheads do what a queue does");
    static_assert(options,
                  "`scheduled` keeps to `offered_threads`, `max_in_flight` and `max_bytes`: "
                  "say the rest in a `replan` of the schedule that it is given");
    static_assert(once, "`offered_threads` is there twice: name all threads in one");
    static_assert(each_batch,
                  "`scheduled` looks for a schedule of tasks that run for every batch: "
                  "one does not");
    static_assert(weighted, "`scheduled` goes by how long tasks take: give them a `weight`");
    static_assert(named, "`offered_threads` has a thread without a name");
    static_assert(apart,
                  "`offered_threads` names a thread that pulls batches or hands them out: "
                  "tasks that are to be on that name it themselves");
    static_assert(distinct, "`offered_threads` names a thread twice");
    static_assert(threaded,
                  "the schedule leaves its threads to be generated: name those that there "
                  "are to be in `offered_threads`");
    static_assert(source_free,
                  "`scheduled` chooses how far ahead batches are pulled: leave "
                  "`lookahead` out of the `source`");
  }
};

/// The search, a constant for each part of it, because a compiler limits the steps of each.
template <class Schedule, class Options, bool Together>
struct schedule_search {
  using asked = refusal<Schedule, Options>;
  using from = typename asked::from;
  static constexpr std::size_t tasks = from::tasks::size;
  static constexpr constant_words<words_for_problem(from::bare)> problem =
      state_problem<words_for_problem(from::bare)>(
          from::bare, {asked::threads, asked::in_flight, asked::bytes, Together});
  static_assert(problem.size <= words_for_problem(from::bare),
                "this schedule has more dependencies than `scheduled` has room for: look for one "
                "at run time by `find_schedule`");

  template <int Part>
  struct part {
    static constexpr planner::modulo_progress value = [] {
      if constexpr (Part == 0) {
        return planner::modulo_progress{};
      } else {
        return search_on(tasks, problem, part<Part - 1>::value);
      }
    }();
  };
  template <int Part = 1>
  static constexpr const planner::modulo_progress& last() {
    if constexpr (part<Part>::value.now == planner::modulo_progress::phase::over) {
      return part<Part>::value;
    } else {
      return last<Part + 1>();
    }
  }
  static constexpr const planner::modulo_progress& found = last();
};

template <class Schedule, class Options, bool Together>
struct found_parts;
template <class Schedule, class... Option, bool Together>
struct found_parts<Schedule, pack<Option...>, Together> {
  using search = schedule_search<Schedule, pack<Option...>, Together>;
  using asked = typename search::asked;
  using from = typename search::from;
  static constexpr std::size_t tasks = search::tasks;
  static constexpr std::size_t slot_count = read_problem(tasks, search::problem).slot_list.size();
  static constexpr found_rows<tasks, slot_count> rows =
      rows_of_found<tasks, slot_count>(search::problem, search::found);

  template <std::size_t Task>
  static auto placed() {
    using type = declare::nth<Task, typename from::tasks>;
    using ahead = lookahead<rows.lookahead[Task]>;
    if constexpr (from::bare.tasks[Task].thread.empty() && asked::threads.size() > 0) {
      return pack<
          place<type, ahead,
                declare::nth<search::found.best.thread[Task], typename asked::offered::list>>>{};
    } else {
      return pack<place<type, ahead>>{};
    }
  }
  template <std::size_t Slot>
  static auto slacked() {
    if constexpr (rows.more[Slot] > 0) {
      constexpr mention m = first_mention(from::bare, rows.slot[Slot]);
      return pack<slack<typename mentioned_slot<from, m.list, m.place>::type, rows.more[Slot]>>{};
    } else {
      return pack<>{};
    }
  }
  template <class Part>
  using unless_task = std::conditional_t<declare::part_is<Part, void>(), pack<>, pack<Part>>;
  template <std::size_t... Task, std::size_t... Slot, class... Part>
  static auto joined(std::index_sequence<Task...>, std::index_sequence<Slot...>, pack<Part...>) {
    using by_stream_again =
        std::conditional_t<(generated_threads(typename from::thread_part::map{}) > 0),
                           pack<threads<by_stream>>, pack<>>;
    return typename joined_all<unless_offer<Option>..., pack<frugal>, by_stream_again,
                               decltype(placed<Task>())..., decltype(slacked<Slot>())...,
                               pack<tag::of_the_schedule_replanned>,
                               pack<declare::nth<rows.order[Task], typename from::tasks>...>,
                               unless_task<Part>...>::type{};
  }
  using parts =
      decltype(joined(std::make_index_sequence<tasks>{}, std::make_index_sequence<slot_count>{},
                      typename Schedule::parts{}));
};

/// The parts of a schedule that was found; of one that is invalid, or for which none is looked for
/// or found, its own.
template <class Schedule, class Options>
struct scheduled_parts {
  static auto chosen() {
    if constexpr (!refusal<Schedule, Options>::none) {
      refusal<Schedule, Options>::report();
      return typename Schedule::parts{};
    } else if constexpr (!refusal<Schedule, Options>::valid) {
      return typename Schedule::parts{};
    } else {
      constexpr bool found = schedule_search<Schedule, Options, false>::found.found();
      static_assert(found,
                    "no schedule was found that keeps to `max_in_flight`, `max_bytes`, and the "
                    "lookaheads that tasks have to stay at: allow more");
      if constexpr (!found) {
        return typename Schedule::parts{};
      } else {
        using free = found_parts<Schedule, Options, false>;
        if constexpr (checked_rules<declared<free>>::kept) {
          return typename free::parts{};
        } else if constexpr (schedule_search<Schedule, Options, true>::found.found()) {
          // What shares state was ordered by where it ran.
          return typename found_parts<Schedule, Options, true>::parts{};
        } else {
          return typename free::parts{};
        }
      }
    }
  }
  using type = decltype(chosen());
};

}  // namespace typed::detail

/// A schedule of the tasks of another that the compiler finds: lookaheads, threads of tasks that
/// name none, their order and the copies of slots, so that a progress takes the least time by the
/// tasks' weights when threads run ahead of each other; at that with the fewest bytes of copies; at
/// both with the fewest batches in flight. `Options`: `offered_threads<"a", "b">` for tasks that
/// name no thread (left out: they are on that of their stream), `max_in_flight<N>` (left out: as
/// many as the schedule has now) and `max_bytes<N>`. For up to 32 tasks. No search of all
/// schedules: `is_optimal` tells whether it is proved that none is faster.
///
/// A task that names a thread stays on it; one that gives an offset of a slot, updates what
/// another has written, or shares state that one of them changes, stays at its lookahead. An error
/// if tasks have no weight, if a thread group has a queue or workers, if the source gives a
/// lookahead, or if nothing that keeps to the options is found.
template <class Schedule, class... Options>
struct scheduled {
  using parts = typename typed::detail::scheduled_parts<Schedule, pack<Options...>>::type;
};

}  // namespace stretto
