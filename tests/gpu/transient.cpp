// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Slots whose memory is there for a batch at a time: kernels that take long find it, whatever its
// size, and what is freed meanwhile is not what they use.

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>
#include <cstddef>
#include <stretto/cuda.hpp>
#include <stretto/stretto.hpp>
#include <vector>
#include "kernels.hpp"

namespace {

namespace st = stretto;
constexpr int batches = 24;

/// How many numbers a batch has.
std::size_t size_of(std::size_t batch) { return batch % 5 == 2 ? 100000 : 100 + batch; }

struct number : st::slot<int> {};
struct made : st::slot<st::cuda::transient_buffer<int>> {};
struct more : st::slot<st::cuda::transient_buffer<int>> {};
struct first : st::slot<st::cuda::pinned_array<int, 1>> {};
struct last : st::slot<st::cuda::pinned_array<int, 1>> {};

struct make {
  using stream = st::stream<"a">;
  static constexpr int lookahead = 1;
  using reads = st::reads<number>;
  using writes = st::writes<made>;
  void operator()(const st::cuda::context& c, int in, st::cuda::transient_buffer<int>& out) const {
    const std::size_t size = size_of(c.batch());
    kernels::write(kernels::long_us, in, out.resize(size), size, c.stream());
  }
};
/// Reads what `look` reads, too, in no order with it: memory ends when it is filled anew.
struct add {
  using stream = st::stream<"b">;
  using reads = st::reads<made>;
  using writes = st::writes<more>;
  void operator()(cudaStream_t s, const st::cuda::transient_buffer<int>& in,
                  st::cuda::transient_buffer<int>& out) const {
    kernels::add(kernels::long_us, in.data(), 1, out.resize(in.size()), in.size(), s);
  }
};
/// The last to read what `add` writes: memory ends behind it.
struct fetch {
  using stream = st::stream<"c">;
  using reads = st::reads<more>;
  using writes = st::writes<last>;
  void operator()(cudaStream_t s, const st::cuda::transient_buffer<int>& in,
                  st::cuda::pinned_array<int, 1>& out) const {
    cudaMemcpyAsync(out.data(), in.data() + in.size() - 1, sizeof(int), cudaMemcpyDeviceToHost, s);
  }
};
struct look {
  using stream = st::stream<"c">;
  using reads = st::reads<made>;
  using writes = st::writes<first>;
  void operator()(cudaStream_t s, const st::cuda::transient_buffer<int>& in,
                  st::cuda::pinned_array<int, 1>& out) const {
    cudaMemcpyAsync(out.data(), in.data(), sizeof(int), cudaMemcpyDeviceToHost, s);
  }
};
struct work : st::schedule<st::source<number>, st::result<first, last>, st::streams<"a", "b", "c">,
                           make, add, look, fetch> {};

void check(const st::cuda::memory& from) {
  st::pipeline<work, st::on_cuda> pipeline{from};
  std::vector<int> numbers;
  for (int b = 0; b < batches; ++b) numbers.push_back(1000 + b);
  for (int run = 0; run < 2; ++run) {
    int b = 0;
    for (const auto& [begin, end] : pipeline.run(numbers)) {
      CHECK(begin[0] == 1000 + b);
      CHECK(end[0] == 1001 + b);
      ++b;
    }
    CHECK(b == batches);
  }
}

}  // namespace

TEST_CASE("memory of a batch is there while it is used: from the device's pool") { check({}); }
TEST_CASE("memory of a batch is there while it is used: from pools that keep it") {
  check({.release_threshold = std::size_t{1} << 20U});
}
TEST_CASE("memory of a batch is there while it is used: from a user's pool") {
  cudaMemPoolProps wanted{};
  wanted.allocType = cudaMemAllocationTypePinned;
  wanted.location.type = cudaMemLocationTypeDevice;
  cudaMemPool_t mine = nullptr;
  REQUIRE(cudaMemPoolCreate(&mine, &wanted) == cudaSuccess);
  check({.pool = mine});
  CHECK(cudaMemPoolDestroy(mine) == cudaSuccess);
}
