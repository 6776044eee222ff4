// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A value is taken before another task uses it
//
// Who takes the value of a slot is the last to use it: all others that read or write the slot have
// run on this batch by then. A task that works further behind would find what is left of a value
// that was moved from.
//
// expect-error: rule_5_a_task_takes_the_value_of_a_slot_before_another_uses_it<parse, log_it, request, (stretto::invalid::)?raise_lookahead<log_it, 2
// expect-text: rule 5: task `parse` takes the value of slot `request` at lookahead 2, but `log_it` reads it at lookahead 0; let `log_it` read it at lookahead 2 or more, or let task `parse` read it instead of taking it
// expect-lines: 15
// expect-compilers: each
#include <cstddef>
#include <memory>
#include <stretto/stretto.hpp>
#include <string>

namespace st = stretto;

struct request : st::slot<std::unique_ptr<std::string>> {};
struct parsed : st::slot<std::unique_ptr<std::string>> {};
struct length : st::slot<std::size_t> {};

struct parse {
  static constexpr int lookahead = 2;
  void operator()(st::takes<request> in, st::out<parsed> out) const { out = *in; }
};

struct log_it {
#ifdef FIXED
  static constexpr int lookahead = 2;
#endif
  void operator()(st::in<request> in, st::out<length> out) const { out = (*in)->size(); }
};

struct service : st::schedule<st::source<request>, st::result<length>, parse, log_it> {};

void run() { st::pipeline<service> pipeline; }
