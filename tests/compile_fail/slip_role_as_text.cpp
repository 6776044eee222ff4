// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A role given as text
//
// What a role is called is part of the program's types. A text, a number or an object of that name
// means nothing, and the task would run on every rank.
//
// expect-error: the_role_of_a_task_is_not_a_type_like_stretto_role<train
// expect-text: the role of task `train` is not a role: write `using role = stretto::role<"name">;`
// expect-at: pipeline<job> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw : st::slot<int> {};
struct loss : st::slot<int> {};

struct train {
#ifdef FIXED
  using role = st::role<"trainer">;
#else
  static constexpr const char* role = "trainer";
#endif
  void operator()(st::in<raw> in, st::out<loss> out) const { out = *in; }
};

struct job : st::schedule<st::source<raw>, st::result<loss>, train> {};

void run() { st::pipeline<job> pipeline; }
