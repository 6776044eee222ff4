// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/declaration.hpp>
#include <stretto/plan/list.hpp>
#include <stretto/plan/minimal.hpp>
#include <stretto/plan/name_index.hpp>
#include <stretto/plan/plan.hpp>
#include <stretto/plan/view.hpp>

namespace stretto::plan {

/// Two tasks that use a resource, one of which at least changes it, with nothing that orders their
/// runs on all batches. They are one task if its own workers race.
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
  bool in_turn = false;  ///< on the turn that leads through most users
};

/// A turn of the pipeline through users of one resource: from each to the next, in the sorted
/// order.
struct resource_turn {
  std::size_t first = none;
  std::size_t last = none;

  /// Leads the turn through one more task, if all of it stays within a progress.
  constexpr bool take(const happens_before& hb, std::size_t task) {
    if (first == none) {
      first = last = task;
      return true;
    }
    if (hb.distance(last, task, 0) > 0 || hb.distance(task, first, 1) > 1) return false;
    last = task;
    return true;
  }
};

/// Who uses which resource, by resource and by task.
struct resource_uses {
  struct place {
    std::size_t resource = 0;
    std::size_t user = 0;
  };
  name_index resources;
  list<list<resource_use>> users;  ///< by resource, in declaration order
  list<place> places;              ///< by task
  list<range> of_task;

  constexpr explicit resource_uses(const declaration& d) : resources(count(d)) {
    for (std::size_t t = 0; t < d.tasks.size(); ++t) {
      of_task.push_back({places.size(), places.size()});
      for (const name& r : d.tasks[t].observes) add(t, r, false);
      for (const name& r : d.tasks[t].mutates) add(t, r, true);
      of_task[t].last = places.size();
    }
  }

  /// Finds for each resource a turn through its users. Any two on it are ordered on all batches;
  /// pairs are many, so only those with a user beside it are looked at one by one.
  constexpr void find_turns(const happens_before& hb, view<std::size_t> order) {
    list<resource_turn> turns(users.size(), resource_turn{});
    for (const std::size_t n : order) {
      if (n >= of_task.size()) continue;
      for (std::size_t i = of_task[n].first; i < of_task[n].last; ++i) {
        const place at = places[i];
        users[at.resource][at.user].in_turn = turns[at.resource].take(hb, n);
      }
    }
  }

 private:
  static constexpr std::size_t count(const declaration& d) {
    std::size_t uses = 0;
    for (const task& t : d.tasks) uses += t.observes.size() + t.mutates.size();
    return uses;
  }
  constexpr void add(std::size_t t, const name& r, bool mutates) {
    const std::size_t n = resources.number(r);
    if (n == users.size()) users.push_back({});
    places.push_back({n, users[n].size()});
    users[n].push_back({t, mutates});
  }
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
/// between the same two runs of the other, whichever threads and streams do the work. With workers,
/// a turn may take several progresses, and a task can race with itself.
constexpr list<race> races(const declaration& d, const plan& p) {
  if (!shares_resources(d)) return {};
  detail::resource_uses uses(d);
  const happens_before hb = effect_order(p);
  uses.find_turns(hb, p.order);
  list<race> found;
  list<std::size_t> beside;
  for (std::size_t r = 0; r < uses.users.size(); ++r) {
    const list<detail::resource_use>& users = uses.users[r];
    const auto compare = [&](const detail::resource_use& later,
                             const detail::resource_use& earlier) {
      if (later.task == earlier.task || !(later.mutates || earlier.mutates)) return;
      if (hb.in_turn(earlier.task, later.task)) return;
      const int forth = hb.distance(earlier.task, later.task, 1);
      const int back = hb.distance(later.task, earlier.task, 1);
      found.push_back({later.task, earlier.task, *uses.resources.names()[r], forth, back});
    };
    beside.assign(0, 0);
    for (std::size_t i = 0; i < users.size(); ++i) {
      const std::size_t user = users[i].task;
      if (users[i].mutates && !hb.in_turn(user, user))
        found.push_back({user, user, *uses.resources.names()[r], hb.distance(user, user, 1),
                         hb.distance(user, user, 1)});
      if (users[i].in_turn) {
        for (const std::size_t j : beside) compare(users[i], users[j]);
      } else {
        for (std::size_t j = 0; j < i; ++j) compare(users[i], users[j]);
        beside.push_back(i);
      }
    }
  }
  return found;
}

}  // namespace stretto::plan
