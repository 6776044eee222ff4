// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A slot is written while another that points into it is used
//
// Views that are made of a slot hold as long as nobody writes it again for that batch. Who updates
// it does so before they are made, or when all who use them are done, further behind than those.
//
// expect-error: rule_5_a_task_writes_a_slot_that_another_still_views<shout, count, text
// expect-text: rule 5: task `shout` writes slot `text` when `words`, which points into it, is made, and `count` still uses that; raise the lookahead of task `shout` to at least 1, or let it write a slot of its own
// expect-lines: 15
#include <cstddef>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace st = stretto;

struct line : st::slot<std::string> {};
struct text : st::slot<std::string> {};
struct words : st::slot<std::vector<std::string_view>>, st::points_into<text> {};
struct total : st::slot<std::size_t> {};

struct load {
  static constexpr int lookahead = 2;
  void operator()(st::in<line> in, st::out<text> out) const { out = *in; }
};

struct split {
  static constexpr int lookahead = 1;
  void operator()(st::in<text> in, st::out<words> out) const { out->assign(1, *in); }
};

struct shout {
#ifdef FIXED
  static constexpr int lookahead = 1;
#endif
  void operator()(st::inout<text> all) const { *all += "!"; }
};

struct count {
  void operator()(st::in<words> in, st::out<total> out) const { out = in->size(); }
};

struct reading : st::schedule<st::source<line>, st::result<total>, load, split, shout, count> {};

void run() { st::pipeline<reading> pipeline; }
