// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>
#include <array>
#include <chrono>
#include <cstdint>
#include <stretto/cuda/driver.hpp>
#include <string_view>

namespace stretto::cuda {

namespace detail {

/// A kernel of one thread that reads the device's clock until the time that it is given has passed.
/// As text, so that programs that nvcc did not compile can load it.
inline constexpr char pause_kernel[] = R"(.version 7.0
.target sm_52
.address_size 64
.visible .entry stretto_pause(.param .u64 nanoseconds)
{
  .reg .u64 %begin, %now, %time;
  .reg .pred %early;
  ld.param.u64 %time, [nanoseconds];
  mov.u64 %begin, %globaltimer;
again:
  mov.u64 %now, %globaltimer;
  sub.u64 %now, %now, %begin;
  setp.lt.u64 %early, %now, %time;
@%early bra again;
  ret;
}
)";

/// The kernel, loaded once, for every device, until the process ends.
struct loaded_pause {
  cudaKernel_t kernel{};
  cudaError_t status = cudaSuccess;

  static const loaded_pause& get() {
    static const loaded_pause loaded;
    return loaded;
  }

 private:
  loaded_pause() {
    cudaLibrary_t library{};
    status = cudaLibraryLoadData(&library, pause_kernel, nullptr, nullptr, 0, nullptr, nullptr, 0);
    if (status == cudaSuccess) status = cudaLibraryGetKernel(&kernel, library, "stretto_pause");
  }
};

}  // namespace detail

/// Puts a kernel on a stream that does nothing for some time, as `device::padding` asks for it. A
/// device's clock may go in steps of a microsecond.
struct pause {
  static constexpr std::string_view name = "cudaLaunchKernel of a kernel that waits";

  cudaError_t operator()(const driver&, cudaStream_t stream, std::chrono::nanoseconds time) const {
    const detail::loaded_pause& loaded = detail::loaded_pause::get();
    if (loaded.status != cudaSuccess) return loaded.status;
    auto nanoseconds = static_cast<std::uint64_t>(time.count());
    std::array<void*, 1> arguments{&nanoseconds};
    return cudaLaunchKernel(static_cast<const void*>(loaded.kernel), dim3(1), dim3(1),
                            arguments.data(), 0, stream);
  }
};

}  // namespace stretto::cuda
