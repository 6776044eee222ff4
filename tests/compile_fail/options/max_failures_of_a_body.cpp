// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `max_failures` as a field of a task that is made of a body
//
// It is no field: it stands in `on_failure`.
//
// expect-error: a_task_is_given_what_is_no_field_of_a_task<
// expect-text: task `parse` is given `max_failures<3>`, which is no field of a task
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct parsed : st::slot<int> {};

inline constexpr auto copy = [](st::in<sample> in, st::out<parsed> out) { out = *in; };
#ifdef FIXED
using parse = st::task<"parse", copy, st::on_failure<st::drop, st::max_failures<3>>>;
#else
using parse = st::task<"parse", copy, st::max_failures<3>>;
#endif

struct training : st::schedule<st::source<sample>, st::result<parsed>, parse> {};

void run() { st::pipeline<training> pipeline; }
