// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A slot points into one that its writer does not read
//
// A slot that derives from `points_into<text>` holds views into `text` of the same batch. The task
// that fills it has those views from somewhere: it reads `text`, or writes it itself.
//
// expect-error: rule_5_who_fills_a_slot_that_points_into_another_does_not_read_that<split, words>
// expect-text: rule 5: task `split` writes slot `words`, which points into `text`, but does not read that; let it read `text`, or drop `points_into` of `words`
// expect-lines: 15
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace st = stretto;

struct text : st::slot<std::string> {};
struct title : st::slot<std::string> {};
struct words : st::slot<std::vector<std::string_view>>, st::points_into<text> {};

struct head {
  void operator()(st::in<text> in, st::out<title> out) const { out = in->substr(0, 8); }
};

struct split {
#ifdef FIXED
  void operator()(st::in<text> in, st::out<words> out) const { out->assign(1, *in); }
#else
  void operator()(st::in<title> in, st::out<words> out) const { out->assign(1, *in); }
#endif
};

struct reading : st::schedule<st::source<text>, st::result<words>, head, split> {};

void run() { st::pipeline<reading> pipeline; }
