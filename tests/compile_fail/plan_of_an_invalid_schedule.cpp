// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Asking for the plan of an invalid schedule
//
// An invalid schedule has no plan. `plan_of`, `copies_of` and the other constants of a schedule
// give the same error as a pipeline would, so a mistake is found where the schedule is first used.
// `is_valid`, `findings` and `explain_findings` can be asked about any schedule.
//
// expect-error: rule_6_depends_on_names_what_is_not_a_task_of_this_schedule<forward, zero_gradd>
// expect-text: rule 6: task `forward` names `zero_gradd` in depends_on
// expect-lines: 15
#include <cstddef>
#include <stretto/stretto.hpp>
#include <string>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct h2d {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw_batch>;
  using writes = st::writes<batch>;
  void operator()(int in, int& out) const { out = in; }
};

struct zero_gradd;

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
#ifndef FIXED
  using depends_on = st::depends_on<zero_gradd>;
#endif
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward> {};

constexpr auto& plan = st::plan_of<training>;
static_assert(plan.order.size() == plan.nodes);
static_assert(st::copies_of<training, loss> <= 2);
std::string describe() { return st::describe<training>(); }
std::size_t how_many() { return st::in_flight<training>; }
