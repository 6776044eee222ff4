// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// Collectives over MPI, on host memory: `stretto::pipeline<schedule, stretto::mpi::collectives>`.
/// The target is `stretto::mpi`; how to write collective tasks, and how a program ends after a
/// failure, is in docs/collectives.md.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include <stretto/mpi/channel.hpp>
#include <stretto/mpi/collectives.hpp>
#include <stretto/mpi/context.hpp>
#include <stretto/mpi/error.hpp>
#include <stretto/mpi/settings.hpp>
#pragma GCC diagnostic pop
