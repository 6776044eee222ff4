// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks that drop batches: what comes after them does not run for those, and what does not goes on,
// in all kinds of plans, next to the same work done one batch after the other. What the ways to get
// at results make of it, and what reports say.

#include <doctest/doctest.h>
#include <array>
#include <atomic>
#include <cstddef>
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
#include "../../support/rest.hpp"
#include "../../support/tested.hpp"
#include "sifted.hpp"

namespace {

namespace st = stretto;
using namespace sifted;

constexpr bool is_bad(int x) { return x % 5 == 1; }       // `parse` drops those
constexpr bool is_odd_one(long p) { return p % 7 == 3; }  // `inspect` drops those

struct parse {
  static constexpr int lookahead = 2;
  st::verdict operator()(st::in<sample> x, st::out<parsed> p) const {
    dawdle(*x);
    p = -1;  // nobody is to see that
    if (is_bad(*x)) return st::drop;
    p = *x;
    return st::keep;
  }
};
struct inspect {  // updates in place what `parse` has written, and drops some of that
  using reads = st::reads<sample>;
  using writes = st::writes<parsed, checked>;
  static constexpr int lookahead = 1;
  st::verdict operator()(int x, long& p, long& c) const {
    CHECK(p == x);
    dawdle(x + 1);
    c = -2;
    p += 1000;
    if (is_odd_one(x)) return st::drop;
    c = 10L * x;
    return st::keep;
  }
};
struct count_all {  // by dependency alone it does not come after them
  using reads = st::reads<sample>;
  using cross_iter_depends_on = st::cross_iter_depends_on<compare>;
  std::atomic<long>* seen = nullptr;
  void operator()(int /*x*/) const {
    if (seen != nullptr) ++*seen;
  }
};
struct count_kept {  // by dependency alone it does
  using depends_on = st::depends_on<compare>;
  std::atomic<long>* seen = nullptr;
  void operator()() const {
    if (seen != nullptr) ++*seen;
  }
};

struct filtering : st::schedule<st::source<sample>, st::result<total, checked>, parse, inspect,
                                tell, compare, count_all, count_kept, st::threads<st::per_task>> {};

bool is_kept(long b) { return !is_bad(static_cast<int>(b)) && !is_odd_one(b); }

std::vector<row> expected(int batches) { return rows(batches, is_kept); }

/// What a report has to say of batches that all went through.
void check_report(const st::run_report& report, int batches) {
  std::vector<std::size_t> bad;
  std::vector<std::size_t> odd;
  for (int b = 0; b < batches; ++b) {
    if (is_bad(b)) bad.push_back(static_cast<std::size_t>(b));
    if (!is_bad(b) && is_odd_one(b)) odd.push_back(static_cast<std::size_t>(b));
  }
  CHECK(report.end == st::run_end::completed);
  CHECK(report.pulled == static_cast<std::size_t>(batches));
  CHECK(report.finished == report.pulled);
  CHECK(report.dropped == bad.size() + odd.size());
  CHECK(report.delivered == report.finished - report.dropped);
  CHECK(report.in_flight.empty());
  std::size_t place = 0;
  std::size_t of_parse = 0;
  std::size_t of_inspect = 0;
  for (std::size_t b = 0; b < static_cast<std::size_t>(batches); ++b) {
    const bool by_parse = is_bad(static_cast<int>(b));
    if (is_kept(static_cast<long>(b)) || (by_parse ? ++of_parse : ++of_inspect) > 16) continue;
    REQUIRE(place < report.drops.size());
    const auto& drop = report.drops[place];
    CHECK(drop.task == (by_parse ? "parse" : "inspect"));
    CHECK(drop.batch == b);
    CHECK(drop.progress >= b);
    CHECK(drop.error == nullptr);
    ++place;
  }
  CHECK(place == report.drops.size());
}

template <class Schedule, class... Options>
void check() {
  std::atomic<long> all{0};
  std::atomic<long> kept{0};
  count_all of_all;
  of_all.seen = &all;
  count_kept of_kept;
  of_kept.seen = &kept;
  tested::pipeline<Schedule, Options...> p(of_all, of_kept);
  for (const int batches : {70, 1, 2, 0, 3, 7, 8}) {
    for (int way = 0; way < ways; ++way) {
      CAPTURE(batches);
      CAPTURE(way);
      all = kept = 0;
      {
        auto run = p.run(samples(batches));
        CHECK(seen_by(run, way) == expected(batches));
      }
      check_report(p.report(), batches);
      CHECK(all == batches);
      CHECK(kept == static_cast<long>(expected(batches).size()));
    }
  }
}

}  // namespace

TEST_CASE("what comes after a task that drops a batch does not run for it") {
  SUBCASE("a thread each") { check<filtering>(); }
  SUBCASE("with a barrier") { check<filtering, st::barrier>(); }
  SUBCASE("one thread") {
    struct alone : st::replan<filtering, st::threads<st::on_caller>> {};
    check<alone>();
  }
  SUBCASE("one after the other") { check<st::serial<filtering>>(); }
  SUBCASE("generated threads") {
    struct spread : st::replan<filtering, st::threads<st::generated<2>>> {};
    check<spread>();
  }
  SUBCASE("deeper") {
    struct deep : st::replan<filtering, st::place<parse, st::lookahead<6>>,
                             st::place<inspect, st::lookahead<3>>> {};
    check<deep>();
  }
  SUBCASE("workers") {
    struct many : st::replan<filtering, st::place<parse, st::thread<"parsers">>,
                             st::workers<"parsers", 3>> {};
    check<many, st::spin_then_sleep<>>();
  }
}

namespace {

/// Runs that are asked for nothing but the next result.
struct filtering_alone : st::replan<filtering, st::threads<st::on_caller>> {};

}  // namespace

TEST_CASE("a run tells of each batch that is dropped, in order") {
  tested::pipeline<filtering> p;
  auto run = p.run(samples(12));
  std::vector<std::string> told;
  const auto dropped = [&](std::size_t batch, std::string_view task) {
    told.push_back(std::to_string(batch) + " " + std::string(task));
  };
  while (run.next(dropped)) told.push_back(std::to_string(run.batch()));
  CHECK(told == std::vector<std::string>{"0", "1 parse", "2", "3 inspect", "4", "5", "6 parse", "7",
                                         "8", "9", "10 inspect", "11 parse"});
}

TEST_CASE("a run of which all is dropped ends without a result") {
  tested::pipeline<filtering> p;
  const auto bad = [n = 0](int& into) mutable {
    into = 1;
    return n++ < 20;
  };
  for (int way = 0; way < ways; ++way) {
    CAPTURE(way);
    auto again = bad;
    auto run = p.run(again);
    CHECK(seen_by(run, way).empty());
    CHECK(p.report().end == st::run_end::completed);
    CHECK(p.report().finished == 20);
    CHECK(p.report().dropped == 20);
    CHECK(p.report().delivered == 0);
    REQUIRE(p.report().drops.size() == 16);
    CHECK(p.report().drops[15].batch == 15);
  }
}

TEST_CASE("after a stop, batches that are complete are handed out unless they were dropped") {
  tested::pipeline<filtering> p;
  std::stop_source stop;
  std::vector<row> seen;
  SUBCASE("drained") {
    auto run = p.run(samples(1000), stop.get_token());
    while (run.next()) {
      seen.push_back({run.batch(), std::get<0>(run.result()), std::get<1>(run.result())});
      if (run.batch() >= 20) stop.request_stop();
    }
    CHECK(p.report().end == st::run_end::drained);
    CHECK(p.report().in_flight.empty());
  }
  SUBCASE("cancelled") {
    auto run = p.run(samples(1000), st::cancel_on(stop.get_token()));
    while (run.next()) {
      seen.push_back({run.batch(), std::get<0>(run.result()), std::get<1>(run.result())});
      if (run.batch() < 20) continue;
      // Meanwhile batch 21 gets through, which is dropped.
      tested::until_others_sleep();
      stop.request_stop();
    }
    CHECK(p.report().end == st::run_end::cancelled);
    CHECK(p.report().in_flight.size() == p.report().pulled - p.report().finished);
  }
  SUBCASE("left") {
    {
      auto run = p.run(samples(1000));
      while (seen.size() < 10 && run.next())
        seen.push_back({run.batch(), std::get<0>(run.result()), std::get<1>(run.result())});
    }
    CHECK(p.report().end == st::run_end::left_early);
    CHECK(p.report().delivered == 10);
  }
  std::vector<row> wanted = expected(static_cast<int>(p.report().finished));
  if (p.report().end == st::run_end::left_early) wanted.resize(seen.size());
  CHECK(seen == wanted);
  CHECK(p.report().delivered == seen.size());
  if (p.report().end != st::run_end::left_early)
    CHECK(p.report().finished == p.report().delivered + p.report().dropped);
}

namespace {

std::atomic<long> glanced{-1};  // the latest batch that `glance` ran for

struct failing {  // the batch before one that is dropped, when others have got to that
  void operator()(st::in<parsed> p, st::out<checked> c) const {
    if (*p == 5) {
      while (glanced < 7) std::this_thread::yield();
      throw std::runtime_error("five");
    }
    c = *p;
  }
};
struct glance {
  void operator()(st::in<parsed> p) const {
    CHECK_FALSE(is_bad(static_cast<int>(*p)));
    glanced = *p;
  }
};
struct failing_later : st::schedule<st::source<sample>, st::result<checked>, parse, failing, glance,
                                    st::threads<st::per_task>> {};

}  // namespace

TEST_CASE("tasks that are passed over have not run for a batch in flight") {
  glanced = -1;
  tested::pipeline<failing_later> p;
  std::vector<std::size_t> seen;
  auto run = p.run(samples(100));
  const auto go = [&] {
    while (run.next()) seen.push_back(run.batch());
  };
  CHECK_THROWS_AS(go(), st::task_error);
  CHECK(seen == std::vector<std::size_t>{0, 2, 3, 4});
  CHECK(p.report().end == st::run_end::failed);
  CHECK(p.report().finished == 5);
  CHECK(p.report().delivered == 4);
  CHECK(p.report().dropped == 1);
  CHECK(p.report().failures.at(0).batch == 5);
  REQUIRE(p.report().in_flight.size() >= 3);
  CHECK(p.report().in_flight[0].ran == std::vector<std::string>{"parse", "glance"});
  CHECK(p.report().in_flight[1].batch == 6);
  CHECK(p.report().in_flight[1].ran == std::vector<std::string>{"parse"});
  CHECK(p.report().in_flight[2].ran == std::vector<std::string>{"parse", "glance"});
  p.reset();
  CHECK(p.report().dropped == 1);
}

namespace {

struct lonely {  // drops batches that nobody uses
  st::verdict operator()(st::in<sample> x) const { return *x % 2 == 0 ? st::keep : st::drop; }
};
struct no_result : st::schedule<st::source<sample>, lonely, tell> {};
struct unharmed : st::schedule<st::source<sample>, st::result<logged>, lonely, tell> {};

}  // namespace

TEST_CASE("without results, batches are handed out that nobody dropped") {
  tested::pipeline<no_result> p;
  std::vector<std::size_t> seen;
  auto run = p.run(samples(6));
  while (run.next()) seen.push_back(run.batch());
  CHECK(seen == std::vector<std::size_t>{0, 2, 4});
  CHECK(p.report().dropped == 3);
}

TEST_CASE("a result that does not come after the task is handed out all the same") {
  tested::pipeline<unharmed> p;
  std::size_t seen = 0;
  auto run = p.run(samples(6));
  while (run.next()) ++seen;
  CHECK(seen == 6);
  CHECK(p.report().dropped == 0);
  CHECK(p.report().delivered == 6);
  REQUIRE(p.report().drops.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(p.report().drops[i].task == "lonely");
    CHECK(p.report().drops[i].batch == 2 * i + 1);
  }
}

namespace {

/// Counts how often tasks begin and end.
struct counting {
  using stretto_tag = st::tag::observer;
  static constexpr bool observes = true;
  std::array<std::atomic<int>, 8> begun{};
  std::array<std::atomic<int>, 8> ended{};
  void attached(std::span<const std::string_view> /*threads*/,
                std::span<const std::string_view> /*tasks*/) {}
  void started(std::size_t /*thread*/, std::size_t task, std::size_t batch) {
    ++begun.at(task);
    if (task == 3) CHECK(is_kept(static_cast<long>(batch)));
  }
  void finished(std::size_t /*thread*/, std::size_t task, std::size_t /*batch*/) {
    ++ended.at(task);
  }
};

template <class Schedule, class... Options>
void check_observer() {
  tested::pipeline<Schedule, counting, Options...> p;
  {
    auto run = p.run(samples(50));
    CHECK(seen_by(run, 0) == expected(50));
  }
  const int kept = static_cast<int>(expected(50).size());
  const std::array<int, 6> wanted{50, 40, 50, kept, 50, kept};
  for (std::size_t t = 0; t < wanted.size(); ++t) {
    CAPTURE(t);
    CHECK(p.observer().begun.at(t) == wanted.at(t));
    CHECK(p.observer().ended.at(t) == wanted.at(t));
  }
}

}  // namespace

TEST_CASE("observers are not told of tasks that are passed over") {
  check_observer<filtering>();
  check_observer<filtering, st::barrier>();
  check_observer<filtering_alone>();
}

TEST_CASE("of a batch that is dropped, push and flush give no result") {
  struct pushed : st::replan<filtering, st::frugal> {};
  tested::pipeline<pushed> p;
  st::push_run<tested::pipeline<pushed>, int> steps(p);
  std::vector<std::size_t> seen;
  for (int b = 0; b < 20; ++b) {
    if (steps.push(b)) {
      seen.push_back(steps.batch());
    } else if (b >= 2) {
      CHECK_THROWS_AS(static_cast<void>(steps.result()), st::usage_error);
    }
  }
  CHECK(seen.back() <= 17);
  while (steps.flush()) seen.push_back(steps.batch());
  std::vector<std::size_t> wanted;
  for (const row& r : expected(20)) wanted.push_back(r.batch);
  CHECK(seen == wanted);
}

namespace {

struct fill_or_drop {
  static constexpr int lookahead = 1;
  st::verdict operator()(st::in<sample> x, st::out<parsed> p) const {
    if (*x == 4) return st::drop;
    p = 100L * *x;
    return st::keep;
  }
};
struct pass_on {
  void operator()(st::in<parsed> p, st::out<total> t) const { t = *p; }
};
struct drops_four : st::schedule<st::source<sample>, st::result<total>, fill_or_drop, pass_on,
                                 st::threads<st::on_caller>> {};

}  // namespace

TEST_CASE("nothing is recovered of what a dropped batch did not write") {
  tested::pipeline<drops_four> p;
  {
    auto run = p.run(std::vector<int>{1, 2, 3, 4, 5, 6});
    for (int i = 0; i < 4; ++i) static_cast<void>(run.progress());
  }
  REQUIRE(p.report().in_flight.size() == 1);
  CHECK(p.report().in_flight[0].batch == 3);
  CHECK(p.template recover<parsed>(3) == nullptr);
}

TEST_CASE("who asks for a batch that is dropped is told at once by whom") {
  tested::pipeline<filtering> p;
  {
    st::server<tested::pipeline<filtering>, int> server(p);
    for (int b = 0; b < 24; ++b) {
      auto answer = server.ask(b);
      // Nobody else asks, and it is answered all the same.
      if (is_kept(b)) {
        CHECK(std::get<1>(answer.get()) == 10 * b);
        continue;
      }
      std::string said;
      try {
        static_cast<void>(answer.get());
      } catch (const st::unanswered& e) {
        said = e.what();
      }
      CHECK(said == std::string("a request has no answer: task `") +
                        (is_bad(b) ? "parse" : "inspect") + "` dropped its batch");
    }
  }
  CHECK(p.report().finished == 24);
  CHECK(p.report().dropped == 24 - expected(24).size());
}

TEST_CASE("where a source has nothing yet, batches dropped before are not seen later") {
  tested::pipeline<filtering> p;
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
    CHECK(p.report().dropped == 40 - expected(40).size());
  }
}
