// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cublas_v2.h>
#include <cstddef>
#include <stretto/cuda/driver.hpp>
#include <stretto/device/error.hpp>
#include <stretto/device/memory.hpp>

/// cuBLAS in the bodies of tasks. Needs the target stretto::cublas.
namespace stretto::cuda {

/// A cuBLAS handle for the stream of a task, which a body asks for by `cuda::handle<cuda::cublas>`
/// and passes to cuBLAS as it is: made once for each stream and each thread that submits to it. For
/// a handle with other settings derive a class from it, with a constructor that takes the stream.
class cublas {
 public:
  /// Throws `cuda::error` if cuBLAS refuses.
  explicit cublas(cudaStream_t stream) {
    checked("cublasCreate", cublasCreate(&handle_));
    try {
      checked("cublasSetStream", cublasSetStream(handle_, stream));
    } catch (...) {
      cublasDestroy(handle_);
      throw;
    }
  }
  cublas(const cublas&) = delete;
  cublas& operator=(const cublas&) = delete;
  ~cublas() { cublasDestroy(handle_); }

  operator cublasHandle_t() const { return handle_; }

  /// Throws `cuda::error` unless a call of cuBLAS's, \p call, went well.
  static void checked(const char* call, cublasStatus_t status) {
    if (status != CUBLAS_STATUS_SUCCESS) [[unlikely]]
      throw device::error(call, static_cast<int>(status), cublasGetStatusName(status),
                          cublasGetStatusString(status), false);
  }

 private:
  cublasHandle_t handle_ = nullptr;
};

/// A cuBLAS handle with `Bytes` of device memory of its own to work in, from where the pipeline's
/// slots have theirs. What is captured then allocates nothing, and results do not depend on how
/// much memory is left. cuBLAS asks for 32 MiB on devices from compute capability 9.0 on, for 4 MiB
/// on others.
template <std::size_t Bytes = std::size_t{32} << 20U>
class cublas_with_workspace : public cublas {
 public:
  explicit cublas_with_workspace(const device::slot_location<driver>& where)
      : cublas(where.stream), workspace_(where, Bytes) {
    checked("cublasSetWorkspace", cublasSetWorkspace(*this, workspace_.data(), Bytes));
  }

 private:
  device::buffer<unsigned char, driver> workspace_;
};

}  // namespace stretto::cuda
