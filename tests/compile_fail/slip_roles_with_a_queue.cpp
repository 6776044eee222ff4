// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Roles and a queue of a thread group
//
// Each rank would plan the queue for its own tasks, and ranks would be in different batches.
//
// expect-error: a_schedule_with_roles_has_a_queue_or_workers<job
// expect-text: a schedule with roles has a queue or workers for a thread group, which would be planned otherwise on each rank; leave them out
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
  using thread = st::thread<"training">;
  void operator()(st::in<sample> in, st::out<loss> out) const { out = *in; }
};

#ifdef FIXED
struct job : st::schedule<st::source<raw>, st::result<loss>, decode, send, train> {};
#else
struct job : st::schedule<st::source<raw>, st::result<loss>, decode, send, train,
                          st::queue<"training", 2>> {};
#endif

void run() { st::pipeline<job> pipeline; }
