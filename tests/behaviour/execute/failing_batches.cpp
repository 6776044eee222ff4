// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks whose failures drop batches (`on_failure`): what becomes of the batches, in all kinds of
// plans and whatever the way to get at results, next to the same work done one batch after the
// other; how many are dropped, which failure ends the run, and what reports and the run itself say.

#include <doctest/doctest.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <stretto/push.hpp>
#include <stretto/serve.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <vector>
#include "../../support/tested.hpp"
#include "sifted.hpp"

namespace {

namespace st = stretto;
using namespace sifted;

constexpr bool is_broken(long x) { return x % 5 == 1; }  // `parse` fails on those
constexpr bool is_odd(long x) { return x % 7 == 3; }     // `inspect` fails on those
constexpr bool is_dull(long x) { return x % 11 == 4; }   // `inspect` says no
constexpr bool is_kept(long x) { return !is_broken(x) && !is_odd(x) && !is_dull(x); }

struct parse {
  using on_failure = st::on_failure<st::drop>;
  static constexpr int lookahead = 2;
  void operator()(st::in<sample> x, st::out<parsed> p) const {
    dawdle(*x);
    p = -1;  // nobody is to see that
    if (is_broken(*x)) throw std::runtime_error("broken " + std::to_string(*x));
    p = *x;
  }
};
struct inspect {  // updates in place what `parse` has written
  using reads = st::reads<sample>;
  using writes = st::writes<parsed, checked>;
  using on_failure = st::on_failure<st::drop, st::max_failures<1000>>;
  static constexpr int lookahead = 1;
  st::verdict operator()(int x, long& p, long& c) const {
    CHECK(p == x);
    dawdle(x + 1);
    c = -2;
    p += 1000;
    if (is_odd(x)) throw 7;  // no std::exception
    if (is_dull(x)) return st::drop;
    c = 10L * x;
    return st::keep;
  }
};
struct sifting : st::schedule<st::source<sample>, st::result<total, checked>, parse, inspect, tell,
                              compare, st::threads<st::per_task>> {};

std::vector<row> expected(int batches) { return rows(batches, is_kept); }

/// What the run says of a batch that it does not hand out.
std::string told_of(const st::run_report::failure& drop) {
  return std::to_string(drop.batch) + " " + drop.task + " " + drop.what();
}
std::string reason(long b) {
  if (is_broken(b)) return " parse broken " + std::to_string(b);
  if (is_odd(b)) return " inspect an exception that is not a std::exception";
  return " inspect ";
}

/// What is listed of batches that all went through: of each task the first 16 of each kind.
std::vector<std::string> expected_drops(int batches, bool with_verdicts) {
  std::vector<std::string> all;
  std::array<int, 3> listed{};
  for (long b = 0; b < batches; ++b) {
    if (is_kept(b)) continue;
    const std::size_t kind = is_broken(b) ? 0 : is_odd(b) ? 1 : 2;
    if (kind == 2 && !with_verdicts) continue;
    if (++listed.at(kind) <= 16) all.push_back(std::to_string(b) + reason(b));
  }
  return all;
}
std::vector<std::string> told_of(const std::vector<st::run_report::failure>& drops) {
  std::vector<std::string> all;
  for (const auto& drop : drops) {
    all.push_back(told_of(drop));
    CHECK(drop.progress >= drop.batch);
  }
  return all;
}
std::size_t failures_of(int batches) {
  std::size_t all = 0;
  for (long b = 0; b < batches; ++b) all += is_broken(b) || is_odd(b) ? 1 : 0;
  return all;
}

template <class Schedule, class... Options>
void check() {
  tested::pipeline<Schedule, Options...> p;
  for (const int batches : {170, 1, 2, 0, 9}) {
    for (int way = 0; way < ways; ++way) {
      CAPTURE(batches);
      CAPTURE(way);
      {
        auto run = p.run(samples(batches));
        std::vector<row> seen = seen_by(run, way);
        // Steps ask after a progress that gave nothing, too, and see a result again.
        seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
        CHECK(seen == expected(batches));
      }
      const st::run_report& report = p.report();
      CHECK(report.end == st::run_end::completed);
      CHECK(report.finished == static_cast<std::size_t>(batches));
      CHECK(report.delivered == expected(batches).size());
      CHECK(report.dropped == report.finished - report.delivered);
      CHECK(report.dropped_failures == failures_of(batches));
      CHECK(report.failures.empty());
      CHECK(report.in_flight.empty());
      CHECK(told_of(report.drops) == expected_drops(batches, true));
      const st::failure_list failures = p.dropped_failures();
      CHECK(failures.count == failures_of(batches));
      CHECK(told_of(failures.first) == expected_drops(batches, false));
    }
  }
}

}  // namespace

TEST_CASE("a task that fails drops its batch, and nobody sees what it has written") {
  SUBCASE("a thread each") { check<sifting>(); }
  SUBCASE("with a barrier") { check<sifting, st::barrier>(); }
  SUBCASE("one thread") {
    struct alone : st::replan<sifting, st::threads<st::on_caller>> {};
    check<alone>();
  }
  SUBCASE("one after the other") { check<st::serial<sifting>>(); }
  SUBCASE("generated threads") {
    struct spread : st::replan<sifting, st::threads<st::generated<2>>> {};
    check<spread>();
  }
  SUBCASE("deeper") {
    struct deep : st::replan<sifting, st::place<parse, st::lookahead<6>>,
                             st::place<inspect, st::lookahead<3>>> {};
    check<deep>();
  }
  SUBCASE("workers") {
    struct many
        : st::replan<sifting, st::place<parse, st::thread<"parsers">>, st::workers<"parsers", 3>> {
    };
    // Which failures of a task are the first depends on the workers.
    tested::pipeline<many, st::spin_then_sleep<>> p;
    for (int again = 0; again < 20; ++again) {
      auto run = p.run(samples(60));
      CHECK(seen_by(run, again % 4) == expected(60));
      CHECK(p.report().dropped_failures == failures_of(60));
      CHECK(told_of(p.report().drops) == expected_drops(60, true));
    }
  }
}

TEST_CASE("a run tells why each batch is dropped, in order") {
  tested::pipeline<sifting> p;
  auto run = p.run(samples(80));
  std::vector<std::string> told;
  const auto dropped = [&](std::size_t batch, std::string_view task, std::exception_ptr error) {
    told.push_back(told_of({std::string(task), batch, 0, std::move(error)}));
  };
  while (run.next(dropped)) told.push_back(std::to_string(run.batch()));
  std::vector<std::string> wanted;
  for (long b = 0; b < 80; ++b)
    wanted.push_back(std::to_string(b) + (is_kept(b) ? std::string() : reason(b)));
  CHECK(told == wanted);
}

namespace {

struct doubled : st::slot<int> {};
struct tripled : st::slot<int> {};
struct thrice {
  using on_failure = st::on_failure<st::drop, st::max_failures<3>>;
  void operator()(st::in<sample> x, st::out<doubled> d) {
    d = -1;
    if (*x % period == period - 1) throw std::runtime_error("batch " + std::to_string(*x));
    d = 2 * *x;
  }
  int period = 4;  // of how many batches it fails on one
};
struct pass {
  void operator()(st::in<doubled> d, st::out<tripled> t) const { t = *d + *d / 2; }
};
struct bounded : st::schedule<st::source<sample>, st::result<tripled>, thrice, pass> {};

}  // namespace

TEST_CASE(
    "the failure after the last that is dropped ends the run, and is the one that is thrown") {
  tested::pipeline<bounded> p;
  for (int again = 0; again < 3; ++again) {  // each run has its own number of them
    std::vector<std::size_t> seen;
    bool failed = false;
    auto run = p.run(samples(100));
    try {
      while (run.next()) seen.push_back(run.batch());
    } catch (const st::task_error& e) {
      failed = true;
      CHECK(std::string(e.what()) ==
            "task `thrice` failed on batch 15 (progress 15): batch 15 (a run drops 3 failures of "
            "it at most, its `max_failures`, and this is one more)");
      CHECK(e.task() == "thrice");
      CHECK(e.batch() == 15);
      std::string nested;
      try {
        e.rethrow_nested();
      } catch (const std::runtime_error& original) {
        nested = original.what();
      }
      CHECK(nested == "batch 15");
    }
    CHECK(failed);
    CHECK(seen == std::vector<std::size_t>{0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14});
    const st::run_report& report = p.report();
    CHECK(report.end == st::run_end::failed);
    CHECK(report.finished == 15);
    CHECK(report.dropped == 3);
    CHECK(report.dropped_failures == 3);
    REQUIRE(report.failures.size() == 1);
    CHECK(told_of(report.failures[0]) == "15 thrice batch 15");
    CHECK(told_of(report.drops) ==
          std::vector<std::string>{"3 thrice batch 3", "7 thrice batch 7", "11 thrice batch 11"});
    REQUIRE(report.in_flight.size() >= 1);
    CHECK(report.in_flight[0].batch == 15);
    CHECK(report.in_flight[0].ran.empty());
    CHECK(p.template recover<doubled>(15) == nullptr);
    p.reset();
    CHECK(p.report().dropped_failures == 3);
  }
  auto run = p.run(samples(15));
  std::size_t seen = 0;
  while (run.next()) ++seen;
  CHECK(seen == 12);
  CHECK(p.report().end == st::run_end::completed);
}

namespace {

struct left_out : st::slot<int> {};
struct right_out : st::slot<int> {};
struct joined_out : st::slot<int> {};

struct left {
  using on_failure = st::on_failure<st::drop>;
  using thread = st::thread<"left">;
  static constexpr int lookahead = 2;
  void operator()(st::in<sample> x, st::out<left_out> l) const {
    if (*x % 2 == 0) throw std::invalid_argument("left " + std::to_string(*x));
    l = *x;
  }
};
struct right {
  using on_failure = st::on_failure<st::drop>;
  using thread = st::thread<"right">;
  static constexpr int lookahead = 2;
  void operator()(st::in<sample> x, st::out<right_out> r) const {
    if (*x % 3 == 0) throw std::out_of_range("right " + std::to_string(*x));
    r = *x;
  }
};
struct join {
  using thread = st::thread<"join">;
  static constexpr int lookahead = 1;
  int broken_at = -1;
  void operator()(st::in<left_out> l, st::in<right_out> r, st::out<joined_out> j) const {
    CHECK(*l == *r);
    if (*l == broken_at) throw std::logic_error("join");
    j = *l + *r;
  }
};
struct both : st::schedule<st::source<sample>, st::result<joined_out>, left, right, join> {};

}  // namespace

TEST_CASE("tasks fail on several threads at once while another one looks") {
  tested::pipeline<both> p;
  std::atomic<bool> done{false};
  std::atomic<std::size_t> looked{0};
  std::thread looker([&] {
    while (!done) {
      const st::failure_list now = p.dropped_failures();
      CHECK(now.first.size() <= 32);
      CHECK(now.count >= now.first.size());
      for (const auto& failure : now.first)
        CHECK(failure.what() == failure.task + " " + std::to_string(failure.batch));
      ++looked;
      std::this_thread::yield();
    }
  });
  for (int again = 0; again < 5; ++again) {
    std::vector<int> seen;
    auto run = p.run(samples(600));
    std::size_t dropped = 0;
    const auto tell = [&](std::size_t batch, std::string_view task, const std::exception_ptr& why) {
      const std::string text = st::run_report::failure{"", batch, 0, why}.what();
      CHECK(text == std::string(task) + " " + std::to_string(batch));
      ++dropped;
    };
    while (run.next(tell)) seen.push_back(run.result());
    CHECK(seen.size() == 200);
    CHECK(dropped == 400);
    CHECK(p.report().dropped == 400);
    CHECK(p.report().dropped_failures == 500);  // of every sixth batch both
    CHECK(p.report().drops.size() == 32);
  }
  done = true;
  looker.join();
  CHECK(looked > 0);
}

TEST_CASE("another task's failure ends the run while others drop batches") {
  join breaks;
  breaks.broken_at = 101;
  tested::pipeline<both> p(breaks);
  std::vector<int> seen;
  std::string said;
  auto run = p.run(samples(600));
  try {
    while (run.next()) seen.push_back(run.result());
  } catch (const st::task_error& e) {
    said = e.task();
  }
  CHECK(said == "join");
  CHECK(seen.size() == 33);  // of 101 batches those that neither 2 nor 3 divides
  REQUIRE(p.report().failures.size() == 1);
  CHECK(p.report().failures[0].batch == 101);
  CHECK(p.report().finished == 101);
  CHECK(p.report().dropped == 68);
  REQUIRE(p.report().drops.size() == 32);
  CHECK(p.report().drops[0].what() == "left 0");
  CHECK(p.report().drops[1].what() == "right 0");
}

TEST_CASE("a stop while batches are dropped") {
  tested::pipeline<sifting> p;
  std::stop_source stop;
  std::vector<row> seen;
  const auto go = [&](auto& run) {
    while (run.next()) {
      seen.push_back({run.batch(), std::get<0>(run.result()), std::get<1>(run.result())});
      if (run.batch() >= 20) stop.request_stop();
    }
  };
  SUBCASE("drained") {
    auto run = p.run(samples(1000), stop.get_token());
    go(run);
    CHECK(p.report().end == st::run_end::drained);
    CHECK(p.report().in_flight.empty());
  }
  SUBCASE("cancelled") {
    auto run = p.run(samples(1000), st::cancel_on(stop.get_token()));
    go(run);
    CHECK(p.report().end == st::run_end::cancelled);
  }
  CHECK(seen == expected(static_cast<int>(p.report().finished)));
  CHECK(p.report().finished == p.report().delivered + p.report().dropped);
  CHECK(p.report().dropped_failures >= failures_of(static_cast<int>(p.report().finished)));
}

TEST_CASE("of a batch on which a task failed, push and flush give no result") {
  struct pushed : st::replan<sifting, st::frugal> {};
  tested::pipeline<pushed> p;
  st::push_run<tested::pipeline<pushed>, int> steps(p);
  std::vector<std::size_t> seen;
  for (int b = 0; b < 20; ++b)
    if (steps.push(b)) seen.push_back(steps.batch());
  CHECK(p.dropped_failures().count > 0);  // the run is still there
  while (steps.flush()) seen.push_back(steps.batch());
  std::vector<std::size_t> wanted;
  for (const row& r : expected(20)) wanted.push_back(r.batch);
  CHECK(seen == wanted);
}

TEST_CASE("who asks for a batch on which a task fails has the error, and others have answers") {
  tested::pipeline<sifting> p;
  {
    st::server<tested::pipeline<sifting>, int> server(p);
    for (int b = 0; b < 24; ++b) {
      auto answer = server.ask(b);
      if (is_kept(b)) {
        CHECK(std::get<1>(answer.get()) == 10 * b);
        continue;
      }
      std::string said;
      std::string nested;
      try {
        static_cast<void>(answer.get());
      } catch (const st::unanswered& e) {
        said = e.what();
        try {
          std::rethrow_if_nested(e);
        } catch (const std::runtime_error& original) {
          nested = original.what();
        } catch (int) {
          nested = "a number";
        }
      }
      const std::string who =
          std::string("a request has no answer: task `") + (is_broken(b) ? "parse" : "inspect");
      if (is_broken(b)) {
        CHECK(said ==
              who + "` failed on its batch, which was dropped: broken " + std::to_string(b));
        CHECK(nested == "broken " + std::to_string(b));
      } else if (is_odd(b)) {
        CHECK(nested == "a number");
      } else {
        CHECK(said == who + "` dropped its batch");
        CHECK(nested.empty());
      }
    }
    CHECK(p.dropped_failures().count == failures_of(24));
  }
  CHECK(p.report().finished == 24);
}

TEST_CASE("where a source has nothing yet, failures are dropped as ever") {
  tested::pipeline<sifting> p;
  const auto source = [next = 0, asked = 0](int& into) mutable {
    if (++asked % 3 == 0) return st::pulled::nothing_yet;
    if (next == 40) return st::pulled::end;
    into = next++;
    return st::pulled::batch;
  };
  for (int way = 0; way < 4; ++way) {
    auto again = source;
    auto run = p.run(again);
    CHECK(seen_by(run, way) == expected(40));
    CHECK(p.report().dropped_failures == failures_of(40));
  }
}

namespace {

/// An error that tells when it is gone.
struct tracked {
  std::shared_ptr<int> alive;
};
struct throw_tracked {
  using on_failure = st::on_failure<st::drop>;
  std::shared_ptr<int> alive;
  void operator()(st::in<sample> x, st::out<doubled> d) {
    if (*x < 50) throw tracked{alive};
    d = *x;
  }
};
struct tracking : st::schedule<st::source<sample>, st::result<doubled>, throw_tracked> {};

}  // namespace

TEST_CASE("errors that are listed are kept until the next run, others as long as their batches") {
  throw_tracked throws;
  throws.alive = std::make_shared<int>(1);
  const std::weak_ptr<int> alive = throws.alive;
  {
    tested::pipeline<tracking> p(throws);
    throws.alive.reset();
    const long before = alive.use_count();  // in the pipeline
    {
      auto run = p.run(samples(80));
      while (run.next()) continue;
    }
    CHECK(p.dropped_failures().count == 50);
    // Of 50 the 16 that are listed, and as many as there are words of batches.
    CHECK(alive.use_count() - before >= 16);
    CHECK(alive.use_count() - before <= 32);
    {
      // The report that was made of the run before is kept until the next.
      auto run = p.run([](int&) { return false; });
      while (run.next()) continue;
      CHECK(p.report().drops.empty());
      CHECK(alive.use_count() == before);
    }
  }
  CHECK(alive.expired());
}

namespace {

/// What an observer is told of tasks.
struct counting {
  using stretto_tag = st::tag::observer;
  static constexpr bool observes = true;
  std::array<std::atomic<int>, 6> begun{};
  std::array<std::atomic<int>, 6> ended{};
  std::array<std::atomic<int>, 6> dropped{};
  std::array<std::atomic<int>, 6> passed{};
  std::array<std::atomic<int>, 6> broken{};
  void attached(std::span<const std::string_view> /*threads*/,
                std::span<const std::string_view> /*tasks*/) {}
  void started(std::size_t /*thread*/, std::size_t task, std::size_t /*batch*/) {
    ++begun.at(task);
  }
  void finished(std::size_t /*thread*/, std::size_t task, std::size_t /*batch*/) {
    ++ended.at(task);
  }
  void failed(std::size_t /*thread*/, std::size_t task, std::size_t /*batch*/) {
    ++broken.at(task);
  }
  void failure_dropped(std::size_t /*thread*/, std::size_t task, std::size_t batch) {
    ++dropped.at(task);
    CHECK((task == 0 ? is_broken(static_cast<long>(batch)) : is_odd(static_cast<long>(batch))));
  }
  void passed_over(std::size_t /*thread*/, std::size_t task, std::size_t /*batch*/) {
    ++passed.at(task);
  }
};
/// One that wants to know no more than that tasks end.
struct plain_counting {
  using stretto_tag = st::tag::observer;
  static constexpr bool observes = true;
  std::array<std::atomic<int>, 6> ended{};
  void attached(std::span<const std::string_view> /*threads*/,
                std::span<const std::string_view> /*tasks*/) {}
  void started(std::size_t /*thread*/, std::size_t /*task*/, std::size_t /*batch*/) {}
  void finished(std::size_t /*thread*/, std::size_t task, std::size_t /*batch*/) {
    ++ended.at(task);
  }
};
/// One that throws when a failure is dropped.
struct throwing {
  using stretto_tag = st::tag::observer;
  static constexpr bool observes = true;
  void attached(std::span<const std::string_view> /*threads*/,
                std::span<const std::string_view> /*tasks*/) {}
  void started(std::size_t /*thread*/, std::size_t /*task*/, std::size_t /*batch*/) {}
  void finished(std::size_t /*thread*/, std::size_t /*task*/, std::size_t /*batch*/) {}
  void failure_dropped(std::size_t /*thread*/, std::size_t /*task*/, std::size_t /*batch*/) {
    throw std::runtime_error("observed");
  }
};

template <class Schedule, class... Options>
void check_observers() {
  const auto count = [](auto is) {
    int all = 0;
    for (long b = 0; b < 50; ++b) all += is(b) ? 1 : 0;
    return all;
  };
  const int broken = count(is_broken);
  const int odd = count([](long b) { return !is_broken(b) && is_odd(b); });
  const int kept = count(is_kept);
  tested::pipeline<Schedule, counting, Options...> p;
  {
    auto run = p.run(samples(50));
    CHECK(seen_by(run, 0) == expected(50));
  }
  CHECK(p.observer().begun[0] == 50);
  CHECK(p.observer().dropped[0] == broken);
  CHECK(p.observer().ended[0] == 50 - broken);
  CHECK(p.observer().begun[1] == 50 - broken);
  CHECK(p.observer().dropped[1] == odd);
  CHECK(p.observer().ended[1] == 50 - broken - odd);
  CHECK(p.observer().passed[1] == broken);
  CHECK(p.observer().passed[3] == 50 - kept);
  CHECK(p.observer().ended[3] == kept);
  for (const auto& n : p.observer().broken) CHECK(n == 0);

  tested::pipeline<Schedule, plain_counting, Options...> plain;
  {
    auto run = plain.run(samples(50));
    CHECK(seen_by(run, 2) == expected(50));
  }
  CHECK(plain.observer().ended[0] == 50);
  CHECK(plain.observer().ended[1] == 50 - broken);
}

}  // namespace

TEST_CASE("observers are told of failures that drop batches") {
  struct alone : st::replan<sifting, st::threads<st::on_caller>> {};
  check_observers<sifting>();
  check_observers<sifting, st::barrier>();
  check_observers<alone>();
}

TEST_CASE("an observer that throws when a failure is dropped stops the run") {
  tested::pipeline<sifting, throwing> p;
  std::string said;
  auto run = p.run(samples(50));
  try {
    while (run.next()) continue;
  } catch (const st::task_error& e) {
    said = e.what();
  }
  CHECK(said ==
        "task `parse` failed on batch 1 (progress 1): the observer threw after the task had run: "
        "observed");
  REQUIRE(p.report().drops.size() >= 1);
  CHECK(told_of(p.report().drops[0]) == "1 parse broken 1");
}
