// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Two tasks take the value of one slot
//
// A value can be moved out of a slot once. The task that takes it is the last to use it; the others
// read it.
//
// expect-error: rule_5_two_tasks_take_the_value_of_one_slot<keep, parse, request>
// expect-text: rule 5: task `keep` takes the value of slot `request`, which `parse` takes, too; let one of them read it
// expect-lines: 15
#include <stretto/stretto.hpp>
#include <string>

namespace st = stretto;

struct request : st::slot<std::string> {};
struct parsed : st::slot<std::string> {};
struct kept : st::slot<std::string> {};

struct parse {
  void operator()(st::takes<request> in, st::out<parsed> out) const { out = *in; }
};

struct keep {
#ifdef FIXED
  void operator()(st::in<request> in, st::out<kept> out) const { out = *in; }
#else
  void operator()(st::takes<request> in, st::out<kept> out) const { out = *in; }
#endif
};

struct service : st::schedule<st::source<request>, st::result<parsed, kept>, parse, keep> {};

void run() { st::pipeline<service> pipeline; }
