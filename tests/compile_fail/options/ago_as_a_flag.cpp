// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `ago<task, true>`
//
// As an `int` it would be one batch ago.
//
// expect-error: an_entry_of_a_list_has_no_whole_number_within_reach<parse, (st|stretto)::ago<parse, true> ?>
// expect-text: task `parse` lists `ago<parse(, true)?>`; its number is a whole one of batches, up to 100,000, and no truth value or letter
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct parsed : st::slot<int> {};

struct parse {
#ifdef FIXED
  using cross_iter_depends_on = st::cross_iter_depends_on<st::ago<parse, 1>>;
#else
  using cross_iter_depends_on = st::cross_iter_depends_on<st::ago<parse, true>>;
#endif
  void operator()(st::in<sample> in, st::out<parsed> out) const { out = *in; }
};

struct training : st::schedule<st::source<sample>, st::result<parsed>, parse> {};

void run() { st::pipeline<training> pipeline; }
