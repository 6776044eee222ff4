// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task that cannot throw drops batches on which it fails
//
// What leaves a call operator that is `noexcept` ends the program before anybody can drop the
// batch.
//
// expect-error: a_task_drops_batches_on_which_it_fails_but_its_call_operator_is_noexcept<parse
// expect-text: task `parse` drops batches on which it fails .`on_failure`., but its call operator is noexcept: what it throws would end the program; drop one of the two
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct parsed : st::slot<int> {};

struct parse {
  using on_failure = st::on_failure<st::drop>;
#ifdef FIXED
  void operator()(st::in<sample> in, st::out<parsed> out) const { out = *in; }
#else
  void operator()(st::in<sample> in, st::out<parsed> out) const noexcept { out = *in; }
#endif
};

struct training : st::schedule<st::source<sample>, st::result<parsed>, parse> {};

void run() { st::pipeline<training> pipeline; }
