// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How a run's end is told, what an observer's exception does to it, what is left of its batches,
// and pipelines that are destroyed before their run.

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <future>
#include <iostream>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <stdexcept>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>
#include "../../support/tested.hpp"
#include "deadline.hpp"

namespace {

namespace st = stretto;

struct in : st::slot<int> {};
struct mid : st::slot<int> {};
struct out : st::slot<int> {};

struct work {
  using reads = st::reads<in>;
  using writes = st::writes<out>;
  static constexpr int lookahead = 1;
  void operator()(int a, int& b) const { b = a; }
};

// --- completed, drained or left
// ---------------------------------------------------------------------

struct read_apart : st::schedule<st::source<in, st::thread<"reader">>, st::result<out>, work> {};
struct by_caller : st::replan<read_apart, st::threads<st::on_caller>> {};

struct asked_already {
  static bool stop_requested() { return true; }
};

template <class Schedule, class Pace>
void check_stepped_ends() {
  tested::pipeline<Schedule, Pace> p;
  for (int repeat = 0; repeat < 200; ++repeat) {
    {
      auto run = p.run(std::vector<int>(10, 1));
      std::size_t got = 0;
      while (run.has_more()) got += run.progress() ? 1U : 0U;
      CHECK(got == 10);
      CHECK(p.report().end == st::run_end::completed);  // before the run is destroyed
      CHECK_FALSE(run.has_more());
      CHECK_FALSE(run.progress());
      // The run is over, so the pipeline is free.
      for (const int r : p.run(std::vector{7})) CHECK(r == 7);
      CHECK_FALSE(run.next());
    }
    CHECK(p.report().end == st::run_end::completed);
    {
      auto run = p.run(std::vector<int>(10, 1), asked_already());
      while (run.has_more()) CHECK_FALSE(run.progress());
    }
    CHECK(p.report().end == st::run_end::drained);
    {
      auto run = p.run(std::vector<int>(10, 1));
      for (int i = 0; i < 5; ++i) REQUIRE(run.next());
    }
    CHECK(p.report().end == st::run_end::left_early);
    CHECK(p.report().delivered == 5);
  }
}

TEST_CASE("endings: a run that is stepped through to its end is completed, or drained") {
  const deadline limit("has_more() to the end");
  check_stepped_ends<read_apart, st::run_ahead>();
  check_stepped_ends<read_apart, st::barrier>();
  check_stepped_ends<by_caller, st::run_ahead>();
}

// --- finished, with a fellow worker that had nothing to do
// ------------------------------------------

std::atomic<bool> stop_now{false};
struct stop_flag {
  bool stop_requested() const { return stop_now; }
};
struct stopper {
  using thread = st::thread<"w">;
  using reads = st::reads<in>;
  using writes = st::writes<out>;
  void operator()(st::context auto& ctx, int a, int& b) const {
    b = a;
    if (ctx.batch() == 0) stop_now = true;
  }
};
template <int Ahead, int Workers>
struct shared : st::schedule<st::source<in, st::lookahead<Ahead>>, st::result<out>, stopper,
                             st::workers<"w", Workers>> {};

template <int Ahead, int Workers>
void check_finished() {
  for (int repeat = 0; repeat < 300; ++repeat) {
    stop_now = false;
    tested::pipeline<shared<Ahead, Workers>> p;
    std::size_t got = 0;
    {
      auto run = p.run(std::vector<int>(40, 1), st::cancel_on(stop_flag()));
      while (run.next()) ++got;
    }
    const st::run_report& r = p.report();
    CHECK(got == r.finished);
    CHECK(r.finished >= 1);  // batch 0 asked for the stop, in its only task
    for (std::size_t i = 0; i < r.in_flight.size(); ++i) {
      CHECK(r.in_flight[i].batch == r.finished + i);
      if (i == 0) CHECK(r.in_flight[i].ran.empty());  // else it would be finished
    }
  }
}

TEST_CASE("endings: what all tasks have finished is finished, whatever idle workers are at") {
  const deadline limit("idle workers");
  check_finished<10, 2>();
  check_finished<7, 3>();
  check_finished<0, 2>();
}

// --- an observer that throws
// ------------------------------------------------------------------------

struct first {
  using reads = st::reads<in>;
  using writes = st::writes<mid>;
  void operator()(int a, int& b) const { b = a; }
};
struct second {
  using reads = st::reads<mid>;
  using writes = st::writes<out>;
  void operator()(int a, int& b) const {
    if (a == 30) throw std::runtime_error("the task's own");
    b = a;
  }
};
struct two : st::schedule<st::source<in>, st::result<out>, first, second> {};
struct two_alone : st::replan<two, st::threads<st::on_caller>> {};
struct two_apart : st::replan<two, st::threads<st::per_task>> {};

enum class when { never, started, finished, failed };
struct loud {
  using stretto_tag = st::tag::observer;
  static constexpr bool observes = true;
  static inline when at = when::never;
  static inline std::size_t node = 0;
  static inline bool standard = true;

  static void maybe(when now, std::size_t task, std::size_t batch) {
    if (now != at || task != node || batch != 1) return;
    if (standard) throw std::runtime_error("loud");
    throw 5;
  }
  void attached(std::span<const std::string_view>, std::span<const std::string_view>) {}
  void started(std::size_t, std::size_t t, std::size_t b) { maybe(when::started, t, b); }
  void finished(std::size_t, std::size_t t, std::size_t b) { maybe(when::finished, t, b); }
  void failed(std::size_t, std::size_t t, std::size_t b) { maybe(when::failed, t, b); }
};

template <class Schedule, class Pace>
void check_loud() {
  constexpr std::size_t pull = 2;
  const std::vector<std::string> names{"first", "second", "pull"};
  tested::pipeline<Schedule, Pace, loud> p;
  for (const bool standard : {true, false})
    for (const when at : {when::started, when::finished})
      for (std::size_t node = 0; node <= pull; ++node) {
        CAPTURE(node);
        CAPTURE(static_cast<int>(at));
        loud::at = at;
        loud::node = node;
        loud::standard = standard;
        std::string what;
        try {
          int last = 0;
          for (const int r : p.run(std::vector{10, 20, 30})) CHECK(r == (last += 10));
        } catch (const st::task_error& e) {
          what = e.what();
          CHECK(e.task() == names[node]);
          CHECK(e.batch() == 1);
          try {
            e.rethrow_nested();
          } catch (const st::observer_error& o) {
            CHECK(o.task_ran() == (at == when::finished));
            CHECK(std::string(o.what()).find(at == when::finished ? "after" : "before") !=
                  std::string::npos);
            REQUIRE(o.nested_ptr());
            try {
              o.rethrow_nested();
            } catch (const std::runtime_error& original) {
              CHECK(standard);
              CHECK(original.what() == std::string("loud"));
            } catch (int original) {
              CHECK(original == 5);
            }
          }
        }
        CHECK(what.find("the observer threw") != std::string::npos);
        // What ran is told as it was.
        const bool ran = at == when::finished;
        const st::run_report& r = p.report();
        CHECK(r.end == st::run_end::failed);
        std::vector<std::string> expected;
        if (node == 0 && ran) expected = {"first"};
        if (node == 1) expected = {"first"};
        if (node == 1 && ran) {
          CHECK(r.finished == 2);
        } else if (node == pull && !ran) {
          CHECK(r.pulled == 1);
          CHECK(r.in_flight.empty());
        } else {
          REQUIRE_FALSE(r.in_flight.empty());
          CHECK(r.in_flight[0].batch == 1);
          // After the pull of batch 1 was told, others may have gone on with it.
          if (node != pull) CHECK(r.in_flight[0].ran == expected);
        }
        p.reset();
        loud::at = when::never;
        std::size_t got = 0;
        for (const int v : p.run(std::vector{1, 2, 3})) CHECK(v == static_cast<int>(++got));
        CHECK(got == 3);
      }
}

TEST_CASE("endings: an observer that throws is told as such, and what ran as it was") {
  const deadline limit("an observer that throws");
  check_loud<two_alone, st::run_ahead>();
  check_loud<two_apart, st::run_ahead>();
  check_loud<two_apart, st::barrier>();
}

TEST_CASE("endings: what an observer's `failed` throws does not hide the task's error") {
  const deadline limit("failed() throws");
  const auto check = [](auto& p) {
    loud::at = when::failed;
    loud::node = 1;
    loud::standard = true;
    std::string what;
    try {
      for (const int r : p.run(std::vector{10, 30})) CHECK(r == 10);
    } catch (const st::task_error& e) {
      what = e.what();
    }
    CHECK(what.find("the task's own") != std::string::npos);
    CHECK(p.report().end == st::run_end::failed);
    CHECK(p.report().failures.size() == 1);
    CHECK_THROWS_AS(static_cast<void>(p.run(std::vector{1})), st::usage_error);
    loud::at = when::never;
  };
  tested::pipeline<two_alone, loud> alone;
  check(alone);
  tested::pipeline<two_apart, loud> apart;
  check(apart);
}

// --- what slots hold of batches in flight
// -----------------------------------------------------------

struct request {
  int value = 0;
  std::promise<int> reply;
};
struct arrival : st::slot<std::unique_ptr<request>> {};
struct half : st::slot<int> {};
struct answered : st::slot<int> {};
struct parse {
  static constexpr int lookahead = 2;
  using thread = st::thread<"parse">;
  using reads = st::reads<arrival>;
  using writes = st::writes<half>;
  void operator()(const std::unique_ptr<request>& r, int& h) const { h = r->value * 10; }
};
struct answer {
  using reads = st::reads<arrival, half>;
  using writes = st::writes<answered>;
  void operator()(const std::unique_ptr<request>& r, int h, int& a) const {
    if (r->value == 3) throw std::runtime_error("no answer");
    r->reply.set_value(h);
    a = h;
  }
};
struct serving : st::schedule<st::source<arrival>, st::result<answered>, parse, answer> {};
struct serving_alone : st::replan<serving, st::threads<st::on_caller>> {};

/// Requests 0 to \c count - 1, whose clients wait.
struct clients {
  explicit clients(int n) {
    for (int i = 0; i < n; ++i) {
      auto r = std::make_unique<request>();
      r->value = i;
      replies.push_back(r->reply.get_future());
      waiting.push_back(std::move(r));
    }
  }
  auto source() {
    return [this](std::unique_ptr<request>& slot) {
      if (next == waiting.size()) return false;
      slot = std::move(waiting[next++]);
      return true;
    };
  }
  std::vector<std::unique_ptr<request>> waiting;
  std::vector<std::future<int>> replies;
  std::size_t next = 0;
};

bool broken(std::future<int>& reply) {
  try {
    static_cast<void>(reply.get());
  } catch (const std::future_error&) {
    return true;
  }
  return false;
}

template <class Schedule>
void check_recovered() {
  tested::pipeline<Schedule> p;
  for (int repeat = 0; repeat < 20; ++repeat) {
    clients c(12);
    const auto serve = [&] {
      std::size_t batch = 0;
      for (const int a : p.run(c.source())) {
        CHECK(a == static_cast<int>(10 * batch++));
        CHECK_THROWS_AS(static_cast<void>(p.template recover<arrival>(batch)), st::usage_error);
      }
    };
    CHECK_THROWS_AS(serve(), st::task_error);
    const st::run_report& r = p.report();
    CHECK(r.finished == 3);
    CHECK(r.delivered == 3);
    REQUIRE(r.pulled > 3);
    CHECK(p.template recover<arrival>(2) == nullptr);  // handed out
    CHECK(p.template recover<arrival>(r.pulled) == nullptr);
    for (const auto& left : r.in_flight) {
      CAPTURE(left.batch);
      auto* const slot = p.template recover<arrival>(left.batch);
      REQUIRE(slot != nullptr);
      REQUIRE(*slot != nullptr);
      CHECK((*slot)->value == static_cast<int>(left.batch));
      const bool parsed = !left.ran.empty();
      const int* const h = p.template recover<half>(left.batch);
      REQUIRE((h != nullptr) == parsed);
      if (parsed) CHECK(*h == static_cast<int>(10 * left.batch));
      CHECK(p.template recover<answered>(left.batch) == nullptr);
      if (left.batch == 3) (*slot)->reply.set_value(-3);
    }
    CHECK(c.replies[3].get() == -3);
    // What is not seen to is given back when the pipeline is made ready again.
    p.reset();
    for (std::size_t b = 4; b < r.pulled; ++b) {
      CHECK(broken(c.replies[b]));
      CHECK(p.template recover<arrival>(b) == nullptr);
    }
  }
}

TEST_CASE("endings: what slots hold of batches in flight can be had, and is released by reset()") {
  const deadline limit("recover");
  check_recovered<serving>();
  check_recovered<serving_alone>();
}

// A copy that is refilled while its batch is in flight elsewhere holds the later batch.
struct once : st::slot<int> {};
struct take {
  static constexpr int lookahead = 3;
  using reads = st::reads<in>;
  using writes = st::writes<once>;
  void operator()(int a, int& o) const { o = a; }
};
struct use_soon {
  static constexpr int lookahead = 3;
  using reads = st::reads<once>;
  using writes = st::writes<mid>;
  void operator()(int o, int& m) const { m = o; }
};
struct use_late {
  using reads = st::reads<mid>;
  using writes = st::writes<out>;
  void operator()(st::context auto& ctx, int m, int& o) const {
    if (ctx.batch() == 4) throw std::runtime_error("late");
    o = m;
  }
};
struct refilled : st::schedule<st::source<in>, st::result<out>, st::threads<st::on_caller>, take,
                               use_soon, use_late> {};

struct fails_on_second {
  using reads = st::reads<in>;
  using writes = st::writes<out>;
  static constexpr int lookahead = 1;
  void operator()(int a, int& b) const {
    if (a == 2) throw std::runtime_error("a two");
    b = a;
  }
};
// Frugal, so that no batch is pulled beyond the one that fails.
struct failing_once : st::schedule<st::source<in>, st::result<out>, st::frugal, fails_on_second> {};

TEST_CASE("endings: a report that is asked for only after reset() is whole") {
  tested::pipeline<failing_once> p;
  CHECK_THROWS_AS(
      [&] {
        for (const int r : p.run(std::vector{1, 2, 3})) CHECK(r == 1);
      }(),
      st::task_error);
  p.reset();
  const st::run_report& told = p.report();
  CHECK(told.end == st::run_end::failed);
  CHECK(told.pulled == 2);
  CHECK(told.finished == 1);
  REQUIRE(told.failures.size() == 1);
  CHECK(told.failures[0].task == "fails_on_second");
  CHECK(told.failures[0].batch == 1);
  REQUIRE(told.in_flight.size() == 1);
  CHECK(told.in_flight[0].batch == 1);
}

TEST_CASE("endings: a copy that a later batch has refilled is not taken for the earlier one's") {
  static_assert(st::copies_of<refilled, once> == 1);
  static_assert(st::copies_of<refilled, mid> == 4);
  tested::pipeline<refilled> p;
  const auto all = [&] {
    for (const int r : p.run(std::views::iota(100))) CHECK(r >= 100);
  };
  CHECK_THROWS_AS(all(), st::task_error);
  const st::run_report& r = p.report();
  REQUIRE(r.in_flight.size() == 4);
  for (std::size_t b = 4; b < 8; ++b) {
    const bool newest = b == 7;
    REQUIRE((p.recover<once>(b) != nullptr) == newest);
    if (newest) CHECK(*p.recover<once>(b) == 107);
    REQUIRE(p.recover<mid>(b) != nullptr);
    CHECK(*p.recover<mid>(b) == static_cast<int>(100 + b));
  }
}

// Slots that are large are not in the pipeline object, and their type may hide its address.
struct large {
  std::array<int, 100'000> values{};
  large* operator&() = delete;  // NOLINT(google-runtime-operator): as users' types may
};
struct block : st::slot<large> {};
struct fill {
  static constexpr int lookahead = 1;
  using reads = st::reads<in>;
  using writes = st::writes<block>;
  void operator()(int a, large& b) const { b.values.back() = a; }
};
struct look {
  using reads = st::reads<block>;
  using writes = st::writes<out>;
  void operator()(const large& b, int& o) const {
    if (b.values.back() == 102) throw std::runtime_error("enough");
    o = b.values.back();
  }
};
struct with_large
    : st::schedule<st::source<in>, st::result<out>, st::threads<st::on_caller>, fill, look> {};

TEST_CASE("endings: what large slots hold of a batch in flight can be had, too") {
  tested::pipeline<with_large> p;
  int next = 100;
  const auto all = [&] {
    for (const int r : p.run(std::views::iota(100))) CHECK(r == next++);
  };
  CHECK_THROWS_AS(all(), st::task_error);
  REQUIRE(p.recover<block>(2) != nullptr);
  CHECK(p.recover<block>(2)->values.back() == 102);
  REQUIRE(p.recover<block>(3) != nullptr);
  CHECK(p.recover<block>(3)->values.back() == 103);
  p.reset();
  CHECK(p.recover<block>(2) == nullptr);
}

// --- pipelines destroyed before their run
// -----------------------------------------------------------

struct ahead {
  using thread = st::thread<"one">;
  static constexpr int lookahead = 2;
  using reads = st::reads<in>;
  using writes = st::writes<mid>;
  void operator()(int a, int& b) const { b = a; }
};
struct behind {
  using thread = st::thread<"two">;
  using reads = st::reads<mid>;
  using writes = st::writes<out>;
  void operator()(int a, int& b) const { b = 2 * a; }
};
struct endless
    : st::schedule<st::source<in, st::thread<"reader">>, st::result<out>, ahead, behind> {};
struct endless_alone : st::replan<endless, st::threads<st::on_caller>> {};

template <class Schedule, class Pace>
void check_outlived() {
  for (int asked = 0; asked < 6; ++asked) {
    CAPTURE(asked);
    auto p = std::make_unique<tested::pipeline<Schedule, Pace>>();
    auto run = p->run(std::views::iota(0));
    for (int i = 0; i < asked; ++i) REQUIRE(run.next());
    p.reset();  // its threads have ended
    CHECK_THROWS_AS(run.next(), st::usage_error);
    CHECK_THROWS_AS(run.progress(), st::usage_error);
    CHECK_FALSE(run.has_more());
  }
}

TEST_CASE("endings: a pipeline that is destroyed ends its run, which says so when it is asked") {
  const deadline limit("a run without a pipeline");
  check_outlived<endless, st::run_ahead>();
  check_outlived<endless, st::barrier>();
  check_outlived<endless_alone, st::run_ahead>();
}

/// A run of three batches that has ended says nothing of what is not its own.
template <class Run>
void check_cut_off(Run& run, const char* why) {
  CHECK_THROWS_WITH_AS(static_cast<void>(run.result()), doctest::Contains(why), st::usage_error);
  CHECK(run.batch() == 2);
  CHECK_FALSE(run.has_more());
}

template <class Schedule>
void check_cut_off_runs() {
  auto p = std::make_unique<tested::pipeline<Schedule>>();
  const std::vector<int> three{1, 2, 3};
  auto first = p->run(three);
  while (first.next()) {
  }
  CHECK(first.result() == 6);  // until there is another
  {
    auto second = p->run(three);
    check_cut_off(first, "begun another run");
    CHECK_FALSE(first.next());
    REQUIRE(second.next());
    CHECK(second.result() == 2);
  }
  auto third = p->run(three);
  while (third.next()) {
  }
  p->reset();  // whose slots are gone
  check_cut_off(third, "was reset");
  check_cut_off(first, "begun another run");
  auto last = p->run(three);
  while (last.next()) {
  }
  CHECK(last.result() == 6);
  p.reset();
  CHECK_THROWS_WITH_AS(static_cast<void>(last.batch()), doctest::Contains("is gone"),
                       st::usage_error);
  check_cut_off(third, "was reset");
}

/// Also where the last progress was behind it, when it was known that the source has ended.
template <class Schedule, class Pace>
void check_last_results() {
  tested::pipeline<Schedule, Pace> p;
  for (int batches = 1; batches < 8; ++batches) {
    CAPTURE(batches);
    for (const bool steps : {false, true}) {
      auto run = p.run(std::views::iota(1, batches + 1));
      if (steps) {
        while (run.has_more()) run.progress();
      } else {
        while (run.next()) {
        }
      }
      CHECK(run.result() == 2 * batches);
      CHECK(run.batch() + 1 == static_cast<std::size_t>(batches));
    }
  }
}
/// Whose source is asked by the thread that asks for results.
struct on_one_thread
    : st::schedule<st::source<in>, st::result<out>, st::threads<st::on_caller>, ahead, behind> {};
void check_results_in_gaps() {
  tested::pipeline<on_one_thread> p;
  for (int batches = 1; batches < 8; ++batches) {
    CAPTURE(batches);
    int value = 0;
    const auto now_and_then = [&](int& slot, bool may_wait) {
      if (value == 2 * batches) return st::pulled::end;
      if (value == batches && !may_wait) return st::pulled::nothing_yet;
      slot = ++value;
      return st::pulled::batch;
    };
    auto run = p.run(now_and_then);
    int through = 0;
    while (through < batches) through += run.progress() ? 1 : 0;
    CHECK(run.result() == 2 * batches);
    while (value == batches) {
      CHECK_FALSE(run.progress());
      if (value == batches) {
        CHECK(run.result() == 2 * batches);
      } else {  // it has gone on, and nothing has got through yet
        CHECK_THROWS_AS(static_cast<void>(run.result()), st::usage_error);
      }
    }
    while (run.next()) CHECK(run.result() == 2 * ++through);
    CHECK(through == 2 * batches);
    CHECK(run.result() == 2 * through);
  }
}

TEST_CASE("endings: the last result stays to be asked for until there is another run") {
  const deadline limit("a last result");
  check_last_results<endless, st::run_ahead>();
  check_last_results<endless, st::barrier>();
  check_last_results<endless_alone, st::run_ahead>();
  check_results_in_gaps();
}

TEST_CASE("endings: a run that has ended knows that its results are no longer there") {
  check_cut_off_runs<endless>();
  check_cut_off_runs<endless_alone>();
}

TEST_CASE("endings: an iterator that is behind the last result says so") {
  tested::pipeline<endless_alone> p;
  for (const std::size_t batches : {0U, 2U}) {
    auto run = p.run(std::vector<int>(batches, 1));
    auto at = run.begin();
    for (std::size_t b = 0; b < batches; ++b) {
      REQUIRE(at != run.end());
      CHECK(*at == 2);
      ++at;
    }
    REQUIRE(at == run.end());
    const doctest::Contains why("behind the last result");
    CHECK_THROWS_WITH_AS(static_cast<void>(*at), why, st::usage_error);
    CHECK_THROWS_WITH_AS(++at, why, st::usage_error);
    CHECK_THROWS_WITH_AS(at++, why, st::usage_error);
    CHECK(at == run.end());
  }
}

/// What becomes of a process that does this.
template <class Do>
int status_of(Do act) {
  std::cout.flush();
  const pid_t child = fork();
  if (child == 0) {
    alarm(static_cast<unsigned>(tested::patience.count()));
    std::signal(SIGABRT, SIG_DFL);  // not the test framework's
    static_cast<void>(std::freopen("/dev/null", "w", stdout));
    static_cast<void>(std::freopen("/dev/null", "w", stderr));
    act();
    std::_Exit(99);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return status;
}
template <class Do>
int exit_code_of(Do act) {
  const int status = status_of(act);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

template <class Schedule>
tested::pipeline<Schedule>& global() {
  static tested::pipeline<Schedule> p;
  return p;
}

struct fetch {
  using thread = st::thread<"fetching">;
  using reads = st::reads<in>;
  using writes = st::writes<out>;
  static constexpr int lookahead = 3;
  std::atomic<int>* done;
  void operator()(int a, int& b) const {
    b = 10 * a;
    done->fetch_add(1, std::memory_order_relaxed);
  }
};
struct fetched : st::schedule<st::source<in>, st::result<out>, fetch> {};

TEST_CASE("endings: what is finished and was not handed out is listed, and can be had") {
  const deadline limit("a loop that is left");
  std::atomic<int> done{0};
  tested::pipeline<fetched> p(fetch{&done});
  std::size_t got = 0;
  {
    auto run = p.run(std::views::iota(0));
    while (got < 5 && run.next()) ++got;
    // All that the run has asked for by now: batches up to 7.
    while (done < 7) std::this_thread::yield();
  }
  const st::run_report& r = p.report();
  CHECK(r.end == st::run_end::left_early);
  CHECK(r.delivered == 5);
  CHECK(r.undelivered.size() >= 2);
  CHECK(r.pulled == r.delivered + r.undelivered.size() + r.in_flight.size());
  for (std::size_t i = 0; i < r.undelivered.size(); ++i) {
    const std::size_t batch = r.undelivered[i];
    CHECK(batch == 5 + i);
    CHECK(r.holds(batch));
    REQUIRE(p.recover<out>(batch) != nullptr);
    CHECK(*p.recover<out>(batch) == 10 * static_cast<int>(batch));
  }
  CHECK(p.recover<out>(4) == nullptr);  // handed out
}

TEST_CASE("endings: std::exit inside the loop over a static pipeline ends the program") {
  CHECK(exit_code_of([] {
          for (const int x : global<endless>().run(std::views::iota(0)))
            if (x > 10) std::exit(3);
        }) == 3);
  CHECK(exit_code_of([] {
          for (const int x : global<endless_alone>().run(std::views::iota(0)))
            if (x > 10) std::exit(4);
        }) == 4);
  CHECK(exit_code_of([] {
          static tested::pipeline<endless, st::pinned> pinned;
          for (const int x : pinned.run(std::views::iota(0)))
            if (x > 10) std::exit(6);
        }) == 6);
}

struct quits {
  using reads = st::reads<mid>;
  using writes = st::writes<out>;
  void operator()(int a, int& b) const {
    if (a > 10) std::exit(5);
    b = a;
  }
};
struct quitting : st::schedule<st::source<in>, st::result<out>, ahead, quits> {};
struct quitting_alone : st::replan<quitting, st::threads<st::on_caller>> {};

TEST_CASE(
    "endings: std::exit in a task ends the program, with a sentence where it cannot go well") {
  CHECK(exit_code_of([] {
          for (const int x : global<quitting_alone>().run(std::views::iota(0)))
            static_cast<void>(x);
        }) == 5);
  // On another thread than the one in the loop: that one is still at work on the pipeline.
  CHECK(exit_code_of([] {
          for (const int x : global<quitting>().run(std::views::iota(0))) static_cast<void>(x);
        }) == -SIGABRT);
}

}  // namespace
