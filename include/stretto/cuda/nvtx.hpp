// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <nvtx3/nvToolsExtCudaRt.h>
#include <stretto/observe/nvtx.hpp>
#include <string>
#include <string_view>

namespace stretto::cuda {

/// `stretto::nvtx_ranges` that tells the profiler streams' names, too: its rows of kernels and
/// copies are called as in the schedule. Needs the targets stretto::cuda and stretto::nvtx.
class nvtx_ranges : public stretto::nvtx_ranges {
 public:
  void stream_made(std::string_view name, cudaStream_t stream) {
    nvtxNameCudaStreamA(stream, std::string(name).c_str());
  }
};

}  // namespace stretto::cuda
