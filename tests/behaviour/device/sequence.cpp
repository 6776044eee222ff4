// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the device is asked for in a steady progress of 14 tasks on four streams: call by call.

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>
#include "ranking.hpp"

namespace {

using namespace on_recording;
using recording::log;

/// What a run asks for, and what it comes to.
template <class Schedule>
struct recorded {
  explicit recorded(std::size_t batches) {
    ranking::trainer<Schedule> t;
    t.w.take_log();
    values = results(t.pipeline, t.w, batches);
    calls = t.w.take_log();
    CHECK(t.breaches().empty());
    check_edges(t.w, batches);
  }

  /// Streams and events keep the order of every edge, for all batches, whatever the pace.
  static void check_edges(const recording::world& w, std::size_t batches) {
    constexpr auto& plan = st::plan_of<Schedule>;
    for (const st::planner::edge& e : plan.edges) {
      if (e.producer >= plan.tasks || e.consumer >= plan.tasks) continue;
      for (std::size_t progress = 0; progress < batches + plan.in_flight(); ++progress) {
        const std::size_t earlier = progress - static_cast<std::size_t>(e.delta);
        if (progress < static_cast<std::size_t>(e.delta) || earlier < plan.lag[e.producer] ||
            progress < plan.lag[e.consumer])
          continue;
        const std::size_t made = earlier - plan.lag[e.producer];
        const std::size_t used = progress - plan.lag[e.consumer];
        if (made >= batches || used >= batches) continue;
        CHECK(w.ordered(label(plan.names[e.producer], made), label(plan.names[e.consumer], used)));
      }
    }
  }

  std::vector<long> values;
  log calls;
};

/// The calls from one on to another, without it.
log between(const log& all, const std::string& first, const std::string& end) {
  const auto at = [&](const std::string& text) {
    return std::find_if(all.begin(), all.end(), [&](const auto& e) { return e.text == text; });
  };
  log some;
  some.insert(some.end(), at(first), at(end));
  return some;
}

TEST_CASE("a steady progress on one thread: 14 launches, 6 records, 4 waits") {
  ranking::trainer<ranking::alone> t;
  const char* const recorded_by[] = {"wait_input_dist", "h2d",      "finish_shuffle",
                                     "forward",         "prefetch", "watchdog"};
  for (int e = 0; e < 6; ++e) t.w.name_event(e, recorded_by[e]);
  auto run = t.pipeline.run(numbers(t.w, 20));
  for (int i = 0; i < 8; ++i) run.progress();
  t.w.take_log();
  run.progress();
  const log all = t.w.take_log();

  CHECK(all.without({call::last_error}).text() ==
        "synchronize_event(h2d)\n"  // the source's pinned memory is to be filled again
        "wait(data_dist, finish_shuffle)\n"
        "kernel(data_dist, \"start_input_dist b7\")\n"
        "kernel(data_dist, \"wait_input_dist b7\")\n"
        "record(wait_input_dist, data_dist)\n"
        "kernel(memcpy, \"h2d b8\")\n"
        "record(h2d, memcpy)\n"
        "kernel(memcpy, \"start_shuffle b8\")\n"
        "kernel(memcpy, \"finish_shuffle b8\")\n"
        "record(finish_shuffle, memcpy)\n"
        "kernel(default, \"zero_grad b6\")\n"
        "kernel(default, \"global_tokens_allreduce b6\")\n"
        "kernel(default, \"nccl_safety_barrier b6\")\n"
        "kernel(default, \"forward b6\")\n"
        "record(forward, default)\n"
        "wait(prefetch, wait_input_dist)\n"
        "wait(prefetch, forward)\n"
        "kernel(prefetch, \"prefetch_embeddings b7\")\n"
        "record(prefetch, prefetch)\n"
        "wait(default, prefetch)\n"
        "kernel(default, \"backward b6\")\n"
        "kernel(default, \"finalize_model_grads b6\")\n"
        "kernel(default, \"optimizer_step b6\")\n"
        "kernel(default, \"watchdog_step b6\")\n"
        "record(watchdog, default)\n"
        "synchronize_event(watchdog)\n");  // the result is handed out
  CHECK(all.on("prefetch").ordering().text() ==
        "wait(prefetch, wait_input_dist)\n"
        "wait(prefetch, forward)\n"
        "kernel(prefetch, \"prefetch_embeddings b7\")\n"
        "record(prefetch, prefetch)\n");
  constexpr auto& plan = st::plan_of<ranking::alone>;
  CHECK(plan.stream_waits.size() == 28);
  CHECK(plan.streams.edges.size() == 4);
  CHECK(all.count(call::wait) == plan.streams.edges.size());
  CHECK(all.count(call::record) == 6);
  CHECK(all.count(call::last_error) == 14);
  CHECK(all.work().size() == 14);

  run.progress();
  const log next = t.w.take_log();
  CHECK(next.size() == all.size());
  CHECK(next.of({call::wait, call::record, call::synchronize_event}).text() ==
        all.of({call::wait, call::record, call::synchronize_event}).text());
}

TEST_CASE("on two threads, and by stream") {
  const recorded<ranking::training> r(20);
  constexpr auto& plan = st::plan_of<ranking::training>;
  const char* const first = "kernel(memcpy, \"h2d b8\")";
  const char* const end = "kernel(memcpy, \"h2d b9\")";
  const log prepare = between(r.calls.by("prepare").without({call::last_error}), first, end);
  CHECK(prepare.text() ==
        "kernel(memcpy, \"h2d b8\")\n"
        "kernel(memcpy, \"start_shuffle b8\")\n"
        "kernel(memcpy, \"finish_shuffle b8\")\n"
        "record(e1, memcpy)\n"
        "wait(data_dist, e1)\n"
        "kernel(data_dist, \"start_input_dist b8\")\n"
        "wait(data_dist, e4)\n"  // backward's rows are to be overwritten
        "kernel(data_dist, \"wait_input_dist b8\")\n"
        "record(e0, data_dist)\n");
  const log train = between(r.calls.by("caller"), "kernel(default, \"zero_grad b8\")",
                            "kernel(default, \"zero_grad b9\")");
  CHECK(train.work().size() == 9);
  CHECK(train.count(call::wait) + prepare.count(call::wait) == plan.streams.edges.size());
  CHECK(train.count(call::record) + prepare.count(call::record) == 6);
  CHECK(r.calls.by("caller").size() + r.calls.by("prepare").size() == r.calls.size());
}

TEST_CASE("nothing is made or given back once all copies of slots are there") {
  ranking::trainer<ranking::training> t;
  results(t.pipeline, t.w, 3);
  t.w.take_log();
  results(t.pipeline, t.w, 20);
  results(t.pipeline, t.w, 20);
  const log all = t.w.take_log();
  using enum call;
  CHECK(all.of({create_stream, create_event, create_blocking_event, allocate, allocate_pinned,
                destroy_stream, destroy_event, release, free_pinned})
            .text()
            .empty());
}

TEST_CASE("every plan gives the results of the serial one, at any pace") {
  const recorded<st::serial<ranking::training>> expected(12);
  CHECK(expected.values.size() == 12);
  CHECK(recorded<ranking::alone>(12).values == expected.values);
  CHECK(recorded<ranking::training>(12).values == expected.values);
  for (unsigned seed = 1; seed <= 8; ++seed) {
    ranking::trainer<ranking::training> t;
    t.w.jitter(seed);
    CHECK(results(t.pipeline, t.w, 12) == expected.values);
    CHECK(t.breaches().empty());
  }
}

TEST_CASE("no wait can be left out") {
  constexpr std::size_t waits = st::plan_of<ranking::alone>.streams.edges.size();
  for (std::size_t left_out = 0; left_out < waits; ++left_out) {
    CAPTURE(left_out);
    ranking::trainer<ranking::alone> t;
    auto run = t.pipeline.run(numbers(t.w, 12));
    for (int i = 0; i < 6; ++i) run.progress();
    t.w.ignore(call::wait, left_out);
    while (run.next()) {
    }
    CHECK(t.w.faults_left() == 0);
    CHECK_FALSE(t.breaches().empty());
  }
}

TEST_CASE("what was made is given back") {
  fixture k;
  {
    ranking::state s(k.d);
    tested::pipeline<ranking::training, device> p(
        ranking::forward{s}, ranking::prefetch_embeddings{s}, ranking::zero_grad{s},
        ranking::backward{s}, ranking::finalize_model_grads{s}, ranking::optimizer_step{s}, k.d);
    results(p, k.w, 5);
  }
  CHECK(k.leaks().empty());
  CHECK(k.breaches().empty());
}

}  // namespace
