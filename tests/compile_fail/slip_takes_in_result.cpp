// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A result is said to be taken
//
// A result is handed out as a `T&` that nobody else uses until the run goes on: a loop over the
// results may move from it without saying so.
//
// expect-error: a_result_is_a_slot_and_may_be_moved_from_without_takes<(stretto::)?takes<parsed> ?>
// expect-text: a result is `takes<parsed>`; name the slot alone: a result is handed out as `T&`, which may be moved from
// expect-lines: 15
#include <stretto/stretto.hpp>
#include <string>

namespace st = stretto;

struct request : st::slot<std::string> {};
struct parsed : st::slot<std::string> {};

struct parse {
  void operator()(st::takes<request> in, st::out<parsed> out) const { out = *in; }
};

#ifdef FIXED
struct service : st::schedule<st::source<request>, st::result<parsed>, parse> {};
#else
struct service : st::schedule<st::source<request>, st::result<st::takes<parsed>>, parse> {};
#endif

void run() { st::pipeline<service> pipeline; }
