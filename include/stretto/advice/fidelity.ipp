// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <stretto/advice/fidelity.hpp>
#include <stretto/bound/measured_costs.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto {

namespace advising::detail {

inline long long nanoseconds(timeline::clock::duration time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

/// The median over windows of the time per batch; 0 if there is no window.
inline long long median_period(const timeline& record) {
  constexpr std::size_t batches = 16;
  std::vector<long long> all;
  for (const timeline::window& w : record.windows(batches))
    all.push_back(nanoseconds(std::chrono::duration_cast<timeline::clock::duration>(w.wall)) /
                  static_cast<long long>(batches));
  if (all.empty()) return 0;
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

inline measured_run::share share_of(const std::vector<measured_run::share>& all,
                                    std::string_view task) {
  for (const measured_run::share& s : all)
    if (s.task == task) return s;
  return {};
}

}  // namespace advising::detail

STRETTO_INLINE measured_run::measured_run(const timeline& record)
    : costs(measured_costs(record)), period(advising::detail::median_period(record)) {
  struct sum {
    long long took = 0;
    long long waited = 0;
    long long runs = 0;
  };
  std::vector<sum> sums(record.tasks().size());
  for (std::size_t t = 0; t < record.threads().size(); ++t) {
    const std::vector<timeline::span> runs = record.spans(t);
    for (std::size_t i = 1; i < runs.size(); ++i) {
      if (runs[i].stretch != runs[i - 1].stretch) continue;  // nobody knows what was between
      sum& of = sums[runs[i].task];
      of.took += advising::detail::nanoseconds(runs[i].end - runs[i].begin);
      of.waited += advising::detail::nanoseconds(runs[i].begin - runs[i - 1].end);
      ++of.runs;
    }
  }
  for (std::size_t n = 0; n < sums.size(); ++n)
    if (sums[n].runs > 0)
      shares.push_back(
          {record.tasks()[n], sums[n].took / sums[n].runs, sums[n].waited / sums[n].runs});
}

STRETTO_INLINE double fidelity::apart() const {
  const double difference = static_cast<double>(measured) - modelled.value();
  return (difference < 0 ? -difference : difference) / static_cast<double>(measured);
}

namespace advising {

STRETTO_INLINE fidelity compare(const priced_plan& p, const pricing& by, const measured_run& run) {
  fidelity found{p.period, run.period};
  if (found.holds()) return found;
  const timeline record = by.run(p).record();  // whose names the shares refer to
  const measured_run modelled(record);
  const planner::thread_map& threads = p.plan.plan().threads;
  const long long sign = found.modelled.value() < static_cast<double>(run.period) ? 1 : -1;
  for (std::size_t n = 0; n < threads.thread_of.size(); ++n) {
    // Others wait because those that the period is of do.
    if (std::none_of(p.cycle.begin(), p.cycle.end(),
                     [&](std::size_t on) { return threads.thread_of[on] == threads.thread_of[n]; }))
      continue;
    const std::string_view task = p.plan.name_of(n);
    const measured_run::share now = detail::share_of(run.shares, task);
    const measured_run::share then = detail::share_of(modelled.shares, task);
    for (const bool waiting : {false, true}) {
      const long long more = waiting ? now.waited - then.waited : now.took - then.took;
      if (now.task.empty() || (!found.task.empty() && sign * more <= sign * found.residual))
        continue;
      found.task = task;
      found.residual = more;
      found.waiting = waiting;
    }
  }
  return found;
}

}  // namespace advising

}  // namespace stretto
