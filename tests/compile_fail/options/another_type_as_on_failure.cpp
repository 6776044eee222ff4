// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A type that is no `on_failure`
//
// It would not be looked at.
//
// expect-error: the_on_failure_of_a_task_is_not_stretto_on_failure_of_drop<parse
// expect-text: `on_failure` of task `parse` is not one of Stretto's: write `using on_failure = stretto::on_failure<stretto::drop>;`
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
  using on_failure = int;
#endif
  void operator()(st::in<sample> in, st::out<parsed> out) const { out = *in; }
};

struct training : st::schedule<st::source<sample>, st::result<parsed>, parse> {};

void run() { st::pipeline<training> pipeline; }
