// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>
#include <array>
#include <cstddef>
#include <stretto/cuda.hpp>
#include <stretto/stretto.hpp>
#include <vector>
#include "kernels.hpp"

/// A batch through all four pairs of host and device, each step slow enough for what does not wait
/// for it to be seen: read on the host, prepared on another thread, copied from page-locked memory,
/// computed on another stream, copied back on a third, checked on the host.
namespace chain {

namespace st = stretto;

inline constexpr std::size_t count = 256;

/// By a driver of its own, so that a test can put one between the pipeline and CUDA.
template <class Driver>
struct by {
  using pinned = st::device::pinned_array<int, count, Driver>;
  using array = st::device::array<int, count, Driver>;

  struct number : st::slot<int> {};
  struct prepared : st::slot<int> {};
  struct sent : st::slot<pinned> {};
  struct there : st::slot<array> {};
  struct computed : st::slot<array> {};
  struct back : st::slot<pinned> {};
  struct result : st::slot<int> {};

  struct prepare {  // host to host
    using thread = st::thread<"reader">;
    static constexpr int lookahead = 3;
    using reads = st::reads<number>;
    using writes = st::writes<prepared>;
    void operator()(int in, int& out) const { out = 10 * in; }
  };
  struct send {  // host to device: the copy must be done before this runs again in its place
    static constexpr int lookahead = 2;
    using reads = st::reads<prepared>;
    using writes = st::writes<sent>;
    void operator()(int in, pinned& out) const { out.begin()[0] = out.begin()[count - 1] = in; }
  };
  struct upload {
    using stream = st::stream<"up">;
    static constexpr int lookahead = 2;
    using reads = st::reads<sent>;
    using writes = st::writes<there>;
    void operator()(cudaStream_t s, const pinned& in, array& out) const {
      kernels::spin(kernels::long_us, s);
      cudaMemcpyAsync(out.data(), in.data(), count * sizeof(int), cudaMemcpyHostToDevice, s);
    }
  };
  struct compute {  // device to device
    using stream = st::stream<"compute">;
    static constexpr int lookahead = 1;
    using reads = st::reads<there>;
    using writes = st::writes<computed>;
    void operator()(cudaStream_t s, const array& in, array& out) const {
      kernels::add(spin_us, in.data(), 1, out.data(), count, s);
    }
    unsigned spin_us = 0;
  };
  struct download {
    using stream = st::stream<"down">;
    static constexpr int lookahead = 1;
    using reads = st::reads<computed>;
    using writes = st::writes<back>;
    void operator()(cudaStream_t s, const array& in, pinned& out) const {
      kernels::spin(kernels::long_us / 2, s);
      cudaMemcpyAsync(out.data(), in.data(), count * sizeof(int), cudaMemcpyDeviceToHost, s);
    }
  };
  struct check {  // device to host
    using reads = st::reads<back>;
    using writes = st::writes<result>;
    void operator()(const pinned& in, int& out) const {
      out = in.begin()[0] == in.begin()[count - 1] ? in.begin()[0] : -1;
    }
  };

  struct schedule
      : st::schedule<st::source<number>, st::result<result>, st::streams<"up", "compute", "down">,
                     prepare, send, upload, compute, download, check> {};
};

/// N numbers, from 0.
inline auto numbers(int batches) {
  return [next = 0, batches](int& to) mutable {
    to = next;
    return next++ < batches;
  };
}

/// Whether it is what the chain makes of numbers from 0.
inline bool right(const std::vector<int>& results) {
  for (std::size_t b = 0; b < results.size(); ++b)
    if (results[b] != 10 * static_cast<int>(b) + 1) return false;
  return true;
}

template <class Pipeline>
std::vector<int> results_of(Pipeline& pipeline, int batches) {
  std::vector<int> all;
  for (const int r : pipeline.run(numbers(batches))) all.push_back(r);
  return all;
}

}  // namespace chain
