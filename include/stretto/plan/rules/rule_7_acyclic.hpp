// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/derive/planned_graph.hpp>
#include <stretto/plan/derive/sort.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/rules/rule.hpp>

namespace stretto::planner::kind {
inline constexpr finding_kind cycle = kind_of_rule(7, 1);
inline constexpr finding_kind order_cycle = kind_of_rule(7, 2);
}  // namespace stretto::planner::kind

namespace stretto::planner::rules {

/// Rule 7: the order inside one progress is acyclic, in what the tasks declare and with the order
/// that the user gives. Reported once for each of the `cycles`, at its first task.
constexpr void check_acyclic(const subject& s, findings& found) {
  const list<std::size_t> path = cycles(s.resolved, s.edges, s.order);
  if (path.empty()) return;
  const bool by_order = s.edges.back().why == reason::order;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (i != 0 && path[i - 1] != none) continue;
    const bool alone = i + 1 == path.size() || path[i + 1] == none;
    found.push_back({by_order ? kind::order_cycle : kind::cycle, path[i], path[alone ? i : i + 1]});
  }
}

/// A cycle as a chain of waits; those that only the user's order asks for are marked.
constexpr void say_waits_in_cycle(const statement& s, text_builder& to) {
  const declaration& d = s.d;
  const view<std::size_t> cycle = cycle_from(s.cycle, s.f.task);
  if (cycle.empty()) {
    to.quoted(node_name(d, s.f.task));
    return s.say(to, " waits for $o and so on");
  }
  constexpr std::size_t shown_at_ends = 6;
  const graph g = planned_graph(d);
  list<std::size_t> producer_of(g.nodes.size(), none);
  for (std::size_t i = 0; i < cycle.size(); ++i)
    producer_of[cycle[i]] = cycle[i + 1 == cycle.size() ? 0 : i + 1];
  list<char> by_order(g.nodes.size(), 1);
  for (const edge& e : declared_edges(g))
    if (e.delta == 0 && producer_of[e.consumer] == e.producer) by_order[e.consumer] = 0;
  to.quoted(node_name(d, cycle.front()));
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    // A step that only the order asks for is where the cycle is to be broken.
    const bool middle = i >= shown_at_ends && i + shown_at_ends < cycle.size();
    if (middle && by_order[cycle[i]] == 0) {
      if (i == shown_at_ends || by_order[cycle[i - 1]] != 0) to.add(" waits for ...");
      continue;
    }
    to.add(" waits for ").quoted(node_name(d, producer_of[cycle[i]]));
    if (by_order[cycle[i]] != 0) to.add(" (`order`)");
  }
}

constexpr repair repair_of_cycles(const declaration&, const finding&) { return {}; }

constexpr void sentence_on_cycles(const statement& s, text_builder& to) {
  if (s.f.what == kind::order_cycle) {
    to.add("the `order` of the schedule contradicts what its tasks declare: ");
    say_waits_in_cycle(s, to);
    return s.say(to, "; drop a step marked `order`");
  }
  if (s.f.other == s.f.task) {
    s.say(to, "$w waits for itself; drop the entry");
  } else {
    to.add("tasks wait for each other in a cycle: ");
    say_waits_in_cycle(s, to);
    to.add("; drop one of these waits");
  }
  s.say(to, ", or make it one for an earlier batch (cross_iter_depends_on)");
}

inline constexpr rule rule_7{
    .number = 7,
    .kinds =
        {
            {kind::cycle, "cycle"},
            {kind::order_cycle, "order_cycle", "name"},
        },
    .check = check_acyclic,
    .fix = repair_of_cycles,
    .sentence = sentence_on_cycles,
};

}  // namespace stretto::planner::rules
