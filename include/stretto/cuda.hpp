// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// Pipelines whose streams are CUDA streams: `pipeline<training, on_cuda>`. See docs/gpu.md.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <cstddef>
#include <stretto/cuda/driver.hpp>
#include <stretto/device/adapted_resource.hpp>
#include <stretto/device/backend.hpp>
#include <stretto/device/handle.hpp>
#include <stretto/device/kept.hpp>
#include <stretto/device/scratch.hpp>
#pragma GCC diagnostic pop

namespace stretto {

/// An option of `pipeline`: streams are CUDA streams, on the device that is current where the
/// pipeline is made unless `cuda::streams` say otherwise. The pipeline's constructor throws
/// `cuda::error` where there is no device, or where CUDA refuses what is asked of it.
using on_cuda = device::backend<cuda::driver>;

/// An option of `pipeline`: streams are CUDA streams, used by CUDA graphs. What bodies put on a
/// stream is captured in the first steady progresses and launched from then on. For tasks whose
/// bodies take the stream and slots that stay where they are (`cuda::array`, `cuda::pinned_array`),
/// and do the same work for every batch; the others are called each time, as
/// `pipeline.device().left_out()` says.
using on_cuda_graphs = device::backend<cuda::driver, true>;

namespace cuda {

/// What a body gets as its first parameter if it asks for it; it converts to `cudaStream_t`, which
/// a body may ask for instead.
using context = device::context<driver>;

/// What a body gets as its first parameter if it asks for what is made once for its stream, such as
/// `cuda::handle<cuda::cublas>`: an object of each of the types `Kept`.
template <class... Kept>
using handle = device::handle<driver, Kept...>;

/// Temporary device memory in the order of a task's stream: `cuda::handle<cuda::scratch>`.
using scratch = device::scratch<driver>;

/// A call of CUDA's that failed: which, and what CUDA says.
using error = device::error;
/// What a handle refers to could not be made: for which task, on which stream, and why.
using handle_error = device::handle_error;

/// Passed to a pipeline along with tasks: `cuda::streams{{"memcpy", {.priority = -1}}, ...}`.
using streams = device::streams<driver>;
/// What is said of one of them: its priority, its device, a stream of yours to be used for it.
using stream_options = device::stream_options<driver>;

/// Passed to a pipeline along with tasks: `cuda::usage{.sleep = true}` lets host tasks that wait
/// for a stream sleep.
using usage = device::usage;

// Types of slots.

/// Device memory for `N` elements, allocated once for each copy of the slot.
template <class Type, std::size_t Count>
using array = device::array<Type, Count, driver>;
/// Device memory that the task which fills the slot sizes: `out.resize(n)`.
template <class Type>
using buffer = device::buffer<Type, driver>;
/// Device memory that the task which fills the slot asks for in each batch, `out.resize(n)`, and
/// that is given back after the last task that uses the batch, all in the order of streams.
template <class Type>
using transient_buffer = device::transient_buffer<Type, driver>;
/// Page-locked host memory for `N` elements: what copies to and from the device need in order to
/// run at the same time as other work.
template <class Type, std::size_t Count>
using pinned_array = device::pinned_array<Type, Count, driver>;
/// Page-locked host memory that the task which fills the slot sizes.
template <class Type>
using pinned_buffer = device::pinned_buffer<Type, driver>;

/// What a type of your own is constructed from if its values are to own device memory as slots:
/// where the copy lives, on which stream it is filled.
using slot_location = device::slot_location<driver>;

/// Where device memory for slots comes from: derive from it, and pass `cuda::memory{&resource}` to
/// the pipeline. The default is the stream-ordered pool of the device (`cudaMallocAsync`).
using memory_resource = device::memory_resource<driver>;
/// Memory from a stream-ordered pool: that of the device, or a `cudaMemPool_t` of yours.
using pool_resource = device::pool_resource<driver>;
/// Passed to a pipeline along with tasks: where the memory of its device slots comes from: a
/// resource, a `cudaMemPool_t`, or pools of the pipeline's own, which keep as many bytes as
/// `cuda::memory{.release_threshold = bytes}` says.
using memory = device::memory<driver>;
/// A `memory_resource` of one of RMM's, of `cuda::mr`'s, or of whatever has their shape, which must
/// outlive it: `auto from = cuda::adapted(pool);`.
template <device::stream_ordered_resource<cudaStream_t> Resource>
device::adapted_resource<driver, Resource> adapted(Resource& from) {
  return device::adapted_resource<driver, Resource>(from);
}

}  // namespace cuda
}  // namespace stretto
