// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks of values that follow each other on a thread with no wait in between: they call each other,
// up to where one waits, is waited for, or works on a newer batch. Stops and failures come in
// between nevertheless.

#include <doctest/doctest.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <stop_token>
#include <stretto/dynamic.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>
#include "../../behaviour/execute/deadline.hpp"
#include "../../support/rest.hpp"

namespace {

namespace st = stretto;
namespace dynamic = stretto::dynamic;
using names = std::vector<std::string>;

/// What is to happen within a task, on one batch.
struct event {
  std::size_t task = 0;
  std::size_t batch = 0;
  std::function<void()> what{};

  void at(std::size_t now_task, std::size_t now_batch) const {
    if (what && task == now_task && batch == now_batch) what();
  }
};

std::string task_named(std::size_t i) { return "t" + std::to_string(i); }

/// `first` on the calling thread, a batch ahead of \p size tasks on another one, each of which adds
/// 1 and uses what the one before made.
dynamic::schedule chain_of(std::size_t size, const event& e, const std::string& thread = "worker") {
  dynamic::schedule s;
  s.name = "chain";
  s.source.slot = "number";
  s.tasks.push_back({.name = "first",
                     .thread = "caller",
                     .lookahead = 1,
                     .reads = {"number"},
                     .writes = {"s0"},
                     .body = [&e, size](const st::task_context& ctx, long in, long& out) {
                       e.at(size, ctx.batch());
                       out = in;
                     }});
  for (std::size_t i = 0; i < size; ++i)
    s.tasks.push_back({.name = task_named(i),
                       .thread = thread,
                       .reads = {"s" + std::to_string(i)},
                       .writes = {"s" + std::to_string(i + 1)},
                       .body = [&e, i](const st::task_context& ctx, long in, long& out) {
                         out = in + 1;
                         e.at(i, ctx.batch());
                       }});
  s.results = {"s" + std::to_string(size)};
  return s;
}

constexpr long batches = 20;

auto numbers() {
  return [next = 0L](long& n) mutable { return (n = next++) < batches; };
}

template <class Pipeline, class... Stop>
std::vector<long> results(Pipeline& p, Stop&&... stop) {
  std::vector<long> all;
  for (const dynamic::result& r : p.run(numbers(), std::forward<Stop>(stop)...))
    all.push_back(r.get<long>());
  return all;
}
std::vector<long> all_plus(std::size_t size) {
  std::vector<long> all;
  for (long n = 0; n < batches; ++n) all.push_back(n + static_cast<long>(size));
  return all;
}

/// What a report says has run on a batch.
names ran(const st::run_report& report, std::size_t batch) {
  for (const st::run_report::unfinished& u : report.in_flight)
    if (u.batch == batch) return u.ran;
  return {};
}
/// `first` and the tasks behind it up to, not including, the one of that number.
names up_to(std::size_t task) {
  names all{"first"};
  for (std::size_t i = 0; i < task; ++i) all.push_back(task_named(i));
  return all;
}

/// Three tasks, and more than call each other.
constexpr std::size_t sizes[] = {3, 150};  // NOLINT(modernize-avoid-c-arrays)

template <class... Options>
void check_stops() {
  const deadline limit("stops within a segment");
  for (const std::size_t size : sizes) {
    CAPTURE(size);
    event e{.batch = 10};
    dynamic::pipeline<Options...> p(chain_of(size, e));
    CHECK(results(p) == all_plus(size));
    for (e.task = 0; e.task + 1 < size; ++e.task) {
      CAPTURE(e.task);
      std::stop_source stop;
      e.what = [&stop] { stop.request_stop(); };
      CHECK(results(p, st::cancel_on(stop.get_token())).size() <= 10);
      CHECK(p.report().end == st::run_end::cancelled);
      CHECK(ran(p.report(), 10) == up_to(e.task + 1));
    }
    // Asked before each task, and never told to.
    e.what = nullptr;
    const std::stop_source never;
    CHECK(results(p, st::cancel_on(never.get_token())) == all_plus(size));
  }
}

template <class... Options>
void check_failures() {
  const deadline limit("failures within a segment");
  for (const std::size_t size : sizes) {
    CAPTURE(size);
    event e{.batch = 10, .what = [] { throw std::runtime_error("this one"); }};
    dynamic::pipeline<Options...> p(chain_of(size, e));
    for (e.task = 0; e.task < size; ++e.task) {
      CAPTURE(e.task);
      CHECK_THROWS_AS(results(p), st::task_error);
      CHECK(p.report().end == st::run_end::failed);
      REQUIRE(p.report().failures.size() == 1);
      CHECK(p.report().failures[0].task == task_named(e.task));
      CHECK(p.report().failures[0].batch == 10);
      CHECK(ran(p.report(), 10) == up_to(e.task));
      p.reset();
    }
    e.task = size + 1;  // nowhere
    CHECK(results(p) == all_plus(size));
  }
}

}  // namespace

TEST_CASE("a stop comes between two tasks that call each other") { check_stops<>(); }
TEST_CASE("a stop comes between them where threads meet") { check_stops<st::barrier>(); }
TEST_CASE("a failure among tasks that call each other is told as where it was") {
  check_failures<>();
}
TEST_CASE("a failure among them where threads meet") { check_failures<st::barrier>(); }

TEST_CASE("what another thread asks for comes between them, too") {
  const deadline limit("a stop by another thread");
  for (const bool fails : {false, true}) {
    CAPTURE(fails);
    std::atomic<bool> waits{false};
    std::stop_source stop;
    const event e{.task = 3, .batch = 11, .what = [&] {
                    while (!waits.load()) std::this_thread::yield();
                    stop.request_stop();
                    if (fails) throw std::runtime_error("first");
                  }};
    dynamic::schedule s = chain_of(3, e);
    // In the progress in which `first` runs on batch 11.
    s.at("t0").body = [&](const st::task_context& ctx, long in, long& out) {
      out = in + 1;
      if (ctx.batch() != 10) return;
      waits.store(true);
      while (!stop.stop_requested()) std::this_thread::yield();
    };
    dynamic::pipeline<> p(s);
    if (fails) {
      CHECK_THROWS_AS(results(p, st::cancel_on(stop.get_token())), st::task_error);
    } else {
      CHECK(results(p, st::cancel_on(stop.get_token())).size() <= 10);
    }
    CHECK(p.report().end == (fails ? st::run_end::failed : st::run_end::cancelled));
    CHECK(ran(p.report(), 10) == up_to(1));
  }
}

TEST_CASE("calls of a long chain do not nest without end") {
  constexpr std::size_t size = 1000;
  for (const char* const thread : {"worker", "caller"}) {
    CAPTURE(thread);
    const event none;
    dynamic::schedule s = chain_of(size, none, thread);
    std::vector<std::uintptr_t> depth(size);
    for (std::size_t i = 0; i < size; ++i)
      s.at(task_named(i)).body = [&depth, i](const st::task_context& ctx, long in, long& out) {
        out = in + 1;
        if (ctx.batch() == 10)
          depth[i] = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
      };
    dynamic::pipeline<> p(s);
    CHECK(results(p) == all_plus(size));
    const auto spread = [&depth](std::size_t first, std::size_t last) {
      const auto begin = depth.begin() + static_cast<std::ptrdiff_t>(first);
      const auto [low, high] =
          std::minmax_element(begin, begin + static_cast<std::ptrdiff_t>(last - first));
      return *high - *low;
    };
    CHECK(spread(0, size) <= spread(0, 128));
  }
}

TEST_CASE("a task on a newer batch, whose wait another one has done, asks whether there is one") {
  const deadline limit("a newer batch within a chain");
  for (const std::size_t count : {0U, 1U, 2U, 9U}) {
    CAPTURE(count);
    std::vector<std::atomic<int>> runs(count + 3);
    dynamic::schedule s;
    s.source.slot = "number";
    s.tasks = {{.name = "early",
                .thread = "caller",
                .lookahead = 1,
                .reads = {"number"},
                .writes = {"e"},
                .body = [](long in, long& out) { out = in; }},
               {.name = "late",
                .thread = "caller",
                .reads = {"e"},
                .writes = {"l"},
                .body = [](long in, long& out) { out = in; }},
               {.name = "behind",
                .thread = "worker",
                .reads = {"l"},
                .writes = {"b"},
                .body = [](long in, long& out) { out = in; }},
               {.name = "ahead",
                .thread = "worker",
                .lookahead = 1,
                .writes = {"a"},
                .body =
                    [&runs](const st::task_context& ctx, long& out) {
                      ++runs[ctx.batch()];
                      out = static_cast<long>(ctx.batch());
                    }},
               {.name = "end",
                .thread = "worker",
                .reads = {"b"},
                .writes = {"all"},
                .body = [](long in, long& out) { out = in; }}};
    s.orders = {{"behind", "ahead", "end"}};
    s.results = {"all", "a"};
    dynamic::pipeline<> p(s);
    long next = 0;
    long got = 0;
    for (const dynamic::result& r : p.run([&](long& n) {
           n = next;
           return next++ < static_cast<long>(count);
         })) {
      CHECK(r.get<long>("all") == got);
      CHECK(r.get<long>("a") == got++);
    }
    CHECK(got == static_cast<long>(count));
    for (std::size_t b = 0; b < runs.size(); ++b) CHECK(runs[b] == (b < count ? 1 : 0));
  }
}

TEST_CASE("a task that waits, and one that is waited for, end what calls each other") {
  const deadline limit("waits within a chain");
  std::atomic<long> asked{-1};
  dynamic::schedule s;
  s.source.slot = "number";
  s.tasks = {{.name = "ask",
              .thread = "worker",
              .reads = {"number"},
              .writes = {"asked"},
              .body =
                  [&asked](long in, long& out) {
                    out = in;
                    asked.store(in);
                  }},
             // Done only some time after `ask`.
             {.name = "answer",
              .thread = "caller",
              .reads = {"number"},
              .writes = {"answered"},
              .body =
                  [&asked](long in, long& out) {
                    while (asked.load() != in) std::this_thread::yield();
                    tested::until_others_sleep();
                    out = 10 * in;
                  }},
             {.name = "add",
              .thread = "worker",
              .reads = {"asked", "answered"},
              .writes = {"sum"},
              .body = [](long a, long b, long& out) { out = a + b; }},
             {.name = "use",
              .thread = "caller",
              .reads = {"sum"},
              .writes = {"used"},
              .body = [](long in, long& out) { out = in + 1; }},
             {.name = "aside",
              .thread = "worker",
              .reads = {"sum"},
              .writes = {"else"},
              .body = [](long in, long& out) { out = in + 2; }},
             {.name = "end",
              .thread = "worker",
              .reads = {"used", "else"},
              .writes = {"all"},
              .body = [](long a, long b, long& out) { out = a + b; }}};
  s.results = {"all"};
  std::vector<long> expected;
  for (long n = 0; n < batches; ++n) expected.push_back(22 * n + 3);
  dynamic::pipeline<> p(s);
  CHECK(results(p) == expected);
  dynamic::pipeline<st::barrier> meeting(s);
  CHECK(results(meeting) == expected);
}
