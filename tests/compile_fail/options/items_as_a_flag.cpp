// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `produces<slot, true>`
//
// As an `int` it would be one item.
//
// expect-error: a_task_consumes_or_produces_1_to_65536_items_per_call<parse
// expect-text: task `parse` has `produces<parsed(, true)?>`, which says no number; each call consumes or produces 1 to 65,536 items of a slot
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct parsed : st::slot<int> {};
struct kept : st::slot<int> {};

struct parse {
#ifdef FIXED
  void operator()(st::in<sample> in, st::produces<parsed, 1> out) const { out = *in; }
#else
  void operator()(st::in<sample> in, st::produces<parsed, true> out) const { out[0] = *in; }
#endif
};
struct keep_it {
  void operator()(st::consumes<parsed> in, st::produces<kept> out) const { out = *in; }
};

struct training : st::schedule<st::source<sample>, parse, keep_it> {};

void run() { st::pipeline<training> pipeline; }
