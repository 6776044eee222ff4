// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A collective of MPI over several communicators
//
// expect-compilers: each
// expect-error: a collective task of MPI is among the ranks of one communicator
// expect-lines: 30
#include <stretto/mpi.hpp>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct number : st::slot<int> {};
struct total : st::slot<int> {};

struct add_up {
#ifdef FIXED
  using communicator = st::communicator<"node">;
#else
  using communicator = st::communicator<"world", "node">;
#endif
  static constexpr bool collective = true;
  using reads = st::reads<number>;
  using writes = st::writes<total>;
  void operator()(st::context auto& ctx, int in, int& out) const { out = ctx.all_reduced(in); }
};

struct adding : st::schedule<st::source<number>, st::result<total>, add_up> {};

int sum(const int (&numbers)[3]) {
  st::pipeline<adding, st::mpi::collectives> pipeline;
  int all = 0;
  for (const int r : pipeline.run(numbers)) all += r;
  return all;
}
