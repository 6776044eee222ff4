// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <cstddef>
#include <new>
#include <numeric>
#include <recording/spoken_to.hpp>
#include <stretto/device/adapted_resource.hpp>
#include <stretto/device/backend.hpp>
#include <stretto/device/scratch.hpp>
#include <stretto/stretto.hpp>
#include <vector>

namespace {

namespace st = stretto;
namespace recording = stretto::testing::recording;
using call = st::device::call;
using recording::driver;
using scratch = st::device::scratch<driver>;
using stream_ordered = st::device::pool_resource<driver>;

static_assert(st::device::stream_ordered_resource<scratch, recording::stream>);

/// As some libraries have: only names the stream.
struct stream_ref {
  recording::stream raw;
  recording::stream get() const { return raw; }
};

struct batch : st::slot<int> {};
struct doubled : st::slot<st::device::pinned_array<long, 1, driver>> {};
/// Has what it writes in temporary memory first.
struct twice {
  using stream = st::stream<"a">;
  using reads = st::reads<batch>;
  using writes = st::writes<doubled>;
  driver d;
  void operator()(st::device::handle<driver, scratch> h, int in, auto& out) const {
    auto* const one = static_cast<long*>(h->allocate_async(sizeof(long)));
    long* const to = out.data();
    d.enqueue(h.stream(), [one, in] { *one = in; }, "one", {recording::writes(one, sizeof(long))});
    d.enqueue(h.stream(), [one, to] { *to = 2 * *one; }, "two",
              {recording::reads(one, sizeof(long)), recording::writes(to, sizeof(long))});
    h->deallocate_async(one, sizeof(long));
  }
};
struct doubling : st::schedule<st::source<batch>, st::result<doubled>, st::streams<"a">, twice> {};

void check_doubling() {
  recording::spoken_to f;
  f.w.jitter(7);
  {
    st::pipeline<doubling, st::device::backend<driver>> p(f.d, twice{f.d});
    std::vector<int> batches(20);
    std::iota(batches.begin(), batches.end(), 0);
    int next = 0;
    for (const auto& r : p.run(batches)) {
      f.w.host_reads(r.data(), sizeof(long));
      CHECK(r[0] == 2 * next++);
    }
    CHECK(next == 20);
  }
  CHECK(f.breaches() == "");
  CHECK(f.leaks() == "");
}

/// A scratch on a stream of its own.
struct on_a_stream : recording::spoken_to {
  ~on_a_stream() { d.destroy_stream(s); }
  recording::stream made() {
    recording::stream one = nullptr;
    d.create_stream(one, 0);
    return one;
  }
  recording::stream s = made();
  stream_ordered pool{d};
  scratch memory{st::device::slot_location<driver>{&pool, s, 0, d}};
};

}  // namespace

TEST_CASE("a body has temporary memory in the order of its stream") { check_doubling(); }

TEST_CASE("libraries call it as they call RMM's: in the order of a stream, or of none") {
  on_a_stream f;
  void* const a = f.memory.allocate_async(100, 256, f.s);
  void* const b = f.memory.allocate_async(100, 8, stream_ref{f.s});
  CHECK(a != b);
  CHECK(f.w.logged().count(call::synchronize_stream) == 0);
  void* const c = f.memory.allocate(100, 64);
  CHECK(f.w.logged().count(call::synchronize_stream) == 1);
  f.memory.deallocate(c, 100, 64);
  void* const d = f.memory.allocate(stream_ref{f.s}, 100, 16);
  CHECK(f.w.logged().count(call::synchronize_stream) == 1);
  void* const e = f.memory.allocate_sync(100);
  CHECK(f.w.logged().count(call::synchronize_stream) == 2);
  f.memory.deallocate_sync(e, 100);
  f.memory.deallocate(stream_ref{f.s}, d, 100, 16);
  CHECK(f.w.logged().count(call::release) == 3);
  f.memory.deallocate_async(b, 100, 8, stream_ref{f.s});
  f.memory.deallocate_async(a, 100, 256, f.s);
  CHECK_THROWS_AS(f.memory.allocate_async(8, 512, f.s), std::bad_alloc);
  CHECK_THROWS_AS(f.memory.allocate(8, 512), std::bad_alloc);
  CHECK(f.w.logged().count(call::allocate) == f.w.logged().count(call::release));
  CHECK(f.breaches() == "");
}

TEST_CASE("what cannot be waited for is given back") {
  on_a_stream f;
  f.w.fail(call::synchronize_stream, 0, recording::status::memory_allocation);
  CHECK_THROWS_AS(f.memory.allocate(100), st::device::error);
  CHECK(f.w.logged().count(call::release) == 1);
}

TEST_CASE("two are the same if memory of one may be given back to the other") {
  on_a_stream f;
  stream_ordered other(f.d);
  CHECK(f.memory == scratch(st::device::slot_location<driver>{&f.pool, f.s, 0, f.d}));
  CHECK_FALSE(f.memory == scratch(st::device::slot_location<driver>{&other, f.s, 0, f.d}));
  CHECK_FALSE(f.memory == scratch(st::device::slot_location<driver>{&f.pool, {}, 0, f.d}));
}
