// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Batches that are pushed one at a time: what falls out when, what is taken, how it ends.

#include <doctest/doctest.h>
#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <stretto/push.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "../../support/tested.hpp"
#include "deadline.hpp"

namespace {

namespace st = stretto;

struct number : st::slot<int> {};
struct twice : st::slot<int> {};
struct sum : st::slot<int> {};

struct loading {
  using thread = st::thread<"loading">;
  static constexpr int lookahead = 2;
  using reads = st::reads<number>;
  using writes = st::writes<twice>;
  void operator()(int in, int& out) const {
    if (in == fails_at) throw std::runtime_error("not this one");
    out = 2 * in;
  }
  int fails_at = -1;
};
struct adding {
  using reads = st::reads<twice>;
  using writes = st::writes<sum>;
  void operator()(int in, int& out) { out = total += in; }
  int total = 0;
};
struct sums : st::schedule<st::source<number>, st::result<sum>, loading, adding> {};
struct on_one_thread : st::serial<sums> {};

/// On the thread that pushes, one batch behind the source.
struct answering {
  using thread = st::thread<"caller">;
  using reads = st::reads<number>;
  using writes = st::writes<sum>;
  void operator()(int in, int& out) const {
    (*within)();
    out = in;
  }
  std::function<void()>* within = nullptr;
};
struct feedback : st::schedule<st::source<number, st::lookahead<1>>, st::result<sum>, answering> {};

using found = std::vector<std::pair<std::size_t, int>>;  // batches and their results

template <class Steps>
void take(Steps& steps, found& results) {
  results.emplace_back(steps.batch(), steps.result());
}
template <class Steps>
found flushed(Steps& steps) {
  found results;
  while (steps.flush()) take(steps, results);
  return results;
}

template <class Pipeline>
void check_pushes(std::size_t in_flight) {
  const deadline limit("pushes");
  Pipeline pipeline;
  st::push_run steps(pipeline);
  CHECK_FALSE(steps.flush());
  int total = 0;
  for (int again = 0; again < 2; ++again) {
    found results;
    found expected;
    for (std::size_t b = 0; b < 10; ++b) {
      total += 2 * static_cast<int>(b);
      expected.emplace_back(b, total);
      // Full when as many are in flight as the plan has: from then on one falls out for each.
      CHECK(steps.push(static_cast<int>(b)) == (b + 1 >= in_flight));
      CHECK(steps.taken() == b + 1);
      if (b + 1 >= in_flight) take(steps, results);
      CHECK(results.size() == b + 1 - std::min(b + 1, in_flight - 1));
    }
    const found rest = flushed(steps);
    CHECK(rest.size() == in_flight - 1);
    results.insert(results.end(), rest.begin(), rest.end());
    CHECK(results == expected);
    CHECK(pipeline.report().end == st::run_end::completed);
    CHECK(pipeline.report().pulled == 10);
    CHECK_FALSE(steps.flush());
  }
  // Other runs may come between.
  for (const int s : pipeline.run(std::views::iota(0, 3))) total = s;
  CHECK(steps.push(0) == (in_flight == 1));
}

}  // namespace

TEST_CASE("pushed batches fall out in order, when as many are in flight as the plan has") {
  check_pushes<tested::pipeline<sums>>(3);
  check_pushes<tested::pipeline<sums, st::barrier>>(3);
  check_pushes<tested::pipeline<sums, st::block>>(3);
  check_pushes<tested::pipeline<on_one_thread>>(1);
}

namespace {

struct text : st::slot<std::string> {};
struct length : st::slot<std::size_t> {};
struct measure {
  using reads = st::reads<text>;
  using writes = st::writes<length>;
  void operator()(const std::string& in, std::size_t& out) const { out = in.size(); }
};
struct lengths : st::schedule<st::source<text>, st::result<length>, measure> {};

struct letter : st::slot<std::unique_ptr<int>> {};
struct opened : st::slot<int> {};
struct open {
  using reads = st::reads<letter>;
  using writes = st::writes<opened>;
  void operator()(const std::unique_ptr<int>& in, int& out) const { out = *in; }
};
struct letters : st::schedule<st::source<letter>, st::result<opened>, open> {};

/// Cannot be copied twice.
struct brittle {
  brittle() = default;
  brittle& operator=(const brittle&) { throw std::runtime_error("copied"); }
  brittle& operator=(brittle&&) = default;
  brittle(const brittle&) = delete;
};
struct brittle_one : st::slot<brittle> {};
struct keep {
  using reads = st::reads<brittle_one>;
  void operator()(const brittle&) const {}
};
struct keeping : st::schedule<st::source<brittle_one>, keep> {};

}  // namespace

TEST_CASE("what is pushed is copied, moved or filled in place") {
  tested::pipeline<lengths> pipeline;
  st::push_run steps(pipeline);
  const std::string kept = "four";
  REQUIRE(steps.push(kept));
  CHECK(steps.result() == 4);
  CHECK(kept == "four");

  std::string given(100, 'x');
  REQUIRE(steps.push(given));
  CHECK(given.size() == 100);
  REQUIRE(steps.push(std::move(given)));
  CHECK(steps.result() == 100);
  CHECK(given.empty());  // NOLINT(bugprone-use-after-move): that is what is looked at

  REQUIRE(steps.push("literal"));
  CHECK(steps.result() == 7);
  const char* address = nullptr;
  const auto fill = [&address](std::string& slot) {
    slot.assign(50, 'y');
    address = slot.data();
  };
  REQUIRE(steps.push(fill));
  CHECK(steps.result() == 50);
  const char* const before = address;
  REQUIRE(steps.push(fill));
  CHECK(address == before);  // the memory of an earlier batch

  tested::pipeline<letters> post;
  st::push_run sent(post);
  auto first = std::make_unique<int>(1);
  REQUIRE(sent.push(std::move(first)));
  CHECK(sent.result() == 1);
  CHECK(first == nullptr);  // NOLINT(bugprone-use-after-move)
  static_assert(!st::batch_of<const std::unique_ptr<int>&, std::unique_ptr<int>>);
  static_assert(!st::batch_of<int, std::string*>);
  const auto by_value = [](std::string) {};
  const auto generic = [](auto) {};
  static_assert(!st::batch_of<decltype(by_value), std::string>);  // would fill a copy
  static_assert(!st::batch_of<decltype(generic), std::string>);
  static_assert(st::batch_of<decltype(fill), std::string>);
}

TEST_CASE("a batch whose function throws is not taken") {
  const deadline limit("a function that throws");
  for (std::size_t before = 0; before < 4; ++before) {
    tested::pipeline<sums> pipeline;
    st::push_run steps(pipeline);
    for (std::size_t b = 0; b < before; ++b) static_cast<void>(steps.push(1));
    const auto failing = [](int&) { throw std::runtime_error("nothing to fill it with"); };
    try {
      static_cast<void>(steps.push(failing));
      while (steps.flush()) CHECK(steps.batch() < before);
      CHECK_MESSAGE(false, "it threw");
    } catch (const st::task_error& e) {
      CHECK(e.batch() == before);
    }
    CHECK(steps.taken() == before);
    CHECK(pipeline.report().pulled == before);
  }
}

TEST_CASE("without a result slot, the batch's number falls out") {
  tested::pipeline<keeping> pipeline;
  st::push_run steps(pipeline);
  REQUIRE(steps.push(brittle()));
  CHECK(steps.result() == 0);
  REQUIRE(steps.push(brittle()));
  CHECK(steps.result() == 1);

  const brittle kept;
  try {
    steps.push(kept);
    FAIL("copied");
  } catch (const st::task_error& e) {
    CHECK(e.task() == "pull");
    CHECK(e.batch() == 2);
  }
  CHECK_FALSE(steps.flush());
}

namespace {

template <class... Option>
void check_failure() {
  const deadline limit("a failing task");
  tested::pipeline<sums, Option...> pipeline{loading{4}};
  st::push_run steps(pipeline);
  found results;
  std::optional<st::task_error> error;
  std::size_t calls = 0;
  while (!error && calls < 20) {
    try {
      const std::size_t before = steps.taken();
      const bool through = steps.push(static_cast<int>(calls++));
      // It takes the batch, unless the run stopped before.
      CHECK(steps.taken() <= before + 1);
      if (through) take(steps, results);
    } catch (const st::task_error& e) {
      error = e;
    }
  }
  REQUIRE(error);
  CHECK(error->task() == "loading");
  CHECK(error->batch() == 4);
  // No task starts once one has failed: how many were complete by then depends on the threads.
  const found all{{0, 0}, {1, 2}, {2, 6}, {3, 12}};
  REQUIRE(results.size() <= all.size());
  CHECK(std::ranges::equal(results, all | std::views::take(results.size())));
  CHECK(pipeline.report().end == st::run_end::failed);
  CHECK(pipeline.report().pulled == steps.taken());
  CHECK(pipeline.report().finished == results.size());
  CHECK(pipeline.report().delivered == results.size());

  CHECK_FALSE(steps.flush());
  CHECK_THROWS_AS(static_cast<void>(steps.push(1)), st::usage_error);
  CHECK(steps.taken() == 0);
  pipeline.reset();
  CHECK_FALSE(steps.push(1));
  const int total = results.empty() ? 0 : results.back().second;
  CHECK(flushed(steps) == found{{0, total + 2}});
}

}  // namespace

TEST_CASE("a task that throws ends it, after the results that were complete") {
  check_failure<>();
  check_failure<st::barrier>();
}

TEST_CASE("a failure comes out of a flush, too") {
  const deadline limit("a failing task");
  tested::pipeline<sums> pipeline{loading{1}};
  st::push_run steps(pipeline);
  CHECK_FALSE(steps.push(0));
  found results;
  bool failed = false;
  try {
    if (steps.push(1)) take(steps, results);
    while (steps.flush()) take(steps, results);
  } catch (const st::task_error& e) {
    failed = true;
    CHECK(e.batch() == 1);
  }
  CHECK(failed);
  CHECK(results.size() == pipeline.report().finished);
  CHECK_FALSE(steps.flush());
}

TEST_CASE("nothing is pushed while the rest is flushed") {
  tested::pipeline<sums> pipeline;
  st::push_run steps(pipeline);
  for (int b = 0; b < 4; ++b) CHECK(steps.push(b) == (b >= 2));
  REQUIRE(steps.flush());
  CHECK_THROWS_AS(static_cast<void>(steps.push(4)), st::usage_error);
  CHECK(steps.taken() == 4);
  REQUIRE(steps.flush());  // the others are not lost
  CHECK(steps.batch() == 3);
  CHECK_FALSE(steps.flush());
  CHECK_FALSE(steps.push(0));
  CHECK(steps.taken() == 1);
}

TEST_CASE("nothing is pushed, flushed or closed within another push, whose run that would lose") {
  const deadline limit("pushes within pushes");
  enum class call { push, flush, close };
  for (const call made : {call::push, call::flush, call::close}) {
    std::function<void()> within = [] {};
    tested::pipeline<feedback> pipeline{answering{&within}};
    st::push_run steps(pipeline);
    within = [&] {
      if (made == call::flush) {
        static_cast<void>(steps.flush());
      } else if (made == call::close) {
        steps.close();
      } else {
        static_cast<void>(steps.push(2));
      }
    };
    try {
      static_cast<void>(steps.push(1));
      while (steps.flush()) CHECK_MESSAGE(false, "it has a result");
      CHECK_MESSAGE(false, "it threw");
    } catch (const st::task_error& e) {
      CHECK(e.task() == "answering");
      CHECK(std::string_view(e.what()).find("is called within push()") != std::string_view::npos);
    }
    CHECK(steps.taken() == 1);
    pipeline.reset();
    within = [] {};
    CHECK_FALSE(steps.push(1));  // the run before has ended; this one is asked again
    CHECK(flushed(steps) == found{{0, 1}});
    CHECK_FALSE(steps.push([&](int& slot) {
      slot = 3;
      CHECK_THROWS_AS(static_cast<void>(steps.push(4)), st::usage_error);
      CHECK_THROWS_AS(steps.close(), st::usage_error);
    }));
    CHECK(flushed(steps) == found{{0, 3}});
  }
}

TEST_CASE("a result is there when a batch has got through, and as long as the run is") {
  tested::pipeline<sums> pipeline;
  st::push_run steps(pipeline);
  CHECK_THROWS_AS(steps.result(), st::usage_error);
  CHECK_THROWS_AS(static_cast<void>(steps.batch()), st::usage_error);
  CHECK_FALSE(steps.push(0));
  CHECK_THROWS_AS(steps.result(), st::usage_error);
  REQUIRE(steps.flush());
  CHECK(steps.result() == 0);
  CHECK_FALSE(steps.flush());
  CHECK_THROWS_AS(steps.result(), st::usage_error);
}

TEST_CASE("a pipeline that is destroyed ends what is pushed into it, which says so from then on") {
  auto pipeline = std::make_unique<tested::pipeline<sums>>();
  st::push_run steps(*pipeline);
  for (int b = 0; b < 3; ++b) CHECK(steps.push(b) == (b >= 2));
  pipeline.reset();
  CHECK_THROWS_AS(steps.result(), st::usage_error);
  CHECK_THROWS_AS(static_cast<void>(steps.batch()), st::usage_error);
  const doctest::Contains why("is gone");
  for (int again = 0; again < 3; ++again) {
    CHECK_THROWS_WITH_AS(static_cast<void>(steps.push(3)), why, st::usage_error);
    CHECK_THROWS_WITH_AS(static_cast<void>(steps.flush()), why, st::usage_error);
    if (again == 1) steps.close();
  }
}

TEST_CASE("a push to a pipeline that is gone says so, whatever was pushed before") {
  const doctest::Contains why("is gone");
  for (const int pushed : {0, 1, 5}) {
    auto pipeline = std::make_unique<tested::pipeline<sums>>();
    st::push_run steps(*pipeline);
    {
      const st::push_run other(*pipeline);  // that goes before the pipeline does
    }
    st::push_run third(*pipeline, st::onwards);
    for (int b = 0; b < pushed; ++b) static_cast<void>(steps.push(b));
    while (steps.flush()) {
    }
    pipeline.reset();
    for (int again = 0; again < 2; ++again) {
      CHECK_THROWS_WITH_AS(static_cast<void>(steps.push(3)), why, st::usage_error);
      CHECK_THROWS_WITH_AS(static_cast<void>(third.push(3)), why, st::usage_error);
      CHECK_FALSE(steps.flush());
      steps.close();
    }
  }
}

TEST_CASE("closing abandons what is in flight, and says so in the report") {
  tested::pipeline<sums> pipeline;
  {
    st::push_run steps(pipeline);
    for (int b = 0; b < 4; ++b) CHECK(steps.push(b) == (b >= 2));
    steps.close();
    CHECK(pipeline.report().end == st::run_end::left_early);
    CHECK(pipeline.report().pulled == 4);
    CHECK(pipeline.report().delivered == 2);
    CHECK_FALSE(steps.flush());
    CHECK_FALSE(steps.push(0));
    CHECK(steps.taken() == 1);
  }
  CHECK(pipeline.report().end == st::run_end::left_early);
  CHECK(pipeline.report().pulled == 1);
}

TEST_CASE("a pipeline has one run at a time, and no batch is lost to it") {
  tested::pipeline<lengths> pipeline;
  st::push_run steps(pipeline);
  std::string kept = "kept";
  {
    auto other = pipeline.run(std::vector<std::string>{"a", "b"});
    REQUIRE(other.next());
    CHECK_THROWS_AS(static_cast<void>(steps.push(std::move(kept))), st::usage_error);
    CHECK(kept == "kept");  // NOLINT(bugprone-use-after-move): nothing took it
    CHECK_FALSE(steps.flush());
    REQUIRE(other.next());
  }
  REQUIRE(steps.push(kept));
  CHECK_THROWS_AS(static_cast<void>(pipeline.run(std::vector<std::string>{"c"})), st::usage_error);
}

TEST_CASE("a pipeline that dies first ends it") {
  auto pipeline = std::make_unique<tested::pipeline<sums>>();
  st::push_run steps(*pipeline);
  CHECK_FALSE(steps.push(0));
  pipeline.reset();
  CHECK_THROWS_AS(static_cast<void>(steps.flush()), st::usage_error);
}

#ifdef STRETTO_TEST_DYNAMIC
TEST_CASE("of values, the calling thread has to pull: it is told which thread does") {
  st::dynamic::schedule s = st::dynamic::from_types<sums>();
  s.source.thread = "reader";
  st::dynamic::pipeline pipeline(s);
  CHECK(pipeline.pulled_by() == "reader");
  using pushed = st::push_run<st::dynamic::pipeline<>, int>;
  try {
    const pushed steps(pipeline);
    FAIL("another thread pulls");
  } catch (const st::usage_error& e) {
    CHECK(std::string_view(e.what()).find("thread `reader` pulls") != std::string_view::npos);
  }

  s.source.thread = "caller";
  st::dynamic::pipeline fitting(s);
  pushed steps(fitting);
  CHECK_FALSE(steps.push(1));
  REQUIRE(steps.flush());
  CHECK(steps.result().get<int>("sum") == 2);
}

TEST_CASE("of values, a batch of another type is refused") {
  st::dynamic::pipeline pipeline(st::dynamic::from_types<sums>());
  st::push_run<st::dynamic::pipeline<>, std::string> steps(pipeline);
  CHECK_THROWS_AS(static_cast<void>(steps.push("text")), st::usage_error);
}
#endif
