// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A source whose failures are to be kept
//
// There is no batch that could be kept. A source that can do without catches its own errors.
//
// expect-error: a_batch_on_which_a_task_fails_cannot_be_kept<stretto::source<sample
// expect-text: the source is to keep batches on which it fails, for which its work is not done; drop them, `stretto::on_failure<stretto::drop>`, or catch what is thrown in the source
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct parsed : st::slot<int> {};

struct parse {
  void operator()(st::in<sample> in, st::out<parsed> out) const { out = *in; }
};
#ifdef FIXED
using from = st::source<sample, st::on_failure<st::drop>>;
#else
using from = st::source<sample, st::on_failure<st::keep>>;
#endif

struct training : st::schedule<from, st::result<parsed>, parse> {};

void run() { st::pipeline<training> pipeline; }
