// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Watchdogs of runs that hang until they have been told of, of both versions. No test takes it for
// certain that something happens in time: what hangs waits for the watchdog, and a watchdog that is
// to say where comes when all others have got there.

#include <doctest/doctest.h>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <stretto/dynamic.hpp>
#include <stretto/stretto.hpp>
#include <stretto/watch.hpp>
#include <string>
#include <thread>
#include <vector>
#include "../support/rest.hpp"

namespace st = stretto;
using std::chrono::milliseconds;

namespace {

struct number : st::slot<int> {};
struct square : st::slot<int> {};
struct sum : st::slot<int> {};

/// Hangs on a batch until somebody lets it go.
struct gate {
  std::atomic<bool> open{false};
  std::function<void()> hanging;  ///< called when all others sleep
  void pass() {
    if (hanging) {
      tested::until_others_sleep();
      hanging();
    }
    while (!open) std::this_thread::sleep_for(milliseconds(1));
  }
};

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
  void operator()(int in, int& out) {
    if (in == 50 * 50) door->pass();
    out = total += in;
  }
  int total = 0;
  gate* door = nullptr;
};
struct sums : st::schedule<st::source<number>, st::result<sum>, multiply, add> {};

}  // namespace

TEST_CASE("a run that hangs is told of once, and goes on") {
  gate door;
  std::vector<std::string> told;
  st::pipeline<sums, st::monitor> pipeline;
  pipeline.task<add>().door = &door;
  std::optional<st::watchdog> dog;
  door.hanging = [&] {
    dog.emplace(pipeline, milliseconds(20), [&](const std::string& what) {
      if (what.find("`add` on batch 50 for") == std::string::npos) return;  // a busy machine
      told.push_back(what);
      door.open = true;
    });
  };
  std::size_t results = 0;
  for ([[maybe_unused]] const int s : pipeline.run(std::views::iota(0, 100))) ++results;
  CHECK_FALSE(dog->told().empty());
  CHECK(dog->token().stop_requested());
  CHECK_THROWS_AS(dog->rethrow(), st::stall_error);
  dog.reset();
  CHECK(results == 100);
  REQUIRE(told.size() == 1);
  CHECK(told[0].starts_with("nothing has moved for 20.0 ms; batches in flight: 50 to 5"));
  CHECK(told[0].find("\n  thread `compute` has been in `add` on batch 50 for") !=
        std::string::npos);
  CHECK(told[0].find("\n  thread `io` has waited for") != std::string::npos);
}

TEST_CASE("a run that is given the watchdog's token ends when its body returns") {
  gate door;
  st::pipeline<sums, st::monitor> pipeline;
  pipeline.task<add>().door = &door;
  const st::watchdog dog(pipeline, milliseconds(50),
                         [&](const std::string& /*what*/) { door.open = true; });
  const auto run = [&] {
    for ([[maybe_unused]] const int s :
         pipeline.run(std::views::iota(0), st::cancel_on(dog.token()))) {
    }
    dog.rethrow();
  };
  CHECK_THROWS_AS(run(), st::stall_error);
  CHECK(pipeline.report().end == st::run_end::cancelled);
}

TEST_CASE("the runtime version, with a barrier; what the teller throws is dropped") {
  gate door;
  st::dynamic::schedule s;
  s.source.slot = "in";
  s.results = {"out"};
  s.tasks.push_back({.name = "hang",
                     .thread = "worker",
                     .reads = {"in"},
                     .writes = {"out"},
                     .body = [&](int in, int& out) {
                       if (in == 7) door.pass();
                       out = in;
                     }});
  st::dynamic::pipeline pipeline(s, st::barrier{}, st::monitor{});
  const st::watchdog dog(pipeline, milliseconds(50), [&](const std::string& /*what*/) {
    door.open = true;
    throw std::runtime_error("nobody hears it");
  });
  int results = 0;
  for (const auto& r : pipeline.run(std::views::iota(0, 10))) {
    static_cast<void>(r);
    ++results;
  }
  CHECK(results == 10);
  CHECK(dog.told().find("nothing has moved for 50.0 ms") == 0);
}

TEST_CASE("a watchdog of a pipeline that does not run tells nothing, and leaves when asked") {
  st::pipeline<sums, st::monitor> pipeline;
  {
    const st::watchdog dog(pipeline, std::chrono::hours(1));
    CHECK_NOTHROW(dog.rethrow());
    CHECK_FALSE(dog.token().stop_requested());
  }
  {
    const st::watchdog dog(pipeline, milliseconds(8));
    std::this_thread::sleep_for(milliseconds(40));
    CHECK(dog.told().empty());  // however late it looks
  }
}

TEST_CASE("a source that has no batch for long is no hang, if nothing is in flight") {
  st::pipeline<sums, st::monitor> pipeline;
  std::vector<std::string> told;
  {
    const st::watchdog dog(pipeline, milliseconds(8),
                           [&](const std::string& what) { told.push_back(what); });
    const auto late = []() -> std::optional<int> {
      std::this_thread::sleep_for(milliseconds(40));
      return std::nullopt;
    };
    for ([[maybe_unused]] const int s : pipeline.run(late)) {
    }
  }
  for (const std::string& what : told)  // on a busy machine, of what was before or after
    CHECK(what.find("asked the source") == std::string::npos);
}

TEST_CASE("no patience, and nobody to tell, are refused") {
  st::pipeline<sums, st::monitor> pipeline;
  const auto watched = [&](milliseconds patience, auto... told) {
    const st::watchdog dog(pipeline, patience, told...);
  };
  CHECK_THROWS_AS(watched(milliseconds(0)), st::usage_error);
  CHECK_THROWS_AS(watched(milliseconds(-1)), st::usage_error);
  CHECK_THROWS_AS(watched(milliseconds(1), nullptr), st::usage_error);
  // More than the clock can say: for ever.
  const st::watchdog patient(pipeline, std::chrono::hours::max());
  CHECK(patient.told().empty());
}
