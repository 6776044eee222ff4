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

STRETTO_INLINE std::size_t host_threads(const dynamic::planned_schedule& p) {
  std::size_t all = 0;
  for (const std::size_t workers : p.plan().threads.workers) all += workers;
  return all;
}

STRETTO_INLINE std::optional<priced_plan> pricing::plan(dynamic::schedule s) const {
  try {
    return price(dynamic::planned_schedule(std::move(s)));
  } catch (const dynamic::schedule_error&) {
    return std::nullopt;
  }
}

STRETTO_INLINE plan_bound pricing::bound(const priced_plan& p) const {
  const auto of = [&](const auto& planned) {
    return meet_ ? bound_of(planned, costs_, barrier{}) : bound_of(planned, costs_, run_ahead{});
  };
  return p.on_device ? of(*p.on_device) : of(p.plan);
}

STRETTO_INLINE priced_plan pricing::price(dynamic::planned_schedule p) const {
  priced_plan priced{std::move(p)};
  if (device_ != nullptr) priced.on_device.emplace(priced.plan, device_->engines);
  const plan_bound best = bound(priced);
  priced.period = best.period();
  priced.is_circle = best.busy_thread().empty() && best.busy_stream().empty();
  for (const std::string_view part : best.cycle()) {
    priced.parts.emplace_back(part);
    const std::size_t node = device_ != nullptr ? dynamic::device_plan::node_of(priced.plan, part)
                                                : priced.plan.node(part);
    if (std::find(priced.cycle.begin(), priced.cycle.end(), node) == priced.cycle.end())
      priced.cycle.push_back(node);
  }
  return priced;
}

STRETTO_INLINE std::string pricing::limit(const priced_plan& p) const { return bound(p).limit(); }

STRETTO_INLINE plan_price pricing::whole(const priced_plan& p) const {
  const planner::plan& plan = p.plan.plan();
  plan_price price;
  price.period = p.period;
  price.latency = bound(p).latency();
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
  price.threads = host_threads(p.plan);
  return price;
}

STRETTO_INLINE planner::ratio pricing::exposed(const priced_plan& p, std::string_view part) const {
  return bound(p).exposed(part);
}

STRETTO_INLINE simulation pricing::run(const priced_plan& p) const {
  constexpr std::size_t usual = 256;
  const std::size_t batches = usual + 8 * p.plan.in_flight();
  const auto of = [&](const auto& planned) {
    return meet_ ? simulate(planned, costs_, batches, barrier{})
                 : simulate(planned, costs_, batches, run_ahead{});
  };
  return p.on_device ? of(*p.on_device) : of(p.plan);
}

STRETTO_INLINE planner::ratio pricing::time_in_run(const priced_plan& p) const {
  const simulation made = run(p);
  if (!p.on_device) return made.period();
  // From end to end: where nobody waits for a stream, batches are pulled faster than it works.
  std::vector<long long> ended;
  for (const auto& r : made.runs()) {
    if (ended.size() <= r.batch) ended.resize(r.batch + 1, 0);
    ended[r.batch] = (std::max)(ended[r.batch], r.end);
  }
  for (std::size_t b = 1; b < ended.size(); ++b) ended[b] = (std::max)(ended[b], ended[b - 1]);
  const std::size_t from = ended.size() / 2;
  return {ended.back() - ended[from], static_cast<long long>(ended.size() - 1 - from)};
}

STRETTO_INLINE bool same_results(const dynamic::planned_schedule& before,
                                 const dynamic::planned_schedule& after) {
  return detail::same_slots(before.plan().resolved, after.plan().resolved) &&
         same_effects(before, after);
}

}  // namespace stretto::advising
