// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A schedule with roles as a value
//
// Schedules that are values know of no roles: each rank would have all tasks.
//
// expect-error: a_schedule_with_roles_has_no_runtime_version<job
// expect-text: schedule `job` has tasks of roles, of which schedules that are values know nothing; run it as types, or leave the roles out
// expect-lines: 25
#include <stretto/from_types.hpp>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw : st::slot<int> {};
struct loss : st::slot<int> {};

struct train {
#ifndef FIXED
  using role = st::role<"trainer">;
#endif
  void operator()(st::in<raw> in, st::out<loss> out) const { out = *in; }
};

struct job : st::schedule<st::source<raw>, st::result<loss>, train> {};

st::dynamic::schedule as_value() { return st::dynamic::outline<job>(); }
