// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace stretto::dynamic::detail {

/// Turns a declaration back into a schedule that owns its names. Where two slots or resources have
/// the same name to a person, they get what tells them apart.
class outliner {
 public:
  explicit outliner(const planner::declaration& d) : d_(d) {
    learn(slots_, d.from.slot);
    for (const name& r : d.results) learn(slots_, r);
    for (const planner::pointing& p : d.points) learn(slots_, p.into);
    for (const planner::task& t : d.tasks) {
      for (const planner::access& a : t.reads) learn(slots_, a.slot);
      for (const planner::access& a : t.writes) learn(slots_, a.slot);
      for (const name& r : t.observes) learn(resources_, r);
      for (const name& r : t.mutates) learn(resources_, r);
    }
  }

  schedule outline() const {
    schedule s;
    for (const std::string_view stream : d_.streams) s.streams.emplace_back(stream);
    for (const std::string_view thread : d_.thread_names) s.thread_names.emplace_back(thread);
    s.source.slot = slot(d_.from.slot);
    if (d_.from.lookahead != planner::deepest) s.source.lookahead = d_.from.lookahead;
    s.source.thread = d_.from.thread;
    s.source.weight = d_.from.weight;
    s.source.collective = d_.from.collective;
    s.source.on_failure = d_.from.on_failure;
    s.source.max_failures = d_.from.max_failures;
    for (const name& r : d_.results) s.results.push_back(slot(r));
    for (const planner::task& t : d_.tasks) s.tasks.push_back(outline(t));
    std::unordered_map<std::size_t, std::size_t> order_of;
    for (const planner::turn& t : d_.turns) {
      const auto [order, fresh] = order_of.emplace(t.list, s.orders.size());
      if (fresh) s.orders.emplace_back();
      s.orders[order->second].emplace_back(t.task.text);
    }
    for (const planner::pointing& p : d_.points) s.points.push_back({slot(p.slot), slot(p.into)});
    for (const planner::slack& more : d_.slacks)
      s.slacks.push_back({slot(more.slot), static_cast<int>(more.copies)});
    for (const planner::thread_group& g : d_.groups)
      s.groups.push_back({std::string(g.thread), g.queue, g.workers});
    s.caller_runs = d_.caller_runs;
    s.results_on = d_.results_on;
    s.generated = static_cast<int>(d_.generated);
    s.strict = d_.strict;
    s.frugal = d_.frugal;
    s.serial = d_.serial;
    s.pipelined = d_.pipelined;
    s.max_in_flight = d_.within.in_flight;
    s.max_bytes = static_cast<std::int64_t>(d_.within.bytes);
    return s;
  }

  std::string slot(const name& n) const { return told_apart(slots_, n); }

 private:
  using bearers = std::unordered_map<std::string_view, std::vector<std::string_view>>;

  static void learn(bearers& by_text, const name& n) {
    std::vector<std::string_view>& keys = by_text[n.text];
    for (const std::string_view k : keys)
      if (k == n.key) return;
    keys.push_back(n.key);
  }
  static std::string told_apart(const bearers& by_text, const name& n) {
    const auto found = by_text.find(n.text);
    const bool shared = found != by_text.end() && found->second.size() > 1;
    return std::string(shared ? n.key : n.text);
  }

  task outline(const planner::task& from) const {
    task t;
    t.name = from.id.text;
    with_scalars([&](const auto&... field) { ((t.*field.own = from.*field.planned), ...); });
    t.to.assign(from.to.begin(), from.to.end());
    if (is_transfer(t)) t.collective = false;  // which it is by being one
    if (d_.serial) t.lookahead = from.stage;
    t.weight /= from.calls;                                     // that of one
    if (t.every == 1 && t.phase == 0) t.phase = last_of_group;  // which is the same
    const auto uses = [&](planner::view<planner::access> given) {
      std::vector<use> all;
      for (const planner::access& a : given) {
        use& u = all.emplace_back(slot(a.slot));
        u.ago = a.ago;
        u.takes = a.takes;
        u.latest = a.latest;
        u.items = a.items;
        if (a.offset != from.lookahead || (a.given && !d_.serial)) u.offset = a.offset;
      }
      return all;
    };
    t.reads = uses(from.reads);
    t.writes = uses(from.writes);
    for (const planner::dependency& e : from.depends_on) t.depends_on.emplace_back(e.task.text);
    for (const planner::dependency& e : from.cross_iter_depends_on)
      t.cross_iter_depends_on.emplace_back(std::string(e.task.text), e.ago);
    for (const planner::dependency& e : from.same_progress_sync)
      t.same_progress_sync.emplace_back(e.task.text);
    for (const name& r : from.observes) t.observes.push_back(told_apart(resources_, r));
    for (const name& r : from.mutates) t.mutates.push_back(told_apart(resources_, r));
    return t;
  }

  const planner::declaration& d_;
  bearers slots_;
  bearers resources_;
};

}  // namespace stretto::dynamic::detail
