// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <doctest/doctest.h>
#include <array>
#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <stop_token>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>
#include "../../support/tested.hpp"

/// A pipeline of which the bodies record what ran, and fail or ask for a stop where they are told
/// to.
namespace recording {

namespace st = stretto;

constexpr std::size_t batches = 6;

/// What the fault is thrown as, so that it can be told from any other.
struct planned_fault : std::runtime_error {
  std::size_t batch;
  explicit planned_fault(std::size_t b) : std::runtime_error("planned"), batch(b) {}
};

/// A token of one's own, and who requests the stop.
struct flag {
  std::atomic<bool> requested{false};
  bool stop_requested() const { return requested.load(std::memory_order_acquire); }
  void request() { requested.store(true, std::memory_order_release); }
};

/// What bodies recorded, apart from all that the library keeps; and where a run is disturbed.
struct record {
  std::string disturbed_task;  ///< "pull": the source
  std::size_t disturbed_batch = 0;
  flag* stop = nullptr;  ///< what happens there: a stop is requested,
  bool fails = false;    ///< a fault is thrown,
  bool standard = true;  ///< as a std::exception
  bool after_e = false;  ///< only when e has finished the batch before
  std::mutex mutex;
  std::array<std::set<std::size_t>, 5> finished;  // by task
  std::size_t pulled = 0;
  std::atomic<bool> source_ended{false};
  std::atomic<bool> stop_is_known{false};           ///< the request has returned
  std::map<std::string, std::size_t> started_late;  ///< by thread: bodies and pulls from then on

  void forget() {
    disturb({}, 0, nullptr, false);
    for (auto& f : finished) f.clear();
    pulled = 0;
    source_ended = false;
    stop_is_known = false;
    started_late.clear();
  }
  void disturb(std::string task, std::size_t batch, flag* token, bool throws) {
    disturbed_task = std::move(task);
    disturbed_batch = batch;
    stop = token;
    fails = throws;
    after_e = false;
  }
  void fail_at(std::string task, std::size_t batch) {
    forget();
    disturb(std::move(task), batch, nullptr, true);
  }
  void stop_at(std::string task, std::size_t batch, flag& token) {
    forget();
    disturb(std::move(task), batch, &token, false);
  }
  void request_stop(flag& token) {
    token.request();
    stop_is_known = true;
  }
  bool has_run(std::size_t task, std::size_t batch) {
    const std::lock_guard lock(mutex);
    return finished[task].count(batch) != 0;
  }
  void run(std::string_view task, std::size_t batch, std::string_view thread) {
    if (stop_is_known) {
      const std::lock_guard lock(mutex);
      ++started_late[std::string(thread)];
    }
    if (task != disturbed_task || batch != disturbed_batch) return;
    while (after_e && !has_run(4, batch - 1)) std::this_thread::yield();
    if (stop != nullptr) request_stop(*stop);
    if (!fails) return;
    if (standard) throw planned_fault(batch);
    throw static_cast<int>(batch);
  }
  void ran(std::size_t task, const auto& ctx) {
    run(ctx.task(), ctx.batch(), ctx.thread());
    const std::lock_guard lock(mutex);
    CHECK(finished[task].insert(ctx.batch()).second);  // nothing runs twice
  }
};

struct raw : st::slot<int> {};
struct a_out : st::slot<int> {};
struct b_out : st::slot<int> {};
struct c_out : st::slot<int> {};
struct d_out : st::slot<int> {};

template <std::size_t Number>
struct recorded {
  record* log;
  void note(const auto& ctx) const { log->ran(Number, ctx); }
};

struct a : recorded<0> {
  using stream = st::stream<"s">;
  static constexpr int lookahead = 2;
  using reads = st::reads<raw>;
  using writes = st::writes<a_out>;
  void operator()(st::context auto& ctx, const int& in, int& out) const {
    out = in + 1;
    note(ctx);
  }
};
struct b : recorded<1> {
  using stream = st::stream<"t">;
  static constexpr int lookahead = 1;
  using reads = st::reads<a_out>;
  using writes = st::writes<b_out>;
  void operator()(st::context auto& ctx, const int& in, int& out) const {
    out = in * 2;
    note(ctx);
  }
};
struct c : recorded<2> {  // a host task, concurrent with b
  static constexpr int lookahead = 1;
  using reads = st::reads<a_out>;
  using writes = st::writes<c_out>;
  void operator()(st::context auto& ctx, const int& in, int& out) const {
    out = in * 3;
    note(ctx);
  }
};
struct d : recorded<3> {
  using stream = st::stream<"s">;
  using reads = st::reads<b_out, c_out>;
  using writes = st::writes<d_out>;
  void operator()(st::context auto& ctx, const int& x, const int& y, int& out) const {
    note(ctx);
    out = x + y;
  }
};
struct e : recorded<4> {  // last in its progress, on a thread that does little else
  using stream = st::stream<"u">;
  using depends_on = st::depends_on<d>;
  void operator()(st::context auto& ctx) const {
    CHECK(log->has_run(3, ctx.batch()));
    note(ctx);
  }
};

struct loop
    : st::schedule<st::source<raw>, st::result<d_out>, st::streams<"s", "t", "u">, a, b, c, d, e> {
};
struct fed : st::schedule<st::source<raw, st::lookahead<4>, st::thread<"reader">>,
                          st::result<d_out>, st::streams<"s", "t", "u">, a, b, c, d, e> {};

constexpr std::array<std::string_view, 5> names{"a", "b", "c", "d", "e"};

template <class Schedule, class Pace = st::run_ahead>
struct subject {
  using schedule = Schedule;
  static constexpr const auto& plan = st::plan_of<Schedule>;
  record log;

 private:
  static st::attached_threads all_groups() {
    st::attached_threads all;
    for (std::size_t t = 1; t < plan.threads; ++t) all.add(plan.thread_names[t]);
    return all;
  }

 public:
  tested::pipeline<Schedule, Pace> pipeline;

  /// \p attaches: no thread is the pipeline's own.
  explicit subject(bool attaches = false)
      : pipeline(attaches ? all_groups() : st::attached_threads(), a{{&log}}, b{{&log}}, c{{&log}},
                 d{{&log}}, e{{&log}}) {
    if (!attaches) return;
    for (std::size_t t = 1; t < plan.threads; ++t)
      for (std::size_t k = 0; k < plan.workers[t]; ++k)
        attached.emplace_back([this, t](const std::stop_token& leaving) {
          while (pipeline.attach(plan.thread_names[t], leaving)) {
          }
        });
  }

  auto source() {
    return [this, next = std::size_t{0}](int& slot) mutable {
      log.run("pull", next, pulling_thread);
      if (next == batches) {
        log.source_ended = true;
        return false;
      }
      slot = static_cast<int>(next++);
      ++log.pulled;
      return true;
    };
  }
  std::vector<std::jthread> attached;  // of the test's own: they end before the pipeline does

  static constexpr std::string_view pulling_thread =
      st::plan_of<Schedule>.thread_names
          [st::plan_of<Schedule>.thread_of[st::plan_of<Schedule>.pull]];
  static constexpr std::size_t in_flight = st::in_flight<Schedule>;
  static int result_of(std::size_t batch) { return (static_cast<int>(batch) + 1) * 5; }

  /// The report, against what the bodies recorded.
  void check_report(std::size_t delivered, std::size_t failures) {
    const st::run_report& report = pipeline.report();
    CHECK(report.pulled == log.pulled);
    CHECK(report.delivered == delivered);
    std::size_t through = 0;
    const auto ran = [&](std::size_t task, std::size_t batch) {
      return log.finished[task].count(batch) != 0;
    };
    while (ran(0, through) && ran(1, through) && ran(2, through) && ran(3, through) &&
           ran(4, through))
      ++through;
    CHECK(report.finished == through);
    REQUIRE(report.in_flight.size() == log.pulled - through);
    for (std::size_t i = 0; i < report.in_flight.size(); ++i) {
      CHECK(report.in_flight[i].batch == through + i);
      std::vector<std::string> expected;
      for (std::size_t t = 0; t < names.size(); ++t)
        if (ran(t, through + i)) expected.emplace_back(names[t]);
      CHECK(report.in_flight[i].ran == expected);
    }
    REQUIRE(report.undelivered.size() == through - delivered);
    for (std::size_t i = 0; i < report.undelivered.size(); ++i)
      CHECK(report.undelivered[i] == delivered + i);
    CHECK(report.failures.size() == failures);
  }

  void check_whole_run() {
    log.forget();
    std::size_t batch = 0;
    for (const int r : pipeline.run(source())) CHECK(r == result_of(batch++));
    CHECK(batch == batches);
    check_report(batches, 0);
    CHECK(pipeline.report().finished == batches);
    CHECK(pipeline.report().end == st::run_end::completed);
  }
};

}  // namespace recording
