// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// Collectives over NCCL: `stretto::pipeline<schedule, stretto::on_cuda,
/// stretto::nccl::collectives>`. The target is `stretto::nccl`; how ranks meet, and what happens
/// when one fails, is in docs/collectives.md.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <stretto/cuda/driver.hpp>
#include <stretto/nccl/collectives.hpp>
#include <stretto/nccl/library.hpp>
#include <stretto/nccl/memory.hpp>
#include <stretto/nccl/settings.hpp>
#pragma GCC diagnostic pop

namespace stretto::nccl {

/// The collectives of a pipeline are NCCL's, non-blocking, on CUDA's streams.
using collectives = collectives_over<library, cuda::driver>;
/// Passed to a pipeline along with tasks: `nccl::communicators{{"world", nccl::in_folder(...)}}`.
using communicators = communicators_of<library>;
/// Device memory for slots that NCCL allocates, for its collectives to use without copies:
/// `cuda::memory{&memory}`, `nccl::registered{&memory}`.
using memory = memory_of<library, cuda::driver>;
/// Passed to a pipeline along with tasks: memory to be registered with its communicators.
using registered = registered_memory<library, cuda::driver>;
/// What bodies of collective tasks get in addition to the rest of their context.
using context = in_context<library, cuda::driver>;

}  // namespace stretto::nccl

namespace stretto {

template <>
struct asked_of_collectives<ncclComm_t> : asked_of_collectives<nccl::context> {};

}  // namespace stretto
