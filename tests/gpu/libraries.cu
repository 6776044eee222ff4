// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What bodies ask for besides their stream, with the libraries that it is for: cuBLAS, Thrust, CUB.

#define LIBCUDACXX_ENABLE_EXPERIMENTAL_MEMORY_RESOURCE  // of CUDA 13.0
#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <doctest/doctest.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <cstddef>
#include <cub/device/device_reduce.cuh>
#include <cuda/memory_resource>
#include <cuda/stream_ref>
#include <stretto/cuda.hpp>
#include <stretto/cuda/cublas.hpp>
#include <stretto/cuda/thrust.hpp>
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;

/// As a library's resource is that takes CUDA's own streams.
struct of_a_library {
  void* allocate_async(std::size_t bytes, std::size_t alignment, cuda::stream_ref s);
  void deallocate_async(void* memory, std::size_t bytes, std::size_t alignment, cuda::stream_ref s);
};
static_assert(st::device::stream_ordered_resource<of_a_library, cudaStream_t>);
#if CCCL_MAJOR_VERSION == 3 && CCCL_MINOR_VERSION == 0
static_assert(cuda::mr::async_resource<st::cuda::scratch>);
#elif CCCL_MAJOR_VERSION >= 3
static_assert(cuda::mr::resource<st::cuda::scratch>);
#endif

namespace {

constexpr int side = 64;
constexpr std::size_t count = std::size_t{side} * side;
using floats = st::cuda::array<float, count>;

struct number : st::slot<st::cuda::pinned_array<float, count>> {};
struct there : st::slot<floats> {};
struct sorted : st::slot<floats> {};
struct product : st::slot<floats> {};
struct sum : st::slot<st::cuda::array<float, 1>> {};
struct result : st::slot<st::cuda::pinned_array<float, 1>> {};

struct upload {
  using stream = st::stream<"copy">;
  static constexpr int lookahead = 1;
  using reads = st::reads<number>;
  using writes = st::writes<there>;
  void operator()(cudaStream_t s, const auto& in, auto& out) const {
    cudaMemcpyAsync(out.data(), in.data(), count * sizeof(float), cudaMemcpyHostToDevice, s);
  }
};

struct plus_one {
  __host__ __device__ float operator()(float x) const { return x + 1.0F; }
};
/// Thrust, with and without temporary memory.
struct order {
  using stream = st::stream<"compute">;
  using reads = st::reads<there>;
  using writes = st::writes<sorted>;
  void operator()(st::cuda::handle<st::cuda::scratch> h, const auto& in, auto& out) const {
    thrust::transform(st::cuda::policy(h.stream()), in.data(), in.data() + count, out.data(),
                      plus_one{});
    thrust::sort(st::cuda::policy(h), out.data(), out.data() + count);
  }
};
/// out = in * in, for a matrix with equal numbers.
template <class Blas>
struct square {
  using stream = st::stream<"compute">;
  using reads = st::reads<sorted>;
  using writes = st::writes<product>;
  void operator()(st::cuda::handle<Blas> blas, const floats& in, floats& out) const {
    const float one = 1.0F;
    const float zero = 0.0F;
    st::cuda::cublas::checked(
        "cublasSgemm", cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, side, side, side, &one,
                                   in.data(), side, in.data(), side, &zero, out.data(), side));
  }
};
/// CUB, which is asked how much temporary memory it needs.
struct add_up {
  using stream = st::stream<"compute">;
  using reads = st::reads<product>;
  using writes = st::writes<sum>;
  void operator()(st::cuda::handle<st::cuda::scratch> h, const auto& in, auto& out) const {
    std::size_t bytes = 0;
    cub::DeviceReduce::Sum(nullptr, bytes, in.data(), out.data(), int{count}, h.stream());
    void* const memory = h->allocate_async(bytes);
    cub::DeviceReduce::Sum(memory, bytes, in.data(), out.data(), int{count}, h.stream());
    h->deallocate_async(memory, bytes);
  }
};
struct download {
  using stream = st::stream<"compute">;
  using reads = st::reads<sum>;
  using writes = st::writes<result>;
  void operator()(cudaStream_t s, const auto& in, auto& out) const {
    cudaMemcpyAsync(out.data(), in.data(), sizeof(float), cudaMemcpyDeviceToHost, s);
  }
};
template <class Blas>
struct work : st::schedule<st::source<number>, st::result<result>, st::streams<"copy", "compute">,
                           upload, order, square<Blas>, add_up, download> {};

template <class Blas, class Device>
void runs_right() {
  st::pipeline<work<Blas>, Device> pipeline;
  constexpr int batches = 24;
  std::vector<float> all;
  for (const auto& r : pipeline.run([next = 0](auto& to) mutable {
         for (float& f : to) f = static_cast<float>(next % 3);
         return next++ < batches;
       }))
    all.push_back(r[0]);
  REQUIRE(all.size() == batches);
  for (std::size_t b = 0; b < all.size(); ++b) {
    const auto x = static_cast<float>(b % 3 + 1);
    CHECK(all[b] == x * x * static_cast<float>(side) * static_cast<float>(count));
  }
}

}  // namespace

TEST_CASE("cuBLAS, Thrust and CUB work in the order of the task's stream") {
  runs_right<st::cuda::cublas, st::on_cuda>();
  runs_right<st::cuda::cublas_with_workspace<>, st::on_cuda>();
}

TEST_CASE("what they put there is replayed") {
  runs_right<st::cuda::cublas, st::on_cuda_graphs>();
  runs_right<st::cuda::cublas_with_workspace<>, st::on_cuda_graphs>();
}
