// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `on_error` in place of `on_failure`
//
// It would not be looked at.
//
// expect-error: a_task_has_a_misspelled_member<parse, .*on_error, .*on_failure
// expect-text: task `parse` has a member `on_error`, which nobody looks at; did you mean `on_failure`.
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct parsed : st::slot<int> {};

struct parse {
#ifdef FIXED
  using on_failure = st::on_failure<st::drop>;
#else
  using on_error = st::on_failure<st::drop>;
#endif
  void operator()(st::in<sample> in, st::out<parsed> out) const { out = *in; }
};

struct training : st::schedule<st::source<sample>, st::result<parsed>, parse> {};

void run() { st::pipeline<training> pipeline; }
