// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `previous` looks back by no batch
//
// `previous<slot, N>` is the value of `N` batches before the one at hand, `N` from 1 to 100,000; a
// `window<slot, N>` holds that of `N` batches, from 1 to 1,024. What the slot holds of the batch at
// hand is read by its name.
//
// expect-error: previous_and_latest_look_back_100000_batches_at_most_and_a_window_holds_1_to_1024<flow, (struct )?(stretto::)?previous<image, 0> ?>
// expect-text: task `flow` reads `previous<image, 0>`; `previous` looks 1 to 100,000 batches back, `latest` 0 to 100,000, and a `window` holds 1 to 1,024
// expect-at: pipeline<tracking> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct image : st::slot<int> {};
struct motion : st::slot<int> {};

struct flow {
#ifdef FIXED
  using reads = st::reads<image, st::previous<image>>;
#else
  using reads = st::reads<image, st::previous<image, 0>>;
#endif
  using writes = st::writes<motion>;
  void operator()(int now, const auto& before, int& out) const { out = now - before.value_or(0); }
};

struct tracking : st::schedule<st::source<image>, st::result<motion>, flow> {};

void run() { st::pipeline<tracking> pipeline; }
