// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A body that moves out of the slot that the source fills
//
// Other tasks may read that slot too, so nobody gets it to change it, and no task may list it in
// `writes`. A task that moves on what a batch brings takes its value: `takes<slot>`, and is the
// last to use it.
//
// expect-error: a_task_takes_to_change_the_slot_of_the_source_of_which_it_can_only_take_the_value<admit, arrivals>
// expect-text: task `admit` takes slot `arrivals` to change it, but the source alone fills it; take it as const
// expect-lines: 15
// expect-compilers: each
#include <stretto/stretto.hpp>
#include <utility>
#include <vector>

namespace st = stretto;

using tickets = std::vector<int>;
struct arrivals : st::slot<tickets> {};
struct owned : st::slot<tickets> {};

struct admit {
#ifdef FIXED
  using reads = st::reads<st::takes<arrivals>>;
  using writes = st::writes<owned>;
  void operator()(tickets&& in, tickets& out) const { out = std::move(in); }
#else
  using reads = st::reads<arrivals>;
  using writes = st::writes<owned>;
  void operator()(tickets& in, tickets& out) const { out = std::move(in); }
#endif
};

struct admission : st::schedule<st::source<arrivals>, st::result<owned>, admit> {};

void run() { st::pipeline<admission> pipeline; }
