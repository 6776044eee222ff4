// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sources that skip what they throw on (`on_failure` of the source): what becomes of the batches,
// in all kinds of plans and whatever the way to get at results, next to the same work done one
// batch after the other; how many are dropped, which failure ends the run, how often the source is
// asked, and where another run goes on.

#include <doctest/doctest.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <stretto/position.hpp>
#include <stretto/sources.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "../../support/tested.hpp"
#include "sifted.hpp"

namespace {

namespace st = stretto;
using namespace sifted;

constexpr bool is_bad(long x) { return x % 5 == 1 || x % 7 == 3; }
constexpr bool is_kept(long x) { return !is_bad(x); }

struct parse {
  static constexpr int lookahead = 2;
  void operator()(st::in<sample> x, st::out<parsed> p) const {
    CHECK(is_kept(*x));
    dawdle(*x);
    p = *x + 1000;
  }
};
struct inspect {
  static constexpr int lookahead = 1;
  void operator()(st::in<sample> x, st::in<parsed> p, st::out<checked> c) const {
    CHECK(*p == *x + 1000);
    dawdle(*x + 1);
    c = 10L * *x;
  }
};
struct skipping
    : st::schedule<st::source<sample, st::on_failure<st::drop>>, st::result<total, checked>, parse,
                   inspect, tell, compare, st::threads<st::per_task>> {};

/// Numbers, of which those are bad that it throws on, having written half of them.
struct records {
  int batches;
  std::atomic<int>* asked;
  int next = 0;
  bool operator()(int& into) {
    ++*asked;
    if (next == batches) return false;
    into = -1;  // nobody is to see that
    const int now = next++;
    dawdle(now + 4);
    if (now % 5 == 1) throw std::runtime_error("record " + std::to_string(now));
    if (now % 7 == 3) throw now;  // no std::exception
    into = now;
    return true;
  }
};

std::vector<std::size_t> bad_among(int batches) {
  std::vector<std::size_t> all;
  for (int b = 0; b < batches; ++b)
    if (is_bad(b)) all.push_back(static_cast<std::size_t>(b));
  return all;
}
std::string reason(std::size_t b) {
  return b % 5 == 1 ? "record " + std::to_string(b) : "an exception that is not a std::exception";
}
/// Of batches that all went through: the first 16.
void check_drops(const std::vector<st::run_report::failure>& drops, int batches) {
  const std::vector<std::size_t> bad = bad_among(batches);
  REQUIRE(drops.size() == (std::min)(bad.size(), std::size_t{16}));
  for (std::size_t i = 0; i < drops.size(); ++i) {
    CHECK(drops[i].task == "pull");
    CHECK(drops[i].batch == bad[i]);
    CHECK(drops[i].progress == bad[i]);
    CHECK(drops[i].what() == reason(bad[i]));
  }
}

template <class Schedule, class... Options>
void check() {
  tested::pipeline<Schedule, Options...> p;
  for (const int batches : {170, 1, 2, 0, 9}) {
    for (int way = 0; way < ways; ++way) {
      CAPTURE(batches);
      CAPTURE(way);
      std::atomic<int> asked{0};
      const std::vector<row> expected = rows(batches, is_kept);
      {
        records source{batches, &asked};
        auto run = p.run(source);
        std::vector<row> seen = seen_by(run, way);
        // Steps ask after a progress that gave nothing, too, and see a result again.
        seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
        CHECK(seen == expected);
      }
      CHECK(asked == batches + 1);
      const st::run_report& report = p.report();
      CHECK(report.end == st::run_end::completed);
      CHECK(report.pulled == static_cast<std::size_t>(batches));
      CHECK(report.finished == report.pulled);
      CHECK(report.delivered == expected.size());
      CHECK(report.dropped == report.finished - report.delivered);
      CHECK(report.dropped_failures == report.dropped);
      CHECK(report.failures.empty());
      CHECK(report.in_flight.empty());
      check_drops(report.drops, batches);
      CHECK(p.dropped_failures().count == report.dropped);
      check_drops(p.dropped_failures().first, batches);
    }
  }
}

}  // namespace

TEST_CASE("a source that fails drops that batch, and is asked for the next") {
  SUBCASE("a thread each") { check<skipping>(); }
  SUBCASE("with a barrier") { check<skipping, st::barrier>(); }
  SUBCASE("one thread") {
    struct alone : st::replan<skipping, st::threads<st::on_caller>> {};
    check<alone>();
  }
  SUBCASE("one after the other") { check<st::serial<skipping>>(); }
  SUBCASE("generated threads") {
    struct spread : st::replan<skipping, st::threads<st::generated<2>>> {};
    check<spread>();
  }
  SUBCASE("a source on a thread of its own, further ahead") {
    struct apart : st::replan<skipping, st::source<sample, st::lookahead<5>, st::thread<"reader">,
                                                   st::on_failure<st::drop>>> {};
    check<apart>();
    check<apart, st::barrier>();
  }
  SUBCASE("workers") {
    struct many
        : st::replan<skipping, st::place<parse, st::thread<"parsers">>, st::workers<"parsers", 3>> {
    };
    check<many, st::spin_then_sleep<>>();
  }
}

TEST_CASE("a run tells of each batch that the source skips, in order") {
  tested::pipeline<skipping> p;
  std::atomic<int> asked{0};
  records source{80, &asked};
  auto run = p.run(source);
  std::vector<std::string> told;
  const auto dropped = [&](std::size_t batch, std::string_view task, std::exception_ptr error) {
    told.push_back(std::to_string(batch) + std::string(task) +
                   st::run_report::failure{"", batch, 0, std::move(error)}.what());
  };
  while (run.next(dropped)) told.push_back(std::to_string(run.batch()));
  std::vector<std::string> wanted;
  for (std::size_t b = 0; b < 80; ++b)
    wanted.push_back(std::to_string(b) +
                     (is_bad(static_cast<long>(b)) ? "pull" + reason(b) : std::string()));
  CHECK(told == wanted);
}

namespace {

struct doubled : st::slot<int> {};
struct twice {
  static constexpr int lookahead = 1;
  int broken_at = -1;
  void operator()(st::in<sample> x, st::out<doubled> d) const {
    if (*x == broken_at) throw std::logic_error("twice");
    d = 2 * *x;
  }
};
struct tripled : st::slot<int> {};
struct and_once {
  void operator()(st::in<doubled> d, st::out<tripled> t) const { t = *d + *d / 2; }
};
struct bounded
    : st::schedule<
          st::source<sample, st::on_failure<st::drop, st::max_failures<3>>, st::thread<"reader">>,
          st::result<tripled>, twice, and_once> {};

/// Throws on every fourth.
auto fourths(int batches) {
  return [next = 0, batches](int& into) mutable {
    if (next == batches) return false;
    into = next++;
    if (into % 4 == 3) throw std::runtime_error("record " + std::to_string(into));
    return true;
  };
}

}  // namespace

TEST_CASE("the failure after the last that is skipped ends the run, and says that it is that") {
  tested::pipeline<bounded> p;
  for (int again = 0; again < 3; ++again) {  // each run has its own number of them
    std::vector<std::size_t> seen;
    std::string said;
    try {
      auto run = p.run(fourths(100));
      while (run.next()) seen.push_back(run.batch());
    } catch (const st::task_error& e) {
      said = e.what();
      CHECK(e.task() == "pull");
      CHECK(e.batch() == 15);
      CHECK_THROWS_AS(e.rethrow_nested(), std::runtime_error);
    }
    CHECK(said ==
          "task `pull` failed on batch 15 (progress 15): record 15 (a run drops 3 failures of it "
          "at most, its `max_failures`, and this is one more)");
    CHECK(seen == std::vector<std::size_t>{0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14});
    const st::run_report& report = p.report();
    CHECK(report.end == st::run_end::failed);
    CHECK(report.pulled == 15);
    CHECK(report.finished == 15);
    CHECK(report.dropped == 3);
    CHECK(report.dropped_failures == 3);
    REQUIRE(report.failures.size() == 1);
    CHECK(report.failures[0].task == "pull");
    CHECK(report.failures[0].batch == 15);
    p.reset();
  }
  auto run = p.run(fourths(15));
  std::size_t seen = 0;
  while (run.next()) ++seen;
  CHECK(seen == 12);
  CHECK(p.report().end == st::run_end::completed);
}

TEST_CASE("a task's failure ends the run at its batch, whatever the source has skipped") {
  for (int again = 0; again < 20; ++again) {
    tested::pipeline<bounded> p(twice{6});
    std::vector<int> seen;
    std::string said;
    auto run = p.run(fourths(8));
    try {
      while (run.next()) seen.push_back(run.result());
    } catch (const st::task_error& e) {
      said = e.what();
    }
    CHECK(said == "task `twice` failed on batch 6 (progress 6): twice");
    CHECK(seen == std::vector{0, 3, 6, 12, 15});
  }
}

namespace {

struct number_of : st::slot<long> {};
struct latest_two : st::slot<long> {};
/// Looks back at what the source has given, and what of it was left.
struct look_back {
  void operator()(st::in<sample> now, st::previous<sample> before, st::previous<sample, 2> older,
                  st::previous<latest_two> own, st::out<latest_two> all) const {
    all = 100L * *now + 10 * before.value_or(-1) + older.value_or(-2) + own.value_or(-3) % 7;
  }
};
/// Has nothing to do with what the source gives, and runs for each batch.
struct count {
  static constexpr int lookahead = 1;
  std::atomic<int>* runs = nullptr;
  void operator()(const st::context auto& ctx, st::out<number_of> n) const {
    n = static_cast<long>(ctx.batch());
    if (runs != nullptr) ++*runs;
  }
};
struct going_on_then : st::schedule<st::source<sample, st::lookahead<2>, st::on_failure<st::drop>>,
                                    st::result<latest_two, number_of>, look_back, count> {};

std::vector<std::pair<long, long>> looked_back_at(int batches) {
  std::vector<std::pair<long, long>> all;
  long own = -3;
  for (long b = 0; b < batches; ++b) {
    if (is_bad(b)) {
      own = -3;
      continue;
    }
    own = 100 * b + 10 * (b >= 1 && is_kept(b - 1) ? b - 1 : -1) +
          (b >= 2 && is_kept(b - 2) ? b - 2 : -2) + own % 7;
    all.emplace_back(own, b);
  }
  return all;
}

}  // namespace

TEST_CASE("another run goes on behind what was skipped, and asks for none of it again") {
  const auto expected = looked_back_at(40);
  for (int cut = 0; cut <= 40; ++cut) {
    CAPTURE(cut);
    std::atomic<int> asked{0};
    std::atomic<int> counted{0};
    std::vector<std::pair<long, long>> seen;
    tested::pipeline<going_on_then> p(count{&counted});
    tested::pipeline<going_on_then> other(count{&counted});
    const auto add = [&](auto&& run) {
      while (run.next()) {
        const auto& [all, number] = run.result();
        CHECK(static_cast<std::size_t>(number) == run.batch());
        seen.emplace_back(all, number);
      }
    };
    records source{cut, &asked};
    add(p.run(source));
    CHECK(p.report().pulled == static_cast<std::size_t>(cut));
    source.batches = 40;
    if (cut % 2 == 0) {
      add(p.run(source, st::onwards));
    } else {
      add(other.run(source, st::from(p.position())));
    }
    CHECK(seen == expected);
    CHECK(asked == 42);  // the end of each run besides
    CHECK(counted == 40);
  }
}

TEST_CASE("of a batch that the source skips nothing is handed out where there are no results") {
  struct bare : st::schedule<st::source<sample, st::on_failure<st::drop>>, twice> {};
  tested::pipeline<bare> p;
  std::atomic<int> asked{0};
  records source{30, &asked};
  std::vector<std::size_t> seen;
  std::vector<std::size_t> wanted;
  auto run = p.run(source);
  while (run.next()) seen.push_back(run.batch());
  for (std::size_t b = 0; b < 30; ++b)
    if (is_kept(static_cast<long>(b))) wanted.push_back(b);
  CHECK(seen == wanted);
}

TEST_CASE("a stop while a source skips") {
  tested::pipeline<skipping> p;
  std::atomic<int> asked{0};
  std::stop_source stop;
  std::vector<row> seen;
  const auto go = [&](auto& run) {
    while (run.next()) {
      seen.push_back({run.batch(), std::get<0>(run.result()), std::get<1>(run.result())});
      if (run.batch() >= 20) stop.request_stop();
    }
  };
  records source{1000, &asked};
  SUBCASE("drained") {
    auto run = p.run(source, stop.get_token());
    go(run);
    CHECK(p.report().end == st::run_end::drained);
    CHECK(p.report().in_flight.empty());
    CHECK(p.report().pulled == static_cast<std::size_t>(asked));
  }
  SUBCASE("cancelled") {
    auto run = p.run(source, st::cancel_on(stop.get_token()));
    go(run);
    CHECK(p.report().end == st::run_end::cancelled);
  }
  CHECK(seen == rows(static_cast<int>(p.report().finished), is_kept));
  CHECK(p.report().finished == p.report().delivered + p.report().dropped);
}

TEST_CASE("a source that may have nothing yet skips what it throws on") {
  tested::pipeline<skipping> p;
  bool waited = false;
  for (int way = 0; way < 4; ++way) {
    int next = 0;
    int times = 0;
    const auto source = [&](int& into, bool may_wait) {
      waited = waited || may_wait;
      if (++times % 3 == 0) return st::pulled::nothing_yet;
      if (next == 40) return st::pulled::end;
      into = next++;
      if (is_bad(into)) throw std::runtime_error("bad");
      return st::pulled::batch;
    };
    auto run = p.run(source);
    CHECK(seen_by(run, way) == rows(40, is_kept));
    CHECK(p.report().dropped_failures == bad_among(40).size());
  }
  CHECK(waited);
}

TEST_CASE("a range may skip what cannot be read, and so may sources that are made of others") {
  struct plain
      : st::schedule<st::source<sample, st::on_failure<st::drop>>, st::result<doubled>, twice> {};
  struct line {
    int number;
    // NOLINTNEXTLINE(google-explicit-constructor,hicpp-explicit-conversions): as the slot takes it
    operator int() const {
      if (number % 3 == 1) throw std::runtime_error("line " + std::to_string(number));
      return number;
    }
  };
  tested::pipeline<plain> p;
  const std::vector<line> lines{{0}, {1}, {2}, {3}, {4}, {5}};
  std::vector<int> seen;
  for (const int d : p.run(lines)) seen.push_back(d);
  CHECK(seen == std::vector{0, 4, 6, 10});
  CHECK(p.report().dropped_failures == 2);
  seen.clear();
  const std::vector<int> others{10, 20};
  for (const int d : p.run(st::merge(lines, others))) seen.push_back(d);
  CHECK(seen == std::vector{0, 20, 40, 4, 6, 10});
  CHECK(p.report().dropped_failures == 2);
}

namespace {

/// What an observer is told of nodes.
struct counting {
  using stretto_tag = st::tag::observer;
  static constexpr bool observes = true;
  std::array<std::atomic<int>, 6> begun{};
  std::array<std::atomic<int>, 6> ended{};
  std::array<std::atomic<int>, 6> dropped{};
  std::array<std::atomic<int>, 6> passed{};
  void attached(std::span<const std::string_view> /*threads*/,
                std::span<const std::string_view> /*tasks*/) {}
  void started(std::size_t /*thread*/, std::size_t task, std::size_t /*batch*/) {
    ++begun.at(task);
  }
  void finished(std::size_t /*thread*/, std::size_t task, std::size_t /*batch*/) {
    ++ended.at(task);
  }
  void no_batch(std::size_t /*thread*/, std::size_t /*task*/, std::size_t /*batch*/) {}
  void failure_dropped(std::size_t /*thread*/, std::size_t task, std::size_t batch) {
    CHECK(is_bad(static_cast<long>(batch)));
    ++dropped.at(task);
  }
  void passed_over(std::size_t /*thread*/, std::size_t task, std::size_t /*batch*/) {
    ++passed.at(task);
  }
};

template <class... Options>
void check_observer() {
  tested::pipeline<skipping, counting, Options...> p;
  std::atomic<int> asked{0};
  {
    records source{50, &asked};
    auto run = p.run(source);
    CHECK(seen_by(run, 0) == rows(50, is_kept));
  }
  const int bad = static_cast<int>(bad_among(50).size());
  const counting& seen = p.observer();
  CHECK(seen.dropped[4] == bad);  // `pull` comes behind the tasks
  CHECK(seen.ended[4] == 50 - bad);
  CHECK(seen.begun[4] == 51);
  for (std::size_t task = 0; task < 4; ++task) {
    CHECK(seen.begun[task] == 50 - bad);
    CHECK(seen.ended[task] == 50 - bad);
    CHECK(seen.passed[task] == bad);
  }
}

}  // namespace

TEST_CASE("observers are told of what a source skips") {
  check_observer<>();
  check_observer<st::barrier>();
}
