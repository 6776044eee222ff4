// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A pipeline that failed is used again.

#include <cstddef>
#include "fixture.hpp"

namespace {

using namespace on_recording;

struct number : st::slot<int> {};
struct room : st::slot<st::device::buffer<long, driver>> {};

struct fill {
  using stream = st::stream<"a">;
  using reads = st::reads<number>;
  using writes = st::writes<room>;
  void operator()(st::context auto& /*here*/, int in, st::device::buffer<long, driver>& out) const {
    out.resize(static_cast<std::size_t>(in) + 1);
  }
};
struct growing
    : st::schedule<st::source<number>, st::streams<"a">, st::threads<st::by_stream>, fill> {};

int run(tested::pipeline<growing, device>& p) {
  int batches = 0;
  int next = 0;
  const auto three = [&](int& to) {
    to = next;
    return next++ < 3;
  };
  for ([[maybe_unused]] const auto b : p.run(three)) ++batches;
  return batches;
}

}  // namespace

TEST_CASE("what a failed call left behind is no error of the next run's") {
  fixture f;
  tested::pipeline<growing, device> p{f.d};
  f.w.fail(call::allocate, 1, status::memory_allocation);
  CHECK_THROWS_AS(run(p), st::task_error);
  p.reset();
  CHECK(run(p) == 3);
  CHECK(f.breaches() == "");
}
