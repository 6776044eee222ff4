// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stretto/advice/same_effects.hpp>
#include <stretto/bound/bound_of.hpp>
#include <stretto/bound/costs.hpp>
#include <stretto/dynamic/query/declared.hpp>
#include <stretto/dynamic/query/diagnose.hpp>
#include <stretto/dynamic/query/planned.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/error.hpp>
#include <stretto/search/evaluation.hpp>
#include <stretto/search/least_period.hpp>
#include <stretto/search/problem.hpp>
#include <stretto/search/schedule_problem.hpp>
#include <stretto/search/solve.hpp>
#include <string>
#include <utility>
#include <vector>

namespace stretto::search {

/// A schedule that was found, and what is known of better ones.
struct found_schedule {
  dynamic::schedule schedule{};  ///< lookaheads, threads, order, copies and source's lookahead set
  planner::ratio period{};       ///< the time per progress: `bound_of` the schedule says the same
  planner::ratio least{};        ///< no schedule within the limits has a shorter one
  proof::why reason = proof::why::none;  ///< why not
  std::vector<std::string> because{};    ///< the tasks of that load or cycle, by name
  std::string busy{};                    ///< the thread or stream that is busy with them
  int share = 0;                         ///< as many of a crowd are on one thread, at least
  std::int64_t bytes = 0;                ///< of all copies of slots whose size is known
  std::int64_t least_bytes = 0;          ///< none of this period takes fewer; 0: not known
  int in_flight = 1;                     ///< batches
  bool fewest_in_flight = false;         ///< none of this period and as many bytes has fewer
  /// If each task took a tenth longer, one at a time, which part of that would make no progress
  /// longer: from 0 to 1. Not known of more than 2,000 tasks.
  std::optional<planner::ratio> spare{};
  /// How often, in a progress, a thread has to wait for what another one has done.
  int hand_overs = 0;
  long long steps = 0;     ///< that the search took
  bool on_device = false;  ///< streams were a device's: `because` and `busy` are of both kinds

  bool optimal() const { return !(least < period); }

  /// All of that as text for people.
  std::string text() const {
    planner::text_builder out;
    out.add("a progress takes ").quotient(period.time, period.progresses);
    if (optimal()) {
      out.add(", the least that it can: ");
    } else {
      out.add("; no schedule takes less than ").quotient(least.time, least.progresses).add(": ");
    }
    switch (reason) {
      case proof::why::task: out.add("that is what a task takes by itself"); break;
      case proof::why::thread: out.add("the thread is busy"); break;
      case proof::why::resource: out.add("what excludes each other is busy"); break;
      case proof::why::threads: out.add("all threads are busy"); break;
      case proof::why::streams: out.add("all streams that are offered are busy"); break;
      case proof::why::crowd:
        out.add("a thread has ").number(share).add(" of these tasks at least");
        break;
      case proof::why::cycle: out.add("tasks wait for each other over batches"); break;
      case proof::why::search: out.add("each order of the tasks was tried or ruled out"); break;
      case proof::why::none: out.add("nothing takes any time"); break;
    }
    if (!busy.empty()) out.add(", ").quoted(busy);
    for (std::size_t i = 0; i < because.size(); ++i)
      out.add(i == 0 ? ": " : reason == proof::why::cycle ? " > " : ", ").quoted(because[i]);
    out.add("\n");
    out.count(static_cast<std::size_t>(in_flight), " batch in flight", " batches in flight");
    if (fewest_in_flight) out.add(", the fewest");
    if (bytes > 0) {
      out.add("; ").number(static_cast<long long>(bytes)).add(" bytes");
      if (bytes == least_bytes) out.add(", the fewest");
    }
    out.add("\n").count(static_cast<std::size_t>(hand_overs), " hand-over", " hand-overs");
    out.add(" between threads");
    if (spare) {
      const long long percent = 100 * spare->time / spare->progresses;
      out.add("; of a tenth that a task may take longer, ").number(percent).add(" % is to spare");
    }
    return out.add("\n").text();
  }
};

namespace detail {

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

}  // namespace detail

/// Looks for the lookaheads, threads and order of a schedule's tasks that give the shortest time
/// per progress when threads run ahead of each other; at that, the fewest bytes of copies; at both,
/// the fewest batches in flight; at all three for much to `spare` and few `hand_overs`. Tasks take
/// their weights, or what \p costs say; \p within limits what is looked for, \p how the time.
/// Throws `usage_error` if costs or limits name what there is not, or nothing keeps them all, and
/// `dynamic::schedule_error` if the schedule itself is invalid.
inline found_schedule find_schedule(const dynamic::schedule& s, planner::view<task_cost> costs,
                                    const limits& within = {}, const effort& how = {}) {
  return detail::found_by(
      s, costs, within,
      [&](const detail::schedule_problem& asked, std::string& refused) {
        refused = "no schedule has been found within these limits: take more steps";
        effort more = how;
        more.known = asked.known(s);
        return detail::find_best(asked.asked(), more);
      },
      [&](const detail::schedule_problem& asked, solution& found) {
        detail::refine(asked.asked(), found, how);
      });
}
inline found_schedule find_schedule(const dynamic::schedule& s,
                                    std::initializer_list<task_cost> costs = {},
                                    const limits& within = {}, const effort& how = {}) {
  return find_schedule(s, planner::view<task_cost>(costs.begin(), costs.size()), within, how);
}

}  // namespace stretto::search
