// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a monitor counts of pipelines of both versions, while they run and after.

#include <doctest/doctest.h>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <stdexcept>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <stretto/stretto.hpp>
#include <stretto/watch/monitor.hpp>
#include <thread>
#include <vector>

namespace st = stretto;

namespace {

struct number : st::slot<int> {};
struct square : st::slot<int> {};
struct sum : st::slot<std::int64_t> {};

struct multiply {
  using thread = st::thread<"io">;
  static constexpr int lookahead = 1;
  using reads = st::reads<number>;
  using writes = st::writes<square>;
  void operator()(int in, int& out) const { out = in * in; }
};
struct add {
  using thread = st::thread<"compute">;
  using reads = st::reads<square>;
  using writes = st::writes<sum>;
  void operator()(int in, std::int64_t& out) {
    if (in == fails_at) throw std::runtime_error("too much");
    out = total += in;
  }
  std::int64_t total = 0;  // of all runs
  int fails_at = -1;
};
struct sums : st::schedule<st::source<number>, st::result<sum>, multiply, add> {};

/// Whoever is behind is listed first.
struct backwards : st::schedule<st::source<number>, st::result<sum>, add, multiply> {};

}  // namespace

TEST_CASE("a monitor counts runs of tasks, and whose they are") {
  st::pipeline<sums, st::monitor> pipeline;
  CHECK(pipeline.observer().look().up.count() == 0);
  CHECK_FALSE(pipeline.observer().look().running);
  CHECK(pipeline.observer().moves() == 0);
  std::size_t results = 0;
  for ([[maybe_unused]] const std::int64_t s : pipeline.run(std::views::iota(0, 500))) {
    const st::activity now = pipeline.observer().look();
    CHECK(now.through <= ++results + 3);
    CHECK((now.running || results > 490));  // it ends when the last batch is through
    CHECK(now.begun >= results);
    CHECK(now.in_flight() <= 3);
  }
  for (int run = 2; run < 4; ++run) {
    const st::activity now = pipeline.observer().look();
    CHECK_FALSE(now.running);
    CHECK(now.through == 500);
    CHECK(now.in_flight() == 0);
    REQUIRE(now.tasks.size() == 4);
    REQUIRE(now.threads.size() == 3);
    const auto runs = static_cast<std::uint64_t>(500 * (run - 1));
    CHECK(now.tasks[0].name == "multiply");
    CHECK(now.tasks[0].runs.count == runs);
    CHECK(now.tasks[1].runs.count == runs);
    CHECK(now.tasks[1].waits.count == runs);
    CHECK(now.tasks[1].batches == 500);
    CHECK(now.tasks[2].name == "pull");
    CHECK(now.threads[1].name == "io");
    CHECK(now.threads[1].task == 0);
    CHECK(now.threads[1].batch == 499);
    CHECK_FALSE(now.threads[1].runs_a_task);
    CHECK(now.threads[1].busy == now.tasks[0].runs.total);
    CHECK(now.threads[2].busy == now.tasks[1].runs.total);
    CHECK(now.threads[0].busy.count() == 0);  // it only asks the source
    for ([[maybe_unused]] const std::int64_t s : pipeline.run(std::views::iota(0, 500))) {
    }
  }
}

TEST_CASE("a task that throws has failed, and its batch stays in flight") {
  st::pipeline<sums, st::monitor> pipeline;
  pipeline.task<add>().fails_at = 100 * 100;
  const auto run = [&] {
    for ([[maybe_unused]] const std::int64_t s : pipeline.run(std::views::iota(0, 500))) {
    }
  };
  CHECK_THROWS_AS(run(), st::task_error);
  const st::activity now = pipeline.observer().look();
  CHECK_FALSE(now.running);
  CHECK(now.tasks[1].failures == 1);
  CHECK(now.tasks[1].batches == 100);
  CHECK(now.through == 100);
  CHECK(now.in_flight() >= 1);
  CHECK(now.tasks[0].failures == 0);
}

TEST_CASE("what is through is what the task behind all others has done") {
  st::pipeline<backwards, st::monitor> pipeline;
  pipeline.task<add>().fails_at = 100 * 100;
  const auto run = [&] {
    for ([[maybe_unused]] const std::int64_t s : pipeline.run(std::views::iota(0, 500))) {
    }
  };
  CHECK_THROWS_AS(run(), st::task_error);
  const st::activity now = pipeline.observer().look();
  CHECK(now.tasks[1].name == "multiply");
  CHECK(now.tasks[1].batches > 100);
  CHECK(now.through == 100);
}

TEST_CASE("a task of several workers is one task, on several threads") {
  st::dynamic::schedule s;
  s.source.slot = "in";
  s.results = {"out"};
  s.groups = {{.thread = "pool", .workers = 3}};
  s.tasks.push_back({.name = "work",
                     .thread = "pool",
                     .reads = {"in"},
                     .writes = {"out"},
                     .body = [](int a, int& b) { b = a; }});
  st::dynamic::pipeline pipeline(st::dynamic::pipelined(s), st::monitor{});
  for (const auto& r : pipeline.run(std::views::iota(0, 100))) static_cast<void>(r);
  const st::activity now = pipeline.observer().look();
  CHECK(now.threads.size() == 4);
  CHECK(now.tasks[0].runs.count == 100);
  CHECK(now.tasks[0].batches == 100);
  CHECK(now.through == 100);
}

TEST_CASE("a task that runs for one of several batches keeps none of them in flight") {
  st::dynamic::schedule s;
  s.source.slot = "in";
  s.results = {"out"};
  s.tasks.push_back(
      {.name = "work", .reads = {"in"}, .writes = {"out"}, .body = [](int a, int& b) { b = a; }});
  s.tasks.push_back({.name = "report", .reads = {"out"}, .body = [](int) {}});
  s.tasks.back().every = 40;
  st::dynamic::pipeline pipeline(s, st::monitor{});
  for (const auto& r : pipeline.run(std::views::iota(0, 100))) {
    static_cast<void>(r);
    CHECK(pipeline.observer().look().in_flight() <= 1);
  }
  const st::activity now = pipeline.observer().look();
  CHECK(now.tasks[1].batches == 2);
  CHECK(now.begun == 100);
  CHECK(now.through == 100);
}

TEST_CASE("batches are those of the run, whichever number it begins with") {
  st::dynamic::schedule s;
  s.source.slot = "in";
  s.results = {"out"};
  s.tasks.push_back(
      {.name = "work", .reads = {"in"}, .writes = {"out"}, .body = [](int a, int& b) { b = a; }});
  s.tasks.push_back({.name = "report", .reads = {"out"}, .body = [](int) {}});
  s.tasks.back().every = 40;
  s.tasks.back().phase = 5;
  st::dynamic::pipeline pipeline(s, st::monitor{});
  const auto run = [&](int batches) {
    for (const auto& r : pipeline.run(std::views::iota(0, batches), st::onwards)) {
      static_cast<void>(r);
      CHECK(pipeline.observer().look().in_flight() <= 1);
    }
    return pipeline.observer().look();
  };
  std::size_t first = 0;
  for (const int batches : {3, 2, 1, 50, 39, 7}) {
    const st::activity now = run(batches);
    CHECK(now.first == first);
    CHECK(now.begun == static_cast<std::size_t>(batches));
    CHECK(now.through == static_cast<std::size_t>(batches));
    first += static_cast<std::size_t>(batches);
  }
}

namespace {

struct header : st::slot<int> {};
struct open_group {
  static constexpr int every = 4;
  static constexpr int phase = 0;
  static constexpr int lookahead = 2;
  using reads = st::reads<number>;
  using writes = st::writes<header>;
  void operator()(int in, int& out) const { out = in; }
};
struct in_group {
  using reads = st::reads<header>;
  using writes = st::writes<square>;
  void operator()(int in, int& out) const { out = in; }
};
struct grouped : st::schedule<st::source<number>, st::result<square>, open_group, in_group> {};

}  // namespace

TEST_CASE("what runs for the first batch of a group has not begun the others") {
  st::pipeline<grouped, st::monitor> pipeline;
  std::size_t results = 0;
  for ([[maybe_unused]] const int s : pipeline.run(std::views::iota(0, 6))) {
    const st::activity now = pipeline.observer().look();
    CHECK(now.begun <= 6);
    CHECK(now.through <= ++results + 2);
  }
  CHECK(pipeline.observer().look().begun == 6);
  CHECK(pipeline.observer().look().through == 6);
}

TEST_CASE("threads look while others run: each look is whole, and figures do not go back") {
  st::pipeline<sums, st::monitor> pipeline;
  std::atomic<bool> done{false};
  std::thread looker([&] {
    st::activity before = pipeline.observer().look();
    while (!done) {
      const st::activity now = pipeline.observer().look();
      CHECK(now.through <= now.begun);
      for (std::size_t t = 0; t < now.tasks.size(); ++t) {
        CHECK(now.tasks[t].runs.count >= before.tasks[t].runs.count);
        CHECK(now.tasks[t].runs.median <= now.tasks[t].runs.longest);
      }
      // A thread shows its own tasks only: `io` multiplies, `compute` adds.
      CHECK((now.threads[1].task == 0 || now.threads[1].task == st::activity::none));
      CHECK((now.threads[2].task == 1 || now.threads[2].task == st::activity::none));
      before = now;
    }
  });
  for (int run = 0; run < 3; ++run)
    for ([[maybe_unused]] const std::int64_t s : pipeline.run(std::views::iota(0, 2000))) {
    }
  done = true;
  looker.join();
}

namespace {

struct sift {
  static constexpr int lookahead = 1;
  using thread = st::thread<"io">;
  st::verdict operator()(st::in<number> in, st::out<square> out) const {
    out = *in * *in;
    return *in % 2 == 0 ? st::drop : st::keep;
  }
};
struct sifted_sums : st::schedule<st::source<number>, st::result<sum>, sift, add> {};

template <class Pipeline>
void check_dropped(Pipeline& pipeline) {
  std::size_t results = 0;
  for ([[maybe_unused]] const auto& s : pipeline.run(std::views::iota(0, 101))) ++results;
  const st::activity now = pipeline.observer().look();
  CHECK(results == 50);
  CHECK(now.begun == 101);
  CHECK(now.through == 101);
  CHECK(now.in_flight() == 0);
  CHECK(now.tasks[0].runs.count == 101);
  CHECK(now.tasks[1].runs.count == 50);
  CHECK(now.tasks[1].batches == 101);
  CHECK_FALSE(now.queues.empty());
  for (const auto& q : now.queues) CHECK(q.waiting == 0);
}

}  // namespace

TEST_CASE("a batch that is dropped is through when those that are passed over have been") {
  st::pipeline<sifted_sums, st::monitor> pipeline;
  check_dropped(pipeline);
  st::pipeline<st::serial<sifted_sums>, st::monitor> serial;
  check_dropped(serial);

  namespace dynamic = st::dynamic;
  dynamic::schedule s;
  s.source.slot = "number";
  s.results = {"sum"};
  dynamic::task sift{.name = "sift", .reads = {"number"}, .writes = {"square"}};
  sift.thread = "io";
  sift.body = [](int in, int& out) {
    out = in * in;
    return in % 2 == 0 ? st::drop : st::keep;
  };
  dynamic::task add{.name = "add", .reads = {"square"}, .writes = {"sum"}};
  add.body = [](int in, int& out) { out = in; };
  s.tasks = {sift, add};
  dynamic::pipeline of_values(s, st::monitor());
  check_dropped(of_values);
}

namespace {

struct sift_or_fail {
  static constexpr int lookahead = 1;
  using thread = st::thread<"io">;
  using on_failure = st::on_failure<st::drop>;
  void operator()(st::in<number> in, st::out<square> out) const {
    out = *in * *in;
    if (*in % 2 == 0) throw std::runtime_error("even");
  }
};
struct failing_sums : st::schedule<st::source<number>, st::result<sum>, sift_or_fail, add> {};

}  // namespace

TEST_CASE("a batch on which a task fails that drops it is through, and the failure is counted") {
  st::pipeline<failing_sums, st::monitor> pipeline;
  check_dropped(pipeline);
  CHECK(pipeline.observer().look().tasks[0].failures == 51);
  CHECK(pipeline.observer().look().tasks[0].batches == 101);

  namespace dynamic = st::dynamic;
  dynamic::pipeline of_values(dynamic::from_types<failing_sums>(), st::monitor());
  check_dropped(of_values);
  CHECK(of_values.observer().look().tasks[0].failures == 51);
  CHECK(of_values.observer().look().tasks[0].batches == 101);
}
