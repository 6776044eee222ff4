// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <random>
#include <stretto/bound/plan_bound.hpp>
#include <stretto/bound/simulation.hpp>
#include <stretto/plan/make_plan.hpp>
#include <stretto/plan/order/fewest_waits.hpp>
#include <stretto/plan/rules/diagnose.hpp>
#include <string>
#include <string_view>
#include <vector>
#include "../support/random_schedule.hpp"
#include "../support/seed.hpp"

/// A random valid declaration whose tasks take random times: tasks on streams and threads, spare
/// copies, groups with queues and workers; and its plan.
struct timed_plan {
  stretto::planner::declaration declared;
  stretto::planner::plan plan;
  std::vector<long long> times;  ///< by node

  stretto::plan_bound bound(bool meet = false) const {
    return {declared,
            plan.resolved,
            plan.order,
            plan.edges,
            plan.threads.thread_of,
            plan.threads.workers,
            plan.threads.names,
            {},
            meet};
  }
  stretto::planner::list<stretto::planner::edge> waits(bool meet) const {
    return meet ? plan.host_waits : stretto::planner::run_ahead_waits(plan);
  }
  stretto::simulation simulated(std::size_t batches, bool meet = false) const {
    return {declared,
            plan.resolved,
            plan.order,
            waits(meet),
            plan.threads.thread_of,
            plan.threads.workers,
            plan.threads.names,
            {},
            batches,
            meet};
  }

  /// Calls \p check with \p count of them. \p grouped: with queues, workers and spare copies.
  template <class Check>
  static void for_each(std::size_t count, bool grouped, unsigned seed, Check check) {
    namespace planner = stretto::planner;
    std::mt19937 random(seeds::first(seed));
    const auto pick = [&](int least, int most) {
      return std::uniform_int_distribution<int>(least, most)(random);
    };
    while (count > 0)
      random_schedule::for_each_valid(
          1, static_cast<unsigned>(random()), [&](const planner::declaration& valid, unsigned) {
            timed_plan made{valid, {}, {}};
            planner::declaration& d = made.declared;
            std::vector<planner::task> tasks(d.tasks.begin(), d.tasks.end());
            for (planner::task& t : tasks) made.times.push_back(t.weight = pick(0, 1000));
            d.tasks = tasks;
            d.from.weight = pick(0, 1) * pick(0, 1000);
            made.times.push_back(d.from.weight);
            made.times.push_back(0);
            std::vector<planner::thread_group> groups;
            std::vector<planner::slack> slacks;
            if (grouped) {
              for (const std::string_view thread : {"thread0", "thread1", "thread2"})
                if (pick(0, 3) != 0) groups.push_back({thread, pick(0, 2), pick(1, 4)});
              for (const planner::task& t : tasks)
                for (const planner::access& written : t.writes)
                  if (slacks.empty() && pick(0, 1) == 0) slacks.push_back({written.slot, 1});
              d.groups = groups;
              d.slacks = slacks;
              const auto findings = planner::diagnose(d).findings;
              if (std::any_of(findings.begin(), findings.end(),
                              [](const auto& f) { return f.what != planner::kind::race; }))
                return;
            }
            made.plan = planner::make_plan(d);
            const auto& nodes = made.plan.resolved.nodes;
            if (grouped && std::all_of(nodes.begin(), nodes.end(), [](const planner::node& n) {
                  return n.group == planner::none;
                }))
              return;
            check(made);
            --count;
          });
  }
};
