// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task reads a slot of an earlier batch
//
// A slot is of the batch that the task works on. A task that compares a batch with the one before
// keeps what it needs of that in itself: it sees every batch, in order.
//
// expect-error: rule_2_the_offset_of_a_slot_is_negative<track, image, (stretto::invalid::)?keep_what_is_needed_of_earlier_batches_in<track> ?>
// expect-text: rule 2: task `track` reads slot `image` at offset -1; the least is 0, and the task.s own lookahead is 0; what it needs of an earlier batch, a task keeps in itself
// expect-at: pipeline<tracking> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct frame : st::slot<int> {};
struct image : st::slot<int> {};
struct motion : st::slot<int> {};

struct undistort {
  static constexpr int lookahead = 1;
  using reads = st::reads<frame>;
  using writes = st::writes<image>;
  void operator()(int in, int& out) const { out = in; }
};

struct track {
#ifdef FIXED
  using reads = st::reads<image>;
  using writes = st::writes<motion>;
  void operator()(int now, int& out) {
    out = now - before;
    before = now;
  }
  int before = 0;
#else
  using reads = st::reads<st::at_offset<image, -1>>;
  using writes = st::writes<motion>;
  void operator()(int before, int& out) const { out = before; }
#endif
};

struct tracking : st::schedule<st::source<frame>, st::result<motion>, undistort, track> {};

void run() { st::pipeline<tracking> pipeline; }
