// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <set>
#include <span>
#include <stretto/plan/model/declaration.hpp>
#include <string>
#include <utility>
#include "executors.hpp"

/// What must never happen, taken from what the tasks declare, not from the edges of the plan.
namespace oracle {

enum class hazard {
  race,         ///< two runs use a resource at once, and one changes it
  shared_copy,  ///< two runs use a slot's copy at once, and one writes it
  wrong_value,  ///< a copy is used that does not hold what it should
  early,        ///< a run before one that it declares to come after
  delivery,     ///< a batch is handed out before all its tasks ran, or pulled with no room for it
  submission,   ///< a stream or the collectives get their work in another order
  stale_event   ///< who is to wait for an event finds it not recorded yet
};

inline std::string name_of(hazard h) {
  switch (h) {
    case hazard::race: return "race";
    case hazard::shared_copy: return "shared copy";
    case hazard::wrong_value: return "wrong value";
    case hazard::early: return "early";
    case hazard::delivery: return "delivery";
    case hazard::submission: return "submission";
    case hazard::stale_event: return "stale event";
  }
  return {};
}

/// Which executor is watched: what counts as a run's place in a submission order.
enum class executor { host, device, relaxed };

struct seen {
  machine::outcome search;
  std::set<hazard> hazards;
  std::set<std::pair<std::size_t, std::size_t>> races;  ///< of tasks, the later declared first

  /// What is wrong, for a failing test.
  std::string text() const {
    std::string all = search.stuck ? "stuck " : "";
    for (const hazard h : hazards) all += name_of(h) + " ";
    return all;
  }
};

class watch {
 public:
  watch(const planner::declaration& d, const planner::plan& p, executor kind, std::size_t batches)
      : d_(d), p_(p), kind_(kind), batches_(batches), needs_(p.order.size()) {
    for (std::size_t n = 0; n < p.order.size(); ++n)
      lags_.push_back(
          static_cast<std::size_t>(p.resolved.max_lookahead - p.resolved.nodes[n].lookahead));
    declared();
    slots();
    submissions();
    conflicts();
  }

  std::size_t progresses() const {
    return batches_ + static_cast<std::size_t>(p_.resolved.max_lookahead);
  }
  bool fires(std::size_t n, std::size_t progress) const {
    return lags_[n] <= progress && progress < batches_ + lags_[n] &&
           planner::runs_for(p_.resolved.nodes[n].runs, progress - lags_[n]);
  }
  std::size_t lag(std::size_t n) const { return lags_[n]; }

  /// Streams and host tasks wait for events: each must be recorded when somebody starts to wait.
  watch& events(const edges& waits) {
    for (const edge& e : waits)
      needs_[e.consumer].push_back({e.producer, false, e.delta, true, true, hazard::stale_event});
    return *this;
  }

  /// What a barrier keeps by itself: a batch is handed out when it is done, and pulled when there
  /// is room. Tasks on streams count when they are submitted.
  watch& running_ahead() {
    const bool submitted = kind_ == executor::device;
    const std::size_t pull = p_.resolved.pull();
    const std::size_t deliver = p_.resolved.deliver();
    for (std::size_t n = 0; n < p_.order.size(); ++n)
      if (n != deliver) needs_[deliver].push_back({n, true, 0, true, submitted, hazard::delivery});
    const auto in_flight = static_cast<long>(p_.in_flight());
    needs_[pull].push_back({deliver, true, in_flight, true, submitted, hazard::delivery});
    return *this;
  }

  /// Explores all interleavings; stops at the first hazard if asked to.
  seen look(std::vector<lane> lanes, bool stop_at_first, std::size_t most) const {
    const machine m(std::move(lanes), p_.order.size(), progresses());
    seen result;
    result.search = m.explore(most, [&](machine::state s, const std::vector<machine::next>& ready) {
      for (std::size_t i = 0; i < ready.size(); ++i) {
        const machine::next& a = ready[i];
        if (!fires(a.what->node, a.progress)) continue;
        if (a.what->does != act::end) check_start(m, s, a, result);
        if (!under_way(a)) continue;
        for (std::size_t j = 0; j < i; ++j)
          if (under_way(ready[j]) && fires(ready[j].what->node, ready[j].progress))
            check_overlap(a, ready[j], result);
      }
      return !stop_at_first || result.hazards.empty();
    });
    return result;
  }

 private:
  /// What must have happened, or must not have, when a run starts.
  struct need {
    std::size_t node = 0;
    bool by_batch = true;
    long back = 0;  ///< batches, or progresses
    bool done = true;
    bool submission = false;  ///< asked when submitting, about submissions
    hazard otherwise = hazard::early;
  };

  void declared() {
    const auto number = [&](const stretto::name& id) {
      std::size_t n = 0;
      while (!(d_.tasks[n].id == id)) ++n;
      return n;
    };
    for (std::size_t n = 0; n < p_.order.size(); ++n) {
      if (n != p_.resolved.pull()) needs_[n].push_back({p_.resolved.pull()});
      if (n >= d_.tasks.size()) continue;
      const planner::task& t = d_.tasks[n];
      for (const auto& x : t.depends_on) needs_[n].push_back({number(x.task)});
      for (const auto& x : t.cross_iter_depends_on)
        needs_[n].push_back({number(x.task), true, x.ago});
      for (const auto& x : t.same_progress_sync) needs_[n].push_back({number(x.task), false, 0});
    }
    for (std::size_t i = 0; i < d_.turns.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (d_.turns[i].list == d_.turns[j].list)
          after(number(d_.turns[j].task), number(d_.turns[i].task), 0);
  }

  /// One submission after another: seen where there are submissions, or where both run at once.
  void after(std::size_t first, std::size_t then, long back) {
    if (kind_ == executor::relaxed) return;
    needs_[then].push_back(
        {first, false, back, true, kind_ == executor::device, hazard::submission});
  }

  struct user {
    std::size_t node;
    std::string_view slot;
    int offset;
    bool writes;
    long ago = 0;
    bool latest = false;
    bool counted = false;  ///< looks back, or uses a slot that is not written for every batch
    long copies = 1;
    planner::rate rate{};  ///< of the slot

    /// Which value of the slot it uses for a batch; less than 0: none.
    long value(long batch) const {
      if (!latest) return batch / rate.every - (writes ? 0 : ago);
      const long since = batch - ago - rate.phase;
      return since < 0 ? -1 : since / rate.every;
    }
  };

  std::vector<user> users() const {
    std::vector<user> all;
    for (std::size_t n = 0; n < d_.tasks.size(); ++n) {
      for (const auto& u : d_.tasks[n].reads)
        all.push_back({n, u.slot.text, u.offset, false, u.ago, u.latest});
      for (const auto& u : d_.tasks[n].writes) all.push_back({n, u.slot.text, u.offset, true});
    }
    all.push_back({p_.resolved.pull(), d_.from.slot.text, p_.resolved.max_lookahead, true});
    for (const auto& r : d_.results) all.push_back({p_.resolved.deliver(), r.text, 0, false});
    for (user& u : all) {
      u.copies = copies(u.slot);
      for (const user& w : all)
        if (w.writes && w.slot == u.slot) u.rate = p_.resolved.nodes[w.node].runs;
    }
    for (user& u : all)
      for (const user& o : all)
        if (o.slot == u.slot && (o.ago != 0 || o.latest || o.rate.every > 1)) u.counted = true;
    return all;
  }

  long copies(std::string_view slot) const {
    for (std::size_t s = 0; s < p_.copies.size(); ++s)
      if (p_.resolved.slot_list[s].text == slot) return static_cast<long>(p_.copies[s]);
    return 1;
  }

  void slots() {
    const auto all = users();
    for (const user& u : all) {
      if (u.counted) {
        counted_.push_back(u);
        continue;
      }
      const long k = copies(u.slot);
      // Workers of one task refill each other's copies, too.
      if (u.writes) needs_[u.node].push_back({u.node, true, k, true, false, hazard::wrong_value});
      for (const user& other : all) {
        if (other.slot != u.slot || other.node == u.node) continue;
        const auto must = [&](long back, bool done) {
          needs_[u.node].push_back({other.node, true, back, done, false, hazard::wrong_value});
        };
        if (other.writes) {
          if (other.offset > u.offset || (other.offset == u.offset && !u.writes)) must(0, true);
          if (other.offset < u.offset) must(0, false);
          must(-k, false);
        }
        if (u.writes) {
          if (other.offset > u.offset) must(0, true);
          if (other.offset < u.offset) must(0, false);
          must(k, true);
        }
      }
    }
  }

  void submissions() {
    const auto in_order = [&](const std::vector<std::size_t>& members) {
      for (std::size_t i = 0; i < members.size(); ++i) {
        for (std::size_t j = 0; j < members.size(); ++j)
          if (j != i) after(members[j], members[i], j < i ? 0 : 1);
      }
    };
    std::vector<std::size_t> collectives;
    for (const std::size_t n : p_.order)
      if (p_.resolved.nodes[n].collective) collectives.push_back(n);
    in_order(collectives);
    for (std::size_t s = 0; s < p_.resolved.streams.size(); ++s) {
      std::vector<std::size_t> members;
      for (const std::size_t n : p_.order)
        if (p_.resolved.nodes[n].stream == s) members.push_back(n);
      in_order(members);
    }
  }

  void conflicts() {
    const std::size_t nodes = p_.order.size();
    resource_.assign(nodes * nodes, 0);
    copy_.resize(nodes * nodes);
    const auto uses = [](std::span<const stretto::name> list, const stretto::name& r) {
      return std::find(list.begin(), list.end(), r) != list.end();
    };
    for (std::size_t a = 0; a < d_.tasks.size(); ++a) {
      for (std::size_t b = 0; b < d_.tasks.size(); ++b) {
        for (const auto& r : d_.tasks[a].mutates)
          if (uses(d_.tasks[b].mutates, r) || uses(d_.tasks[b].observes, r))
            resource_[a * nodes + b] = resource_[b * nodes + a] = 1;
      }
    }
    const auto all = users();
    for (const user& a : all)
      for (const user& b : all)
        if (a.slot == b.slot && (a.writes || b.writes) && !a.counted)
          copy_[a.node * nodes + b.node].push_back(copies(a.slot));
  }

  static bool under_way(const machine::next& n) {
    return n.what->does == act::run || n.what->does == act::end;
  }

  void check_start(const machine& m, machine::state s, const machine::next& run,
                   seen& result) const {
    const std::size_t n = run.what->node;
    const bool submits = run.what->does == act::submit;
    const long at = static_cast<long>(run.progress);
    if (!submits)
      for (const user& u : counted_)
        if (u.node == n) check_values(m, s, u, at - static_cast<long>(lags_[n]), result);
    for (const need& x : needs_[n]) {
      // A host task's start is its submission.
      if (x.submission ? (on_device(p_, n) != submits) : submits) continue;
      const long progress =
          x.by_batch ? at - static_cast<long>(lags_[n]) - x.back + static_cast<long>(lags_[x.node])
                     : at - x.back;
      if (progress < 0 || !fires(x.node, static_cast<std::size_t>(progress))) continue;
      const auto then = static_cast<std::size_t>(progress);
      const bool done = x.submission ? m.submitted_at(s, x.node, then) : m.ran_at(s, x.node, then);
      if (done != x.done) result.hazards.insert(x.otherwise);
    }
  }

  /// Whether the copies are as a user wants them whose run for a batch starts.
  void check_values(const machine& m, machine::state s, const user& u, long batch,
                    seen& result) const {
    const long value = u.value(batch);
    if (value < 0) return;
    for (const user& other : counted_) {
      if (other.slot != u.slot) continue;
      for (long b = 0; b < static_cast<long>(batches_); ++b) {
        const std::size_t progress = static_cast<std::size_t>(b) + lags_[other.node];
        if (!fires(other.node, progress) || (other.node == u.node && b == batch)) continue;
        const auto must = [&](bool done) {
          if (m.ran_at(s, other.node, progress) != done) result.hazards.insert(hazard::wrong_value);
        };
        const long held = other.value(b);
        if (held < 0) continue;
        if (other.writes && held == value + u.copies) must(false);
        if (u.writes && held == value - u.copies) must(true);
        if (held != value || (!u.writes && !other.writes)) continue;
        if (b != batch) {
          if (other.writes) must(true);
        } else if (other.offset != u.offset) {
          must(other.offset > u.offset);
        } else if (other.writes) {
          must(true);
        }
      }
    }
  }

  void check_overlap(const machine::next& a, const machine::next& b, seen& result) const {
    const std::size_t x = a.what->node;
    const std::size_t y = b.what->node;
    const std::size_t pair = x * p_.order.size() + y;
    if (resource_[pair] != 0) {
      result.hazards.insert(hazard::race);
      result.races.insert({std::max(x, y), std::min(x, y)});
    }
    const long apart =
        static_cast<long>(a.progress - lags_[x]) - static_cast<long>(b.progress - lags_[y]);
    for (const long k : copy_[pair])
      if (apart % k == 0) result.hazards.insert(hazard::shared_copy);
    for (const user& u : counted_)
      for (const user& o : counted_) {
        if (u.node != x || o.node != y || u.slot != o.slot || (!u.writes && !o.writes)) continue;
        const long mine = u.value(static_cast<long>(a.progress - lags_[x]));
        const long theirs = o.value(static_cast<long>(b.progress - lags_[y]));
        if (mine >= 0 && theirs >= 0 && (mine - theirs) % u.copies == 0)
          result.hazards.insert(hazard::shared_copy);
      }
  }

  const planner::declaration& d_;
  const planner::plan& p_;
  executor kind_;
  std::size_t batches_;
  std::vector<std::size_t> lags_;
  std::vector<std::vector<need>> needs_;
  std::vector<char> resource_;
  std::vector<std::vector<long>> copy_;
  std::vector<user> counted_;
};

}  // namespace oracle
