// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <thrust/system/cuda/execution_policy.h>
#include <cstddef>
#include <stretto/cuda/driver.hpp>
#include <stretto/device/handle.hpp>
#include <stretto/device/scratch.hpp>

/// Thrust in the bodies of tasks, and whatever else takes its execution policies.
namespace stretto::cuda {

/// What has an algorithm of Thrust's put its work on a task's stream without waiting for it:
/// `thrust::transform(cuda::policy(s), ...)`. Algorithms that return a value of the device's, such
/// as `reduce`, wait all the same.
inline auto policy(cudaStream_t stream) { return thrust::cuda::par_nosync.on(stream); }

namespace detail {

/// A scratch as an allocator of Thrust's, for temporary storage.
class thrust_allocator {
 public:
  using value_type = char;

  explicit thrust_allocator(device::scratch<driver>& from) : from_(&from) {}

  char* allocate(std::ptrdiff_t bytes) {
    return static_cast<char*>(from_->allocate_async(static_cast<std::size_t>(bytes)));
  }
  void deallocate(char* memory, std::size_t bytes) { from_->deallocate_async(memory, bytes); }

 private:
  device::scratch<driver>* from_;
};

}  // namespace detail

/// A policy by which Thrust works on the stream of a handle without waiting for it, with temporary
/// memory from where the pipeline's slots have theirs.
inline auto policy(const device::handle<driver, device::scratch<driver>>& h) {
  return thrust::cuda::par_nosync(detail::thrust_allocator(*h)).on(h.stream());
}

}  // namespace stretto::cuda
