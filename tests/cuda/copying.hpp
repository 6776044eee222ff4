// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>
#include <cstddef>
#include <stretto/cuda.hpp>
#include <stretto/stretto.hpp>

/// A pipeline that takes numbers to the device and back, compiled by C++ compilers and by nvcc.
namespace copying {

namespace st = stretto;

struct number : st::slot<int> {};
struct sent : st::slot<st::cuda::pinned_array<int, 1>> {};
struct there : st::slot<st::cuda::array<int, 1>> {};
struct back : st::slot<st::cuda::pinned_array<int, 1>> {};
struct result : st::slot<int> {};

struct send {
  static constexpr int lookahead = 2;
  using reads = st::reads<number>;
  using writes = st::writes<sent>;
  void operator()(int in, st::cuda::pinned_array<int, 1>& out) const { out[0] = in; }
};
struct upload {
  using stream = st::stream<"up">;
  static constexpr int lookahead = 2;
  using reads = st::reads<sent>;
  using writes = st::writes<there>;
  void operator()(cudaStream_t s, const st::cuda::pinned_array<int, 1>& in,
                  st::cuda::array<int, 1>& out) const {
    cudaMemcpyAsync(out.data(), in.data(), sizeof(int), cudaMemcpyHostToDevice, s);
  }
};
struct download {
  using stream = st::stream<"down">;
  static constexpr int lookahead = 1;
  void operator()(st::cuda::context& here, st::out<back> out, st::in<there> in) const {
    cudaMemcpyAsync(out->data(), in->data(), sizeof(int), cudaMemcpyDeviceToHost, here.stream());
  }
};
inline void first(st::out<result> out, st::in<back> in) { out = (*in)[0]; }
using hand_out = st::task<"hand_out", first>;
struct there_and_back : st::schedule<st::source<number>, st::result<result>,
                                     st::streams<"up", "down">, send, upload, download, hand_out> {
};

/// Takes 0 to 9 there and back; their sum. Throws what the pipeline throws.
template <class Schedule = there_and_back>
int sum_of_ten() {
  st::pipeline<Schedule, st::on_cuda> pipeline;
  int next = 0;
  int sum = 0;
  const auto source = [&](int& to) {
    to = next;
    return next++ < 10;
  };
  for (const int r : pipeline.run(source)) sum += r;
  return sum;
}

}  // namespace copying

/// The sum by a pipeline that nvcc compiled.
int sum_of_ten_by_nvcc();
