// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <stretto/declare/role.hpp>
#include <stretto/dynamic/query/part_of_role.hpp>
#include <stretto/dynamic/values/body.hpp>
#include <stretto/dynamic/values/concat.hpp>
#include <stretto/dynamic/values/fields.hpp>
#include <stretto/dynamic/values/replan.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/dynamic/values/slot_type.hpp>
#include <stretto/plan/derive/threads.hpp>
#include <stretto/plan/rules/roles.hpp>
#include <stretto/plan/text/exceeded_bounds.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::dynamic::detail {

/// Makes the part of a role.
class projector {
 public:
  projector(const schedule& whole, const planner::declaration& d, const planner::plan& p,
            std::string_view role)
      : whole_(whole),
        d_(d),
        p_(p),
        role_(role),
        bare_(planner::without_raised(d)),
        judge_(bare_),
        own_(judge_.only(role)) {}

  schedule project() const {
    std::vector<std::string> elsewhere;
    for (std::size_t t = 0; t < whole_.tasks.size(); ++t)
      if (!is_here(t)) elsewhere.push_back(whole_.tasks[t].name);
    schedule part = without(whole_, elsewhere);
    std::size_t at = 0;
    for (std::size_t t = 0; t < whole_.tasks.size(); ++t)
      if (is_here(t)) adapt(part.tasks[at++], t);
    std::size_t result = 0;
    std::erase_if(part.results, [&](const std::string&) {
      return (judge_.having(d_.results[result++]) & own_) == 0;
    });
    place_source(part);
    forget_unused(part);
    // What is looked for and bounded is so for all ranks together.
    part.pipelined = false;
    part.max_in_flight = 0;
    part.max_bytes = 0;
    std::vector<std::string> in_order;
    for (const std::size_t n : p_.tickets)
      if (is_here(n)) in_order.push_back(whole_.tasks[n].name);
    if (in_order.size() > 1) part.orders.push_back(std::move(in_order));
    part.role = role_;
    part.whole.push_back(whole_);
    for (task& t : part.whole.front().tasks) t.body = shared::transfer_body::elsewhere(t.body);
    return part;
  }

 private:
  bool is_here(std::size_t node) const {
    return node < d_.tasks.size() && (judge_.where(d_.tasks[node]) & own_) != 0;
  }

  /// A task that the rank has.
  void adapt(task& t, std::size_t number) const {
    if (d_.pipelined) t.lookahead = p_.resolved.nodes[number].lookahead;
    if (!is_transfer(t)) return;
    const bool sends = t.role == role_;
    if (sends) t.reads = std::exchange(t.writes, {});
    if (t.body.sent() == nullptr) return;
    t.body = sends ? shared::transfer_body::at_sender(std::move(t.body))
                   : shared::transfer_body::at_receiver(std::move(t.body));
  }

  /// Batches are pulled as far ahead as on all ranks together.
  void place_source(schedule& part) const {
    part.source.collective = true;
    if (!whole_.serial) part.source.lookahead = p_.resolved.max_lookahead;
    if ((judge_.pulling() & own_) != 0) return;
    part.source.slot = name_of<declare::batches_of_others>.text;
    while (std::any_of(d_.tasks.begin(), d_.tasks.end(), [&](const planner::task& t) {
      const auto is_it = [&](const planner::access& a) { return a.slot.text == part.source.slot; };
      return std::any_of(t.reads.begin(), t.reads.end(), is_it) ||
             std::any_of(t.writes.begin(), t.writes.end(), is_it);
    }))
      part.source.slot += '_';
    part.slot<declare::batch_of_others>(part.source.slot);
  }

  /// What is said of slots, streams and threads that the rank has nothing to do with.
  void forget_unused(schedule& part) const {
    std::set<std::string_view> known{part.source.slot};
    for (const task& t : part.tasks)
      for (const std::vector<use>* uses : {&t.reads, &t.writes})
        for (const use& u : *uses) known.insert(u.slot);
    const auto is_strange = [&](const auto& said) { return !known.contains(said.slot); };
    std::erase_if(part.types, is_strange);
    std::erase_if(part.slacks, is_strange);
    std::erase_if(part.points,
                  [&](const points_into& p) { return is_strange(p) || !known.contains(p.into); });
    if (whole_.serial) return;
    std::set<std::string_view> streams;
    std::set<std::string_view> threads{part.source.thread};
    for (std::size_t t = 0; t < d_.tasks.size(); ++t) {
      if (!is_here(t)) continue;
      streams.insert(d_.tasks[t].stream);
      threads.insert(planner::thread_name(d_.tasks[t]));
    }
    std::erase_if(part.streams, [&](const std::string& s) { return !streams.contains(s); });
    if (!streams.contains(part.results_on)) part.results_on.clear();
    std::erase_if(part.thread_names, [&](const std::string& s) { return !threads.contains(s); });
  }

  const schedule& whole_;
  const planner::declaration& d_;
  const planner::plan& p_;
  std::string role_;
  planner::declaration bare_;
  planner::role_judge judge_;
  planner::role_judge::set own_;
};

STRETTO_INLINE schedule project(const schedule& whole, const planner::declaration& d,
                                const planner::plan& p, std::string_view role) {
  return projector(whole, d, p, role).project();
}

STRETTO_INLINE std::string unknown_role(const schedule& whole, const planner::declaration& d,
                                        std::string_view role) {
  const planner::declaration bare = planner::without_raised(d);
  const planner::role_judge judge(bare);
  if (judge.only(role) != 0) return {};
  const std::string_view meant = judge.nearest(role);
  return meant.empty() ? joined("no task of schedule ", quoted_name{whole.name}, " has role ",
                                quoted_name{role})
                       : joined("no task of schedule ", quoted_name{whole.name}, " has role ",
                                quoted_name{role}, "; did you mean ", quoted_name{meant}, "?");
}

}  // namespace stretto::dynamic::detail
