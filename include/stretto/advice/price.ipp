// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stretto/advice/price.hpp>
#include <stretto/advice/same_effects.hpp>
#include <stretto/bound/bound_of.hpp>
#include <stretto/bound/simulate.hpp>
#include <stretto/dynamic/query/diagnose.hpp>
#include <stretto/plan/derive/repetitions.hpp>
#include <stretto/plan/model/copy_size.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/run/pace.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace stretto::advising {

namespace detail {

/// Whether of any two uses of a slot, of which one writes, the same one comes first.
inline bool same_slots(const planner::graph& a, const planner::graph& b) {
  const auto keeps = [&](const planner::list<planner::use>& now,
                         const planner::list<planner::use>& then) {
    for (std::size_t slot = 0; slot < a.slot_list.size(); ++slot)
      for (std::size_t w = a.writers_of[slot].first; w < a.writers_of[slot].last; ++w) {
        const planner::range uses = &now == &a.writers ? a.writers_of[slot] : a.readers_of[slot];
        for (std::size_t u = uses.first; u < uses.last; ++u)
          if ((a.writers[w].offset < now[u].offset) != (b.writers[w].offset < then[u].offset))
            return false;
      }
    return true;
  };
  return keeps(a.writers, b.writers) && keeps(a.readers, b.readers);
}

/// Calls \p take with each slot and type that bodies tell.
template <class Take>
void told_by_bodies(const dynamic::schedule& s, Take take) {
  for (const dynamic::task& t : s.tasks) {
    const std::vector<dynamic::parameter>& takes = t.body.parameters();
    if (takes.size() != t.reads.size() + t.writes.size()) continue;  // it asks by name
    for (std::size_t i = 0; i < takes.size(); ++i)
      take((i < t.reads.size() ? t.reads[i] : t.writes[i - t.reads.size()]).slot, takes[i].type);
  }
}

}  // namespace detail

STRETTO_INLINE dynamic::schedule without_bodies(dynamic::schedule s) {
  detail::told_by_bodies(s, [&](const std::string& slot, const dynamic::slot_type* type) {
    const bool known = std::any_of(s.types.begin(), s.types.end(), [&](const auto& t) {
      return t.slot == slot && t.type != nullptr;
    });
    if (!known && type != nullptr) s.types.push_back({slot, type, {}});
  });
  for (dynamic::task& t : s.tasks) t.body = {};
  return s;
}

STRETTO_INLINE std::optional<priced_plan> pricing::plan(dynamic::schedule s) const {
  try {
    return price(dynamic::planned_schedule(std::move(s)));
  } catch (const dynamic::schedule_error&) {
    return std::nullopt;
  }
}

STRETTO_INLINE plan_bound pricing::bound(const dynamic::planned_schedule& p) const {
  return meet_ ? bound_of(p, costs_, barrier{}) : bound_of(p, costs_, run_ahead{});
}

STRETTO_INLINE priced_plan pricing::price(dynamic::planned_schedule p) const {
  priced_plan priced{std::move(p)};
  const plan_bound best = bound(priced.plan);
  priced.period = best.period();
  priced.is_circle = best.busy_thread().empty() && best.busy_stream().empty();
  for (const std::string_view task : best.cycle()) priced.cycle.push_back(priced.plan.node(task));
  return priced;
}

STRETTO_INLINE std::string pricing::limit(const priced_plan& p) const {
  return bound(p.plan).limit();
}

STRETTO_INLINE plan_price pricing::whole(const priced_plan& p) const {
  const planner::plan& plan = p.plan.plan();
  plan_price price;
  price.period = p.period;
  price.latency = bound(p.plan).latency();
  std::unordered_map<std::string_view, std::size_t> sizes;
  const planner::slot_items items(p.plan.declaration().tasks);
  for (const dynamic::typed_slot& t : p.plan.input().types)
    if (t.type != nullptr)
      sizes.emplace(t.slot,
                    planner::copy_size(t.type->size * items[name(t.slot)], t.type->alignment));
  for (std::size_t slot = 0; slot < plan.copies.size(); ++slot) {
    price.copies += plan.copies[slot];
    if (const auto known = sizes.find(plan.resolved.slot_list[slot].text); known != sizes.end())
      price.bytes += plan.copies[slot] * known->second;
  }
  for (const std::size_t workers : plan.threads.workers) price.threads += workers;
  return price;
}

STRETTO_INLINE planner::ratio pricing::exposed(const priced_plan& p, std::size_t task) const {
  return bound(p.plan).exposed(p.plan.name_of(task));
}

STRETTO_INLINE simulation pricing::run(const dynamic::planned_schedule& p) const {
  constexpr std::size_t usual = 256;
  const std::size_t batches = usual + 8 * p.in_flight();
  return meet_ ? simulate(p, costs_, batches, barrier{})
               : simulate(p, costs_, batches, run_ahead{});
}

STRETTO_INLINE bool same_results(const dynamic::planned_schedule& before,
                                 const dynamic::planned_schedule& after) {
  return detail::same_slots(before.plan().resolved, after.plan().resolved) &&
         same_effects(before, after);
}

}  // namespace stretto::advising
