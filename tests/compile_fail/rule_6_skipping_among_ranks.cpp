// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A source drops batches of which ranks agree whether all have one
//
// With `agreed_end`, and where ranks have roles, all of them have each batch, or it is the end.
// What one of them cannot read, the others would have.
//
// expect-error: rule_6_a_source_drops_batches_of_which_ranks_agree_whether_all_have_one<stretto::source<sample
// expect-text: rule 6: the source drops batches if it fails .its `on_failure`., but ranks agree before each batch whether all have one, and would disagree on those; let its failures end the run, as they do without, or catch what is thrown in the source, and go on to the next there
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
using from = st::source<sample>;
#else
using from = st::source<sample, st::on_failure<st::drop>>;
#endif

struct training : st::schedule<from, st::agreed_end, st::result<parsed>, parse> {};

void run() { st::pipeline<training> pipeline; }
