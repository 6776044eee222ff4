// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>
#include <recording/driver.hpp>
#include <recording/world.hpp>

/// CUDA's handles and errors, as the recording driver has them.
namespace stand_in {

namespace recording = stretto::testing::recording;

/// The world that CUDA's functions speak to: at first one with a device, at the end of which
/// breaches and leaks fail the program.
recording::world& world();
/// Whoever is here: they speak to another world while this lives.
class in_place {
 public:
  explicit in_place(recording::world& w);
  ~in_place();
  in_place(const in_place&) = delete;
  in_place& operator=(const in_place&) = delete;

 private:
  recording::world* before_;
};

inline recording::driver driver() { return recording::driver(world()); }

inline cudaError_t of_cuda(recording::status s) { return static_cast<cudaError_t>(s); }
inline recording::status recorded(cudaError_t s) { return static_cast<recording::status>(s); }

// The world makes what CUDA's handles point to.
inline recording::stream recorded(cudaStream_t s) { return reinterpret_cast<recording::stream>(s); }
inline recording::event recorded(cudaEvent_t e) { return reinterpret_cast<recording::event>(e); }
inline recording::graph recorded(cudaGraph_t g) { return reinterpret_cast<recording::graph>(g); }
inline recording::executable recorded(cudaGraphExec_t x) {
  return reinterpret_cast<recording::executable>(x);
}
inline recording::pool recorded(cudaMemPool_t p) { return reinterpret_cast<recording::pool>(p); }
inline cudaStream_t of_cuda(recording::stream s) { return reinterpret_cast<cudaStream_t>(s); }
inline cudaEvent_t of_cuda(recording::event e) { return reinterpret_cast<cudaEvent_t>(e); }
inline cudaGraph_t of_cuda(recording::graph g) { return reinterpret_cast<cudaGraph_t>(g); }
inline cudaGraphExec_t of_cuda(recording::executable x) {
  return reinterpret_cast<cudaGraphExec_t>(x);
}
inline cudaMemPool_t of_cuda(recording::pool p) { return reinterpret_cast<cudaMemPool_t>(p); }

}  // namespace stand_in
