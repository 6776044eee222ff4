// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A rank's part of a schedule, with nothing to send by
//
// What one rank of several runs waits for others, and a pipeline without collectives knows of none.
//
// expect-error: a_projection_needs_collectives_that_make_transfers<reader_part
// expect-text: is what one rank of several runs, and needs collectives that send from role to role: `stretto::local::collectives`, `stretto::mpi::collectives` or `stretto::nccl::collectives` among the options of its pipeline
// expect-at: reader_part> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw : st::slot<int> {};
struct sample : st::slot<int> {};
struct loss : st::slot<int> {};

struct decode {
  using role = st::role<"reader">;
  static constexpr int lookahead = 2;
  void operator()(st::in<raw> in, st::out<sample> out) const { out = *in; }
};
struct send : st::transfer<sample, "reader", "trainer"> {
  static constexpr int lookahead = 1;
};
struct train {
  using role = st::role<"trainer">;
  void operator()(st::in<sample> in, st::out<loss> out) const { out = *in; }
};

struct job : st::schedule<st::source<raw>, st::result<loss>, decode, send, train> {};
struct reader_part : st::projection<job, "reader"> {};

#ifdef FIXED
void run() { st::pipeline<job> pipeline; }
#else
void run() { st::pipeline<reader_part> pipeline; }
#endif
