// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Wait strategies: more threads than cores, sleepers that must wake up, idling.

#include <doctest/doctest.h>
#include <time.h>
#if defined(__linux__)
#  include "../../support/sleeps.hpp"
#endif
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stretto/stretto.hpp>
#include <string_view>
#include <thread>
#include <vector>
#include "../../support/rest.hpp"
#include "../../support/tested.hpp"
#include "deadline.hpp"

namespace {

namespace st = stretto;

// A pipeline of 14 host tasks, two at each lookahead: half of the links are waits inside a
// progress.

template <int Link>
struct value : st::slot<int> {};

template <int Link>
struct link {
  static constexpr int lookahead = (13 - Link) / 2;
  using reads = st::reads<value<Link>>;
  using writes = st::writes<value<Link + 1>>;
  void operator()(const int& in, int& out) const { out = in + Link; }
};

using fourteen = st::schedule<st::source<value<0>>, st::result<value<14>>, link<0>, link<1>,
                              link<2>, link<3>, link<4>, link<5>, link<6>, link<7>, link<8>,
                              link<9>, link<10>, link<11>, link<12>, link<13>>;

constexpr std::string_view third(const st::planner::task& t) {
  constexpr std::array<std::string_view, 3> names{"caller", "second", "third"};
  const char last_digit = t.id.text[t.id.text.size() - 2];  // of link<12>
  return names[static_cast<std::size_t>(last_digit) % 3];
}

template <class Schedule, class... Options>
void check(std::size_t threads, std::size_t batches) {
  CHECK(st::plan_of<Schedule>.threads == threads);
  const deadline limit("a waiting pipeline");
  tested::pipeline<Schedule, Options...> pipeline;
  for (int repeat = 0; repeat < 3; ++repeat) {
    std::size_t batch = 0;
    for (const int r : pipeline.run(std::vector<int>(batches, 1000))) {
      CHECK(r == 1000 + 91);
      ++batch;
    }
    CHECK(batch == batches);
  }
}

using on_three = st::replan<fourteen, st::threads<st::chosen_by<third>>>;
using on_fourteen = st::replan<fourteen, st::threads<st::per_task>>;

TEST_CASE("waiting: spinning") { check<on_three, st::spin>(3, 30); }
TEST_CASE("waiting: sleeping at once, after one spin, by default") {
  check<on_three, st::spin_then_sleep<0>>(3, 300);
  check<on_three, st::spin_then_sleep<1>>(3, 300);
  check<on_three>(3, 300);
}
TEST_CASE("waiting: many more threads than cores") {
  check<on_fourteen, st::spin_then_sleep<0>>(15, 100);
  check<on_fourteen>(15, 100);
}

// A thread remembers how far it has seen another one, and forgets that with each run.

template <class Schedule>
void check_most_in_flight() {
  const deadline limit("a thread that could run ahead");
  tested::pipeline<Schedule> pipeline;
  for (int repeat = 0; repeat < 3; ++repeat) {
    std::atomic<int> pulled = 0;
    std::atomic<int> most = 0;
    std::atomic<int> used = 0;
    auto source = [&](int& slot) {
      slot = 1000;
      ++pulled;
      const int ahead = pulled - used;
      if (ahead > most) most = ahead;
      return pulled <= 40;
    };
    for (const int r : pipeline.run(source)) {
      CHECK(r == 1000 + 91);
      std::this_thread::sleep_for(std::chrono::microseconds(200));  // the others could go on
      ++used;
    }
    CHECK(used == 40);
    CHECK(most <= static_cast<int>(st::in_flight<Schedule>));
    CHECK(most >= 2);  // they have been ahead
  }
}

using pulled_elsewhere = st::replan<on_three, st::source<value<0>, st::thread<"second">>>;

TEST_CASE("waiting: who pulls is never further ahead than in an earlier run") {
  check_most_in_flight<pulled_elsewhere>();
}

// An idle pipeline.

double processor_seconds(clockid_t of = CLOCK_PROCESS_CPUTIME_ID) {
  timespec t{};
  clock_gettime(of, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Whether the other threads come to rest, and use next to no processor time from then on.
bool others_rest() {
  tested::until_others_sleep();
  const double used = processor_seconds();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return processor_seconds() - used < 0.01;
}

struct slow {
  using reads = st::reads<value<14>>;
  std::atomic<bool>* looks;
  void operator()(const int&) const {
    if (looks->exchange(false)) CHECK(others_rest());
  }
};
using with_a_slow_one =
    st::replan<st::schedule<st::source<value<0>>, st::result<value<14>>, link<0>, link<1>, link<2>,
                            link<3>, link<4>, link<5>, link<6>, link<7>, link<8>, link<9>, link<10>,
                            link<11>, link<12>, link<13>, slow>,
               st::threads<st::per_task>>;

TEST_CASE("waiting: an idle pipeline leaves the processor alone") {
  const deadline limit("an idle pipeline");
  std::atomic<bool> looks = false;
  tested::pipeline<with_a_slow_one> pipeline{slow{&looks}};
  {
    auto run = pipeline.run(std::vector<int>(100, 1));
    for (int i = 0; i < 20; ++i) REQUIRE(run.next());
    CHECK(others_rest());  // the user takes time between results
    looks = true;          // one task takes time
    while (looks) REQUIRE(run.next());
  }
  CHECK(others_rest());  // no run
}

TEST_CASE("waiting: a source that takes its time burns no core") {
  const deadline limit("a slow source");
  tested::pipeline<on_three> pipeline;
  std::size_t batch = 0;
  auto source = [&](int& slot) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // at least
    tested::until_others_sleep();
    slot = 1000;
    return ++batch <= 200;
  };
  const auto used_by_others = [] {
    return processor_seconds() - processor_seconds(CLOCK_THREAD_CPUTIME_ID);
  };
  const auto start = std::chrono::steady_clock::now();
  const double used = used_by_others();
  std::size_t results = 0;
  for (const int r : pipeline.run(source)) results += r == 1000 + 91 ? 1U : 0U;
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  // Of one core, for all other threads together: where other programs want it, less.
  CHECK(used_by_others() - used < 0.25 * passed.count());
  CHECK(results == 200);
}

#if defined(__linux__)

// Under a quota of processor time, as control groups give it.

int sleeps_by_now() { return static_cast<int>(tested::sleeps_of_this_thread()); }

/// Tells how often its thread has slept by now.
struct counts_sleeps {
  using thread = st::thread<"second">;
  using reads = st::reads<value<0>>;
  using writes = st::writes<value<1>>;
  void operator()(const int&, int& sleeps) const { sleeps = sleeps_by_now(); }
};
bool they_sleep_soon = false;  // written between runs

/// Until who waits meanwhile sleeps, if that is to be; otherwise for long enough to fall asleep.
void take_time() {
  if (they_sleep_soon) {
    tested::until_others_sleep();
  } else {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}
struct takes_its_time {
  using thread = st::thread<"second">;
  using reads = st::reads<value<0>>;
  void operator()(const int&) const { take_time(); }
};
struct passes_on : takes_its_time {
  using writes = st::writes<value<1>>;
  void operator()(const int& in, int& out) const {
    takes_its_time::operator()(in);
    out = in;
  }
};

using waits_for_source = st::schedule<st::source<value<0>>, st::result<value<1>>, counts_sleeps>;
using waits_for_result = st::schedule<st::source<value<0>>, st::result<value<1>>, passes_on>;
using waits_for_others = st::schedule<st::source<value<0>>, st::result<value<0>>, takes_its_time>;

constexpr int batches_of_sleeps = 20;

/// How often results say that a thread slept from the first batch to the last one.
template <class Schedule, class... Options, class Source>
int sleeps_told(Source source) {
  static_assert(st::plan_of<Schedule>.threads == 2);
  tested::pipeline<Schedule, Options...> pipeline;
  int batches = 0;
  std::vector<int> told;
  for (const int sleeps : pipeline.run([&](int& slot) {
         slot = source();
         return ++batches <= batches_of_sleeps;
       }))
    told.push_back(sleeps);
  return told.back() - told.front();
}

/// Of the thread that waits longest, in each way to wait.
template <class Waiting>
std::array<int, 5> sleeps_by_way() {
  const auto slow = [] {
    take_time();
    return 0;
  };
  return {sleeps_told<waits_for_source, Waiting>(slow),
          sleeps_told<waits_for_source, Waiting, st::barrier>(slow),
          sleeps_told<waits_for_result, Waiting>(sleeps_by_now),
          sleeps_told<waits_for_result, Waiting, st::barrier>(sleeps_by_now),
          sleeps_told<waits_for_others, Waiting, st::barrier>(sleeps_by_now)};
}

TEST_CASE("waiting: with more threads than a quota has cores' time for they sleep soon") {
  if (!tested::sleeps_are_counted()) return;
  const deadline limit("a pipeline under a quota");
  using awake = st::spin_then_sleep<4000000000U, 0>;             // unless it is told otherwise
  static_cast<void>(st::runner::detail::quota_is_short_for(1));  // looks for the one that there is
  const double before = st::runner::detail::cores_given;
  st::runner::detail::cores_given = 2;
  const auto with_time_enough = sleeps_by_way<awake>();
  st::runner::detail::cores_given = 1.5;
  they_sleep_soon = true;
  const auto with_less = sleeps_by_way<awake>();
  st::runner::detail::cores_given = before;
  for (std::size_t way = 0; way < with_less.size(); ++way) {
    CHECK(with_less[way] >= batches_of_sleeps / 2);
    // Sanitizers sleep, too.
    CHECK(with_time_enough[way] < with_less[way]);
  }
}

#endif

// How long a thread stays awake.

using st::runner::detail::adaptive_spin;

constexpr unsigned whole = 1000;

TEST_CASE("adaptive spinning: what was in vain is tried less, until nothing is, and then rarely") {
  adaptive_spin p;
  CHECK(p.begin().of(whole) == whole);
  unsigned before = whole;
  for (int i = 0; i < 5; ++i) {
    p.learn(p.begin().failed());
    CHECK(p.begin().of(whole) < before);
    before = p.begin().of(whole);
  }
  CHECK(before == 0);
  // Trials: after 32 waits, after 64 more, ... and from some number on as rarely each time.
  std::vector<int> apart;
  for (int i = 0, last = -5; i < 30000; ++i) {
    const bool trial = p.begin().of(whole) == whole;
    if (trial) {
      apart.push_back(i - last);
      last = i;
    }
    CHECK((trial || p.begin().of(whole) == 0));
    p.learn(p.begin().failed());
  }
  REQUIRE(apart.size() >= 10);
  CHECK(apart[0] == 32);
  CHECK(apart[1] == 65);  // the trial counted
  CHECK(apart.back() == 4097);
}

TEST_CASE("adaptive spinning: comes back when staying awake helps") {
  adaptive_spin p;
  const auto fail = [&](int times) {
    for (int i = 0; i < times; ++i) p.learn(p.begin().failed());
  };
  fail(1);
  CHECK(p.begin().of(whole) == whole / 4);
  p.learn(p.begin().succeeded());
  CHECK(p.begin().of(whole) == whole / 2);
  p.learn(p.begin().succeeded());
  CHECK(p.begin().of(whole) == whole);

  fail(32);  // the next one is a trial
  CHECK(p.begin().of(whole) == whole);
  p.learn(p.begin().succeeded());
  CHECK(p.begin().of(whole) == whole);
  fail(2);
  CHECK(p.begin().of(whole) == whole / 16);  // and nothing of before is held against it
}

// The signal that all waiting is made of.

template <class Waiting>
void check_signal(bool sleep_soon = false) {
  st::runner::signal<Waiting> forth;
  st::runner::signal<Waiting> back;
  if (sleep_soon) {
    forth.sleep_soon();
    back.sleep_soon();
  }
  int plain = 0;  // ordered by the signals only
  constexpr std::uint32_t rounds = 2000;
  std::thread other([&] {
    for (std::uint32_t i = 1; i <= rounds; ++i) {
      forth.await(i);
      plain += 1;
      back.publish(i);
    }
  });
  for (std::uint32_t i = 1; i <= rounds; ++i) {
    plain += 1;
    forth.publish(i);
    back.await(i);
  }
  other.join();
  CHECK(plain == 2 * rounds);
}

TEST_CASE("signal: orders plain memory, no wake-up is lost") {
  const deadline limit("two threads and two signals");
  st::runner::detail::enable_asymmetric_fences();
  const auto check = [] {
    check_signal<st::block>();
    check_signal<st::spin_then_sleep<0>>();
    check_signal<st::spin_then_sleep<3>>();
    check_signal<st::spin_then_sleep<>>();
    check_signal<st::spin_then_sleep<>>(true);
  };
  check();
#if defined(__linux__)
  const bool found = st::runner::detail::asymmetric_fences;
  st::runner::detail::asymmetric_fences = false;  // as on a kernel without them
  check();
  st::runner::detail::asymmetric_fences = found;
#endif
}

TEST_CASE("signal: all sleepers wake up") {
  const deadline limit("many sleepers");
  st::runner::signal<st::spin_then_sleep<0>> open;
  std::array<st::runner::signal<st::spin_then_sleep<0>>, 6> closed;
  std::vector<std::thread> sleepers;
  for (auto& c : closed)
    sleepers.emplace_back([&] {
      for (std::uint32_t i = 1; i <= 300; ++i) {
        open.await(i);
        c.publish(i);
      }
    });
  for (std::uint32_t i = 1; i <= 300; ++i) {
    open.publish(i);
    for (auto& c : closed) c.await(i);
  }
  for (auto& s : sleepers) s.join();
}

TEST_CASE("signal: epochs wrap around") {
  const deadline limit("an epoch past 32 bits");
  st::runner::signal<st::spin_then_sleep<1>> s;
  s.publish(0x7fffffffU);
  s.await(0x7fffffffU);
  s.publish(0xfffffffeU);
  s.await(0xfffffff0U);
  s.await(0xfffffffeU);
  s.publish(0);          // two epochs on
  s.await(0xffffffffU);  // past it already
  std::thread waiter([&] { s.await(1); });
  s.publish(1);
  waiter.join();
}

}  // namespace
