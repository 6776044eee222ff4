// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One schedule as a pipeline whose threads' tasks are a function each, and as one whose threads
// have more tasks than that: whatever becomes of a run, nobody can tell them apart.

#include <doctest/doctest.h>
#include <atomic>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <stop_token>
#include <stretto/stretto.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#include "../../support/rest.hpp"

namespace {

namespace st = stretto;

constexpr int tasks = 70;  // more than one piece of a long chain per thread

struct number : st::slot<int> {};
template <int I>
struct item : st::slot<int> {};

/// What is to happen at one task's run on one batch.
enum class event { nothing, failure, drain, cancel };
struct plan_of_run {
  event what = event::nothing;
  int task = 0;
  int batch = 0;
  std::stop_source stop{};
};

template <int I, bool Threads>
struct on_thread {};
template <int I>
struct on_thread<I, true> {
  using thread = std::conditional_t<(I % 20 < 10), st::thread<"even">, st::thread<"odd">>;
};

template <int I, bool Threads>
struct task : on_thread<I, Threads> {
  using reads = st::reads<std::conditional_t<I == 0, number, item<I - 1>>>;
  using writes = st::writes<item<I>>;
  static constexpr int lookahead = I < 20 ? 2 : I < 45 ? 1 : 0;

  plan_of_run* planned = nullptr;

  void operator()(int in, int& out) const {
    out = in + 1;
    // The source counts by thousands: that is the batch.
    if (planned->what == event::nothing || planned->task != I || planned->batch != in / 1000)
      return;
    if (planned->what == event::failure) throw std::runtime_error("task " + std::to_string(I));
    planned->stop.request_stop();
  }
};

template <bool Threads, class Index>
struct schedule_of;
template <std::size_t... Index>
struct schedule_of<true, std::index_sequence<Index...>> {
  using type = st::schedule<st::source<number>, st::result<item<tasks - 1>>,
                            task<static_cast<int>(Index), true>...>;
};
template <std::size_t... Index>
struct schedule_of<false, std::index_sequence<Index...>> {
  using type = st::schedule<st::source<number>, st::result<item<tasks - 1>>,
                            st::threads<st::on_caller>, task<static_cast<int>(Index), false>...>;
};
template <bool Threads>
using schedule = typename schedule_of<Threads, std::make_index_sequence<std::size_t{tasks}>>::type;

struct several : schedule<true> {};
struct several_called : schedule<true> {};
struct one_thread : schedule<false> {};
struct one_thread_called : schedule<false> {};
static_assert(st::plan_of<one_thread>.threads == 1);

}  // namespace

template <>
inline constexpr std::size_t stretto::unrolled_up_to<several> = 100;
template <>
inline constexpr std::size_t stretto::unrolled_up_to<one_thread> = 100;

namespace {

/// All that there is to say of a run that does not depend on how threads take turns.
struct outcome {
  std::vector<int> results;
  st::run_end end = st::run_end::none;
  std::string failed;
  std::size_t batch = 0;
  std::size_t progress = 0;
  std::string error;
  bool accounted = false;
  std::vector<std::string> in_flight;

  bool operator==(const outcome&) const = default;
};

std::string text_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    return e.what();
  }
}

template <class Schedule, bool Threads, class... Option>
struct subject {
  plan_of_run planned;
  st::pipeline<Schedule, Option...> pipeline = []<std::size_t... Index>(
                                                   plan_of_run& p, std::index_sequence<Index...>) {
    return st::pipeline<Schedule, Option...>(task<static_cast<int>(Index), Threads>{{}, &p}...);
  }(planned, std::make_index_sequence<std::size_t{tasks}>{});

  /// \p exact: one thread runs all tasks, so that every number is determined.
  outcome run(event what, int at, int batch, int batches, bool exact) {
    planned.what = what;
    planned.task = at;
    planned.batch = batch;
    planned.stop = std::stop_source{};
    outcome o;
    int next = 0;
    const auto source = [&](int& slot) {
      slot = next++ * 1000;
      return next <= batches;
    };
    const auto use = [&](auto&& run) {
      try {
        for (const int r : run) o.results.push_back(r);
      } catch (const std::exception& e) {
        o.error = e.what();
      }
    };
    if (what == event::cancel) {
      use(pipeline.run(source, st::cancel_on(planned.stop.get_token())));
    } else {
      use(pipeline.run(source, planned.stop.get_token()));
    }
    const st::run_report& report = pipeline.report();
    o.end = report.end;
    if (!report.failures.empty()) {
      o.failed = report.failures[0].task;
      o.batch = report.failures[0].batch;
      o.progress = report.failures[0].progress;
      CHECK(text_of(report.failures[0].error) == "task " + std::to_string(at));
    }
    o.accounted = report.delivered == o.results.size() && report.finished >= report.delivered &&
                  report.pulled >= report.finished;
    if (exact) {
      for (const st::run_report::unfinished& u : report.in_flight) {
        o.in_flight.push_back(std::to_string(u.batch) + ":");
        for (const std::string& t : u.ran) o.in_flight.back() += " " + t;
      }
    } else if (what != event::nothing) {
      o.results.clear();  // how far others were
    }
    if (report.end == st::run_end::failed) pipeline.reset();
    return o;
  }
};

template <class Unrolled, class Called, class... Option>
void check_both() {
  static_assert(st::unrolled_up_to<Called> < tasks / 2);
  constexpr bool threads = st::plan_of<Called>.threads > 1;
  subject<Unrolled, threads, Option...> unrolled;
  subject<Called, threads, Option...> called;
  constexpr bool exact = !threads;
  const auto check = [&](event what, int at, int batch, int batches) {
    CAPTURE(static_cast<int>(what));
    CAPTURE(at);
    CAPTURE(batch);
    CAPTURE(batches);
    const outcome expected = unrolled.run(what, at, batch, batches, exact);
    const outcome found = called.run(what, at, batch, batches, exact);
    CHECK(expected.accounted);
    CHECK(found.results == expected.results);
    CHECK(found.end == expected.end);
    CHECK(found.failed == expected.failed);
    CHECK(found.batch == expected.batch);
    CHECK(found.progress == expected.progress);
    CHECK(found.error == expected.error);
    CHECK(found.accounted);
    CHECK(found.in_flight == expected.in_flight);
  };
  for (const int batches : {0, 1, 2, 3, 20}) {
    check(event::nothing, 0, 0, batches);
    if (batches == 0) continue;
    // At the ends of lookaheads, of chains' pieces and of the schedule; while it is filled, in a
    // steady progress and while it is emptied.
    for (const int at : {0, 1, 19, 20, 31, 32, 33, 44, 45, 63, 64, 68, 69})
      for (const int batch : {0, batches / 2, batches - 1})
        for (const event what : {event::failure, event::drain, event::cancel}) {
          // How many more batches are pulled once a stop is asked for is up to the threads.
          if (!exact && what != event::failure) continue;
          check(what, at, batch, batches);
        }
  }
}

}  // namespace

namespace {

// The first task of the workers' chain is a batch behind the second and reads nothing: its waits
// alone tell a worker whether its batch exists.
struct early : st::slot<int> {};
struct late : st::slot<int> {};
struct behind {
  static constexpr int lookahead = 1;
  using thread = st::thread<"shared">;
  using writes = st::writes<early>;
  std::vector<std::atomic<int>>* runs = nullptr;
  void operator()(const st::context auto& ctx, int& out) const {
    ++(*runs)[ctx.batch()];
    out = 1;
  }
};
struct ahead {
  static constexpr int lookahead = 2;
  using thread = st::thread<"shared">;
  using writes = st::writes<late>;
  void operator()(int& out) const { out = 2; }
};
template <std::size_t Workers>
struct shared : st::schedule<st::source<number>, st::result<early, late>,
                             st::workers<"shared", Workers>, behind, ahead> {};
static_assert(st::plan_of<shared<3>>.chained[st::plan_of<shared<3>>.chains[1].first] == 0);

}  // namespace

template <std::size_t Workers>
inline constexpr std::size_t stretto::unrolled_up_to<shared<Workers>> = 0;

TEST_CASE_TEMPLATE("the threads of a long chain run each task once on each batch, and no more", T,
                   shared<1>, shared<3>) {
  for (const std::size_t batches : {0U, 1U, 2U, 7U}) {
    CAPTURE(batches);
    std::vector<std::atomic<int>> runs(batches + 4);
    st::pipeline<T> pipeline(behind{&runs});
    std::size_t pulled = 0;
    std::size_t delivered = 0;
    for ([[maybe_unused]] const auto& result : pipeline.run([&](int&) {
           if (pulled++ < batches) return true;
           tested::until_others_sleep();  // at what lies behind the end
           return false;
         }))
      ++delivered;
    CHECK(delivered == batches);
    for (std::size_t b = 0; b < runs.size(); ++b) CHECK(runs[b] == (b < batches ? 1 : 0));
  }
}

TEST_CASE("a long chain on one thread: results, failures, reports, stops and cancellations") {
  check_both<one_thread, one_thread_called>();
}

TEST_CASE("long chains on several threads: results, failures and reports") {
  check_both<several, several_called>();
}

TEST_CASE("long chains on several threads that meet after each progress") {
  check_both<several, several_called, st::barrier>();
}
