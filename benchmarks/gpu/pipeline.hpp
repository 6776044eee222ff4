// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>
#include <cstddef>
#include <stretto/cuda.hpp>
#include <stretto/stretto.hpp>
#include "spin.hpp"

/// Copy, compute, communicate: each a stream, each a batch ahead of the next, each as long as asked
/// for. Three kernels, a copy, and the events between them; the work itself is waiting, so that a
/// progress takes what the longest of the three takes if they overlap, and the sum if not.
namespace benchmarks {

namespace st = stretto;

inline constexpr std::size_t values = 1024;
using pinned = st::cuda::pinned_array<int, values>;
using there = st::cuda::array<int, values>;

/// Further copies of the page-locked source, so that the host is not held up by the last copy.
inline constexpr std::size_t spare_buffers = 3;

struct durations {
  unsigned copy = 0;  // microseconds
  unsigned compute = 0;
  unsigned communicate = 0;
};

// What tasks do, the same in each variant.
inline void do_copy(const durations& d, const int* in, int* out, cudaStream_t s) {
  cudaMemcpyAsync(out, in, values * sizeof(int), cudaMemcpyHostToDevice, s);
  spin(d.copy, s);
}
inline void do_compute(const durations& d, cudaStream_t s) { spin(d.compute, s); }
inline void do_communicate(const durations& d, cudaStream_t s) { spin(d.communicate, s); }

struct batch : st::slot<pinned> {};
struct input : st::slot<there> {};
struct output : st::slot<there> {};

struct copy {
  using stream = st::stream<"copy">;
  static constexpr int lookahead = 2;
  using reads = st::reads<batch>;
  using writes = st::writes<input>;
  durations d;
  void operator()(cudaStream_t s, const pinned& in, there& out) const {
    do_copy(d, in.data(), out.data(), s);
  }
};
struct compute {
  using stream = st::stream<"compute">;
  static constexpr int lookahead = 1;
  using reads = st::reads<input>;
  using writes = st::writes<output>;
  durations d;
  void operator()(cudaStream_t s, const there&, there&) const { do_compute(d, s); }
};
struct communicate {
  using stream = st::stream<"communicate">;
  using reads = st::reads<output>;
  durations d;
  void operator()(cudaStream_t s, const there&) const { do_communicate(d, s); }
};

struct training
    : st::schedule<st::source<batch>, st::streams<"copy", "compute", "communicate">, copy, compute,
                   communicate, st::slack<batch, spare_buffers>, st::threads<st::on_caller>> {};
using on_threads = st::replan<training, st::threads<st::by_stream>>;
using serial = st::serial<training>;

}  // namespace benchmarks
