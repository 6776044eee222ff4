// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/schedule.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/declare/thread.hpp>
#include <stretto/errors/emit.hpp>
#include <stretto/plan/derive/plan_size.hpp>
#include <stretto/plan/layout/modulo_evaluation.hpp>
#include <stretto/plan/layout/modulo_placement.hpp>
#include <stretto/plan/layout/modulo_problem.hpp>
#include <stretto/plan/layout/modulo_problem_of.hpp>
#include <stretto/plan/layout/modulo_search.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/static/errors/parts.hpp>
#include <stretto/static/errors/unscheduled.hpp>
#include <stretto/static/values/checked_rules.hpp>
#include <stretto/static/values/constant_draft.hpp>
#include <stretto/static/values/constant_words.hpp>
#include <stretto/static/values/declared.hpp>
#include <stretto/static/values/mentioned_slot.hpp>
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

/// Stands in a schedule that was found. `InFlight`: how many batches it could have; `Told`: as it
/// was told to.
template <int InFlight, bool Told>
struct found_within {
  using stretto_tag = tag::scheduled_within;
  static constexpr int in_flight = InFlight;
  static constexpr bool told = Told;
};

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

/// The search, a constant for each part of it, because a compiler limits the steps of each.
template <class Schedule, class Options, bool Together>
struct schedule_search {
  using asked = asked_search<Schedule, Options>;
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
  /// Batches, at most.
  static constexpr int in_flight = read_problem(tasks, problem).in_flight;
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
    return typename joined_all<unless_offer<Option>..., pack<frugal>,
                               pack<found_within<search::in_flight, (asked::in_flight > 0)>>,
                               by_stream_again, decltype(placed<Task>())...,
                               decltype(slacked<Slot>())..., pack<tag::of_the_schedule_replanned>,
                               pack<declare::nth<rows.order[Task], typename from::tasks>...>,
                               unless_task<Part>...>::type{};
  }
  using parts =
      decltype(joined(std::make_index_sequence<tasks>{}, std::make_index_sequence<slot_count>{},
                      typename Schedule::parts{}));
};

/// What is known of bounds before a search: the first task that stays at a lookahead too large, and
/// the bytes of a plan that there is.
struct known_of_bounds {
  std::size_t task = planner::none;
  int in_flight = 0;
  bool as_declared = false;  ///< with the lookaheads of the schedule; else one batch at a time
  std::size_t bytes = 0;
};
template <std::size_t Capacity>
constexpr known_of_bounds bounds_known(const planner::declaration& d,
                                       const constant_words<Capacity>& row, std::size_t limit) {
  const planner::modulo_problem p = read_problem(d.tasks.size(), row);
  known_of_bounds known;
  for (std::size_t t = 0; t < p.tasks(); ++t) {
    known.as_declared = known.as_declared || p.least[t] > 0;
    if (known.task != planner::none || p.least[t] < p.in_flight) continue;
    known.task = t;
    known.in_flight = p.least[t] + 1;
  }
  if (limit == 0) return known;
  if (known.as_declared) {
    known.bytes = planner::size_of_plan(d).bytes;
    return known;
  }
  long long bytes = 0;
  if (p.bytes != (std::numeric_limits<long long>::max)())
    bytes = static_cast<long long>(limit) - p.bytes;  // of slots with several writers
  for (const planner::modulo_problem::slot& s : p.slot_list) {
    int least = 1;
    for (std::size_t i = s.readers.first; i < s.readers.last; ++i)
      least = planner::larger(least, p.readers[i].ago + 1);
    bytes += s.bytes * least;
  }
  known.bytes = static_cast<std::size_t>(bytes);
  return known;
}

/// Why nothing was found.
template <class Schedule, class Options>
consteval auto nothing_found_diagnostic() {
  using search = schedule_search<Schedule, Options, false>;
  using asked = typename search::asked;
  constexpr known_of_bounds known = bounds_known(asked::from::bare, search::problem, asked::bytes);
  if constexpr (known.task != planner::none) {
    return too_few_in_flight<declare::nth<known.task, typename asked::from::tasks>,
                             typename asked::most_in_flight, known.in_flight>{};
  } else if constexpr (asked::bytes > 0 && asked::bytes < known.bytes) {
    return too_few_bytes<Schedule, typename asked::most_bytes, known.bytes, known.as_declared>{};
  } else {
    return nothing_found<Schedule>{};
  }
}

/// The parts of a schedule that was found; of one that is invalid its own; else with why there is
/// none.
template <class Schedule, class Options>
struct scheduled_parts {
  template <class Diagnostic>
  static auto refused() {
    if constexpr (requires { typename Schedule::parts; }) {
      return
          typename declare::joined<pack<unscheduled<Diagnostic>>, typename Schedule::parts>::type{};
    } else {
      return pack<unscheduled<Diagnostic>>{};
    }
  }
  /// Whether what shares state, and was ordered by where it ran, is to have a thread in common.
  template <class Free>
  static consteval bool wants_together() {
    if constexpr (checked_rules<declared<Free>>::kept) {
      return false;
    } else {
      return schedule_search<Schedule, Options, true>::found.found();
    }
  }
  static auto chosen() {
    using diagnostic = decltype(unscheduled_diagnostic<Schedule, Options>());
    if constexpr (!errors::is_no_error<diagnostic>) {
      return refused<diagnostic>();
    } else if constexpr (!is_sound<Schedule>()) {
      return typename Schedule::parts{};
    } else if constexpr (!schedule_search<Schedule, Options, false>::found.found()) {
      return refused<decltype(nothing_found_diagnostic<Schedule, Options>())>();
    } else {
      using free = found_parts<Schedule, Options, false>;
      return typename found_parts<Schedule, Options, wants_together<free>()>::parts{};
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
/// another has written, or shares state that one of them changes, stays at its lookahead. What no
/// schedule is looked for, and bounds that none is found within, make it an invalid schedule, of
/// which a sentence tells: a task has no weight or does not run for every batch, a thread group has
/// a queue or workers, the source gives a lookahead, the schedule is serial or pipelined, threads
/// are offered that pull batches or that no task can be put on.
template <class Schedule, class... Options>
struct scheduled {
  using parts = typename typed::detail::scheduled_parts<Schedule, pack<Options...>>::type;
};

}  // namespace stretto
