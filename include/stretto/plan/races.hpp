// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <span>
#include <stretto/plan/declaration.hpp>
#include <stretto/plan/list.hpp>
#include <stretto/plan/minimal.hpp>
#include <stretto/plan/name_index.hpp>
#include <stretto/plan/plan.hpp>

namespace stretto::plan {

/// Two tasks that use a resource, one of which at least changes it, with nothing that orders their
/// runs on all batches.
struct race {
  std::size_t task = none;  ///< the one declared later
  std::size_t other = none;
  name resource;
  /// The least progresses from a run of `other` to a run of `task` that must follow; 2: more.
  int forth = 0;
  int back = 0;  ///< the same from `task` to `other`
};

namespace detail {

struct resource_use {
  std::size_t task = 0;
  bool mutates = false;
};

}  // namespace detail

/// Whether any task declares that it uses a resource.
constexpr bool shares_resources(const declaration& d) {
  for (const task& t : d.tasks)
    if (!t.observes.empty() || !t.mutates.empty()) return true;
  return false;
}

/// Every pair of tasks that race for a resource. Two tasks are ordered on all batches if and only
/// if a turn of the pipeline leads from one to the other and back: then each run of the one lies
/// between the same two runs of the other, whichever threads and streams do the work.
constexpr list<race> races(const declaration& d, const plan& p) {
  if (!shares_resources(d)) return {};
  std::size_t count = 0;
  for (const task& t : d.tasks) count += t.observes.size() + t.mutates.size();
  name_index resources(count);
  list<list<detail::resource_use>> users;
  const auto use = [&](std::size_t t, const name& r, bool mutates) {
    const std::size_t n = resources.number(r);
    if (n == users.size()) users.push_back({});
    users[n].push_back({t, mutates});
  };
  for (std::size_t t = 0; t < d.tasks.size(); ++t) {
    for (const name& r : d.tasks[t].observes) use(t, r, false);
    for (const name& r : d.tasks[t].mutates) use(t, r, true);
  }

  const happens_before hb = effect_order(p);
  list<race> found;
  for (std::size_t r = 0; r < users.size(); ++r) {
    const detail::resource_use* const of = users[r].data();  // pairs are many: save on calls
    for (std::size_t i = 0; i < users[r].size(); ++i) {
      const detail::resource_use later = of[i];
      for (std::size_t j = 0; j < i; ++j) {
        const detail::resource_use& earlier = of[j];
        if (later.task == earlier.task || !(later.mutates || earlier.mutates)) continue;
        if (hb.on_one_track(earlier.task, later.task)) continue;
        const int forth = hb.distance(earlier.task, later.task, 1);
        const int back = hb.distance(later.task, earlier.task, 1);
        if (forth + back > 1)
          found.push_back({later.task, earlier.task, resources.names()[r], forth, back});
      }
    }
  }
  return found;
}

}  // namespace stretto::plan
