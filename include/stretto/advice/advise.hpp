// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <initializer_list>
#include <stretto/advice/advice.hpp>
#include <stretto/advice/fidelity.hpp>
#include <stretto/advice/search.hpp>
#include <stretto/advice/spelled_types.hpp>
#include <stretto/bound/bound_of.hpp>
#include <stretto/bound/cost_of.hpp>
#include <stretto/bound/costs.hpp>
#include <stretto/declare/context.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/dynamic/query/from_types.hpp>
#include <stretto/dynamic/query/planned.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/pace.hpp>
#include <stretto/static/errors/body.hpp>
#include <stretto/static/values/declared.hpp>
#include <utility>

namespace stretto {

namespace advising::detail {

template <class Task>
bool is_shareable() {
  using called = typed::body<Task, task_context>;
  if constexpr (called::ok) {
    return called::callable_as_const(typename called::parameters{});
  } else {
    return false;
  }
}

template <class Schedule>
task_facts facts_of() {
  task_facts facts;
  [&]<class... Task>(pack<Task...>) {
    (facts.shareable.push_back(is_shareable<Task>() ? 1 : 0), ...);
  }(typename typed::declared<Schedule>::tasks{});
  facts.may_have_workers = !typed::declared<Schedule>::is_alone;
  return facts;
}

inline task_facts facts_of(const dynamic::schedule& s) {
  task_facts facts;
  for (const dynamic::task& t : s.tasks)
    facts.shareable.push_back(!t.body || t.body.shareable() ? 1 : 0);
  return facts;
}

template <class Schedule>
advice ask(question asked) {
  const dynamic::planned_schedule planned(dynamic::outline<Schedule>());
  asked.facts = facts_of<Schedule>();
  asked.how = spelling_of<Schedule>(planned);
  return find_advice(planned, asked);
}
inline advice ask(const dynamic::planned_schedule& planned, question asked) {
  asked.facts = facts_of(planned.input());
  return find_advice(planned, asked);
}

}  // namespace advising::detail

/// Which edits of a schedule of types would make a progress take less time: by the weights of its
/// tasks, except those whose time \p costs tell. Each is planned, and run in virtual time. \p Pace
/// is `run_ahead` or `barrier`. An invalid schedule is an error. Throws `usage_error` if \p costs
/// name what is no task of it, name one twice or are negative.
template <class Schedule, bound::pace Pace = run_ahead>
advice advise(planner::view<task_cost> costs, const advice_options& within = {}, Pace = {}) {
  return advising::detail::ask<Schedule>({costs, Pace::meets, within});
}
template <class Schedule, bound::pace Pace = run_ahead>
advice advise(std::initializer_list<bound::cost_of<Schedule>> costs = {},
              const advice_options& within = {}, Pace = {}) {
  return advise<Schedule, Pace>(planner::view<task_cost>(bound::costs_of<Schedule>(costs)), within);
}
/// By what a run of its plan took. If the model does not tell that, there is no advice. Throws
/// `usage_error` if the run has no cost of a task.
template <class Schedule, bound::pace Pace = run_ahead>
advice advise(const measured_run& run, const advice_options& within = {}, Pace = {}) {
  return advising::detail::ask<Schedule>(
      {planner::view<task_cost>(run.costs.data(), run.costs.size()), Pace::meets, within, &run});
}

/// The same of a schedule that is a value.
template <bound::pace Pace = run_ahead>
advice advise(const dynamic::planned_schedule& planned, planner::view<task_cost> costs,
              const advice_options& within = {}, Pace = {}) {
  return advising::detail::ask(planned, {costs, Pace::meets, within});
}
template <bound::pace Pace = run_ahead>
advice advise(const dynamic::planned_schedule& planned, std::initializer_list<task_cost> costs = {},
              const advice_options& within = {}, Pace = {}) {
  return advise<Pace>(planned, planner::view<task_cost>(costs.begin(), costs.size()), within);
}
template <bound::pace Pace = run_ahead>
advice advise(const dynamic::planned_schedule& planned, const measured_run& run,
              const advice_options& within = {}, Pace = {}) {
  return advising::detail::ask(
      planned,
      {planner::view<task_cost>(run.costs.data(), run.costs.size()), Pace::meets, within, &run});
}

}  // namespace stretto
