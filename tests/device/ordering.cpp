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

// Looks at what was trained on one batch ago, which nothing else has it wait for.
struct look_back {
  using cross_iter_depends_on = st::cross_iter_depends_on<st::ago<train, 1>>;
  void operator()() const {}
};
struct looking_back
    : st::schedule<st::result<loss>, st::streams<"copy", "main">, load, train, look_back> {};

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

TEST_CASE("the farthest wait may be one of the host") {
  using far = st::device::ordering<looking_back>;
  CHECK(far::farthest_wait(2) == 1);
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
  // The next batch may be loaded before `train` has waited for this one; the next one is trained on
  // when `log` is done.
  CHECK(order::event_count == std::array<std::size_t, 5>{2, 1, 0, 0, 0});
  CHECK(order::first_event == std::array<std::size_t, 6>{0, 2, 3, 3, 3, 3});
  CHECK(order::events == 3);
  for (std::size_t progress = 0; progress < 6; ++progress) {
    CHECK(order::event(0, progress) == progress % 2);
    CHECK(order::event(1, progress) == 2);
  }
  REQUIRE(order::blocking_waits.size() == 1);
  CHECK(order::blocking_waits.edges[0].producer == 1);
  CHECK(order::blocking_waits.edges[0].consumer == 2);
  CHECK(order::blocking_waits.edges[0].delta == 0);
  CHECK(order::farthest_wait(0) == 0);
  CHECK(order::farthest_wait(1) == 1);
  CHECK(order::farthest_wait(2) == 0);
}
