// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A transfer of values that view into another slot
//
// What they view into is on the rank that sends.
//
// expect-error: a_transfer_is_of_values_that_view_into_other_slots<send
// expect-text: transfer `send` sends slot `words`, whose values view into those of other slots and mean nothing on another rank; send the slots that they view into, and make the views there
// expect-at: pipeline<job> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw : st::slot<int> {};
struct sample : st::slot<int> {};
struct loss : st::slot<int> {};
#ifdef FIXED
struct words : st::slot<int> {};
#else
struct words : st::slot<const int*>, st::points_into<sample> {};
#endif

struct decode {
  using role = st::role<"reader">;
  static constexpr int lookahead = 2;
  void operator()(st::in<raw>, st::out<sample>, st::out<words>) const {}
};
struct send : st::transfer<words, "reader", "trainer"> {
  static constexpr std::string_view name = "send";
  static constexpr int lookahead = 1;
};
struct train {
  using role = st::role<"trainer">;
  void operator()(st::in<words>, st::out<loss>) const {}
};

struct job : st::schedule<st::source<raw>, st::result<loss>, decode, send, train> {};

void run() { st::pipeline<job> pipeline; }
