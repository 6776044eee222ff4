// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A collective of MPI on a stream of a device
//
// expect-compilers: each
// expect-error: collective tasks of MPI are host tasks where streams are a device's
// expect-lines: 30
#include <recording/driver_interface.hpp>
#include <stretto/device/backend.hpp>
#include <stretto/mpi.hpp>
#include <stretto/stretto.hpp>

namespace st = stretto;

using driver = st::testing::recording::driver;

struct number : st::slot<int> {};
struct total : st::slot<int> {};

struct add_up {
#ifndef FIXED
  using stream = st::stream<"sums">;
#endif
  static constexpr bool collective = true;
  using reads = st::reads<number>;
  using writes = st::writes<total>;
  void operator()(st::context auto& ctx, int in, int& out) const { out = ctx.all_reduced(in); }
};

struct adding : st::schedule<st::source<number>, st::result<total>, st::streams<"sums">, add_up> {};
// Where a stream is a thread's, the task may be on one.
struct on_threads
    : st::schedule<st::source<number>, st::result<total>, st::streams<"sums">, add_up> {};

int sum(const int (&numbers)[3], st::testing::recording::world& machine) {
  st::pipeline<adding, st::device::backend<driver>, st::mpi::collectives> pipeline{driver(machine)};
  st::pipeline<on_threads, st::mpi::collectives> without;
  int all = 0;
  for (const int r : pipeline.run(numbers)) all += r;
  for (const int r : without.run(numbers)) all += r;
  return all;
}
