// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <cstddef>
#include <new>
#include <recording/spoken_to.hpp>
#include <stretto/device/adapted_resource.hpp>
#include <stretto/device/backend.hpp>
#include <stretto/stretto.hpp>
#include <string>

namespace {

namespace st = stretto;
namespace recording = stretto::testing::recording;
using recording::driver;

/// As libraries have: made of a stream, converts to it.
struct stream_view {
  stream_view(recording::stream s) : raw(s) {}
  recording::stream raw;
};

/// In the shape of RMM's `device_memory_resource`.
struct like_rmm {
  driver d;
  std::string called{};
  void* allocate_async(std::size_t bytes, std::size_t alignment, stream_view s) {
    called += "allocate " + std::to_string(bytes) + " at " + std::to_string(alignment) + "\n";
    void* memory = nullptr;
    if (d.allocate(memory, bytes, s.raw) != driver::success) throw std::bad_alloc();
    return memory;
  }
  void deallocate_async(void* memory, std::size_t bytes, std::size_t alignment, stream_view s) {
    called += "deallocate " + std::to_string(bytes) + " at " + std::to_string(alignment) + "\n";
    d.free(memory, s.raw);
  }
};

/// In the shape of the `cuda::mr::resource` of CCCL 3.1.
struct like_cccl {
  like_rmm in;
  void* allocate(stream_view s, std::size_t bytes, std::size_t alignment) {
    return in.allocate_async(bytes, alignment, s);
  }
  void deallocate(stream_view s, void* memory, std::size_t bytes, std::size_t alignment) {
    in.deallocate_async(memory, bytes, alignment, s);
  }
};

/// In no stream's order.
struct unordered {
  void* allocate(std::size_t bytes, std::size_t alignment);
  void deallocate(void* memory, std::size_t bytes, std::size_t alignment);
};

static_assert(st::device::stream_ordered_resource<like_rmm, recording::stream>);
static_assert(st::device::stream_ordered_resource<like_cccl, recording::stream>);
static_assert(!st::device::stream_ordered_resource<unordered, recording::stream>);

struct batch : st::slot<int> {};
struct made : st::slot<st::device::array<long, 3, driver>> {};
struct fill {
  using stream = st::stream<"a">;
  using reads = st::reads<batch>;
  using writes = st::writes<made>;
  void operator()(recording::stream, int, st::device::array<long, 3, driver>&) const {}
};
struct filling : st::schedule<st::source<batch>, st::result<made>, st::streams<"a">, fill> {};

template <class Resource>
void fills_slots(recording::spoken_to& f, Resource& from) {
  st::device::adapted_resource<driver, Resource> adapted(from);
  {
    st::pipeline<filling, st::device::backend<driver>> p(f.d, st::device::memory<driver>{&adapted});
    const int batches[] = {1, 2};
    for ([[maybe_unused]] const auto& r : p.run(batches)) {
    }
  }
  CHECK(f.breaches() == "");
  CHECK(f.leaks() == "");
}

}  // namespace

TEST_CASE("slots have their memory from a resource in RMM's shape, or in that of cuda::mr") {
  recording::spoken_to f;
  const std::string once = "allocate 24 at 256\ndeallocate 24 at 256\n";
  like_rmm rmm{f.d};
  fills_slots(f, rmm);
  CHECK(rmm.called == once);
  like_cccl cccl{{f.d}};
  fills_slots(f, cccl);
  CHECK(cccl.in.called == once);
}
