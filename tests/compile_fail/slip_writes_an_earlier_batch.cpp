// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task writes what an earlier batch left
//
// `previous<slot>` is finished: other tasks have read it, and who looks back relies on it. It can
// be read, not written. A task that carries something on from batch to batch reads the `previous`
// of a slot and writes the slot.
//
// expect-error: a_task_writes_an_earlier_batch_which_can_only_be_read<average, (struct )?(stretto::)?previous<mean(, 1)?> ?>
// expect-text: task `average` writes `previous<mean(, 1)?>`; what an earlier batch left can only be read: list the slot itself in `writes`, or the entry in `reads`
// expect-at: pipeline<averaging> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct mean : st::slot<int> {};

struct average {
#ifdef FIXED
  using reads = st::reads<sample, st::previous<mean>>;
  using writes = st::writes<mean>;
  void operator()(int now, st::previous<mean> before, int& out) const {
    out = (now + before.value_or(now)) / 2;
  }
#else
  using reads = st::reads<sample>;
  using writes = st::writes<st::previous<mean>>;
  void operator()(int now, int& out) const { out = (now + out) / 2; }
#endif
};

struct averaging : st::schedule<st::source<sample>, st::result<mean>, average> {};

void run() { st::pipeline<averaging> pipeline; }
