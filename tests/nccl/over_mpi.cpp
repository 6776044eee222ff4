// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks of NCCL that meet over MPI: with real processes, without NCCL.
#include <mpi.h>
#include <cstdio>
#include <exception>
#include <stretto/nccl/mpi.hpp>
#include <string>
#include <vector>
#include "../support/patience.hpp"

namespace {

bool as_expected() {
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  bool fine = true;
  {
    const auto channel = stretto::nccl::over_mpi(own)(tested::patience);
    const std::string mine(128, static_cast<char>('a' + channel->rank()));
    const std::vector<std::string> all = channel->gather(mine, [](const auto&) {});
    for (std::size_t r = 0; r < all.size(); ++r)
      fine = fine && all[r] == std::string(128, static_cast<char>('a' + r));
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Comm_free(&own);
  return fine;
}

}  // namespace

int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  int mine = 0;
  try {
    mine = as_expected() ? 1 : 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
  }
  int everywhere = 0;
  MPI_Allreduce(&mine, &everywhere, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  MPI_Finalize();
  return everywhere == 1 ? 0 : 1;
}
