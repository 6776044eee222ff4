// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks that are coroutines: their thread goes on while they are suspended, whoever needs what they
// make waits for their end, and nobody leaves a run before it.

#include <doctest/doctest.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <coroutine>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <stretto/suspend.hpp>
#include <stretto/watch.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>
#include "../../support/suspended.hpp"
#include "../../support/tested.hpp"
#include "deadline.hpp"

namespace {

std::atomic<std::size_t> allocations{0};

}  // namespace

// The array and nothrow forms call these. Not inlined, or GCC takes `free` for a mistake where it
// has inlined one of two.
[[gnu::noinline]] void* operator new(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  void* const p = std::malloc(size);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace {

namespace st = stretto;
using interrupting::resuming;
using interrupting::suspended;

struct number : st::slot<int> {};
struct fetched : st::slot<int> {};
struct counted : st::slot<int> {};
struct sum : st::slot<long> {};

constexpr int none = -1;

struct fetch {
  using thread = st::thread<"work">;
  static constexpr int lookahead = 1;
  st::suspendable operator()(st::in<number> in, st::out<fetched> out) {
    CHECK_FALSE(std::exchange(running, true));  // that of the batch before has ended
    begun_on = std::this_thread::get_id();
    if (*in == fails_at_once) throw std::runtime_error("not even begun");
    co_await on->wait();
    running = false;
    if (*in == fails_at) throw std::runtime_error("not this one");
    *out = 2 * *in;
    ended_on = std::this_thread::get_id();
  }
  suspended* on = nullptr;
  int fails_at = none;
  int fails_at_once = none;
  bool running = false;
  std::thread::id begun_on{};
  std::thread::id ended_on{};
};
/// Behind it on its thread.
struct count {
  using thread = st::thread<"work">;
  static constexpr int lookahead = 1;
  void operator()(st::in<number> in, st::out<counted> out) {
    ran_on = std::this_thread::get_id();
    if (resumes != nullptr) resumes->resume_one();
    *out = *in;
  }
  suspended* resumes = nullptr;
  std::thread::id ran_on{};
};
struct add {
  using thread = st::thread<"caller">;
  void operator()(st::in<fetched> a, st::in<counted> b, st::out<sum> out) {
    *out = total += *a + *b;
  }
  long total = 0;
};
struct job : st::schedule<st::source<number>, st::result<sum>, fetch, count, add> {};
struct on_one_thread : st::serial<job> {};

std::vector<int> numbers(std::size_t size) {
  std::vector<int> all(size);
  std::iota(all.begin(), all.end(), 0);
  return all;
}
long sum_of(std::size_t size) { return 3 * static_cast<long>(size * (size - 1) / 2); }

TEST_CASE("a thread goes on with the tasks behind a coroutine that is suspended") {
  const deadline all("the thread waits for its coroutine");
  suspended here;
  // Only the task behind it resumes it.
  tested::pipeline<job> p(fetch{.on = &here}, count{.resumes = &here});
  for (const std::size_t batches : {1U, 2U, 100U}) {
    p.task<add>().total = 0;
    long last = 0;
    std::size_t results = 0;
    for (const long s : p.run(numbers(batches))) {
      last = s;
      ++results;
    }
    CHECK(results == batches);
    CHECK(last == sum_of(batches));
    CHECK(p.report().end == st::run_end::completed);
  }
  CHECK(p.task<fetch>().begun_on == p.task<count>().ran_on);
  CHECK(p.task<fetch>().begun_on != std::this_thread::get_id());
}

TEST_CASE("whoever resumes a coroutine runs the rest, and those who need it wait") {
  const deadline all("a coroutine is resumed by another thread");
  suspended elsewhere;
  tested::pipeline<job> p(fetch{.on = &elsewhere});
  constexpr std::size_t batches = 500;
  const resuming thread(elsewhere, batches);
  std::vector<long> results;
  for (const long s : p.run(numbers(batches))) results.push_back(s);
  REQUIRE(results.size() == batches);
  for (std::size_t b = 0; b < batches; ++b) CHECK(results[b] == sum_of(b + 1));
  CHECK(p.task<fetch>().ended_on != p.task<fetch>().begun_on);
  CHECK(p.task<fetch>().ended_on != std::this_thread::get_id());
}

// A task that needs it in the same progress, first of its thread.
struct negate {
  using thread = st::thread<"work">;
  static constexpr int lookahead = 1;
  void operator()(st::in<fetched> in, st::out<counted> out) const { *out = -*in; }
};
/// On its thread, and a batch behind: not in the first progress.
struct look_after {
  using thread = st::thread<"work">;
  void operator()(st::in<counted> in) { looked += *in <= 0 ? 1 : 0; }
  std::size_t looked = 0;
};
struct turned : st::schedule<st::source<number>, st::result<sum>, fetch, negate, add, look_after> {
};
struct in_pieces : st::replan<turned> {};

}  // namespace
template <>
[[maybe_unused]] inline constexpr std::size_t stretto::unrolled_up_to<in_pieces> = 0;
namespace {

template <class Schedule>
void negate_each() {
  suspended elsewhere;
  tested::pipeline<Schedule> p(fetch{.on = &elsewhere});
  const resuming thread(elsewhere, 100);
  std::size_t results = 0;
  for (const long s : p.run(numbers(100))) results += s == 0 ? 1 : 0;
  CHECK(results == 100);
  CHECK(p.template task<look_after>().looked == 100);
}

TEST_CASE("its own thread waits for it where its next task needs it") {
  const deadline all("a task needs a coroutine that its thread begins");
  negate_each<turned>();
  negate_each<in_pieces>();
}

TEST_CASE("in a serial plan tasks run in turn, coroutines among them") {
  const deadline all("a serial schedule with a coroutine");
  suspended elsewhere;
  tested::pipeline<on_one_thread> p(fetch{.on = &elsewhere});
  const resuming thread(elsewhere, 20);
  long last = 0;
  for (const long s : p.run(numbers(20))) last = s;
  CHECK(last == sum_of(20));
  CHECK(p.task<fetch>().begun_on == std::this_thread::get_id());
  CHECK(p.task<count>().ran_on == std::this_thread::get_id());
}

TEST_CASE("what a coroutine throws fails the run, with its task and batch, before or after") {
  const deadline all("a coroutine fails");
  suspended elsewhere;
  for (const bool at_once : {false, true}) {
    tested::pipeline<job> p(fetch{
        .on = &elsewhere, .fails_at = at_once ? none : 5, .fails_at_once = at_once ? 5 : none});
    const resuming thread(elsewhere, at_once ? 5 : 6);
    std::size_t results = 0;
    std::string said;
    try {
      for (const long s : p.run(numbers(20))) results += s >= 0 ? 1 : 0;
    } catch (const st::task_error& e) {
      said = e.what();
    }
    CHECK(said.find("task `fetch` failed on batch 5") == 0);
    CHECK(said.find(at_once ? "not even begun" : "not this one") != std::string::npos);
    CHECK(results <= 5);
    const st::run_report& report = p.report();
    CHECK(report.end == st::run_end::failed);
    REQUIRE(report.failures.size() == 1);
    CHECK(report.failures[0].batch == 5);
    CHECK(report.pulled == report.finished + report.in_flight.size());
    for (const st::run_report::unfinished& b : report.in_flight) {
      const bool fetched_it = std::find(b.ran.begin(), b.ran.end(), "fetch") != b.ran.end();
      CHECK(fetched_it == (b.batch < 5));
    }
    CHECK_THROWS_AS(static_cast<void>(p.run(numbers(1))), st::usage_error);

    p.reset();
    p.task<fetch>() = fetch{.on = &elsewhere};
    p.task<add>().total = 0;
    const resuming again(elsewhere, 20);
    long last = 0;
    for (const long s : p.run(numbers(20))) last = s;
    CHECK(last == sum_of(20));
  }
}

TEST_CASE("a coroutine that is destroyed while it is suspended fails the run") {
  const deadline all("nobody is told that a coroutine is gone");
  suspended elsewhere;
  tested::pipeline<job> p(fetch{.on = &elsewhere});
  for (const std::size_t fails : {0U, 3U}) {
    p.task<fetch>().running = false;
    std::thread thread([&] {
      for (std::size_t b = 0; b < fails; ++b) elsewhere.resume_one();
      elsewhere.destroy_one();
    });
    std::string said;
    try {
      for ([[maybe_unused]] const long s : p.run(numbers(20))) {
      }
    } catch (const st::task_error& e) {
      said = e.what();
    }
    thread.join();
    CHECK(said.find("task `fetch` failed on batch " + std::to_string(fails)) == 0);
    CHECK(said.find("destroyed while it was suspended") != std::string::npos);
    p.reset();
  }
  p.task<fetch>().running = false;
  p.task<add>().total = 0;
  const resuming thread(elsewhere, 20);
  long last = 0;
  for (const long s : p.run(numbers(20))) last = s;
  CHECK(last == sum_of(20));
}

/// Ends in the middle of being suspended.
struct gives_up {
  static constexpr bool await_ready() noexcept { return false; }
  static void await_suspend(std::coroutine_handle<> who) { who.destroy(); }
  static void await_resume() noexcept {}
};
struct hopeless {
  st::suspendable operator()(st::in<number>, st::out<fetched>) const { co_await gives_up(); }
};
/// Hands out what it has given away.
struct careless {
  st::suspendable operator()(st::in<number> in, st::out<fetched> out) const {
    st::suspendable made = made_of(in, out);
    const st::suspendable kept = std::move(made);
    return made;  // NOLINT(bugprone-use-after-move): that is the mistake
  }
  static st::suspendable made_of(st::in<number> in, st::out<fetched> out) {
    *out = *in;
    co_return;
  }
};
template <class Task>
struct only : st::schedule<st::source<number>, st::result<fetched>, Task> {};

template <class Task>
std::string said_by() {
  tested::pipeline<only<Task>> p;
  try {
    for ([[maybe_unused]] const int f : p.run(numbers(1))) {
    }
  } catch (const st::task_error& e) {
    return e.what();
  }
  return {};
}

TEST_CASE("a coroutine that is destroyed at once, or moved away, fails the run") {
  const deadline all("a coroutine that is not there");
  CHECK(said_by<hopeless>().find("destroyed while it was suspended") != std::string::npos);
  CHECK(said_by<careless>().find("had been moved away") != std::string::npos);
}

/// On a thread of which there is no other task: the calling thread begins it.
struct fetch_alone : fetch {
  using thread = st::thread<"alone">;
};
struct fetched_alone : st::schedule<st::source<number>, st::result<sum>, fetch_alone, count, add> {
};

template <class Schedule, class Fetch>
void leave_while_suspended() {
  suspended elsewhere;
  Fetch first_task;
  first_task.on = &elsewhere;
  tested::pipeline<Schedule> p(std::move(first_task));
  std::optional<resuming> rest;
  {
    const std::vector<int> source = numbers(20);
    auto run = p.run(source);
    std::thread first([&] { elsewhere.resume_one(); });
    CHECK(run.next());
    first.join();
    while (elsewhere.seen() < 2) std::this_thread::yield();
    // One is suspended, and is resumed while the run is being left, or so it should be.
    rest.emplace(elsewhere, 1, true);
  }
  CHECK(p.report().end == st::run_end::left_early);
  CHECK_FALSE(p.template task<Fetch>().running);
  CHECK(elsewhere.seen() == 2);
}

TEST_CASE("a run that is left waits for its coroutines") {
  const deadline all("a run is left while a coroutine is suspended");
  leave_while_suspended<job, fetch>();
  leave_while_suspended<fetched_alone, fetch_alone>();
}

TEST_CASE("a stop request lets coroutines through, or ends when they have") {
  const deadline all("a run with a coroutine is stopped");
  for (const bool cancels : {false, true}) {
    suspended here;
    tested::pipeline<job> p(fetch{.on = &here}, count{});
    std::stop_source stop;
    std::atomic<bool> over{false};
    std::thread thread([&] {
      std::size_t resumed = 0;
      while (!over.load())
        if (here.seen() > resumed) {
          here.resume_one();
          ++resumed;
        }
    });
    std::size_t results = 0;
    const auto use = [&](long) {
      if (++results == 3) stop.request_stop();
    };
    const auto token = stop.get_token();
    if (cancels) {
      p.run(numbers(100), st::cancel_on(token)).for_each(use);
    } else {
      p.run(numbers(100), token).for_each(use);
    }
    over.store(true);
    thread.join();
    CHECK(p.report().end == (cancels ? st::run_end::cancelled : st::run_end::drained));
    CHECK_FALSE(p.task<fetch>().running);
    CHECK(results >= 3);
  }
}

TEST_CASE("frames are used again: in steady state nothing is allocated") {
  suspended here;
  tested::pipeline<job> p(fetch{.on = &here}, count{.resumes = &here});
  const std::vector<int> source = numbers(200);
  auto run = p.run(source);
  for (int i = 0; i < 80; ++i) REQUIRE(run.next());
  const std::size_t before = allocations.load();
  for (int i = 0; i < 100; ++i)
    if (!run.next()) std::abort();
  // A std::deque takes a piece of memory now and then.
  CHECK(allocations.load() - before <= 2 * 100 / 64);
  // To its end: a run that is left lets nobody begin `count`, which resumes what is suspended.
  while (run.next()) {
  }
}

TEST_CASE("a run pauses, and goes on, with coroutines") {
  const deadline all("a source with a coroutine has nothing yet");
  suspended here;
  tested::pipeline<job> p(fetch{.on = &here}, count{.resumes = &here});
  int value = 0;
  const auto now_and_then = [&](int& slot, bool may_wait) {
    if (value == 30) return st::pulled::end;
    if (value % 3 == 2 && !may_wait) return st::pulled::nothing_yet;
    slot = value++;
    return st::pulled::batch;
  };
  long last = 0;
  for (const long s : p.run(now_and_then)) last = s;
  CHECK(last == sum_of(30));
  for (const long s : p.run(numbers(1), st::onwards)) last = s;
  CHECK(last == sum_of(30));
}

/// Once per two batches, with its context, made of a lambda.
inline constexpr auto every_other = [](st::task_context ctx, st::in<number> in,
                                       st::out<fetched> out) -> st::suspendable {
  *out = *in + static_cast<int>(ctx.batch());
  co_return;
};
struct look {
  void operator()(st::latest<fetched> in, st::out<sum> out) const { *out = in ? *in : none; }
};
struct rated
    : st::schedule<st::source<number>, st::result<sum>,
                   st::task<"every_other", every_other, st::every<2>, st::thread<"work">>, look> {};

TEST_CASE("a coroutine has a rate, a context and a name like any task") {
  const deadline all("a coroutine once per two batches");
  tested::pipeline<rated> p;
  std::vector<long> results;
  for (const long s : p.run(numbers(6))) results.push_back(s);
  CHECK(results == std::vector<long>{none, 2, 2, 6, 6, 10});
}

TEST_CASE("a monitor knows which coroutine is suspended") {
  const deadline all("a watchdog looks at a suspended coroutine");
  suspended elsewhere;
  tested::pipeline<job, st::monitor> p(fetch{.on = &elsewhere});
  std::mutex mutex;
  std::condition_variable told;
  std::string what;
  const st::watchdog dog(p, std::chrono::milliseconds(20), [&](const std::string& text) {
    const std::lock_guard lock(mutex);
    // On a busy machine it may be told of what comes before and after as well.
    if (text.find("has been in `fetch` on batch ") == std::string::npos) return;
    what = text;
    told.notify_one();
  });
  std::thread thread([&] {
    {
      std::unique_lock lock(mutex);
      told.wait(lock, [&] { return !what.empty(); });
    }
    for (int i = 0; i < 2; ++i) elsewhere.resume_one();
  });
  std::size_t results = 0;
  for (const long s : p.run(numbers(2))) results += s >= 0 ? 1 : 0;
  thread.join();
  CHECK(results == 2);
}

// Several of them, that wait for each other and for tasks of other threads.
struct twice : st::slot<long> {};
struct thrice : st::slot<long> {};
struct both : st::slot<long> {};
struct pause {
  suspended* on = nullptr;
};
struct double_it : pause {
  using thread = st::thread<"a">;
  static constexpr int lookahead = 2;
  st::suspendable operator()(st::in<number> in, st::out<twice> out) const {
    co_await on->wait();
    *out = 2L * *in;
  }
};
struct triple_it : pause {
  using thread = st::thread<"b">;
  static constexpr int lookahead = 2;
  st::suspendable operator()(st::in<number> in, st::out<thrice> out) const {
    *out = 0;
    for (int i = 0; i < 3; ++i) {
      if (*in % 3 == i) co_await on->wait();
      *out += *in;
    }
  }
};
struct join_them : pause {
  using thread = st::thread<"a">;
  static constexpr int lookahead = 1;
  st::suspendable operator()(st::in<twice> a, st::in<thrice> b, st::out<both> out) const {
    co_await on->wait();
    *out = *a + *b;
  }
};
struct pass_on {
  using thread = st::thread<"b">;
  void operator()(st::in<both> in, st::out<sum> out) const { *out = *in; }
};
struct several
    : st::schedule<st::source<number>, st::result<sum>, double_it, triple_it, join_them, pass_on> {
};

TEST_CASE("several coroutines, resumed by several threads") {
  const deadline all("several coroutines");
  suspended elsewhere;
  tested::pipeline<several> p(double_it{{&elsewhere}}, triple_it{{&elsewhere}},
                              join_them{{&elsewhere}});
  constexpr std::size_t batches = 600;
  for (int round = 0; round < 2; ++round) {
    const resuming one(elsewhere, batches);
    const resuming two(elsewhere, batches);
    const resuming three(elsewhere, batches);
    long expected = 0;
    for (const long s : p.run(numbers(batches))) CHECK(s == 5 * expected++);
    CHECK(expected == static_cast<long>(batches));
  }
}

}  // namespace
