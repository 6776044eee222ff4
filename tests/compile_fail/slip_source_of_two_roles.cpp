// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A source that tasks of two roles read
//
// Each rank would have a source of its own.
//
// expect-error: the_slot_of_the_source_is_read_by_tasks_of_two_roles<count, decode
// expect-text: the source.s slot `raw` is read by task `count` of role `trainer` and by task `decode` of role `reader`; let one role have the source, and send the others what they need by `stretto::transfer`
// expect-at: pipeline<job> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw : st::slot<int> {};
struct sample : st::slot<int> {};
struct loss : st::slot<int> {};

struct decode {
  using role = st::role<"reader">;
  static constexpr int lookahead = 2;
  void operator()(st::in<raw> in, st::out<sample> out) const { out = *in; }
};
struct send : st::transfer<sample, "reader", "trainer"> {
  static constexpr std::string_view name = "send";
  static constexpr int lookahead = 1;
};
struct train {
  using role = st::role<"trainer">;
  void operator()(st::in<sample> in, st::out<loss> out) const { out = *in; }
};
struct count {
#ifdef FIXED
  using role = st::role<"reader">;
#else
  using role = st::role<"trainer">;
#endif
  void operator()(st::in<raw>) const {}
};

struct job : st::schedule<st::source<raw>, st::result<loss>, decode, send, train, count> {};

void run() { st::pipeline<job> pipeline; }
