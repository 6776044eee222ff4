// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every edge of the plan, and every reuse of a slot's copy, under random delays.

#include <doctest/doctest.h>
#include <cstddef>
#include <set>
#include <stretto/stretto.hpp>
#include "../../support/tested.hpp"
#include "deadline.hpp"
#include "probe.hpp"

namespace {

namespace st = stretto;
using probing::probe;
using probing::stamp;
using probing::task;

template <class Schedule, class... Options>
void check(std::size_t threads, std::uint64_t seeds = 12, std::size_t batches = 40) {
  CHECK(st::plan_of<Schedule>.threads == threads);
  const deadline limit("a probed run");
  tested::pipeline<Schedule, Options...> pipeline;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    for (const std::size_t m : {batches, std::size_t{3}}) {
      CAPTURE(seed);
      CAPTURE(m);
      probe p(probing::facts_of<Schedule>(), m, seed);
      probing::drive(pipeline, p);
      CHECK(p.complaints() == "");
      if (m == batches) CHECK(p.unchecked() == "");
      for (std::size_t n = 0; n < p.known().nodes.size(); ++n) CHECK(p.runs(n) == m);
    }
  }
}

template <class Schedule>
std::set<st::planner::reason> reasons() {
  std::set<st::planner::reason> all;
  for (const auto& e : st::plan_of<Schedule>.edges) all.insert(e.why);
  return all;
}

// The ranking pipeline with prefetch and shuffle, as the original engine's own records have it.
// clang-format off
namespace ranking {
struct batch_cpu : st::slot<stamp> {};
struct batch_gpu : st::slot<stamp> {};
struct torchrec_ctx : st::slot<stamp> {};
struct shuffle_handle : st::slot<stamp> {};
struct shuffled_batch : st::slot<stamp> {};
struct prefetched : st::slot<stamp> {};
struct global_tokens : st::slot<stamp> {};
struct losses : st::slot<stamp> {};
struct output : st::slot<stamp> {};
struct local_loss_sum : st::slot<stamp> {};
struct step_result : st::slot<stamp> {};
struct h2d;
struct start_shuffle;
struct finish_shuffle;
struct start_input_dist;
struct wait_input_dist;
struct zero_grad;
struct global_tokens_allreduce;
struct nccl_safety_barrier;
struct forward;
struct prefetch_embeddings;
struct backward;
struct finalize_model_grads;
struct optimizer_step;
struct watchdog_step;
struct h2d : task<0> {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 2;
  using reads = st::reads<batch_cpu>;
  using writes = st::writes<batch_gpu, torchrec_ctx>;
};
struct start_shuffle : task<1> {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 2;
  static constexpr bool collective = true;
  using reads = st::reads<batch_gpu>;
  using writes = st::writes<shuffle_handle>;
};
struct finish_shuffle : task<2> {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 2;
  static constexpr bool collective = true;
  using reads = st::reads<batch_gpu, shuffle_handle>;
  using writes = st::writes<shuffled_batch>;
};
struct start_input_dist : task<3> {
  using stream = st::stream<"data_dist">;
  static constexpr int lookahead = 1;
  static constexpr bool collective = true;
  using reads = st::reads<shuffled_batch, torchrec_ctx>;
};
struct wait_input_dist : task<4> {
  using stream = st::stream<"data_dist">;
  static constexpr int lookahead = 1;
  static constexpr bool collective = true;
  using depends_on = st::depends_on<start_input_dist>;
};
struct zero_grad : task<5> {
  using stream = st::stream<"default">;
};
struct global_tokens_allreduce : task<6> {
  using stream = st::stream<"default">;
  static constexpr bool collective = true;
  using reads = st::reads<batch_gpu>;
  using writes = st::writes<global_tokens>;
};
struct nccl_safety_barrier : task<7> {
  using stream = st::stream<"default">;
  using depends_on = st::depends_on<finish_shuffle>;
};
struct forward : task<8> {
  using stream = st::stream<"default">;
  using reads = st::reads<batch_gpu, torchrec_ctx, shuffled_batch>;
  using writes = st::writes<losses, output>;
  using depends_on = st::depends_on<prefetch_embeddings>;
};
struct prefetch_embeddings : task<9> {
  using stream = st::stream<"prefetch">;
  static constexpr int lookahead = 1;
  using depends_on = st::depends_on<wait_input_dist>;
};
struct backward : task<10> {
  using stream = st::stream<"default">;
  static constexpr bool collective = true;
  using reads = st::reads<losses, global_tokens>;
  using writes = st::writes<local_loss_sum>;
  using depends_on = st::depends_on<zero_grad>;
  using same_progress_sync = st::same_progress_sync<prefetch_embeddings>;
};
struct finalize_model_grads : task<11> {
  using stream = st::stream<"default">;
  static constexpr bool collective = true;
  using depends_on = st::depends_on<backward>;
};
struct optimizer_step : task<12> {
  using stream = st::stream<"default">;
  using writes = st::writes<step_result>;
  using depends_on = st::depends_on<finalize_model_grads>;
};
struct watchdog_step : task<13> {
  using stream = st::stream<"default">;
  using depends_on = st::depends_on<optimizer_step>;
};
struct schedule : st::schedule<st::source<batch_cpu>, st::result<step_result, losses>, st::streams<"data_dist", "default", "memcpy", "prefetch">, h2d, start_shuffle, finish_shuffle, start_input_dist, wait_input_dist, zero_grad, global_tokens_allreduce, nccl_safety_barrier, forward, prefetch_embeddings, backward, finalize_model_grads, optimizer_step, watchdog_step> {};
}  // namespace ranking
// clang-format on

TEST_CASE("ranking: two threads") {
  using namespace ranking;
  check<st::replan<schedule,
                   st::threads<st::group<"io", h2d, start_shuffle, finish_shuffle>,
                               st::group<"compute", start_input_dist, wait_input_dist, zero_grad,
                                         global_tokens_allreduce, nccl_safety_barrier, forward,
                                         prefetch_embeddings, backward, finalize_model_grads,
                                         optimizer_step, watchdog_step>>,
                   st::caller_runs<"compute">>>(2);
}
TEST_CASE("ranking: a thread per stream") {
  check<ranking::schedule>(5);
  check<ranking::schedule, st::barrier>(5);
}
TEST_CASE("ranking: three threads, the source on its own and further ahead") {
  using namespace ranking;
  using fed = st::schedule<
      st::source<batch_cpu, st::lookahead<4>, st::thread<"io">>, st::result<step_result, losses>,
      st::streams<"data_dist", "default", "memcpy", "prefetch">, h2d, start_shuffle, finish_shuffle,
      start_input_dist, wait_input_dist, zero_grad, global_tokens_allreduce, nccl_safety_barrier,
      forward, prefetch_embeddings, backward, finalize_model_grads, optimizer_step, watchdog_step>;
  check<
      st::replan<fed, st::threads<st::group<"io", h2d, start_shuffle, finish_shuffle>,
                                  st::group<"compute", start_input_dist, wait_input_dist, zero_grad,
                                            global_tokens_allreduce, nccl_safety_barrier, forward,
                                            prefetch_embeddings, backward, finalize_model_grads,
                                            optimizer_step, watchdog_step>>>>(3);
}
TEST_CASE("ranking: a thread per task") {
  using each = st::replan<ranking::schedule, st::threads<st::per_task>>;
  check<each>(15, 3, 25);
  check<each, st::spin_then_sleep<1>>(15, 2, 15);
}
// Every other kind of edge: a slot that three tasks write, history across streams, waits inside one
// progress between batches, host tasks, a result that is written early.
namespace mixed {
struct fresh : st::slot<stamp> {};
struct shared : st::slot<stamp> {};
struct aside : st::slot<stamp> {};
struct early : st::slot<stamp> {};
struct update;
struct late;
struct make : task<0> {
  using stream = st::stream<"a">;
  static constexpr int lookahead = 3;
  using reads = st::reads<fresh>;
  using writes = st::writes<shared, early>;
  using cross_iter_depends_on = st::cross_iter_depends_on<st::ago<update, 3>, st::ago<late, 5>>;
};
struct look : task<1> {
  using stream = st::stream<"b">;
  static constexpr int lookahead = 2;
  using reads = st::reads<shared>;
  using writes = st::writes<aside>;
};
struct amend : task<2> {
  using stream = st::stream<"a">;
  static constexpr int lookahead = 1;
  using writes = st::writes<shared>;
};
struct look_again : task<3> {  // a host task
  static constexpr int lookahead = 1;
  using reads = st::reads<shared, aside>;
};
struct update : task<4> {
  using stream = st::stream<"a">;
  using writes = st::writes<shared>;
  using same_progress_sync = st::same_progress_sync<look>;
};
struct late : task<5> {
  using stream = st::stream<"c">;
  using reads = st::reads<shared>;
  using cross_iter_depends_on = st::cross_iter_depends_on<look_again>;
};
struct before : task<6> {  // a host task
  using depends_on = st::depends_on<look_again>;
  using reads = st::reads<fresh>;
};
struct schedule
    : st::schedule<st::source<fresh>, st::result<shared, early>, st::streams<"a", "b", "c">, make,
                   look, amend, look_again, update, late, before> {};
}  // namespace mixed

TEST_CASE("mixed: the schedule has every kind of edge") {
  using st::planner::reason;
  auto all = reasons<mixed::schedule>();
  all.merge(reasons<ranking::schedule>());
  CHECK(all == std::set{reason::data, reason::depends_on, reason::cross_iter,
                        reason::same_progress_sync, reason::update, reason::reuse, reason::stream,
                        reason::ticket, reason::batch});
}
TEST_CASE("mixed: a thread per stream") {
  check<mixed::schedule>(5);
  check<mixed::schedule, st::barrier>(5);
}
TEST_CASE("mixed: a thread per task") {
  using each = st::replan<mixed::schedule, st::threads<st::per_task>>;
  check<each>(8);
  check<each, st::barrier>(8);
}
TEST_CASE("mixed: two threads, each with tasks of several streams") {
  using namespace mixed;
  check<st::replan<schedule, st::threads<st::group<"x", make, update, look_again>,
                                         st::group<"caller", look, amend, late, before>>>>(2);
}

// The probe itself: what it must not overlook.
TEST_CASE("probe: notices a missing order, a foreign batch and an overwritten copy") {
  const auto facts = probing::facts_of<mixed::schedule>();
  const std::size_t look = 1;
  stamp shared{0, 1};
  stamp aside;
  probe early(facts, 4, 0);
  early.run(look, 1, {&shared}, {&aside});  // `make` of progress 0 has not run
  CHECK(early.complaints().find("runs before `make` of progress 0 is over") != std::string::npos);
  probe foreign(facts, 4, 0);
  foreign.after(0, 0);
  foreign.after(0, 1);
  foreign.after(facts.pull, 0);
  foreign.after(facts.pull, 1);
  foreign.run(look, 1, {&shared}, {&aside});
  CHECK(foreign.complaints() == "");
  shared.batch = 1;
  foreign.run(look, 1, {&shared}, {&aside});
  CHECK(foreign.complaints().find("holds another batch") != std::string::npos);
}

TEST_CASE("ranking: one thread") { check<st::serial<ranking::schedule>>(1, 1); }

}  // namespace
