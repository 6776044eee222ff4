// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `every<true>`
//
// As an `int` it would be 1, and mean each batch.
//
// expect-error: the_every_or_the_phase_of_a_task_is_not_a_static_constexpr_int<
// expect-text: the .every. or the .phase. of task .parse. is not a constant number: write .stretto::every<4>.
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct parsed : st::slot<int> {};

#ifdef FIXED
using rate = st::every<4>;
#else
using rate = st::every<true>;
#endif
void parse_text(st::in<sample> in, st::out<parsed> out) { out = *in; }
using parse = st::task<"parse", parse_text, rate>;

struct training : st::schedule<st::source<sample>, parse> {};

void run() { st::pipeline<training> pipeline; }
