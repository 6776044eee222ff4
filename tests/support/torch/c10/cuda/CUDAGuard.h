// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <c10/cuda/CUDAStream.h>

namespace c10::cuda {

struct CUDAStreamGuard {
  explicit CUDAStreamGuard(CUDAStream stream) : before_(current()) { current() = stream; }
  CUDAStreamGuard(const CUDAStreamGuard&) = delete;
  CUDAStreamGuard& operator=(const CUDAStreamGuard&) = delete;
  ~CUDAStreamGuard() { current() = before_; }

 private:
  CUDAStream before_;
};

}  // namespace c10::cuda
