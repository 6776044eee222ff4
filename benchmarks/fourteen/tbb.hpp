// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>
#include "by_hand.hpp"
#include "one_task.hpp"

// The 14-task pipeline with oneTBB, on two threads: the calling one and one of oneTBB's. Work
// stealing decides which task runs where.

namespace benchmarks::with_tbb {

/// Two threads, whatever the machine has.
class two_threads {
 public:
  template <class Body>
  void run(Body&& body) {
    arena_.execute(std::forward<Body>(body));
  }

 private:
  oneapi::tbb::global_control limit_{oneapi::tbb::global_control::max_allowed_parallelism, 2};
  oneapi::tbb::task_arena arena_{2};
};

struct alignas(64) in_flight_batch {
  by_hand::batch b{};
};

/// These tasks, in this order, as one filter: it works on one batch at a time, batch after batch.
template <class Pipeline, std::size_t... Task>
auto filter() {
  using batch = by_hand::batch;
  return oneapi::tbb::make_filter<batch*, batch*>(oneapi::tbb::filter_mode::serial_in_order,
                                                  [](batch* b) {
                                                    (one_task<Pipeline, Task>(*b), ...);
                                                    return b;
                                                  });
}

/// `parallel_pipeline` over such filters, with three batches in flight.
template <class Filters, class Source, class Result>
void pipelined(const Filters& filters, Source& source, Result& result) {
  namespace tbb = oneapi::tbb;
  using batch = by_hand::batch;
  constexpr std::size_t in_flight = 3;
  std::array<in_flight_batch, in_flight> ring;
  std::size_t next = 0;
  const auto pull = tbb::make_filter<void, batch*>(
      tbb::filter_mode::serial_in_order, [&](tbb::flow_control& control) -> batch* {
        batch& b = ring[next % in_flight].b;  // the one three before it is through every filter
        if (!source(b.batch_cpu)) {
          control.stop();
          return nullptr;
        }
        ++next;
        return &b;
      });
  const auto deliver = tbb::make_filter<batch*, void>(tbb::filter_mode::serial_in_order,
                                                      [&](batch* b) { result(b->step_result); });
  two_threads().run([&] { tbb::parallel_pipeline(in_flight, pull & filters & deliver); });
}

/// A filter per task. Keeps what orders the tasks of a batch, not that the tasks of a stream wait
/// for those of the batch before.
template <class Pipeline, class Source, class Result>
void filter_per_task(Source& source, Result&& result) {
  using p = Pipeline;
  pipelined(filter<p, 0>() & filter<p, 1>() & filter<p, 2>() & filter<p, 3>() & filter<p, 4>() &
                filter<p, 9>() & filter<p, 5>() & filter<p, 6>() & filter<p, 7>() & filter<p, 8>() &
                filter<p, 10>() & filter<p, 11>() & filter<p, 12>() & filter<p, 13>(),
            source, result);
}

/// A filter per stream.
template <class Pipeline, class Source, class Result>
void filter_per_stream(Source& source, Result&& result) {
  using p = Pipeline;
  pipelined(filter<p, 0, 1, 2>() & filter<p, 3, 4>() & filter<p, 9>() &
                filter<p, 5, 6, 7, 8, 10, 11, 12, 13>(),
            source, result);
}

/// One progress as a graph with a node per task, run again and again: the tasks of batches in
/// flight run together, and all of them have run before the next progress.
template <class Pipeline>
class graph {
 public:
  graph() {
    add(std::make_index_sequence<14>{});
    constexpr std::size_t first[] = {0, 3, 5};
    for (const std::size_t task : first) make_edge(start_, *tasks_[task]);
    constexpr std::pair<std::size_t, std::size_t> edges[] = {{0, 1},  {1, 2},   {3, 4},   {4, 9},
                                                             {5, 6},  {6, 7},   {7, 8},   {8, 10},
                                                             {9, 10}, {10, 11}, {11, 12}, {12, 13}};
    for (const auto& [from, to] : edges) make_edge(*tasks_[from], *tasks_[to]);
  }

  template <class Source, class Result>
  void run(Source& source, Result&& result) {
    std::array<in_flight_batch, 3> ring;
    for (std::size_t progress = 0;; ++progress) {
      by_hand::batch& pulled = ring[progress % 3].b;
      at_ = {source(pulled.batch_cpu) ? &pulled : nullptr, at_[0], at_[1]};
      if (at_ == decltype(at_){}) return;
      start_.try_put({});
      graph_.wait_for_all();
      if (at_[2] != nullptr) result(at_[2]->step_result);
    }
  }

 private:
  using node = oneapi::tbb::flow::continue_node<oneapi::tbb::flow::continue_msg>;

  template <std::size_t... Task>
  void add(std::index_sequence<Task...>) {
    (tasks_.push_back(std::make_unique<node>(graph_,
                                             [this](const oneapi::tbb::flow::continue_msg&) {
                                               if (by_hand::batch* const b = at_[lags[Task]];
                                                   b != nullptr)
                                                 one_task<Pipeline, Task>(*b);
                                             })),
     ...);
  }

  std::array<by_hand::batch*, 3> at_{};  ///< the batches of this progress, the newest first
  oneapi::tbb::flow::graph graph_;
  oneapi::tbb::flow::broadcast_node<oneapi::tbb::flow::continue_msg> start_{graph_};
  std::vector<std::unique_ptr<node>> tasks_;
};

template <class Pipeline, class Source, class Result>
void graph_per_progress(Source& source, Result&& result) {
  two_threads().run([&] { graph<Pipeline>().run(source, result); });
}

}  // namespace benchmarks::with_tbb
