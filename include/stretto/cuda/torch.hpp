// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <stretto/cuda/driver.hpp>
#include <stretto/device/context.hpp>
#include <utility>

/// LibTorch in the bodies of tasks. Needs the target stretto::torch.
namespace stretto::cuda {

/// A task whose body is that of `Task`, during which the task's stream is PyTorch's current one on
/// its device: `struct forward : cuda::torch_stream<forward_body> {}`, with all that `Task` says.
/// `Task`'s own body takes its slots, or `const cuda::context&` and its slots. It is called for
/// each batch, never replayed: the memory of tensors is PyTorch's to give out anew.
template <class Task>
struct torch_stream : Task {
  using Task::Task;
  torch_stream() = default;
  torch_stream(Task task) : Task(std::move(task)) {}

  template <class... Slot>
    requires(
        requires(Task& task, Slot&&... slot) { task(std::forward<Slot>(slot)...); } ||
        requires(Task& task, const device::context<driver>& here, Slot&&... slot) {
          task(here, std::forward<Slot>(slot)...);
        })
  void operator()(const device::context<driver>& here, Slot&&... slot) {
    const c10::cuda::CUDAStreamGuard current(c10::cuda::getStreamFromExternal(
        here.stream(), static_cast<c10::DeviceIndex>(here.device())));
    if constexpr (requires(Task& task) { task(std::forward<Slot>(slot)...); })
      Task::operator()(std::forward<Slot>(slot)...);
    else
      Task::operator()(here, std::forward<Slot>(slot)...);
  }
};

}  // namespace stretto::cuda
