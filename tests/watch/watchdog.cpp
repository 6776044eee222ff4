// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Watchdogs of runs that hang until they have been told of, of both versions. No test takes it for
// certain that something happens in time: what hangs waits for the watchdog, and a watchdog that is
// to say where comes when all others have got there.

#include <doctest/doctest.h>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <stop_token>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <stretto/local.hpp>
#include <stretto/stretto.hpp>
#include <stretto/watch.hpp>
#include <string>
#include <string_view>
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

namespace {

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// Runs until a watchdog has said what it is to say: on a busy machine it may speak before that is
/// to be seen. \p attempt makes a pipeline, a watchdog and a run that the watchdog ends, and
/// returns what was said.
std::string said_at_last(std::string_view part, const std::function<std::string()>& attempt) {
  std::string said;
  for (int left = 50; left > 0 && !has(said, part); --left) said = attempt();
  return said;
}

/// To its end, which the watchdog brings.
template <class Pipeline>
std::string said_of_no_beginning(Pipeline& pipeline) {
  const st::watchdog dog(pipeline, milliseconds(20), [](const std::string& /*what*/) {});
  int asked = 0;
  const auto source = [&](int& slot) {
    slot = ++asked;
    return true;
  };
  auto run = [&] {
    if constexpr (requires { typename Pipeline::schedule; }) {
      return pipeline.run(source, st::cancel_on(dog.token()));
    } else {
      return pipeline.template run<int>(source, st::cancel_on(dog.token()));
    }
  }();
  CHECK_FALSE(run.next());
  CHECK_FALSE(run.has_more());
  CHECK(asked == 0);
  CHECK(pipeline.report().end == st::run_end::cancelled);
  CHECK(pipeline.report().pulled == 0);
  CHECK_FALSE(pipeline.observer().look().running);
  return dog.told();
}

struct total {
  static constexpr bool collective = true;
  using reads = st::reads<number>;
  using writes = st::writes<sum>;
  void operator()(st::context auto& ctx, int in, int& out) const { out = ctx.all_reduced(in); }
};
struct totals : st::schedule<st::source<number>, st::result<sum>, total> {};

}  // namespace

TEST_CASE("threads that are never attached are told of, and the watchdog's token ends the wait") {
  const auto check = [](auto make) {
    const std::string said = said_at_last("for threads to be attached\n", [&] {
      auto pipeline = make();
      std::jthread io(
          [&](const std::stop_token& leaving) { CHECK_FALSE(pipeline->attach("io", leaving)); });
      const std::string text = said_of_no_beginning(*pipeline);
      return has(text, "thread `io` waits for the run to begin") ? text : std::string();
    });
    INFO(said);
    CHECK(has(said, "\n  thread `caller` has waited for "));
    CHECK(has(said, "\n  thread `compute` is not there: let one call attach(\"compute\")"));
  };
  const st::attached_threads wanted{"io", "compute"};
  check([&] { return std::make_unique<st::pipeline<sums, st::monitor>>(wanted); });
  check([&] {
    return std::make_unique<st::dynamic::pipeline<st::monitor>>(st::dynamic::from_types<sums>(),
                                                                wanted);
  });
}

TEST_CASE("a rank that never begins is named, and the watchdog's token ends the wait for it") {
  const auto check = [](auto make) {
    const std::string said = said_at_last("for rank 1 to begin its run", [&] {
      st::local::ranks all(2);
      return said_of_no_beginning(*make(st::local::rank(all, 0)));
    });
    INFO(said);
    CHECK(has(said, "\n  thread `caller` has waited for "));
    CHECK(has(said, " for rank 1 to begin its run"));
  };
  check([](const st::local::rank& here) {
    return std::make_unique<st::pipeline<totals, st::local::collectives, st::monitor>>(here);
  });
  check([](const st::local::rank& here) {
    return std::make_unique<st::dynamic::pipeline<st::local::collectives, st::monitor>>(
        st::dynamic::from_types<totals, st::no_device, st::local::collectives>(), here);
  });
}

TEST_CASE("a run that does not come about, since a rank is missing, is none to watch") {
  st::local::ranks all(2, milliseconds(1));
  st::pipeline<totals, st::local::collectives, st::monitor> pipeline{st::local::rank(all, 0)};
  CHECK_THROWS_AS(pipeline.run(std::views::iota(0, 3)), st::missing_rank_error);
  CHECK_FALSE(pipeline.observer().look().running);
}

namespace {

struct checked : st::slot<int> {};
struct prepare {
  static constexpr int lookahead = 1;
  using reads = st::reads<number>;
  using writes = st::writes<square>;
  void operator()(int in, int& out) const { out = in; }
};
struct check_record {
  using thread = st::thread<"checking">;
  using reads = st::reads<square>;
  using writes = st::writes<checked>;
  const std::atomic<bool>* asked_on = nullptr;
  void operator()(int in, int& out) const {
    if (in == 2) {
      while (!*asked_on) std::this_thread::yield();
      throw std::runtime_error("the record is broken");
    }
    out = in;
  }
};
struct records : st::schedule<st::source<number, st::thread<"reader">>, st::result<checked>,
                              prepare, check_record> {};

template <class Pipeline>
void check_failed_run(Pipeline& pipeline, std::atomic<bool>& asked_on) {
  std::atomic<bool> closed{false};
  int next = 0;
  const auto source = [&](int& slot) {
    slot = next++;
    if (slot < 3) return true;
    asked_on = true;
    while (!closed) std::this_thread::sleep_for(milliseconds(1));
    return false;
  };
  std::string said;
  std::optional<st::watchdog> dog;
  {
    auto run = [&] {
      if constexpr (requires { typename Pipeline::schedule; }) {
        return pipeline.run(source);
      } else {
        return pipeline.template run<int>(source);
      }
    }();
    const auto to_its_end = [&] {
      while (run.next()) continue;
    };
    CHECK_THROWS_AS(to_its_end(), st::task_error);
    // The end of the run waits for the source, and the watchdog lets that go.
    dog.emplace(pipeline, milliseconds(20), [&](const std::string& what) {
      said = what;
      closed = true;
    });
  }
  dog.reset();
  INFO(said);
  CHECK(has(said, "\n  the run has failed: `check_record` on batch 2\n"));
  CHECK(has(said, "\n  thread `reader` has asked the source for batch 3 for "));
  CHECK(has(said, ", and the run cannot end before it leaves that"));
  CHECK(has(said, "\n  thread `caller` has waited for the others to leave the run, or been in "));
}

}  // namespace

TEST_CASE("a run that has failed, and whose end waits for the source, is told of") {
  std::atomic<bool> asked_on{false};
  {
    st::pipeline<records, st::monitor> pipeline{check_record{&asked_on}};
    check_failed_run(pipeline, asked_on);
  }
  asked_on = false;
  st::dynamic::pipeline<st::monitor> pipeline(
      st::dynamic::from_types<records>(check_record{&asked_on}));
  check_failed_run(pipeline, asked_on);
}
