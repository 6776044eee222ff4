// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stretto/mpi.hpp>
#include <stretto/stretto.hpp>

struct value : stretto::slot<int> {};
struct sum : stretto::slot<int> {};
struct add {
  static constexpr bool collective = true;
  using reads = stretto::reads<value>;
  using writes = stretto::writes<sum>;
  void operator()(stretto::context auto& ctx, int in, int& out) const { out = ctx.all_reduced(in); }
};
struct job : stretto::schedule<stretto::source<value>, stretto::result<sum>, add> {};

int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  {
    stretto::pipeline<job, stretto::mpi::collectives> p;
    const int source[] = {1, 2, 3};
    for (const int total : p.run(source)) static_cast<void>(total);
  }
  MPI_Finalize();
}
