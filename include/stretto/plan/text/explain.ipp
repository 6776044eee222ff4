// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/order/effects.hpp>
#include <stretto/plan/text/explain.hpp>
#include <stretto/plan/text/plan_writer.hpp>

namespace stretto::planner {

[[gnu::cold]] STRETTO_INLINE list<std::size_t> why_ordered(view<edge> effects, std::size_t nodes,
                                                           std::size_t before, std::size_t after,
                                                           int delta) {
  // Runs are numbered node by node, delta + 1 progresses each.
  const auto depth = static_cast<std::size_t>(delta) + 1;
  list<std::size_t> led(2 * nodes * depth, none);
  std::size_t* const through = led.data();            // by run: the edge that led here,
  std::size_t* const from = through + nodes * depth;  // and the run that it led from
  list<std::size_t> visits;
  list<std::size_t> path;
  visits.push_back(after * depth);
  from[after * depth] = after * depth;
  for (std::size_t at = 0; at < visits.size(); ++at) {
    const std::size_t now = visits[at];
    if (now / depth == before && through[now] != none) {
      // A run of `before` at or after the one asked for; the task's own runs are in order.
      for (std::size_t v = now; through[v] != none; v = from[v]) path.push_back(through[v]);
      break;
    }
    for (std::size_t e = 0; e < effects.size(); ++e) {
      const edge& in = effects[e];
      if (in.consumer != now / depth) continue;
      const std::size_t back = now % depth + static_cast<std::size_t>(in.delta);
      if (back >= depth) continue;
      const std::size_t next = in.producer * depth + back;
      if (from[next] != none) continue;
      from[next] = now;
      through[next] = e;
      visits.push_back(next);
    }
  }
  return path;
}

/// Of a node that not all ranks run, who does.
[[gnu::cold]] inline void tell_role(plan_writer& writer, std::size_t node) {
  if (node >= writer.plan.tasks()) return;
  const task& t = writer.plan.declared.tasks[node];
  if (t.role.empty()) return;
  writer.at.producer = node;
  writer.write(is_transfer(t) ? "  `$f` is from role `" : "  `$f` is on ranks of role `");
  writer.text.shown(t.role);
  for (const std::string_view to : t.to) writer.text.add("` to `").shown(to);
  writer.text.add("`\n");
}
/// Whether two nodes are tasks that no rank has both of.
constexpr bool are_apart(const plan_view& p, std::size_t a, std::size_t b) {
  if (a >= p.tasks() || b >= p.tasks()) return false;
  const task& one = p.declared.tasks[a];
  const task& other = p.declared.tasks[b];
  return !one.role.empty() && !other.role.empty() && one.role != other.role && !is_transfer(one) &&
         !is_transfer(other);
}
[[gnu::cold]] inline void tell_roles(plan_writer& writer, std::size_t before, std::size_t after) {
  tell_role(writer, before);
  if (before != after) tell_role(writer, after);
  if (are_apart(writer.plan, before, after))
    writer.write("  (no rank has both: between them ranks wait in transfers)\n");
}

[[gnu::cold]] STRETTO_INLINE std::string explain(const plan_view& p, view<edge> effects,
                                                 std::size_t before, std::size_t after, int delta) {
  const list<std::size_t> path = why_ordered(effects, p.tasks() + 2, before, after, delta);
  plan_writer writer(p, add_for_person);
  writer.at.producer = before;
  writer.at.consumer = after;
  writer.at.delta = delta;
  writer.write(path.empty() ? "nothing orders `$f` $A before `$t`\n"
                            : "`$f` $A comes before `$t`:\n");
  tell_roles(writer, before, after);
  for (const std::size_t place : path) {
    writer.at = effects[place];
    writer.write("  `$f` before `$t`$L: $w\n");
  }
  return writer.text.text();
}

[[gnu::cold]] STRETTO_INLINE std::string explain(const declaration& d, const plan& p,
                                                 std::size_t before, std::size_t after, int delta) {
  const effects order = make_effects(p.resolved, p.order, p.edges, p.threads);
  plan_view seen{d};
  seen.slot_list = p.resolved.slot_list;
  seen.max_lookahead = p.resolved.max_lookahead;
  list<std::size_t> lag;
  for (const node& n : p.resolved.nodes)
    lag.push_back(static_cast<std::size_t>(p.resolved.max_lookahead - n.lookahead));
  seen.lag = lag;
  return explain(seen, order.edges, before, after, delta);
}

}  // namespace stretto::planner
