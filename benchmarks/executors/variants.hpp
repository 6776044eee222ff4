// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <stretto/stretto.hpp>
#include <type_traits>
#include "../fourteen/async.hpp"
#include "../fourteen/by_hand.hpp"
#include "../fourteen/checked.hpp"
#include "../fourteen/locked.hpp"
#include "../fourteen/pipeline.hpp"
#include "../fourteen/source.hpp"
#include "../fourteen/table.hpp"
#if defined(STRETTO_BENCHMARKS_WITH_TBB)
#  include "../fourteen/tbb.hpp"
#endif

// The executors that are compared. Each says which `edges` it has to keep, and runs the tasks over
// a source; `result` gets what comes out.

namespace benchmarks::executors {

template <class Edges>
struct keeps {
  using edges = Edges;
};

struct by_hand_sequential : keeps<work::every_edge> {
  template <class Work, class Source, class Result>
  static void run(Source& source, Result result) {
    by_hand::sequential<fourteen<Work>>(source, result);
  }
};

struct by_hand_two_threads : keeps<work::every_edge> {
  template <class Work, class Source, class Result>
  static void run(Source& source, Result result) {
    by_hand::two_threads<fourteen<Work>>(source, result);
  }
};

struct by_hand_run_ahead : keeps<work::every_edge> {
  template <class Work, class Source, class Result>
  static void run(Source& source, Result result) {
    by_hand::two_threads_run_ahead<fourteen<Work>>(source, result);
  }
};

struct table_sequential : keeps<work::every_edge> {
  template <class Work, class Source, class Result>
  static void run(Source& source, Result result) {
    table<fourteen<Work>>().run(source, result);
  }
};

struct stretto_sequential : keeps<work::every_edge> {
  template <class Work, class Source, class Result>
  static void run(Source& source, Result result) {
    st::pipeline<typename fourteen<Work>::sequential> pipeline;
    for (value& r : pipeline.run(source)) result(r);
  }
};

/// On the same threads as by hand.
template <class Pace, class Waiting>
struct stretto_two_threads : keeps<work::every_edge> {
  template <class Work, class Source, class Result>
  static void run(Source& source, Result result) {
    using schedule = std::conditional_t<Pace::meets, typename fourteen<Work>::two_threads,
                                        typename fourteen<Work>::two_threads_ahead>;
    st::pipeline<schedule, Pace, Waiting> pipeline;
    for (value& r : pipeline.run(source)) result(r);
  }
};

/// On the map that the compiler makes, two threads as well: with the tasks' streams and all their
/// edges, or as host tasks with their data edges only.
template <bool DataOnly, class Waiting = st::spin>
struct stretto_generated : keeps<std::conditional_t<DataOnly, work::data_only, work::every_edge>> {
  template <class Work, class Source, class Result>
  static void run(Source& source, Result result) {
    st::pipeline<typename fourteen<Work, DataOnly>::generated, Waiting> pipeline;
    for (value& r : pipeline.run(source)) result(r);
  }
};

// The runtime version: the same schedules and bodies, as values.

template <class Schedule, class... Options, class Source, class Result>
void run_dynamic(Source& source, Result result) {
  st::dynamic::pipeline<Options...> pipeline(st::dynamic::from_types<Schedule>());
  for (const st::dynamic::result& r : pipeline.run(source)) result(r.get<value>());
}

struct dynamic_sequential : keeps<work::every_edge> {
  template <class Work, class Source, class Result>
  static void run(Source& source, Result result) {
    run_dynamic<typename fourteen<Work>::sequential>(source, result);
  }
};

template <class Pace, class Waiting>
struct dynamic_two_threads : keeps<work::every_edge> {
  template <class Work, class Source, class Result>
  static void run(Source& source, Result result) {
    using schedule = std::conditional_t<Pace::meets, typename fourteen<Work>::two_threads,
                                        typename fourteen<Work>::two_threads_ahead>;
    run_dynamic<schedule, Pace, Waiting>(source, result);
  }
};

template <bool DataOnly>
struct dynamic_generated : keeps<std::conditional_t<DataOnly, work::data_only, work::every_edge>> {
  template <class Work, class Source, class Result>
  static void run(Source& source, Result result) {
    run_dynamic<typename fourteen<Work, DataOnly>::generated, st::spin>(source, result);
  }
};

// Two usual ways to do without a library.

struct async_per_progress : keeps<work::every_edge> {
  template <class Work, class Source, class Result>
  static void run(Source& source, Result result) {
    with_async<fourteen<Work>>(source, result);
  }
};

struct locked_events : keeps<work::every_edge> {
  template <class Work, class Source, class Result>
  static void run(Source& source, Result result) {
    locked<fourteen<Work>>().run(source, result);
  }
};

#if defined(STRETTO_BENCHMARKS_WITH_TBB)
struct tbb_filter_per_task : keeps<work::no_streams> {
  template <class Work, class Source, class Result>
  static void run(Source& source, Result result) {
    with_tbb::filter_per_task<fourteen<Work>>(source, result);
  }
};

struct tbb_filter_per_stream : keeps<work::no_turns> {
  template <class Work, class Source, class Result>
  static void run(Source& source, Result result) {
    with_tbb::filter_per_stream<fourteen<Work>>(source, result);
  }
};

struct tbb_graph : keeps<work::every_edge> {
  template <class Work, class Source, class Result>
  static void run(Source& source, Result result) {
    with_tbb::graph_per_progress<fourteen<Work>>(source, result);
  }
};
#endif

}  // namespace benchmarks::executors
