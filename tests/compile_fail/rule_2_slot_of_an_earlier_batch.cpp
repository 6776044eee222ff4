// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task reads a slot of an earlier batch
//
// The offset of a slot is that of the batch that the task works on. A task that compares a batch
// with one before reads that as `previous`.
//
// expect-error: rule_2_the_offset_of_a_slot_is_negative<track, image, (stretto::invalid::)?of_an_earlier_batch_read_stretto_previous_of<image> ?>
// expect-text: rule 2: task `track` reads slot `image` at offset -1; the least is 0, and the task.s own lookahead is 0; what is of an earlier batch is read as .previous.
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
  using reads = st::reads<st::previous<image>>;
  using writes = st::writes<motion>;
  void operator()(st::previous<image> before, int& out) const { out = before.value_or(0); }
#else
  using reads = st::reads<st::at_offset<image, -1>>;
  using writes = st::writes<motion>;
  void operator()(int before, int& out) const { out = before; }
#endif
};

struct tracking : st::schedule<st::source<frame>, st::result<motion>, undistort, track> {};

void run() { st::pipeline<tracking> pipeline; }
