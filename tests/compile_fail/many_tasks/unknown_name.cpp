// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One mistake among 300 tasks is one short error; without it they compile, on every compiler as it
// comes: none of their limits is raised.
//
// expect-error: rule_6_depends_on_names_what_is_not_a_task_of_this_schedule<stray, no_such_task ?>
// expect-text: rule 6: task `stray` names `no_such_task` in depends_on
// expect-lines: 17
// expect-compilers: each
#include "../../behaviour/execute/many_tasks.hpp"

namespace st = stretto;

struct no_such_task;
struct stray {
#ifndef FIXED
  using depends_on = st::depends_on<no_such_task>;
#endif
};

struct training : many::schedule<300, stray> {};

static_assert(st::plan_of<training>.tasks <= 301);
