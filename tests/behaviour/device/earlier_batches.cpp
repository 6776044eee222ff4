// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks on streams that look back: streams wait until an earlier batch is written, its memory is
// not filled again before it was read, and graphs have the addresses of it.

#include <atomic>
#include <cstddef>
#include "looking_back.hpp"

namespace {

using namespace on_recording;
using namespace looking_back;

template <class Schedule, class Device>
void check(std::atomic<int>* called = nullptr) {
  with_each_seed(6, [called](fixture& f, unsigned) {
    auto p = made<Schedule, Device>(f, {}, called);
    for (const std::size_t batches : {30U, 1U, 2U, 9U})
      CHECK(results(p, f.w, batches) == expected(batches));
  });
}

TEST_CASE("on streams: a thread each") { check<training, device>(); }
TEST_CASE("on streams: the calling thread") { check<alone, device>(); }
TEST_CASE("on streams: one batch after the other") { check<st::serial<training>, device>(); }

// A graph that was captured when there was an earlier batch must not be launched where there is
// none, nor the other way round.
TEST_CASE(
    "replayed as graphs, in each run from where all batches are there that are looked back to") {
  using replaying = st::device::backend<driver, true>;
  std::atomic<int> called{0};
  check<training, replaying>(&called);
  check<alone, replaying>(&called);
  CHECK(called < 14 * 3 * 42 * 3 / 4);
}

}  // namespace
