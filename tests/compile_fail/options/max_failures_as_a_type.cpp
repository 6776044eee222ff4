// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `max_failures` on its own, as a type
//
// It bounds `on_failure`, and stands in it.
//
// expect-error: a_task_has_a_misspelled_member<parse, .*max_failures, .*on_failure
// expect-text: task `parse` has a member `max_failures`, which nobody looks at; did you mean `on_failure`.
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct parsed : st::slot<int> {};

struct parse {
#ifdef FIXED
  using on_failure = st::on_failure<st::drop, st::max_failures<10>>;
#else
  using max_failures = st::max_failures<10>;
#endif
  void operator()(st::in<sample> in, st::out<parsed> out) const { out = *in; }
};

struct training : st::schedule<st::source<sample>, st::result<parsed>, parse> {};

void run() { st::pipeline<training> pipeline; }
