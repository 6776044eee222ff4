// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A field of a task that is said twice: `on_failure`
//
// One of them would not be looked at.
//
// expect-error: a_task_is_given_a_field_twice<
// expect-text: task `parse` is given `on_failure<stretto::verdict::drop>`, and another of its kind; keep one
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct parsed : st::slot<int> {};

inline constexpr auto copy = [](st::in<sample> in, st::out<parsed> out) { out = *in; };
#ifdef FIXED
using parse = st::task<"parse", copy, st::on_failure<st::drop>>;
#else
using parse = st::task<"parse", copy, st::on_failure<st::drop>,
                       st::on_failure<st::drop, st::max_failures<3>>>;
#endif

struct training : st::schedule<st::source<sample>, st::result<parsed>, parse> {};

void run() { st::pipeline<training> pipeline; }
