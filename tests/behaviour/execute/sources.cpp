// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where batches come from, and how often the source is asked.

#include <doctest/doctest.h>
#include <atomic>
#include <cstddef>
#include <list>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
#include <sstream>
#include <stdexcept>
#include <stop_token>
#include <stretto/sources.hpp>
#include <stretto/stretto.hpp>
#include <string_view>
#include <utility>
#include <vector>
#include "../../support/rest.hpp"
#include "../../support/tested.hpp"
#include "deadline.hpp"

namespace {

namespace st = stretto;

template <class T>
struct in : st::slot<T> {};
struct out : st::slot<int> {};

template <class T>
int value_of(const T& t) {
  if constexpr (requires { *t; }) {
    return *t;
  } else {
    return static_cast<int>(t);
  }
}

template <class T, int Lookahead>
struct take {
  static constexpr int lookahead = Lookahead;
  using reads = st::reads<in<T>>;
  using writes = st::writes<out>;
  void operator()(const T& value, int& to) const { to = value_of(value); }
};

template <class T, int Lookahead = 1>
using taking = st::schedule<st::source<in<T>>, st::result<out>, take<T, Lookahead>>;

template <class T>
using threaded = st::replan<st::schedule<st::source<in<T>, st::lookahead<3>, st::thread<"reader">>,
                                         st::result<out>, take<T, 1>>>;

template <class Pipeline, class Source>
std::vector<int> results(Pipeline& pipeline, Source&& source) {
  std::vector<int> got;
  for (const int o : pipeline.run(std::forward<Source>(source))) got.push_back(o);
  return got;
}

/// Both ways to pull: inline on the calling thread, and through a pointer on another one.
template <class T, class Check>
void on_both(Check check) {
  const deadline limit("a run over a source");
  tested::pipeline<taking<T>> caller;
  check(caller);
  tested::pipeline<threaded<T>> other;
  check(other);
}

const std::vector<int> some{4, 8, 15, 16, 23, 42};

TEST_CASE("ranges: lvalues are referred to, rvalues kept") {
  on_both<int>([](auto& pipeline) {
    std::vector<int> batches = some;
    const std::vector<int> constant = some;
    CHECK(results(pipeline, batches) == some);
    CHECK(batches == some);
    CHECK(results(pipeline, constant) == some);
    CHECK(results(pipeline, std::vector<int>(some)) == some);
    CHECK(results(pipeline, std::list<int>(some.begin(), some.end())) == some);
    CHECK(results(pipeline, std::span(some)) == some);
    CHECK(results(pipeline, std::views::iota(0, 3)) == std::vector{0, 1, 2});
    CHECK(results(pipeline, std::vector<int>{}).empty());
    CHECK(results(pipeline, std::vector<short>{1, 2}) == std::vector{1, 2});

    auto run = pipeline.run(batches);
    REQUIRE(run.next());
    batches.back() = 43;  // not pulled yet
    int last = 0;
    while (run.next()) last = run.result();
    CHECK(last == 43);
  });
}

TEST_CASE("ranges: an input range is read once, element by element") {
  on_both<int>([](auto& pipeline) {
    std::istringstream text("4 8 15 16 23 42");
    CHECK(results(pipeline, std::views::istream<int>(text)) == some);
    std::istringstream nothing;
    CHECK(results(pipeline, std::views::istream<int>(nothing)).empty());
    std::istringstream more("4 8 15 16 23 42");
    auto view = std::views::istream<int>(more);
    CHECK(results(pipeline, view) == some);
  });
}

TEST_CASE("callables: returning optional, of what can only be moved too") {
  on_both<std::unique_ptr<int>>([](auto& pipeline) {
    const auto result =
        results(pipeline, [next = 0]() mutable -> std::optional<std::unique_ptr<int>> {
          if (next == 5) return std::nullopt;
          return std::make_unique<int>(next++);
        });
    CHECK(result == std::vector{0, 1, 2, 3, 4});
  });
}

TEST_CASE("callables: filling the slot in place, with what an earlier batch left in it") {
  using schedule = threaded<std::unique_ptr<int>>;
  tested::pipeline<schedule> pipeline;
  int made = 0;
  auto fill = [&, next = 0](std::unique_ptr<int>& slot) mutable {
    if (next == 10) return false;
    if (!slot) {
      slot = std::make_unique<int>();
      ++made;
    }
    *slot = next++;
    return true;
  };
  CHECK(results(pipeline, fill) == std::vector{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(made == static_cast<int>(st::copies_of<schedule, in<std::unique_ptr<int>>>));
  CHECK(results(pipeline, fill).empty());  // an lvalue is referred to: it is at its end
  CHECK(made == 3);                        // memory lives as long as the pipeline
}

TEST_CASE("pipelines: one is the source of another, and two live side by side") {
  on_both<int>([](auto& pipeline) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      tested::pipeline<taking<int, 2>> first;
      auto run = first.run(some);
      CHECK(results(pipeline, run) == some);
      CHECK_FALSE(run.next());
      CHECK(first.report().delivered == some.size());
    }
    tested::pipeline<taking<int, 2>> other;
    auto mine = pipeline.run(some);
    auto yours = other.run(some);
    for (const int expected : some) {
      REQUIRE(mine.next());
      REQUIRE(yours.next());
      CHECK(mine.result() == expected);
      CHECK(yours.result() == expected);
    }
  });
}

TEST_CASE("pipelines: the error of one that is a source comes through the other") {
  struct fails {
    using reads = st::reads<in<int>>;
    using writes = st::writes<out>;
    void operator()(int value, int& to) const {
      if (value == 15) throw std::runtime_error("15");
      to = value;
    }
  };
  on_both<int>([](auto& pipeline) {
    tested::pipeline<st::schedule<st::source<in<int>>, st::result<out>, fails>> first;
    auto run = first.run(some);
    try {
      static_cast<void>(results(pipeline, run));
      FAIL("nothing was thrown");
    } catch (const st::task_error& error) {
      CHECK(error.task() == "pull");
      CHECK(error.batch() == 2);
      try {
        std::rethrow_if_nested(error);
      } catch (const st::task_error& first_error) {
        CHECK(first_error.task().find("fails") != std::string_view::npos);
        CHECK(first_error.batch() == 2);
      }
    }
    CHECK(first.report().failures.size() == 1);
    pipeline.reset();
  });
}

/// Counts how often it is asked, and says when it is asked again after the end.
struct counted {
  int size;
  std::atomic<int> asked = 0;
  std::optional<int> operator()() {
    const int now = ++asked;
    CHECK(now <= size + 1);
    if (now > size) return std::nullopt;
    return now - 1;
  }
};

TEST_CASE("asking: never again after the end, never ahead of need") {
  const deadline limit("counted sources");
  // On a thread of its own, and with no barrier, the source may be asked a little later.
  const auto check = [](auto&& pipeline, int ahead, bool at_once = true) {
    for (const int size : {0, 1, 2, 3, 5, 20}) {
      CAPTURE(size);
      counted source{size};
      {
        auto run = pipeline.run(source);
        CHECK(source.asked == 0);
        int got = 0;
        while (run.next()) {
          CHECK(run.result() == got++);
          const int asked = source.asked;
          CHECK(asked <= std::min(got + ahead, size + 1));
          CHECK(asked >= (at_once ? std::min(got + ahead, size + 1) : got));
        }
        CHECK(got == size);
        CHECK(source.asked == size + 1);
        CHECK_FALSE(run.next());
        CHECK_FALSE(run.progress());
      }
      CHECK(source.asked == size + 1);

      counted left{size};
      for (const int o : pipeline.run(left)) {
        if (o == 2) break;
      }
      CHECK(left.asked <= std::min(3 + ahead, size + 1));
      if (at_once) CHECK(left.asked == std::min(3 + ahead, size + 1));
    }
  };
  check(tested::pipeline<taking<int, 0>>(), 0);
  check(tested::pipeline<taking<int, 2>>(), 2);
  check(tested::pipeline<threaded<int>>(), 3, false);
  check(tested::pipeline<threaded<int>, st::barrier>(), 3);
  check(tested::pipeline<st::serial<threaded<int>>>(), 0);
  check(tested::pipeline<st::replan<taking<int, 2>, st::threads<st::on_caller>>>(), 2);
}

TEST_CASE("asking: a run that is never advanced asks for nothing") {
  counted source{3};
  tested::pipeline<threaded<int>> pipeline;
  { const auto run = pipeline.run(source); }
  CHECK(source.asked == 0);
  CHECK(pipeline.report().pulled == 0);
  CHECK(pipeline.report().in_flight.empty());
}

// --- a source that has nothing yet ------------------------------------------------------------

struct a : st::slot<int> {};
struct b : st::slot<int> {};
struct c : st::slot<int> {};

/// What has become of the first batch.
struct fate {
  std::atomic<bool> first = false;
  std::atomic<bool> second = false;
  std::atomic<bool> out = false;
};
inline fate now;

struct first {
  using thread = st::thread<"one">;
  static constexpr int lookahead = 1;
  using reads = st::reads<a>;
  using writes = st::writes<b>;
  void operator()(int from, int& to) const {
    to = from;
    now.first = true;
  }
};
struct second {
  using thread = st::thread<"two">;
  using reads = st::reads<b>;
  using writes = st::writes<c>;
  void operator()(int from, int& to) const {
    to = from;
    now.second = true;
  }
};
struct on_caller : st::schedule<st::source<a>, st::result<c>, first, second> {};
struct on_reader : st::schedule<st::source<a, st::thread<"reader">>, st::result<c>, first, second> {
};
struct on_one_thread : st::replan<on_reader, st::place<second, st::thread<"one">>> {};
struct later_task_first
    : st::replan<st::schedule<st::source<a, st::thread<"reader">>, st::result<c>, second, first>,
                 st::place<second, st::thread<"one">>> {};

/// How far the first batch gets while the source waits for a second one.
template <class Schedule, class... Options>
std::string_view while_the_source_waits() {
  const deadline limit("a run whose source waits");
  const auto reached = [] {
    return now.out ? "out" : now.second ? "second" : now.first ? "first" : "nowhere";
  };
  now.first = now.second = now.out = false;
  std::string_view got;
  tested::pipeline<Schedule, Options...> pipeline;
  auto source = [&, asked = 0]() mutable -> std::optional<int> {
    if (asked++ == 0) return 0;
    if (asked == 2) {
      tested::until_others_sleep();
      got = reached();
      return 1;
    }
    return std::nullopt;
  };
  for (const int result : pipeline.run(source))
    if (result == 0) now.out = true;
  return got;
}

TEST_CASE("a source that has nothing yet holds up its own thread, and what comes after it there") {
  CHECK(while_the_source_waits<on_caller>() == "second");
  CHECK(while_the_source_waits<on_reader>() == "out");
}

TEST_CASE(
    "a thread that needs the next batch for one task runs those behind it in the order later") {
  CHECK(while_the_source_waits<on_one_thread>() == "first");
  CHECK(while_the_source_waits<later_task_first>() == "out");
}

TEST_CASE("where all threads meet after a progress, they wait for the source there") {
  CHECK(while_the_source_waits<on_caller, st::barrier>() == "second");
  CHECK(while_the_source_waits<on_reader, st::barrier>() == "second");
}

}  // namespace

namespace {

struct sample {
  int value;
  std::unique_ptr<int> factor;
};
struct samples : st::slot<sample> {};
struct multiply {
  static constexpr int lookahead = 2;
  void operator()(st::in<samples> in, st::out<out> to) const { to = in->value * *in->factor; }
};
struct products : st::schedule<st::source<samples>, st::result<out>, multiply> {};
struct products_alone : st::serial<products> {};
struct threaded_products
    : st::schedule<st::source<samples, st::thread<"reader">>, st::result<out>, multiply> {};

template <class Schedule>
void check_several() {
  const deadline limit("several sources");
  const std::vector<int> values{2, 3, 4};
  auto factors = [n = 0]() mutable {
    ++n;
    return n <= 6 ? std::optional(std::make_unique<int>(10 * n)) : std::nullopt;
  };
  tested::pipeline<Schedule> pipeline;
  CHECK(results(pipeline, st::zip(values, factors)) == std::vector{20, 60, 120});
  CHECK(pipeline.report().pulled == 3);
  CHECK(pipeline.report().end == st::run_end::completed);
  auto named = st::zip(st::merge(values, std::vector{5}), factors);
  CHECK(results(pipeline, named) == std::vector{80, 250, 180});
  int sum = 0;
  auto run = pipeline.run(named);
  run.for_each([&](int o) { sum += o; });  // of factors that have ended
  CHECK(sum == 0);
  auto all = pipeline.run(st::zip(values, [f = 1]() mutable {
    f *= 10;
    return std::optional(std::make_unique<int>(f));
  }));
  all.for_each([&](int o) { sum += o; });
  CHECK(sum == 4320);
  std::stop_source stop;
  stop.request_stop();
  std::size_t batches = 0;
  for ([[maybe_unused]] const int o : pipeline.run(named, stop.get_token())) ++batches;
  CHECK(batches == 0);
}

}  // namespace

TEST_CASE("sources: several may be zipped and merged") {
  check_several<products>();
  check_several<threaded_products>();
  check_several<products_alone>();
}
