// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A value is taken that is a result
//
// Results are handed out when all tasks have run, so no task can be the last to use such a slot. A
// result is a `T&`: your loop may move from it.
//
// expect-error: rule_5_a_task_takes_the_value_of_a_slot_that_results_need<send, reply>
// expect-text: rule 5: task `send` takes the value of slot `reply`, which is a result, handed out after all tasks; let task `send` read it, or drop it from `result`
// expect-lines: 15
#include <stretto/stretto.hpp>
#include <string>

namespace st = stretto;

struct request : st::slot<std::string> {};
struct reply : st::slot<std::string> {};
struct sent : st::slot<std::string> {};

struct parse {
  void operator()(st::takes<request> in, st::out<reply> out) const { out = *in; }
};

struct send {
#ifdef FIXED
  void operator()(st::in<reply> in, st::out<sent> out) const { out = *in; }
#else
  void operator()(st::takes<reply> in, st::out<sent> out) const { out = *in; }
#endif
};

struct service : st::schedule<st::source<request>, st::result<reply, sent>, parse, send> {};

void run() { st::pipeline<service> pipeline; }
