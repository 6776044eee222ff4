// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What an observer is told of streams and of tasks that fail.

#include <chrono>
#include <cstddef>
#include <ranges>
#include <span>
#include <stdexcept>
#include <stretto/replay.hpp>
#include <stretto/watch.hpp>
#include <string>
#include <string_view>
#include <vector>
#include "fixture.hpp"

namespace {

using namespace on_recording;

struct number : st::slot<int> {};

template <int Which>
struct work {
  static constexpr std::string_view name = Which == 0 ? "first" : "second";
  using stream = st::stream<Which == 0 ? "a" : "b">;
  using reads = st::reads<number>;
  void operator()(st::context auto& /*here*/, int in) const {
    if (Which == 1 && in == 1) throw std::runtime_error("not this one");
  }
};
struct two_streams : st::schedule<st::source<number>, st::streams<"a", "b">,
                                  st::threads<st::on_caller>, work<0>, work<1>> {};

/// Writes down what it is told.
struct listener {
  using stretto_tag = st::tag::observer;
  static constexpr bool observes = true;

  void attached(std::span<const std::string_view>, std::span<const std::string_view> tasks,
                std::span<const std::string_view> streams) {
    for (std::size_t t = 0; t < tasks.size(); ++t)
      on.push_back(std::string(tasks[t]) + " on " + std::string(streams[t]));
  }
  void stream_made(std::string_view name, driver::stream s) {
    made.emplace_back(name);
    handles.push_back(s);
  }
  void started(std::size_t, std::size_t, std::size_t) { ++open; }
  void finished(std::size_t, std::size_t, std::size_t) { --open; }
  void failed(std::size_t, std::size_t task, std::size_t batch) {
    --open;
    last_failed = {task, batch};
  }

  std::vector<std::string> on;
  std::vector<std::string> made;
  std::vector<driver::stream> handles;
  int open = 0;
  std::pair<std::size_t, std::size_t> last_failed{99, 99};
};

}  // namespace

TEST_CASE("an observer is told the device's streams by name, and of a task that fails") {
  fixture f;
  tested::pipeline<two_streams, device, listener> p{f.d};
  const listener& told = p.observer();
  CHECK(told.on ==
        std::vector<std::string>{"first on a", "second on b", "pull on ", "deliver on "});
  CHECK(told.made == std::vector<std::string>{"a", "b"});
  REQUIRE(told.handles.size() == 2);
  CHECK(told.handles[0] == p.device().stream("a"));
  CHECK(told.handles[1] == p.device().stream("b"));

  const auto run = [&p] {
    int next = 0;
    for ([[maybe_unused]] const auto b : p.run([&next](int& to) {
           to = next;
           return next++ < 3;
         })) {
    }
  };
  CHECK_THROWS_AS(run(), st::task_error);
  CHECK(told.open == 0);
  CHECK(told.last_failed == std::pair<std::size_t, std::size_t>{1, 1});
  CHECK(f.breaches() == "");
}

namespace {

struct half : st::slot<int> {};
/// On the host, in front of a task on a stream.
struct halve {
  using reads = st::reads<number>;
  using writes = st::writes<half>;
  void operator()(int in, int& out) const { out = in / 2; }
};
struct submit {
  using stream = st::stream<"a">;
  using reads = st::reads<half>;
  void operator()(st::context auto& /*here*/, int /*in*/) const {}
};
struct host_and_stream : st::schedule<st::source<number>, st::streams<"a">,
                                      st::threads<st::on_caller>, halve, submit> {};

}  // namespace

TEST_CASE("tasks on a device are not padded, others are") {
  fixture f;
  tested::pipeline<host_and_stream, device, st::padding> p{f.d};
  p.observer().pad({.longest = std::chrono::microseconds(1), .stretch = 16});
  for ([[maybe_unused]] const auto b : p.run(std::views::iota(0, 16 * 9))) {
  }
  const st::padding_result found = p.observer().result();
  REQUIRE(found.tasks.size() == 2);
  CHECK(found.of("submit")->found() == st::padding_result::finding::not_padded);
  CHECK(found.of("submit")->stretches == 0);
  CHECK(found.of("halve")->found() != st::padding_result::finding::not_padded);
  CHECK(found.of("halve")->stretches == 4);
}

TEST_CASE("tasks on a device are not replayed, others are") {
  fixture f;
  st::recording tape;
  tested::pipeline<host_and_stream, device, st::replay> p{f.d};
  p.observer().knows<int>();
  CHECK_THROWS_WITH_AS(p.observer().record(tape, {.tasks = {"submit"}}),
                       "`submit` cannot be replayed: it works on a device, and what it writes is "
                       "not there when its body ends",
                       st::usage_error);
  p.observer().record(tape, {.tasks = {"halve"}, .batches = 48});
  for ([[maybe_unused]] const auto b : p.run(std::views::iota(0, 48))) {
  }
  p.observer().play(tape);
  for ([[maybe_unused]] const auto b : p.run(std::views::iota(0, 48))) {
  }
  const st::replay_result found = p.observer().result();
  CHECK(found.of("halve")->saved.size() == 1);
  CHECK(found.of("submit")->saved.empty());
  CHECK(f.breaches() == "");
}
