// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>
#include <chrono>
#include <cstddef>
#include <stretto/cuda.hpp>
#include <stretto/nccl.hpp>
#include <stretto/stretto.hpp>
#include "../support/patience.hpp"

/// A pipeline that adds numbers up over all ranks, compiled by C++ compilers and by nvcc.
namespace summing {

namespace st = stretto;

using pinned = st::cuda::pinned_array<float, 4>;
using there = st::cuda::array<float, 4>;

struct number : st::slot<int> {};
struct sent : st::slot<pinned> {};
struct mine : st::slot<there> {};
struct sum : st::slot<there> {};
struct back : st::slot<pinned> {};
struct result : st::slot<float> {};

struct send {
  static constexpr int lookahead = 1;
  using reads = st::reads<number>;
  using writes = st::writes<sent>;
  void operator()(int in, pinned& out) const {
    for (std::size_t i = 0; i < 4; ++i) out[i] = static_cast<float>(in + static_cast<int>(i));
  }
};
struct upload {
  using stream = st::stream<"up">;
  static constexpr int lookahead = 1;
  using reads = st::reads<sent>;
  using writes = st::writes<mine>;
  void operator()(cudaStream_t s, const pinned& in, there& out) const {
    cudaMemcpyAsync(out.data(), in.data(), 4 * sizeof(float), cudaMemcpyHostToDevice, s);
  }
};
struct add {
  using stream = st::stream<"collectives">;
  static constexpr bool collective = true;
  using reads = st::reads<mine>;
  using writes = st::writes<sum>;
  void operator()(st::context auto& here, const there& in, there& out) const {
    here.all_reduce(in.data(), out.data(), 4);
    // Again by NCCL's own function, and several calls as one.
    here.checked(ncclAllReduce(in.data(), out.data(), 4, ncclFloat, ncclSum, here.communicator(),
                               here.stream()),
                 "ncclAllReduce");
    here.broadcast(out.data(), 4, 0);
    here.grouped([&] {
      here.all_reduce(in.data(), out.data(), 2);
      here.all_reduce(in.data() + 2, out.data() + 2, 2);
    });
  }
};
struct download {
  using stream = st::stream<"collectives">;
  using reads = st::reads<sum>;
  using writes = st::writes<back>;
  void operator()(cudaStream_t s, const there& in, pinned& out) const {
    cudaMemcpyAsync(out.data(), in.data(), 4 * sizeof(float), cudaMemcpyDeviceToHost, s);
  }
};
struct hand_out {
  using reads = st::reads<back>;
  using writes = st::writes<result>;
  void operator()(const pinned& in, float& out) const { out = in[3]; }
};
struct adding_up
    : st::schedule<st::source<number>, st::result<result>, st::streams<"up", "collectives">, send,
                   upload, add, download, hand_out> {};

/// What rank \p rank of as many as meet in \p all, on the device of its number, gets for 0 to 9 on
/// each, all in all. Throws what the pipeline throws.
template <class Schedule = adding_up>
float sum_of_ten(st::nccl::local_ranks& all, std::size_t rank) {
  const auto device = static_cast<int>(rank);
  st::pipeline<Schedule, st::on_cuda, st::nccl::collectives> pipeline{
      st::cuda::streams{{"up", {.device = device}}, {"collectives", {.device = device}}},
      st::nccl::communicators{{"world", st::nccl::in_process(all, rank)}},
      st::nccl::timeouts{.peers = tested::patience}};
  int next = 0;
  float total = 0;
  const auto source = [&](int& to) {
    to = next;
    return next++ < 10;
  };
  for (const float r : pipeline.run(source)) total += r;
  return total;
}
inline float expected(std::size_t ranks) { return static_cast<float>(ranks) * (45 + 10 * 3); }

}  // namespace summing

/// The sum of a single rank, by a pipeline that nvcc compiled.
float sum_of_ten_by_nvcc();
