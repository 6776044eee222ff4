// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/name_index.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/order/fewest_waits.hpp>
#include <stretto/plan/order/reach.hpp>
#include <stretto/plan/order/waits.hpp>
#include <stretto/plan/rules/finding.hpp>
#include <stretto/plan/rules/rule.hpp>

namespace stretto::planner::kind {
inline constexpr finding_kind race = kind_of_rule(0, 1);
}  // namespace stretto::planner::kind

namespace stretto::planner {

/// Two tasks that use a resource, one of which at least changes it, with nothing that orders their
/// runs on all batches. They are one task if its own workers race.
struct race {
  std::size_t task = none;  ///< the one declared later
  std::size_t other = none;
  name resource;
  /// The least progresses from a run of `other` to a run of `task` that must follow; 2: more.
  int forth = 0;
  int back = 0;                   ///< the same from `task` to `other`
  field where = field::observes;  ///< of `task`: where it says that it uses the resource
  std::size_t position = 0;
};

namespace detail {

struct resource_use {
  std::size_t task = 0;
  bool mutates = false;
  std::size_t position = 0;  ///< in the task's `mutates` if it changes the resource
  bool in_turn = false;      ///< on the turn that leads through most users

  constexpr field where() const { return mutates ? field::mutates : field::observes; }
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
      const task& declared = d.tasks[t];
      for (std::size_t i = 0; i < declared.observes.size(); ++i)
        add(t, declared.observes[i], false, i);
      for (std::size_t i = 0; i < declared.mutates.size(); ++i)
        add(t, declared.mutates[i], true, i);
      of_task[t].last = places.size();
    }
  }

  /// Finds for each resource a turn through its users. Any two on it are ordered on all batches;
  /// pairs are many, so only those with a user outside it are looked at one by one.
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

  /// Whether something is changed that others use, or by a task that several workers run.
  constexpr bool can_race(const tracks& lines) const {
    for (const list<resource_use>& of : users)
      for (const resource_use& u : of)
        if (u.mutates && (of.size() > 1 || lines.workers[lines.track_of[u.task]] > 1)) return true;
    return false;
  }

  /// How many pairs have a user outside the turn.
  constexpr std::size_t pairs_to_compare() const {
    std::size_t pairs = 0;
    for (const list<resource_use>& of : users) {
      std::size_t outside = 0;
      for (const resource_use& u : of) outside += u.in_turn ? 0 : 1;
      pairs += outside * of.size();
    }
    return pairs;
  }

 private:
  static constexpr std::size_t count(const declaration& d) {
    std::size_t uses = 0;
    for (const task& t : d.tasks) uses += t.observes.size() + t.mutates.size();
    return uses;
  }
  /// A task uses a resource once, however often it says so.
  constexpr void add(std::size_t t, const name& r, bool mutates, std::size_t position) {
    const std::size_t n = resources.number(r);
    if (n == users.size()) users.push_back({});
    list<resource_use>& of = users[n];
    if (of.empty() || of.back().task != t) {
      places.push_back({n, of.size()});
      of.push_back({t, mutates, position});
    } else if (mutates && !of.back().mutates) {
      of.back().mutates = true;
      of.back().position = position;
    }
  }
};

/// From this many pairs on, 64 are compared at a time.
inline constexpr std::size_t most_compared_pairs = 100000;

/// Finds races where there are too many streams and threads for vector clocks, or too many pairs:
/// who comes before and after 64 tasks at a time that change resources, within a progress and
/// within one more.
class races_of_many {
 public:
  constexpr races_of_many(const resource_uses& uses, view<std::size_t> order, view<edge> edges)
      : uses_(uses), forward_(order, edges), backward_(order, edges, true) {}

  constexpr list<race> find() {
    list<std::size_t> sources;
    for (std::size_t t = 0; t < uses_.of_task.size(); ++t) {
      if (!may_race(t)) continue;
      sources.push_back(t);
      if (sources.size() < reach::most_sources) continue;
      look(sources);
      sources.assign(0, 0);
    }
    look(sources);
    // By resource, the task declared later, the other.
    list<std::size_t> sorted = places_by_key(earlier_);
    sort_by_key(sorted, later_);
    sort_by_key(sorted, resource_);
    list<race> races;
    races.reserve(found_.size());
    for (const std::size_t i : sorted) races.push_back(found_[i]);
    return races;
  }

 private:
  /// Whether a task changes something that others use.
  constexpr bool may_race(std::size_t task) const {
    for (std::size_t i = uses_.of_task[task].first; i < uses_.of_task[task].last; ++i) {
      const list<resource_use>& users = uses_.users[uses_.places[i].resource];
      if (users.size() > 1 && users[uses_.places[i].user].mutates) return true;
    }
    return false;
  }

  constexpr void look(const list<std::size_t>& sources) {
    const std::size_t tasks = uses_.of_task.size();
    forward_.look(sources, 0);
    backward_.look(sources, 0);
    list<reach::bits> after(tasks, 0);  // which sources come before a task in its progress
    list<reach::bits> before(tasks, 0);
    for (std::size_t t = 0; t < tasks; ++t) {
      after[t] = forward_.reached(t);
      before[t] = backward_.reached(t);
    }
    forward_.look(sources, 1);
    backward_.look(sources, 1);

    // By resource, who changes it.
    list<std::size_t> resources;
    list<std::size_t> users;
    list<reach::bits> who;
    for (std::size_t s = 0; s < sources.size(); ++s) {
      const range used = uses_.of_task[sources[s]];
      for (std::size_t i = used.first; i < used.last; ++i) {
        const resource_uses::place at = uses_.places[i];
        if (!uses_.users[at.resource][at.user].mutates) continue;
        resources.push_back(at.resource);
        users.push_back(at.user);
        who.push_back(reach::bits{1} << s);
      }
    }
    const list<std::size_t> sorted = places_by_key(resources);
    for (std::size_t first = 0; first < sorted.size();) {
      const std::size_t resource = resources[sorted[first]];
      std::size_t last = first;
      reach::bits all = 0;
      for (; last < sorted.size() && resources[sorted[last]] == resource; ++last)
        all |= who[sorted[last]];
      const list<resource_use>& of = uses_.users[resource];
      for (std::size_t u = 0; u < of.size(); ++u) {
        const std::size_t t = of[u].task;
        const reach::bits in_turn =
            (after[t] & backward_.reached(t)) | (forward_.reached(t) & before[t]);
        if ((all & ~in_turn) == 0) continue;
        for (std::size_t i = first; i < last; ++i) {
          const std::size_t changer = users[sorted[i]];
          const reach::bits source = who[sorted[i]];
          // Of two tasks that both change it, one is looked from the other.
          if ((source & in_turn) != 0 || of[changer].task == t || (of[u].mutates && u > changer))
            continue;
          if (found_.size() >= most_pairs) return;
          const int to = distance(source, after[t], forward_.reached(t));
          const int from = distance(source, before[t], backward_.reached(t));
          if (changer > u) {
            add(resource, changer, u, from, to);
          } else {
            add(resource, u, changer, to, from);
          }
        }
      }
      first = last;
    }
  }

  constexpr void add(std::size_t resource, std::size_t later, std::size_t earlier, int forth,
                     int back) {
    const list<resource_use>& of = uses_.users[resource];
    found_.push_back({of[later].task, of[earlier].task, *uses_.resources.names()[resource], forth,
                      back, of[later].where(), of[later].position});
    resource_.push_back(resource);
    later_.push_back(later);
    earlier_.push_back(earlier);
  }

  static constexpr int distance(reach::bits source, reach::bits now, reach::bits later) {
    return (now & source) != 0 ? 0 : (later & source) != 0 ? 1 : 2;
  }

  const resource_uses& uses_;
  reach forward_;
  reach backward_;
  list<race> found_;
  list<std::size_t> resource_;  // of each found
  list<std::size_t> later_;     // among its users
  list<std::size_t> earlier_;
};

/// Finds races by asking clocks, of each pair that has a user outside its resource's turn.
constexpr list<race> races_by_clocks(const resource_uses& uses, const happens_before& hb) {
  list<race> found;
  list<std::size_t> outside;
  for (std::size_t r = 0; r < uses.users.size(); ++r) {
    const list<detail::resource_use>& users = uses.users[r];
    const auto compare = [&, &uses = uses, &hb = hb](const detail::resource_use& later,
                                                     const detail::resource_use& earlier) {
      if (later.task == earlier.task || !(later.mutates || earlier.mutates)) return;
      if (found.size() >= most_pairs || hb.in_turn(earlier.task, later.task)) return;
      const int forth = hb.distance(earlier.task, later.task, 1);
      const int back = hb.distance(later.task, earlier.task, 1);
      found.push_back({later.task, earlier.task, *uses.resources.names()[r], forth, back,
                       later.where(), later.position});
    };
    outside.assign(0, 0);
    for (std::size_t i = 0; i < users.size(); ++i) {
      const std::size_t user = users[i].task;
      if (users[i].mutates && !hb.in_turn(user, user))
        found.push_back({user, user, *uses.resources.names()[r], hb.distance(user, user, 1),
                         hb.distance(user, user, 1), users[i].where(), users[i].position});
      if (users[i].in_turn) {
        for (const std::size_t j : outside) compare(users[i], users[j]);
      } else {
        for (std::size_t j = 0; j < i; ++j) compare(users[i], users[j]);
        outside.push_back(i);
      }
    }
  }
  return found;
}

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
/// a turn may take several progresses, and a task can race with itself. At most `most_pairs`.
constexpr list<race> races(const declaration& d, const plan& p) {
  if (!shares_resources(d)) return {};
  detail::resource_uses uses(d);
  const effects order = make_effects(p.resolved, p.order, p.edges, p.threads);
  if (!uses.can_race(order.lines)) return {};
  const auto many = [&, &p = p] {
    return detail::races_of_many(uses, p.order, order.edges).find();
  };
  const bool alone = !order.lines.have_workers();
  if (alone && order.lines.length.size() > most_clocks) return many();
  const happens_before hb(order.lines, p.order, order.edges);
  uses.find_turns(hb, p.order);
  if (alone && uses.pairs_to_compare() > detail::most_compared_pairs) return many();
  return detail::races_by_clocks(uses, hb);
}

}  // namespace stretto::planner

namespace stretto::planner::rules {

constexpr repair repair_of_races(const declaration&, const finding& f) {
  if (f.task == f.other) return {};
  return {remedy::one_stream, f.task};
}

constexpr void sentence_on_races(const statement& s, text_builder& to) {
  s.say(to,
        s.f.task == s.f.other
            ? "$w $f $s on several workers at once; let it wait for its own run on the batch "
              "before (cross_iter_depends_on), or move it to a thread without workers"
            : "$w $f $s, which $o uses too, and nothing orders the two on all batches; put both "
              "on one stream, or let each wait for the other's run before its own");
}

/// Asked last, of a plan: `check_races` in diagnose.hpp.
inline constexpr rule no_races{
    .number = 0,
    .kinds =
        {
            {kind::race, "race"},
        },
    .needs_plan = true,
    .fix = repair_of_races,
    .sentence = sentence_on_races,
};

}  // namespace stretto::planner::rules
