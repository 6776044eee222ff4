// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sources that have nothing yet: what is in flight goes through, then it goes on with the next
// batch, as if there had been no gap.

#include <doctest/doctest.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <stop_token>
#include <stretto/observe/timeline.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>
#include "../../support/tested.hpp"
#include "deadline.hpp"

namespace {

namespace st = stretto;

// Tasks that work ahead and tasks that look back, on threads of their own.
struct number : st::slot<int> {};
struct wide : st::slot<long> {};
struct mean : st::slot<long> {};
struct sum : st::slot<long> {};

/// Lets other threads go first, now and then.
void dawdle(long number) {
  if (number * 7919 % 11 < 3)
    std::this_thread::sleep_for(std::chrono::microseconds(number % 7 * 30));
}

struct widen {
  using thread = st::thread<"widen">;
  static constexpr int lookahead = 2;
  void operator()(st::in<number> in, st::out<wide> out) const {
    *out = -1;  // nobody is to see that
    dawdle(*in);
    *out = *in;
  }
};
struct add;
struct change {
  using thread = st::thread<"change">;
  static constexpr int lookahead = 1;
  using cross_iter_depends_on = st::cross_iter_depends_on<st::ago<add, 2>>;
  void operator()(st::inout<wide> w) const {
    if (*w == fails_at) throw std::runtime_error("not this one");
    dawdle(*w + 3);
    *w += 1000;
  }
  int fails_at = -1;
};
struct average {
  using thread = st::thread<"average">;
  using reads = st::reads<wide, st::previous<mean>>;
  using writes = st::writes<mean>;
  void operator()(long in, st::previous<mean> before, long& out) const {
    out = (before ? *before : 0) / 2 + in;
  }
};
struct add {
  using reads = st::reads<mean, st::window<wide, 3>, st::previous<number, 2>>;
  using writes = st::writes<sum>;
  void operator()(const st::context auto& ctx, long m, const st::window<wide, 3>& last,
                  st::previous<number, 2> before, long& out) {
    CHECK(ctx.batch() == batches++);
    CHECK(last.size() == std::min<std::size_t>(ctx.batch() + 1, 3));
    CHECK(before.has_value() == (ctx.batch() >= 2));
    out = m + (before ? *before : 0);
    for (const long w : last) out = 31 * out + w;
  }
  std::size_t batches = 0;
};
struct looking : st::schedule<st::source<number>, st::result<sum>, widen, change, average, add> {};
struct on_one_thread : st::serial<looking> {};
struct read_elsewhere : st::schedule<st::source<number, st::thread<"reader">>, st::result<sum>,
                                     widen, change, average, add> {};

/// Whose copies come round together so late that tables do not hold them.
struct seldom_round : st::replan<looking, st::slack<wide, 6>, st::slack<number, 2>> {};

// Workers, which share progresses among themselves, and a queue.
namespace pooled {
struct halve {
  using thread = st::thread<"pool">;
  static constexpr int lookahead = 1;
  void operator()(st::in<number> in, st::out<wide> out) const {
    dawdle(*in);
    *out = 2L * *in;
  }
};
struct total {
  void operator()(st::in<wide> in, st::previous<sum> before, st::out<sum> out) const {
    *out = (before ? *before : 0) + *in;
  }
};
struct counting
    : st::schedule<st::source<number>, st::result<sum>, halve, total, st::workers<"pool", 3>> {};
}  // namespace pooled

using found = std::vector<std::pair<std::size_t, long>>;  // batches and their results

/// Has numbers up to a count, and nothing yet in between: before some, once or several times.
class gappy {
 public:
  gappy(int count, unsigned seed) : count_(count), seed_(seed) {}

  st::pulled operator()(int& slot, bool may_wait) {
    if (may_wait) ++idle;
    if (may_wait && delivered != nullptr) CHECK(*delivered == static_cast<std::size_t>(next_));
    CHECK_FALSE(ended_);
    if (gap()) return st::pulled::nothing_yet;
    if (next_ == count_) {
      ended_ = true;
      return st::pulled::end;
    }
    slot = next_++;
    return st::pulled::batch;
  }

  std::size_t idle = 0;                    ///< how often nothing was in flight
  const std::size_t* delivered = nullptr;  ///< results, where the thread that takes them pulls

 private:
  bool gap() {
    seed_ = seed_ * 1664525U + 1013904223U;
    return seed_ >> 30U == 0;
  }

  int count_;
  unsigned seed_;
  int next_ = 0;
  bool ended_ = false;
};

template <class Run>
void collect(Run& run, found& results, std::size_t& delivered) {
  while (run.next()) {
    results.emplace_back(run.batch(), run.result());
    delivered = results.size();
  }
}

template <class Pipeline>
void check_gaps(int count, unsigned seeds) {
  const deadline limit("gaps");
  found expected;
  {
    Pipeline pipeline;
    for (const long s : pipeline.run(std::views::iota(0, count)))
      expected.emplace_back(expected.size(), s);
  }
  for (unsigned seed = 0; seed < seeds; ++seed) {
    Pipeline pipeline;
    gappy source(count, seed);
    std::size_t delivered = 0;
    source.delivered = &delivered;  // no thread pulls while results are taken
    found results;
    auto run = pipeline.run(source);
    collect(run, results, delivered);
    CHECK(results == expected);
    CHECK(source.idle > 1);
    CHECK(pipeline.report().end == st::run_end::completed);
    CHECK(pipeline.report().pulled == expected.size());
    CHECK(pipeline.report().finished == expected.size());
    CHECK(pipeline.report().delivered == expected.size());
    CHECK(pipeline.report().in_flight.empty());
  }
}

}  // namespace

TEST_CASE("with nothing yet, what is in flight comes out; then it is as if there had been no gap") {
  check_gaps<tested::pipeline<on_one_thread>>(50, 8);
  check_gaps<tested::pipeline<looking>>(50, 8);
  check_gaps<tested::pipeline<looking, st::barrier>>(50, 8);
  check_gaps<tested::pipeline<looking, st::block>>(50, 4);
  check_gaps<tested::pipeline<seldom_round>>(50, 4);
}
TEST_CASE("likewise where another thread pulls, and where workers share the batches") {
  check_gaps<tested::pipeline<read_elsewhere>>(50, 8);
  check_gaps<tested::pipeline<read_elsewhere, st::barrier>>(50, 4);
  check_gaps<tested::pipeline<pooled::counting>>(50, 8);
  check_gaps<tested::pipeline<pooled::counting, st::barrier>>(50, 4);
}

namespace {

/// Says what a text says: `b` a batch, `-` nothing yet; then the end.
struct scripted {
  std::string_view script;
  int next = 0;

  st::pulled operator()(int& slot) {
    if (script.empty()) return st::pulled::end;
    const char said = script.front();
    script.remove_prefix(1);
    if (said == '-') return st::pulled::nothing_yet;
    slot = next++;
    return st::pulled::batch;
  }
};

template <class... Option>
void check_batches(std::string_view script, const std::vector<std::size_t>& batches) {
  tested::pipeline<looking, Option...> pipeline;
  std::vector<std::size_t> through;
  auto run = pipeline.run(scripted{script});
  while (run.next()) through.push_back(run.batch());
  CHECK(through == batches);
  CHECK(pipeline.report().pulled == batches.size());
}

}  // namespace

TEST_CASE("batches are numbered without gaps, wherever there is nothing yet") {
  const deadline limit("scripts");
  for (const std::string_view script :
       {"", "-", "---", "-b", "b-", "b--b", "bb-bbb-b", "-bbbbbb-"}) {
    std::vector<std::size_t> batches;
    for (const char said : script)
      if (said == 'b') batches.push_back(batches.size());
    check_batches(script, batches);
    check_batches<st::barrier>(script, batches);
  }
}

TEST_CASE("a loop over results goes on across gaps, also where one batch is in flight at a time") {
  const deadline limit("loops");
  const auto loop = [](auto&& pipeline) {
    std::size_t results = 0;
    for ([[maybe_unused]] const long s : pipeline.run(scripted{"bbb--bb-b"})) ++results;
    return results;
  };
  CHECK(loop(tested::pipeline<on_one_thread>()) == 6);
  CHECK(loop(tested::pipeline<looking>()) == 6);
}

TEST_CASE("whoever steps gets back when there is nothing yet") {
  const deadline limit("steps");
  bool filled = false;
  bool ended = false;
  const auto source = [&](int& slot) {
    if (ended) return st::pulled::end;
    if (!filled) return st::pulled::nothing_yet;
    filled = false;
    slot = 7;
    return st::pulled::batch;
  };
  tested::pipeline<looking> pipeline;
  auto run = pipeline.run(source);
  for (int i = 0; i < 20; ++i) {
    CHECK_FALSE(run.progress());
    CHECK(run.has_more());
  }
  for (std::size_t batch = 0; batch < 5; ++batch) {
    filled = true;
    int steps = 0;
    while (!run.progress()) {
      REQUIRE(++steps < 20);
      CHECK(run.has_more());
    }
    CHECK(run.batch() == batch);
  }
  ended = true;
  while (run.has_more()) CHECK_FALSE(run.progress());
  CHECK_FALSE(run.next());
  CHECK(pipeline.report().end == st::run_end::completed);
  CHECK(pipeline.report().delivered == 5);
}

TEST_CASE(
    "a run that is left or outlived when there is nothing yet was left early, with no batch lost") {
  const deadline limit("leaving");
  tested::pipeline<looking> pipeline;
  for (const bool step : {false, true}) {
    {
      auto run = pipeline.run(scripted{"bb-----------b"});
      REQUIRE(run.next());
      REQUIRE(run.next());
      if (step) CHECK_FALSE(run.progress());
    }
    CHECK(pipeline.report().end == st::run_end::left_early);
    CHECK(pipeline.report().pulled == 2);
    CHECK(pipeline.report().finished == 2);
    CHECK(pipeline.report().delivered == 2);
    CHECK(pipeline.report().in_flight.empty());
    pipeline.template task<add>().batches = 0;
  }
  std::optional<tested::pipeline<looking>> dying(std::in_place);
  auto outliving = dying->run(scripted{"b----b"});
  REQUIRE(outliving.next());
  dying.reset();
  CHECK_THROWS_AS(static_cast<void>(outliving.next()), st::usage_error);
}

TEST_CASE("a stop is seen when there is nothing yet, and what is in flight goes through") {
  const deadline limit("stops");
  tested::pipeline<looking> pipeline;
  std::stop_source stop;
  {
    auto run = pipeline.run(scripted{"bbb-------------------------------b"}, stop.get_token());
    for (int b = 0; b < 3; ++b) REQUIRE(run.next());
    CHECK(run.has_more());
    stop.request_stop();
    CHECK_FALSE(run.next());
  }
  CHECK(pipeline.report().end == st::run_end::drained);
  CHECK(pipeline.report().pulled == 3);
  CHECK(pipeline.report().delivered == 3);

  pipeline.template task<add>().batches = 0;
  std::stop_source now;
  {
    auto run = pipeline.run(scripted{"bbb-------------------------------b"},
                            st::cancel_on(now.get_token()));
    for (int b = 0; b < 3; ++b) REQUIRE(run.next());
    now.request_stop();
    CHECK_FALSE(run.next());
  }
  CHECK(pipeline.report().end == st::run_end::cancelled);
  CHECK(pipeline.report().pulled == 3);
  CHECK(pipeline.report().finished == 3);
  CHECK(pipeline.report().in_flight.empty());
}

namespace {

template <class... Option>
void check_failure() {
  const deadline limit("a failing task");
  tested::pipeline<looking, Option...> pipeline{change{7}};
  std::size_t results = 0;
  std::optional<st::task_error> error;
  try {
    auto run = pipeline.run(scripted{"bbb-bb-bbbbbbb"});
    while (run.next()) CHECK(run.batch() == results++);
  } catch (const st::task_error& e) {
    error = e;
  }
  REQUIRE(error);
  CHECK(error->task() == "change");
  CHECK(error->batch() == 7);
  const st::run_report report = pipeline.report();
  CHECK(report.end == st::run_end::failed);
  CHECK(report.finished == results);
  CHECK(report.delivered == results);
  CHECK(results >= 5);  // what was in flight in the gaps
  CHECK(results <= 7);
  CHECK(report.pulled > 7);
  REQUIRE(report.in_flight.size() == report.pulled - report.finished);
  for (std::size_t i = 0; i < report.in_flight.size(); ++i)
    CHECK(report.in_flight[i].batch == report.finished + i);
  const auto& failed = report.in_flight[7 - report.finished];
  CHECK(std::ranges::find(failed.ran, "widen") != failed.ran.end());
  CHECK(std::ranges::find(failed.ran, "change") == failed.ran.end());
  const long* const held = pipeline.template recover<wide>(7);
  REQUIRE(held != nullptr);
  CHECK(*held == 7);
  CHECK(pipeline.template recover<wide>(2) == nullptr);  // handed out before the first gap

  pipeline.reset();
  pipeline.template task<change>().fails_at = -1;
  pipeline.template task<add>().batches = 0;
  auto again = pipeline.run(scripted{"b-b"});
  REQUIRE(again.next());
  CHECK(again.batch() == 0);
  REQUIRE(again.next());
  CHECK_FALSE(again.next());
}

}  // namespace

TEST_CASE("a failure after a gap tells the batch, and what became of the others") {
  check_failure<>();
  check_failure<st::barrier>();
}

namespace {

struct notes : st::slot<st::phase> {};
struct note {
  static constexpr int lookahead = 2;
  void operator()(const st::context auto& ctx, st::in<number>, st::out<notes> out) const {
    *out = ctx.phase();
  }
};
struct last {
  void operator()(st::in<notes>) const {}
};
struct noting : st::schedule<st::source<number>, st::result<notes>, note, last> {};

}  // namespace

TEST_CASE("after a gap a run is in prefill again") {
  tested::pipeline<noting> pipeline;
  std::vector<st::phase> phases;
  for (const st::phase p : pipeline.run(scripted{"bbbbb-bbb"})) phases.push_back(p);
  using enum st::phase;
  CHECK(phases == std::vector{prefill, prefill, steady, steady, steady, prefill, prefill, steady});
}

namespace {

struct mine {
  using thread = st::thread<"mine">;
  void operator()(st::in<number> in, st::out<wide> out) const { *out = *in; }
};
struct attached : st::pipelined<st::schedule<st::source<number>, st::result<wide>, mine>> {};

}  // namespace

TEST_CASE("threads of the user do not come and go with the gaps: it says so") {
  tested::pipeline<attached> pipeline(st::attached_threads{"mine"});
  try {
    static_cast<void>(pipeline.run(scripted{"b-b"}));
    FAIL("it runs");
  } catch (const st::usage_error& e) {
    CHECK(std::string_view(e.what()).find("does not go with attached threads") !=
          std::string_view::npos);
  }
}

namespace {

/// Reads what was fed back two batches ago, and works two batches ahead of who feeds it back.
struct fed : st::slot<long> {};
struct look_back {
  static constexpr int lookahead = 2;
  void operator()(st::in<number> x, st::previous<fed, 2> before, st::out<sum> out) const {
    out = before.value_or(-1) * 1000 + *x;
  }
};
struct feed {
  void operator()(st::in<number> x, st::in<sum>, st::out<fed> out) const { out = *x; }
};
struct fed_back : st::schedule<st::source<number>, st::result<sum>, look_back, feed> {};
struct fed_by_another
    : st::replan<fed_back, st::source<number, st::thread<"reader">>,
                 st::place<look_back, st::thread<"x">>, st::place<feed, st::thread<"y">>> {};

long expected_of(long batch) { return (batch < 2 ? -1 : batch - 2) * 1000 + batch; }

}  // namespace

TEST_CASE("a value of an earlier batch is kept for who works ahead, also across a gap") {
  tested::pipeline<fed_back> pipeline;
  for (const int gap : {1, 2, 3}) {
    long batch = 0;
    int asked = 0;
    int next = 0;
    const auto source = [&](int& slot, bool may_wait) {
      if (!may_wait && ++asked % gap == 0) return st::pulled::nothing_yet;
      if (next == 12) return st::pulled::end;
      slot = next++;
      return st::pulled::batch;
    };
    for (const long r : pipeline.run(source)) CHECK(r == expected_of(batch++));
    CHECK(batch == 12);
  }
}

TEST_CASE("whoever waits for an answer before the next batch gets it") {
  const deadline soon("an answer that is waited for");
  tested::pipeline<fed_by_another> pipeline;
  std::atomic<int> answered{0};
  int next = 0;
  const auto source = [&](int& slot) {
    while (answered < next) std::this_thread::yield();
    slot = next++;
    return next <= 9;
  };
  long batch = 0;
  for (const long r : pipeline.run(source)) {
    CHECK(r == expected_of(batch++));
    ++answered;
  }
  CHECK(batch == 9);
}

#ifdef STRETTO_TEST_DYNAMIC
TEST_CASE("of values, such a source tells the type of its batches, too") {
  st::dynamic::pipeline pipeline(st::dynamic::from_types<looking>());
  std::size_t results = 0;
  for ([[maybe_unused]] const auto& r : pipeline.run(gappy(5, 1))) ++results;
  CHECK(results == 5);
  CHECK_THROWS_AS(
      static_cast<void>(pipeline.run([](std::string&, bool) { return st::pulled::end; })),
      st::usage_error);
}
#endif
