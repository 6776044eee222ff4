// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A dependency that a slot gives already
//
// Reading a slot orders a task after the one that wrote it. An entry of `cross_iter_depends_on` for
// the same pair and the same distance says it twice, and would stay behind when one of the two
// changes.
//
// expect-error: rule_6_cross_iter_depends_on_restates_an_order_that_a_slot_gives<forward, h2d, (stretto::invalid::)?drop_the_entry_for_it_is_ordered_by_the_read_of<batch> ?>
// expect-text: rule 6: task `forward` names `h2d` in cross_iter_depends_on; drop the entry: the read of `batch` already orders it
// expect-at: pipeline<training> pipeline
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
#ifndef FIXED
  using cross_iter_depends_on = st::cross_iter_depends_on<h2d>;
#endif
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
