// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// For NCCL where MPI is, too: link stretto::mpi and stretto::nccl. Empty where it is not.
#if __has_include(<mpi.h>)

#  include <mpi.h>
#  include <chrono>
#  include <memory>
#  include <stretto/mpi/channel.hpp>
#  include <stretto/mpi/error.hpp>
#  include <stretto/nccl/settings.hpp>
#  include <stretto/run/error.hpp>

namespace stretto::nccl {

/// The ranks of an MPI communicator, which nobody else uses and which outlives the pipeline:
/// `MPI_Comm_dup` one. Errors on it are returned from now on. A thread of the pipeline's own calls
/// MPI while a run is on: that takes MPI_THREAD_MULTIPLE, or MPI_THREAD_SERIALIZED in a program
/// that does not call MPI meanwhile. Throws `usage_error` where MPI allows less, or is not
/// initialised.
inline meeting over_mpi(MPI_Comm own) {
  return meeting([own](std::chrono::milliseconds) -> meeting::channel {
    int level = MPI_THREAD_SINGLE;
    if (mpi::is_up()) mpi::checked(MPI_Query_thread(&level), "MPI_Query_thread");
    if (level < MPI_THREAD_SERIALIZED)
      throw usage_error(
          "ranks of NCCL that meet over MPI need threads of it: call MPI_Init_thread with "
          "MPI_THREAD_SERIALIZED, or with MPI_THREAD_MULTIPLE if the program calls MPI during "
          "runs");
    mpi::checked(MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    return std::make_shared<mpi::channel>(own);
  });
}

}  // namespace stretto::nccl

#endif
