// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a device has to know of a plan: who is on which stream, who records how many events, where
// the host waits.

#include <doctest/doctest.h>
#include <stretto/device/ordering.hpp>

namespace {

namespace st = stretto;

struct batch : st::slot<int> {};
struct loss : st::slot<int> {};
struct seen : st::slot<int> {};

struct load {
  using stream = st::stream<"copy">;
  using writes = st::writes<batch>;
  static constexpr int lookahead = 1;
  void operator()(int&) const {}
};
struct train {
  using stream = st::stream<"main">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(const int&, int&) const {}
};
struct log {
  using reads = st::reads<loss>;
  using writes = st::writes<seen>;
  void operator()(const int&, int&) const {}
};
struct training : st::schedule<st::result<seen>, st::streams<"copy", "main">, load, train, log> {};

using order = st::device::ordering<training>;
using serial = st::device::ordering<st::serial<training>>;
constexpr std::size_t none = order::none;

}  // namespace

TEST_CASE("streams by node and by name; a host task has none") {
  CHECK(order::streams == 2);
  CHECK(order::stream_of == std::array<std::size_t, 5>{0, 1, none, none, none});
  CHECK(order::stream_named("main") == 1);
  CHECK(order::stream_named("mian") == none);
  CHECK_FALSE(order::serial);
}

TEST_CASE("in a serial plan there is one stream, for all names, and host tasks stay so") {
  CHECK(serial::serial);
  CHECK(serial::streams == 1);
  CHECK(serial::stream_named("copy") == 0);
  CHECK(serial::stream_named("main") == 0);
  CHECK(serial::stream_named("mian") == none);
  CHECK(serial::stream_of == std::array<std::size_t, 5>{0, 0, none, none, none});
  CHECK(serial::blocking_waits.size() == 0);
}

// `train` waits for `load`, `log` for `train`. That `load` fills a copy again after the `train`
// that used it needs no wait: the caller pulls after a result, which `log` made after that `train`.
TEST_CASE("who is waited for records events, and the host blocks where it needs a stream's work") {
  CHECK(order::event_count[0] >= 1);
  CHECK(order::event_count[1] >= 1);
  CHECK(order::event_count[2] == 0);
  CHECK(order::first_event[0] == 0);
  CHECK(order::first_event[1] == order::event_count[0]);
  CHECK(order::events == order::event_count[0] + order::event_count[1]);
  for (std::size_t progress = 0; progress < 10; ++progress) {
    CHECK(order::event(1, progress) >= order::first_event[1]);
    CHECK(order::event(1, progress) < order::events);
    CHECK(order::event(1, progress) == order::event(1, progress + order::event_count[1]));
  }
  REQUIRE(order::blocking_waits.size() >= 1);
  bool log_waits = false;
  for (const st::planner::edge& e : order::blocking_waits.edges)
    log_waits = log_waits || (e.producer == 1 && e.consumer == 2 && e.delta == 0);
  CHECK(log_waits);
  CHECK(order::farthest_wait(0) == 0);
  CHECK(order::farthest_wait(1) == 1);
  CHECK(order::farthest_wait(2) == 0);
}
