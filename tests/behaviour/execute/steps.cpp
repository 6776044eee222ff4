// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A run step by step, and what a body's context says.

#include <doctest/doctest.h>
#include <array>
#include <cstddef>
#include <functional>
#include <ranges>
#include <stretto/stretto.hpp>
#include <string>
#include <thread>
#include <vector>
#include "../../support/tested.hpp"
#include "deadline.hpp"

namespace {

namespace st = stretto;

struct raw : st::slot<int> {};
struct middle : st::slot<int> {};
struct done : st::slot<int> {};

struct entry {
  std::string task, thread;
  std::size_t batch, progress;
  st::phase phase;
  std::thread::id id;
  friend bool operator==(const entry&, const entry&) = default;
};
using journal = std::vector<entry>;

template <class Context>
entry entry_of(const Context& ctx) {
  return {std::string(ctx.task()),
          std::string(ctx.thread()),
          ctx.batch(),
          ctx.progress(),
          ctx.phase(),
          std::this_thread::get_id()};
}

struct ahead {
  using stream = st::stream<"copy">;
  static constexpr int lookahead = 2;
  using reads = st::reads<raw>;
  using writes = st::writes<middle>;
  journal* log;
  void operator()(st::context auto& ctx, const int& in, int& out) const {
    out = in;
    log->push_back(entry_of(ctx));
  }
};
struct behind {
  static constexpr std::string_view name = "the last one";
  using stream = st::stream<"compute">;
  using reads = st::reads<middle>;
  using writes = st::writes<done>;
  journal* log;
  void operator()(st::task_context& ctx, const int& in, int& out) const {
    out = in;
    log->push_back(entry_of(ctx));
  }
};
struct loop : st::schedule<st::source<raw>, st::result<done>, st::streams<"copy", "compute">, ahead,
                           behind> {};

const std::vector<int> batches{10, 11, 12, 13};

namespace {

/// Asked for its result in prefill, where there is none.
template <class... Options>
void check_before_first() {
  journal log[2];
  tested::pipeline<loop, Options...> pipeline{ahead{&log[0]}, behind{&log[1]}};
  for (int time = 0; time < 2; ++time) {  // the slot holds a result of an earlier run then
    auto run = pipeline.run(batches);
    CHECK_THROWS_AS(static_cast<void>(run.result()), st::usage_error);
    CHECK_THROWS_AS(static_cast<void>(run.batch()), st::usage_error);
    for (std::size_t got = 0; run.has_more();) {
      if (run.progress()) {
        CHECK(run.result() == batches[got]);
        CHECK(run.batch() == got++);
      } else if (got == 0) {
        CHECK_THROWS_AS(static_cast<void>(run.result()), st::usage_error);
        CHECK_THROWS_AS(static_cast<void>(run.batch()), st::usage_error);
      }
    }
    CHECK(run.result() == batches.back());
    CHECK(run.batch() == batches.size() - 1);
  }
  auto none = pipeline.run(std::views::empty<int>);
  CHECK_FALSE(none.next());
  CHECK_THROWS_AS(static_cast<void>(none.result()), st::usage_error);
}

}  // namespace

TEST_CASE("there is no result before the first batch is through") {
  const deadline limit("the first batch");
  check_before_first<>();
  check_before_first<st::barrier>();
}

TEST_CASE("a run that has a name is an input range, and goes through views") {
  const deadline limit("views");
  journal log[2];
  tested::pipeline<loop> pipeline{ahead{&log[0]}, behind{&log[1]}};
  auto run = pipeline.run(batches);
  static_assert(std::ranges::input_range<decltype(run)>);
  std::vector<int> found;
  for (const int r : run | std::views::filter([](int v) { return v % 2 == 1; }) |
                         std::views::transform([](int v) { return 10 * v; }))
    found.push_back(r);
  CHECK(found == std::vector{110, 130});
  CHECK(pipeline.report().end == st::run_end::completed);
}

TEST_CASE("steps: next() and result()") {
  const deadline limit("next and result");
  journal log[2];
  tested::pipeline<loop> pipeline{ahead{&log[0]}, behind{&log[1]}};
  for (int repeat = 0; repeat < 3; ++repeat) {
    auto run = pipeline.run(batches);
    int expected = 10;
    std::size_t batch = 0;
    while (run.next()) {
      CHECK(run.result() == expected++);
      CHECK(run.batch() == batch++);
    }
    CHECK(batch == 4);
    CHECK_FALSE(run.next());
    CHECK_FALSE(run.next());
    CHECK_FALSE(run.has_more());
  }
}

struct asks {
  using reads = st::reads<raw>;
  using writes = st::writes<done>;
  const std::function<void()>* question;
  void operator()(const int& in, int& out) const {
    out = in;
    (*question)();
  }
};
struct asked : st::schedule<st::source<raw>, st::result<done>, asks> {};
TEST_CASE("steps: a task or the source that asks its own run for more is refused") {
  const deadline limit("a task that asks");
  // In the first progress, and in one in which every task runs.
  for (const int when : {1, 3}) {
    for (const bool in_source : {false, true}) {
      CAPTURE(when);
      CAPTURE(in_source);
      std::function<void()> question = [] {};
      tested::pipeline<asked> pipeline{asks{&question}};
      int batch = 0;
      std::function<void()> pulled = [] {};
      auto run = pipeline.run([&](int& slot) {
        slot = ++batch;
        pulled();
        return batch <= 5;
      });
      (in_source ? pulled : question) = [&] {
        if (batch == when) run.next();
      };
      int through = 0;
      bool refused = false;
      try {
        while (run.next()) CHECK(run.result() == ++through);
      } catch (const st::task_error& e) {
        const std::string said = e.what();
        CHECK(said.find(in_source ? "pull" : "asks") != std::string::npos);
        CHECK(said.find("a run is asked for something by what it has just called") !=
              std::string::npos);
        refused = true;
      }
      CHECK(refused);
      CHECK(through == when - 1);
    }
  }
}

TEST_CASE("steps: progress() says whether a batch got through, has_more() whether to go on") {
  const deadline limit("progress and has_more");
  journal log[2];
  tested::pipeline<loop> pipeline{ahead{&log[0]}, behind{&log[1]}};
  for (const std::size_t count : {0U, 1U, 2U, 3U, 4U}) {
    CAPTURE(count);
    auto run = pipeline.run(
        std::vector<int>(batches.begin(), batches.begin() + static_cast<std::ptrdiff_t>(count)));
    std::string through;
    while (run.has_more()) {
      const bool got = run.progress();
      through += got ? '+' : '.';
      if (got) CHECK(run.result() == batches[run.batch()]);
    }
    CHECK(through == ".." + std::string(count, '+'));
    CHECK_FALSE(run.progress());
    CHECK_FALSE(run.next());
  }
}

TEST_CASE("steps: next() and progress() mix, a loop may take over") {
  journal log[2];
  const deadline limit("mixed steps");
  tested::pipeline<loop> pipeline{ahead{&log[0]}, behind{&log[1]}};
  auto run = pipeline.run(batches);
  CHECK_FALSE(run.progress());
  REQUIRE(run.next());
  CHECK(run.result() == 10);
  REQUIRE(run.progress());
  CHECK(run.result() == 11);
  std::vector<int> rest;
  for (const int r : run) rest.push_back(r);
  CHECK(rest == std::vector{12, 13});
}

TEST_CASE("steps: a run that ended stays ended, whatever another run does") {
  const deadline limit("two runs after each other");
  const auto check = [](auto&& pipeline) {
    const std::vector<int> many(50, 7);
    auto first = pipeline.run(batches);
    while (first.next()) {
    }
    auto second = pipeline.run(many);
    std::size_t got = 0;
    while (second.next()) {
      CHECK(second.batch() == got++);
      CHECK_FALSE(first.next());
      CHECK_FALSE(first.progress());
      CHECK_FALSE(first.has_more());
      CHECK(first.batch() == 3);
    }
    CHECK(got == many.size());
  };
  journal log[2];
  check(tested::pipeline<loop>(ahead{&log[0]}, behind{&log[1]}));
  check(tested::pipeline<st::serial<loop>>(ahead{&log[0]}, behind{&log[1]}));
}

TEST_CASE("context: batch, progress, phase, task and thread") {
  const deadline limit("contexts");
  using st::phase;
  const auto check = [](auto pipeline_on, bool meets) {
    journal log[2];
    auto pipeline = pipeline_on(ahead{&log[0]}, behind{&log[1]});
    for (int repeat = 0; repeat < 2; ++repeat) {
      log[0].clear();
      log[1].clear();
      for (const int r : pipeline.run(batches)) static_cast<void>(r);
      REQUIRE(log[0].size() == 4);
      REQUIRE(log[1].size() == 4);
      const auto id0 = log[0][0].id;
      const auto id1 = log[1][0].id;
      CHECK(id0 != id1);
      CHECK(id0 != std::this_thread::get_id());
      CHECK(id1 != std::this_thread::get_id());
      std::array phases{phase::prefill, phase::prefill, phase::steady,
                        phase::steady,  phase::steady,  phase::drain};
      // A thread that runs ahead may be there before the source has said that it has ended.
      if (!meets && log[1][3].phase == phase::steady) phases[5] = phase::steady;
      for (std::size_t b = 0; b < 4; ++b) {
        CHECK(log[0][b] == entry{"ahead", "copy", b, b, phases[b], id0});
        // The progress that finds the source at its end is the first to drain, but only the next
        // one knows that from the beginning.
        CHECK(log[1][b] == entry{"the last one", "compute", b, b + 2, phases[b + 2], id1});
      }
    }
  };
  check([](auto... bodies) { return tested::pipeline<loop>{bodies...}; }, false);
  check([](auto... bodies) { return tested::pipeline<loop, st::barrier>{bodies...}; }, true);
}

TEST_CASE("context: the calling thread runs what it is told to") {
  const deadline limit("the caller's group");
  journal log[2];
  tested::pipeline<st::replan<loop, st::caller_runs<"compute">>> pipeline{ahead{&log[0]},
                                                                          behind{&log[1]}};
  for (const int r : pipeline.run(batches)) static_cast<void>(r);
  CHECK(log[0].at(0).id != std::this_thread::get_id());
  CHECK(log[1].at(0).id == std::this_thread::get_id());
}

TEST_CASE("tasks that are passed by name are copied") {
  journal log[2];
  ahead first{&log[0]};
  const behind last{&log[1]};
  st::pipeline<loop> pipeline{first, last};
  std::vector<int> results;
  for (const int r : pipeline.run(batches)) results.push_back(r);
  CHECK(results == batches);
}

}  // namespace
