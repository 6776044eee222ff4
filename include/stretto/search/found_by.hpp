// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stretto/advice/same_effects.hpp>
#include <stretto/bound/costs.hpp>
#include <stretto/dynamic/query/diagnose.hpp>
#include <stretto/dynamic/query/planned.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/error.hpp>
#include <stretto/search/evaluation.hpp>
#include <stretto/search/find_schedule.hpp>
#include <stretto/search/least_period.hpp>
#include <stretto/search/limits.hpp>
#include <stretto/search/problem.hpp>
#include <stretto/search/schedule_problem.hpp>
#include <stretto/search/solve.hpp>
#include <string>
#include <vector>

namespace stretto::search::detail {

/// What was found, as a schedule. Checked by whoever plans it.
inline found_schedule edited(const dynamic::schedule& from, const schedule_problem& asked,
                             const solution& found) {
  found_schedule made;
  made.schedule = asked.edited(from, found.best);
  made.period = found.period;
  made.least = found.least;
  made.reason = found.why.reason;
  for (const number n : found.why.nodes) made.because.push_back(asked.name_of(n));
  if (made.reason == proof::why::thread) made.busy = asked.thread_name(found.why.which);
  if (made.reason == proof::why::resource) made.busy = asked.resource_name(found.why.which);
  made.share = static_cast<int>(found.why.share);
  made.bytes = asked.bytes(found.bytes);
  made.least_bytes = asked.bytes(found.least_bytes);
  made.in_flight = found.best.in_flight;
  made.most_in_flight = asked.asked().in_flight;
  made.fewest_in_flight = found.fewest_in_flight;
  made.steps = found.steps;
  made.on_device = asked.asked().device;
  evaluation of_it(asked.asked(), found.best);
  made.hand_overs = of_it.hand_overs();
  constexpr std::size_t most = 2'000;
  if (asked.asked().tasks.size() <= most) made.spare = of_it.spare();
  return made;
}

/// Whether tasks that share state change it, and look at it, in the order and on the batches that
/// they did. What slots hold does not depend on where tasks are.
inline bool keeps_results(const dynamic::schedule& before, const dynamic::schedule& after) {
  const bool shares =
      std::any_of(before.tasks.begin(), before.tasks.end(),
                  [](const dynamic::task& t) { return !t.observes.empty() || !t.mutates.empty(); });
  return !shares || !dynamic::diagnose(before).ok() ||
         advising::same_effects(dynamic::planned_schedule(before),
                                dynamic::planned_schedule(after));
}

/// What \p look finds for the problem of a schedule; it says why if it finds nothing. \p finish
/// may change what was found, which is left out if tasks that share state are in another order
/// then.
template <class Look, class Finish>
found_schedule found_by(const dynamic::schedule& s, planner::view<task_cost> costs,
                        const limits& within, const Look& look, const Finish& finish) {
  const auto keeps_all = [&](const found_schedule& made) {
    return dynamic::diagnose(made.schedule).ok() && keeps_results(s, made.schedule);
  };
  // Tasks that share state which one of them changes may have been ordered by where and when they
  // ran: if what is found leaves them in no order, they stay where they are.
  solution proved;
  for (const auto keep : {kept::nothing, kept::sharers}) {
    const schedule_problem asked(s, costs, within, keep);
    if (!asked.possible()) continue;
    std::string refused;
    solution found = look(asked, refused);
    if (keep == kept::nothing) {
      if (found.none) asked.refuse();
      if (!found.found) throw usage_error(refused);
      proved = found;
    }
    if (!found.found) continue;
    // What is proved of all schedules, also if some tasks stay: unless these are on more threads
    // than were offered to all.
    if (!(found.period < proved.least)) {
      found.least = proved.least;
      found.why = proved.why;
    }
    if (keep != kept::nothing) found.least_bytes = 0;
    solution finished = found;
    finish(asked, finished);
    if (found_schedule made = edited(s, asked, finished); keeps_all(made)) return made;
    if (found_schedule made = edited(s, asked, found); keeps_all(made)) return made;
  }
  const schedule_problem asked(s, costs, within, kept::all);
  for (const answer& known : asked.possible() ? asked.known(s) : std::vector<answer>()) {
    const evaluation as_it_is(asked.asked(), known);
    if (as_it_is.wrong() != illegal::no) continue;
    proved.best = known;
    proved.period = as_it_is.period();
    if (proved.period < proved.least) {
      const least_period own = find_least_period(asked.asked());
      proved.least = own.period;
      proved.why = own.why;
    }
    proved.bytes = as_it_is.bytes();
    proved.least_bytes = 0;
    proved.fewest_in_flight = false;
    found_schedule made = edited(s, asked, proved);
    made.schedule = s;
    return made;
  }
  throw usage_error("no schedule within these limits keeps the order of tasks that share state");
}

template <class Look>
found_schedule found_by(const dynamic::schedule& s, planner::view<task_cost> costs,
                        const limits& within, const Look& look) {
  return found_by(s, costs, within, look, [](const schedule_problem&, solution&) {});
}

}  // namespace stretto::search::detail
