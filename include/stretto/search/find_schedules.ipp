// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <stretto/bound/costs.hpp>
#include <stretto/dynamic/query/diagnose.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/search/find_schedule.hpp>
#include <stretto/search/find_schedules.hpp>
#include <stretto/search/found_by.hpp>
#include <stretto/search/limits.hpp>
#include <stretto/search/problem.hpp>
#include <stretto/search/schedule_problem.hpp>
#include <stretto/search/solve.hpp>
#include <string>
#include <utility>
#include <vector>

namespace stretto::search {

namespace detail {

/// Hands out the best answers of a problem, one after the other. What is left is the union of
/// parts, of which each knows its best answer. The best of these is the next one; its part is split
/// into those that have all but that answer (Murty, An algorithm for ranking all the assignments in
/// order of increasing cost, 1968).
class answers_in_turn {
 public:
  answers_in_turn(const problem& p, solution first, std::size_t count, const effort& how)
      : root_(first), how_(how) {
    how_.progress = {};
    how_.known.clear();
    const long long all = how.steps > 0 ? how.steps : 400'000'000;
    const auto ways = static_cast<long long>(p.tasks.size()) * (1 + (std::max)(p.choices(), 1U));
    how_.steps =
        (std::max)(all / ((std::max)(static_cast<long long>(count), 1LL) * ways), 100'000LL);
    problem whole = p;
    name_a_thread(whole, first.best);
    parts_.push_back({std::move(whole), std::move(first)});
  }

  /// Of what is left the best answer. `found` is false if nothing is left.
  solution next() {
    if (parts_.empty()) return {};
    std::size_t best = 0;
    for (std::size_t i = 1; i < parts_.size(); ++i)
      if (parts_[i].found.better_than(parts_[best].found)) best = i;
    part taken = std::move(parts_[best]);
    parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(best));
    refine(taken.asked, taken.found, how_);
    split(taken);
    return as_of_all(std::move(taken.found));
  }

 private:
  struct part {
    problem asked;
    solution found;
  };

  /// Where threads are alike, plans would come back with their names exchanged.
  static void name_a_thread(problem& p, const answer& a) {
    const auto chosen = [&](const problem::task& t) { return t.host && t.thread == no_number; };
    for (const problem::task& t : p.tasks)
      if (t.host && t.thread < p.choices()) return;
    const auto first = std::find_if(p.tasks.begin(), p.tasks.end(), chosen);
    if (first != p.tasks.end())
      first->thread = a.thread[static_cast<std::size_t>(first - p.tasks.begin())];
  }

  /// Each part has those answers in which one choice is another one and all before it are as they
  /// were.
  void split(const part& from) {
    const answer& a = from.found.best;
    problem fixed = from.asked;
    for (number t = 0; t < fixed.tasks.size(); ++t) {
      problem::task& task = fixed.tasks[t];
      const auto look = [&](auto change) {
        part next{fixed, {}};
        change(next.asked.tasks[t]);
        next.found = find_best(next.asked, how_);
        if (next.found.found) parts_.push_back(std::move(next));
      };
      if (task.host && task.thread == no_number) {
        for (number j = 0; j < fixed.choices(); ++j)
          if (j != a.thread[t]) look([&](problem::task& it) { it.thread = j; });
        task.thread = a.thread[t];
      }
      if (a.lookahead[t] > task.least)
        look([&](problem::task& it) { it.most = a.lookahead[t] - 1; });
      if (a.lookahead[t] < fixed.most_ahead(t))
        look([&](problem::task& it) { it.least = a.lookahead[t] + 1; });
      task.least = task.most = a.lookahead[t];
    }
  }

  /// What is proved is proved of all answers.
  solution as_of_all(solution found) const {
    const bool as_short = found.period == root_.period;
    found.least = root_.least;
    found.why = root_.why;
    found.least_bytes = as_short ? root_.least_bytes : 0;
    found.fewest_in_flight = as_short && root_.fewest_in_flight && found.bytes == root_.bytes &&
                             found.best.in_flight == root_.best.in_flight;
    return found;
  }

  solution root_;
  effort how_;
  std::vector<part> parts_;
};

/// Where each task is, and how far ahead: by the names of tasks. Threads that were offered and that
/// no task names are alike, so they are numbered.
inline std::string placements_of(const dynamic::schedule& asked, const dynamic::schedule& made,
                                 const limits& within) {
  std::map<std::string, std::string> numbers;
  std::string all;
  for (const dynamic::task& t : asked.tasks) {
    const dynamic::task& now = *made.find(t.name);
    const auto named = [&](const dynamic::task& other) { return other.thread == now.thread; };
    const bool alike = std::find(within.threads.begin(), within.threads.end(), now.thread) !=
                           within.threads.end() &&
                       std::none_of(asked.tasks.begin(), asked.tasks.end(), named);
    std::string thread = now.thread;
    if (alike)
      thread = numbers.emplace(now.thread, "#" + std::to_string(numbers.size())).first->second;
    all += std::to_string(now.lookahead) + " " + thread + "\n";
  }
  return all;
}

}  // namespace detail

STRETTO_INLINE std::vector<found_schedule> find_schedules(const dynamic::schedule& s,
                                                          planner::view<task_cost> costs,
                                                          const limits& within, std::size_t count,
                                                          const effort& how) {
  std::vector<found_schedule> all;
  if (count == 0) return all;
  detail::refuse_device(within.device.has_value(), "`find_schedules`");
  all.push_back(find_schedule(s, costs, within, how));
  if (count == 1) return all;
  const bool shares = std::any_of(s.tasks.begin(), s.tasks.end(), [](const dynamic::task& t) {
    return !t.observes.empty() || !t.mutates.empty();
  });
  const detail::schedule_problem asked(s, costs, within,
                                       shares ? detail::kept::sharers : detail::kept::nothing);
  if (!asked.possible()) return all;
  effort more = how;
  more.progress = {};
  more.known = asked.known(s);
  solution root = detail::find_best(asked.asked(), more);
  if (!root.found) return all;
  std::set<std::string> seen{detail::placements_of(s, all.front().schedule, within)};
  std::vector<solution> order{root};
  detail::answers_in_turn answers(asked.asked(), std::move(root), count, how);
  const std::size_t most = 4 * count + 8;  // some come back, or are not valid
  for (std::size_t i = 0; i < most && all.size() < count; ++i) {
    const solution next = answers.next();
    if (!next.found) break;
    found_schedule made = detail::edited(s, asked, next);
    if (!dynamic::diagnose(made.schedule).ok() || !detail::keeps_results(s, made.schedule))
      continue;
    if (!seen.insert(detail::placements_of(s, made.schedule, within)).second) continue;
    // Which of two is better may be found out late.
    std::size_t at = order.size();
    while (at > 1 && next.better_than(order[at - 1])) --at;
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(at), next);
    all.insert(all.begin() + static_cast<std::ptrdiff_t>(at), std::move(made));
  }
  return all;
}

}  // namespace stretto::search
