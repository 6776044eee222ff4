// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stretto/advice/quotients.hpp>
#include <stretto/advice/search.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/name_list.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/rules/roles.hpp>
#include <stretto/run/error.hpp>
#include <stretto/text/visible.hpp>
#include <string>
#include <utility>
#include <vector>

namespace stretto::advising {

namespace detail {

/// What is no less than this share of the time per progress is worth an edit.
inline constexpr long long least_gain_percent = 2;
/// How far the time promised may be from that of a run in virtual time.
inline constexpr long long most_error_percent = 10;
/// How many plans are tried, of single edits and of pairs: of many tasks fewer, as each takes
/// longer.
inline std::size_t most_singles(std::size_t tasks) { return 60 + 60'000 / (tasks + 1); }
inline std::size_t most_pairs(std::size_t tasks) { return 20 + 10'000 / (tasks + 1); }
inline constexpr std::size_t most_edits = 10;

inline bool saves(const planner::ratio& before, const planner::ratio& after) {
  return planner::ratio{after.time * 100, after.progresses} <
         planner::ratio{before.time * (100 - least_gain_percent) + 1, before.progresses};
}

/// What an edit needs more of: bytes or, where no slot's size is known, copies.
inline unsigned long long memory_more(const priced_edit& e) {
  const bool is_known = e.before.bytes > 0 || e.after.bytes > 0;
  const std::size_t before = is_known ? e.before.bytes : e.before.copies;
  const std::size_t after = is_known ? e.after.bytes : e.after.copies;
  return after > before ? after - before : 0;
}

/// Whether an edit saves more time for a byte than another of one schedule, which needs some, too.
inline bool saves_more_per_byte(const priced_edit& x, const priced_edit& y) {
  const auto saved = [](const priced_edit& e) {  // over what a progress takes before
    return static_cast<unsigned long long>(e.before.period.time * e.after.period.progresses -
                                           e.after.period.time * e.before.period.progresses);
  };
  const auto over = [](const priced_edit& e) {
    return static_cast<unsigned long long>(e.after.period.progresses) * memory_more(e);
  };
  return is_less(saved(y), over(y), saved(x), over(x));
}

/// Changes without their order.
inline bool same_changes(const changes& a, const changes& b) {
  return a.size() == b.size() && std::is_permutation(a.begin(), a.end(), b.begin());
}

class search {
 public:
  search(const dynamic::planned_schedule& p, const question& asked)
      : asked_(asked),
        input_(p.input()),
        by_(asked.costs, asked.meet, asked.device()),
        now_(by_.price(dynamic::planned_schedule(without_bodies(p.input())))) {
    if (asked.run != nullptr) refuse_unmeasured(*asked.run);
  }

  advice take() {
    const plan_price before = by_.whole(now_);
    fidelity checked = held_against_run();
    std::vector<priced_edit> edits;
    std::vector<split_what_if> splits;
    std::string why_none;
    if (checked.holds() && now_.period.time > 0) {
      if (!input_.serial) {
        try_singles();
        try_pairs();
        edits = best(before);
        splits = split_each(shortest(edits));
      }
      if (edits.empty()) why_none = say_none();
    }
    return {before,           by_.limit(now_),   std::move(checked),
            std::move(edits), std::move(splits), std::move(why_none)};
  }

 private:
  /// A weight next to measured times would be taken for nanoseconds.
  void refuse_unmeasured(const measured_run& run) const {
    for (const dynamic::task& t : input_.tasks)
      if (std::none_of(run.costs.begin(), run.costs.end(),
                       [&](const task_cost& c) { return c.task == t.name; }))
        throw usage_error("the record has no run of task `" + text::visible_name(t.name) +
                          "`: record more batches, or add what it takes to the run's `costs`");
  }

  fidelity held_against_run() const {
    if (asked_.run != nullptr) return compare(now_, by_, *asked_.run);
    if (asked_.within.measured_period < 0)
      throw usage_error("the measured time per progress is less than nothing");
    return {now_.period, asked_.within.measured_period};
  }

  bool too_many_threads(const priced_plan& p) const {
    const std::size_t most = asked_.within.most_threads;
    const std::size_t threads = host_threads(p.plan);
    return most > 0 && threads > most && threads > host_threads(now_.plan);
  }

  /// A plan with changes, if there is one with the same results that takes no longer.
  std::optional<priced_plan> plan_of(const changes& all) const {
    std::optional<priced_plan> p = by_.plan(changed(now_.plan.input(), all));
    if (!p || now_.period < p->period || too_many_threads(*p) || !same_results(now_.plan, p->plan))
      return std::nullopt;
    return p;
  }

  /// What may be tried of a plan. The model of a device knows nothing of workers.
  std::vector<changes> edits_of(const priced_plan& p) const {
    task_facts facts = asked_.facts;
    if (asked_.device() != nullptr) facts.may_have_workers = false;
    return candidates(p.plan, p.cycle, facts);
  }

  void try_singles() {
    const std::vector<changes> all = edits_of(now_);
    const std::size_t most = most_singles(input_.tasks.size());
    for (std::size_t i = 0; i < all.size() && i < most; ++i) {
      const std::optional<priced_plan> p = plan_of(all[i]);
      if (!p) continue;
      if (saves(now_.period, p->period)) {
        keep(all[i]);
      } else if (!same_cycle(*p)) {
        useless_.push_back(all[i]);
      }
    }
  }

  /// What saves nothing may let another edit save something: the period is of other tasks then.
  void try_pairs() {
    std::size_t left = most_pairs(input_.tasks.size());
    for (const changes& first : useless_) {
      const std::optional<priced_plan> with_first = plan_of(first);
      if (!with_first) continue;
      for (const changes& second : edits_of(*with_first)) {
        if (moves_again(first, second)) continue;
        changes both = first;
        for (const plan_change& c : second) add_change(both, c);
        const auto known = [&](const changes& other) { return same_changes(other, both); };
        if (std::any_of(pairs_.begin(), pairs_.end(), known)) continue;
        if (left-- == 0) return;
        pairs_.push_back(both);
        try_pair(second, both);
      }
    }
  }
  void try_pair(const changes& second, const changes& both) {
    const std::optional<priced_plan> p = plan_of(both);
    if (!p || !saves(now_.period, p->period)) return;
    // If the second half does it alone, that is the edit.
    const std::optional<priced_plan> alone = plan_of(second);
    const bool enough =
        alone && saves(now_.period, alone->period) && !saves(alone->period, p->period);
    keep(enough ? second : both);
  }
  /// Whether the first edit puts somewhere what the second one puts elsewhere.
  static bool moves_again(const changes& first, const changes& second) {
    return std::any_of(first.begin(), first.end(), [&](const plan_change& a) {
      return !a.where.empty() && std::any_of(second.begin(), second.end(), [&](const auto& b) {
        return a.what == b.what && a.subject == b.subject;
      });
    });
  }
  bool same_cycle(const priced_plan& p) const {
    return p.parts == now_.parts && p.is_circle == now_.is_circle;
  }
  void keep(const changes& all) {
    const auto known = [&](const changes& other) { return same_changes(other, all); };
    if (std::none_of(good_.begin(), good_.end(), known)) good_.push_back(all);
  }

  std::vector<priced_edit> best(const plan_price& before) {
    std::vector<priced_edit> all;
    for (const changes& edit : good_) {
      const std::optional<priced_plan> p = plan_of(edit);
      if (!p) continue;
      priced_edit e;
      e.changes = edit;
      e.before = before;
      e.after = by_.whole(*p);
      e.limit = by_.limit(*p);
      all.push_back(std::move(e));
    }
    const bool per_byte = asked_.within.by == advice_order::gain_per_byte;
    planner::insertion_sort(all, per_byte ? comes_first_per_byte : comes_first);
    std::vector<priced_edit> kept;
    const planner::ratio run_now = by_.time_in_run(now_);
    for (priced_edit& e : all) {
      if (kept.size() == most_edits) break;
      const auto no_better = [&](const priced_edit& k) { return takes_no_more(k.after, e.after); };
      if (std::any_of(kept.begin(), kept.end(), no_better) || !stands(e, run_now)) continue;
      e.edited = changed(input_, e.changes);
      if (!asked_.how.schedule.empty()) e.replan = as_replan(asked_.how, e.edited, e.changes);
      e.patch = as_patch(e.edited, e.changes);
      kept.push_back(std::move(e));
    }
    return kept;
  }
  /// The best time per progress that edits come to.
  planner::ratio shortest(const std::vector<priced_edit>& edits) const {
    planner::ratio least = now_.period;
    for (const priced_edit& e : edits)
      if (e.after.period < least) least = e.after.period;
    return least;
  }
  static bool comes_first_per_byte(const priced_edit& x, const priced_edit& y) {
    const bool is_free = memory_more(x) == 0;
    if (is_free != (memory_more(y) == 0)) return is_free;
    if (!is_free && saves_more_per_byte(x, y)) return true;
    if (!is_free && saves_more_per_byte(y, x)) return false;
    return comes_first(x, y);
  }
  static bool comes_first(const priced_edit& x, const priced_edit& y) {
    const plan_price& a = x.after;
    const plan_price& b = y.after;
    if (!(a.period == b.period)) return a.period < b.period;
    if (a.bytes != b.bytes) return a.bytes < b.bytes;
    if (a.copies != b.copies) return a.copies < b.copies;
    if (a.threads != b.threads) return a.threads < b.threads;
    if (!(a.latency == b.latency)) return a.latency < b.latency;
    return x.changes.size() < y.changes.size();
  }
  /// Whether a plan takes no more than another, of nothing.
  static bool takes_no_more(const plan_price& a, const plan_price& b) {
    return !(b.period < a.period) && !(b.latency < a.latency) && a.bytes <= b.bytes &&
           a.copies <= b.copies && a.threads <= b.threads;
  }
  /// Whether a run in virtual time takes what was promised, and less than without the edit.
  bool stands(const priced_edit& e, const planner::ratio& run_now) const {
    const std::optional<priced_plan> p = by_.plan(changed(now_.plan.input(), e.changes));
    if (!p) return false;
    const planner::ratio run = by_.time_in_run(*p);
    const planner::ratio most{e.after.period.time * (100 + most_error_percent),
                              e.after.period.progresses * 100};
    return run < run_now && !(most < run);
  }

  /// What two tasks would do that no edit does.
  std::vector<split_what_if> split_each(const planner::ratio& best) const {
    std::vector<split_what_if> all;
    for (const std::size_t n : now_.cycle) {
      if (n >= input_.tasks.size() || input_.tasks[n].collective) continue;
      const split_what_if two = best_split(now_, n, asked_.costs, asked_.meet,
                                           asked_.within.most_threads, asked_.device());
      if (saves(best, two.period)) all.push_back(two);
    }
    planner::insertion_sort(
        all, [](const split_what_if& a, const split_what_if& b) { return a.period < b.period; });
    return all;
  }

  std::string say_none() const {
    planner::text_builder out;
    if (input_.serial) {
      out.add(
          "a serial plan does one thing after the other: only a shorter task helps, or a plan "
          "that is not serial");
      return out.text();
    }
    out.add("no edit of the plan that was tried saves 2 %: ");
    if (now_.is_circle) {
      out.add("the circle ");
      planner::add_names(out, now_.parts, " > ");
      out.add(" bounds, and only a shorter task of it helps");
    } else {
      const std::vector<std::string> tasks = exposed();
      out.add(tasks.size() == 1 ? "only a shorter " : "only a shorter task helps: ");
      planner::add_names(out, tasks, ", ");
      if (tasks.size() == 1) out.add(" helps");
    }
    return out.text();
  }
  /// The tasks that could save something; all of the cycle if no one alone could.
  std::vector<std::string> exposed() const {
    std::vector<std::string> tasks;
    for (const std::string& part : now_.parts) {
      const planner::ratio e = by_.exposed(now_, part);
      if (!(planner::ratio{e.time * 100, e.progresses} <
            planner::ratio{now_.period.time * least_gain_percent, now_.period.progresses}))
        tasks.push_back(part);
    }
    return tasks.empty() ? now_.parts : tasks;
  }

  const question& asked_;
  const dynamic::schedule& input_;
  pricing by_;
  priced_plan now_;
  std::vector<changes> good_;
  std::vector<changes> useless_;  // by itself each; with another one, who knows
  std::vector<changes> pairs_;
};

}  // namespace detail

STRETTO_INLINE advice find_advice(const dynamic::planned_schedule& p, const question& asked) {
  if (p.whole() != nullptr || planner::has_roles(p.declaration()))
    throw usage_error("schedule `" + text::visible_name(p.input().name) +
                      "` differs by rank, and advice is about one that all ranks run alike: leave "
                      "out its roles and transfers to hear of all its tasks on one rank");
  if (asked.run != nullptr && asked.device() != nullptr)
    throw usage_error(
        "a record of threads does not tell what the streams of a device take: advise by costs of "
        "tasks and of their submissions");
  return detail::search(p, asked).take();
}

}  // namespace stretto::advising
