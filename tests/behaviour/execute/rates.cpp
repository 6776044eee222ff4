// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks that run once per so many batches: for which they do, what they read and what others read
// of them, in all kinds of plans, next to the same work done one batch after the other.

#include <doctest/doctest.h>
#include <chrono>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <stretto/bound.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <thread>
#include <tuple>
#include <vector>
#include "../../support/tested.hpp"

namespace {

namespace st = stretto;

struct sample : st::slot<int> {};
struct rate_of_group : st::slot<int> {};  // set with the first batch of each three
struct gradient : st::slot<long> {};
struct weights : st::slot<long> {};  // set with the last batch of each three
struct score : st::slot<long> {};    // of every sixth, of the weights before
struct loss : st::slot<long> {};

/// Lets other threads go first, now and then.
void dawdle(long number) {
  if (number * 7919 % 11 < 3)
    std::this_thread::sleep_for(std::chrono::microseconds(number % 7 * 60));
}

struct set_rate {
  static constexpr int lookahead = 2;
  static constexpr int every = 3;
  static constexpr int phase = 0;
  void operator()(st::in<sample> x, st::out<rate_of_group> rate) const {
    rate = -1;  // nobody is to see that
    dawdle(*x);
    rate = 100 + *x;
  }
};
struct backward {
  static constexpr int lookahead = 1;
  void operator()(st::in<sample> x, st::in<rate_of_group> rate, st::latest<weights, 2> w,
                  st::out<gradient> g) const {
    g = -1;
    dawdle(*x + 1);
    g = *x * *rate + w.value_or(7) % 97;
  }
};
struct step {
  static constexpr int every = 3;
  void operator()(const st::context auto& ctx, st::window<gradient, 3> group,
                  st::previous<weights> before, st::out<weights> w) const {
    CHECK(ctx.batch() % 3 == 2);
    CHECK(group.full());
    CHECK(before.has_value() == (ctx.batch() >= 3));
    w = -1;
    dawdle(group[0]);
    long sum = before.value_or(1) % 1000;
    for (const long g : group) sum = 3 * sum + g;
    w = sum;
  }
};
struct evaluate {
  using reads = st::reads<weights, st::previous<weights, 2>>;
  using writes = st::writes<score>;
  static constexpr int every = 6;
  void operator()(long w, const st::previous<weights, 2>& before, long& out) const {
    out = w - before.value_or(0);
    dawdle(w);
  }
};
struct report {
  using reads = st::reads<gradient, st::latest<weights>, st::latest<score, 1>>;
  using writes = st::writes<loss>;
  void operator()(long g, const st::latest<weights>& w, const st::latest<score, 1>& s,
                  long& out) const {
    dawdle(g);
    out = g + 2 * w.value_or(-1) + 3 * s.value_or(-5);
  }
};

struct trained : st::schedule<st::source<sample>, st::result<loss, rate_of_group>, set_rate,
                              backward, step, evaluate, report, st::threads<st::per_task>> {};

static_assert(st::copies_of<trained, rate_of_group> == 2);
static_assert(st::copies_of<trained, gradient> == 4);
static_assert(st::copies_of<trained, weights> == 3);
static_assert(st::copies_of<trained, score> == 2);
static_assert(st::copies_of<st::serial<trained>, rate_of_group> == 1);

using row = std::tuple<long, int>;

std::vector<row> expected(int batches) {
  std::vector<row> all;
  std::vector<long> w;
  std::vector<long> gradients;
  std::vector<long> scores;
  for (int b = 0; b < batches; ++b) {
    const auto n = static_cast<std::size_t>(b);
    const int rate = 100 + b / 3 * 3;
    const long held = b < 4 ? 7 : w[static_cast<std::size_t>((b - 4) / 3)];
    gradients.push_back(static_cast<long>(b) * rate + held % 97);
    const std::size_t tested = scores.size();
    if (b % 3 == 2) {
      long sum = w.empty() ? 1 : w.back() % 1000;
      for (std::size_t i = 0; i < 3; ++i) sum = 3 * sum + gradients[n - i];
      w.push_back(sum);
    }
    if (b % 6 == 5) scores.push_back(w.back() - (w.size() > 2 ? w[w.size() - 3] : 0));
    all.emplace_back(gradients[n] + 2 * (w.empty() ? -1 : w.back()) +
                         3 * (tested == 0 ? -5 : scores[tested - 1]),
                     rate);
  }
  return all;
}

auto samples(int batches) {
  return [next = 0, batches](int& into) mutable {
    into = next;
    return next++ < batches;
  };
}

template <class Schedule, class... Options>
void check() {
  tested::pipeline<Schedule, Options...> p;
  // Each run begins anew, and with a group of its own.
  for (const int batches : {1, 2, 3, 70, 0, 5, 6, 7}) {
    CAPTURE(batches);
    std::vector<row> seen;
    for (const auto& [l, rate] : p.run(samples(batches))) seen.emplace_back(l, rate);
    CHECK(seen == expected(batches));
    CHECK(p.report().finished == static_cast<std::size_t>(batches));
    seen.clear();
    p.run(samples(batches)).for_each([&](const auto& r) {
      seen.emplace_back(std::get<0>(r), std::get<1>(r));
    });
    CHECK(seen == expected(batches));
  }
  int left = 0;
  for (const auto& r : p.run(samples(20))) {
    static_cast<void>(r);
    if (++left == 7) break;
  }
}

struct slack : st::replan<trained, st::slack<weights, 2>, st::slack<rate_of_group>> {};
struct alone : st::replan<trained, st::threads<st::on_caller>> {};
struct shared : st::replan<trained, st::threads<st::group<"pool", set_rate, backward>>,
                           st::workers<"pool", 2>, st::queue<"host", 2>> {};
struct found : st::replan<trained, st::threads<st::generated<2>>> {};

}  // namespace

TEST_CASE("threads of their own") { check<trained>(); }
TEST_CASE("a barrier after each progress") { check<trained, st::barrier>(); }
TEST_CASE("one thread, one batch after the other") { check<st::serial<trained>>(); }
TEST_CASE("one thread") { check<alone>(); }
TEST_CASE("more copies than needed") { check<slack>(); }
TEST_CASE("workers that take turns") { check<shared>(); }
TEST_CASE("a thread map that is looked for") { check<found>(); }
TEST_CASE("pipelined") { check<st::pipelined<alone>>(); }

namespace {

/// What the observer was told, by task and batch.
struct watcher {
  using stretto_tag = st::tag::observer;
  static constexpr bool observes = true;
  inline static std::vector<std::vector<std::size_t>> batches;
  void attached(std::span<const std::string_view>, std::span<const std::string_view> tasks) {
    batches.assign(tasks.size(), {});
  }
  void started(std::size_t, std::size_t, std::size_t) const {}
  void finished(std::size_t, std::size_t task, std::size_t batch) const {
    batches[task].push_back(batch);
  }
};

}  // namespace

TEST_CASE("whoever watches is told of the batches for which tasks run, and of no others") {
  tested::pipeline<alone, watcher> p;
  for (const auto& r : p.run(samples(8))) static_cast<void>(r);
  CHECK(watcher::batches[0] == std::vector<std::size_t>{0, 3, 6});
  CHECK(watcher::batches[1].size() == 8);
  CHECK(watcher::batches[2] == std::vector<std::size_t>{2, 5});
  CHECK(watcher::batches[3] == std::vector<std::size_t>{5});
}

namespace {

struct thrower {
  static constexpr int every = 4;
  using reads = st::reads<sample>;
  void operator()(int x) const {
    if (x == 7) throw std::runtime_error("enough");
  }
};
struct pass {
  using reads = st::reads<sample>;
  using writes = st::writes<loss>;
  void operator()(int x, long& out) const { out = x; }
};
struct throwing : st::schedule<st::source<sample>, st::result<loss>, pass, thrower> {};

}  // namespace

TEST_CASE("an error names the batch, and what is not to run for a batch is not missed by reports") {
  tested::pipeline<throwing> p;
  std::size_t seen = 0;
  try {
    for (const auto& r : p.run(samples(20))) {
      static_cast<void>(r);
      ++seen;
    }
    FAIL("it throws");
  } catch (const st::task_error& e) {
    CHECK(e.batch() == 7);
    CHECK(std::string(e.task()) == "thrower");
  }
  CHECK(seen == 7);
  CHECK(p.report().finished == 7);
  CHECK(p.report().in_flight.front().ran.size() == 1);
}

TEST_CASE(
    "what an unfinished run left in a slot of groups is recovered by the batch of its writer") {
  if constexpr (!tested::runtime_version) {
    st::pipeline<alone> p;
    {
      auto run = p.run(samples(20));
      for (int i = 0; i < 5; ++i) CHECK(run.next());
    }
    std::size_t found = 0;
    for (std::size_t b = 5; b < p.report().pulled; ++b) {
      const int* const rate = p.recover<rate_of_group>(b);
      CHECK((rate == nullptr || b % 3 == 0));
      if (rate == nullptr) continue;
      CHECK(*rate == 100 + static_cast<int>(b));
      ++found;
    }
    CHECK(found == 1);
  }
}

namespace {

inline constexpr auto halve = [](st::in<sample> x, st::out<rate_of_group> out) { out = *x / 2; };
using half = st::task<"half", halve, st::every<2, 0>, st::weight<40>>;
struct keep {
  using reads = st::reads<rate_of_group>;
  using writes = st::writes<loss>;
  static constexpr int weight = 10;
  void operator()(int x, long& out) const { out = x; }
};
struct of_body : st::schedule<st::source<sample>, st::result<loss>, half, keep> {};

}  // namespace

TEST_CASE("a task that is made of a body") {
  tested::pipeline<of_body> p;
  std::vector<long> seen;
  for (const long l : p.run(samples(5))) seen.push_back(l);
  CHECK(seen == std::vector<long>{0, 0, 1, 1, 2});
}

TEST_CASE("what it takes is bounded on average, and simulated when it runs") {
  const st::plan_bound bound = st::bound_of<of_body>();
  CHECK(bound.period().time == 30 * bound.period().progresses);
  CHECK(bound.period_if("half", 20).time == 20 * bound.period_if("half", 20).progresses);
  const st::simulation run = st::simulate<of_body>({{"half", 60}}, 4);
  CHECK(run.total() == 2 * 60 + 4 * 10);
  std::size_t times = 0;
  for (const auto& r : run.runs()) times += run.task(r.task) == "half";
  CHECK(times == 2);
}

namespace {

/// Tells a value that nobody wrote.
struct large {
  long value = -77;
  long rest[4] = {};
};
struct plan_of_six : st::slot<large> {};
struct make_plan {
  static constexpr int every = 6;
  static constexpr int phase = 1;
  static constexpr int lookahead = 2;
  using thread = st::thread<"makers">;
  void operator()(st::in<sample> x, st::out<plan_of_six> out) const { out->value = *x; }
};
struct use_plan {
  void operator()(st::latest<plan_of_six> p, st::out<loss> out) const { out = p ? p->value : -1; }
};
struct planned : st::schedule<st::source<sample>, st::result<loss>, st::workers<"makers", 2>,
                              make_plan, use_plan> {};

}  // namespace

TEST_CASE("a worker makes the values of the batches for which it runs, before it fills them") {
  for (int times = 0; times < 20; ++times) {
    tested::pipeline<planned, st::block> p;
    long batch = 0;
    for (const long l : p.run(samples(14))) {
      CHECK(l == (batch < 1 ? -1 : 1 + (batch - 1) / 6 * 6));
      ++batch;
    }
    CHECK(batch == 14);
  }
}
