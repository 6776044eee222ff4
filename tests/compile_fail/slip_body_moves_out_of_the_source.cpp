// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A body that moves out of the slot that the source fills
//
// Other tasks may read that slot too, so nobody gets it to change it, and no task may list it in
// `writes`. What a batch owns can move on if the slot holds a pointer to it: a reader cannot
// change the pointer, but what it points to. Only one task should.
//
// expect-error: a_task_takes_to_change_the_slot_of_the_source_let_it_hold_a_pointer_to_what_is_moved_out<admit, arrivals>
// expect-text: task `admit` takes slot `arrivals` to change it, but the source alone fills it; take it as const
// expect-lines: 15
// expect-compilers: each
#include <memory>
#include <stretto/stretto.hpp>
#include <utility>
#include <vector>

namespace st = stretto;

using tickets = std::vector<int>;
#ifdef FIXED
struct arrivals : st::slot<std::unique_ptr<tickets>> {};
#else
struct arrivals : st::slot<tickets> {};
#endif
struct owned : st::slot<tickets> {};

struct admit {
  using reads = st::reads<arrivals>;
  using writes = st::writes<owned>;
#ifdef FIXED
  void operator()(const std::unique_ptr<tickets>& in, tickets& out) const { out = std::move(*in); }
#else
  void operator()(tickets& in, tickets& out) const { out = std::move(in); }
#endif
};

struct admission : st::schedule<st::source<arrivals>, st::result<owned>, admit> {};

void run() { st::pipeline<admission> pipeline; }
