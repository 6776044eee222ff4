// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A read of what no task writes, and no source either
//
// A schedule can be planned without a source, but then every slot that is read is written by a
// task.
//
// expect-error: rule_5_no_task_writes_a_slot_that_is_read<h2d, raw_batch, (stretto::invalid::)?nor_is_there_a_source_to_fill_it>
// expect-text: rule 5: task `h2d` reads slot `raw_batch`, which no task writes, and there is no source to fill it
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct h2d {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw_batch>;
  using writes = st::writes<batch>;
  void operator()(int in, int& out) const { out = in; }
};

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

#ifdef FIXED
struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward> {};
#else
struct training : st::schedule<st::result<loss>, st::streams<"memcpy", "compute">, h2d, forward> {};
#endif

constexpr auto& plan = st::plan_of<training>;
static_assert(plan.order.size() == plan.nodes);
