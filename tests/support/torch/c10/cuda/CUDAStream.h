// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>
#include <cstdint>

/// As much of LibTorch as stretto/cuda/torch.hpp names: by the same names, with the same
/// parameters.
namespace c10 {

using DeviceIndex = std::int8_t;

namespace cuda {

class CUDAStream {
 public:
  CUDAStream(cudaStream_t stream, DeviceIndex device) : stream_(stream), device_(device) {}
  cudaStream_t stream() const { return stream_; }
  DeviceIndex device_index() const { return device_; }

 private:
  cudaStream_t stream_;
  DeviceIndex device_;
};

inline CUDAStream getStreamFromExternal(cudaStream_t stream, DeviceIndex device) {
  return {stream, device};
}

inline CUDAStream& current() {
  thread_local CUDAStream stream(nullptr, 0);
  return stream;
}
inline CUDAStream getCurrentCUDAStream() { return current(); }

}  // namespace cuda
}  // namespace c10
