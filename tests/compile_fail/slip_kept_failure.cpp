// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A batch that is to be kept although its task failed
//
// A task that throws has not done its work for the batch, and what comes after it would read slots
// that are half written. The batch is dropped; or the task catches what is thrown, writes
// something that others can use, and returns.
//
// expect-error: a_batch_on_which_a_task_fails_cannot_be_kept<parse
// expect-text: task `parse` is to keep batches on which it fails, for which its work is not done; drop them, `stretto::on_failure<stretto::drop>`, or catch what is thrown in the task
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
  using on_failure = st::on_failure<st::keep>;
#endif
  void operator()(st::in<sample> in, st::out<parsed> out) const { out = *in; }
};

struct training : st::schedule<st::source<sample>, st::result<parsed>, parse> {};

void run() { st::pipeline<training> pipeline; }
