// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/derive/threads.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <string_view>

namespace stretto::planner {

namespace detail {

/// That one node works on a batch before another does, and so must not be less far ahead.
struct precedence {
  std::size_t before = 0;
  std::size_t after = 0;
};

/// Who works on a batch before whom, between tasks: what they declare of the same batch, the users
/// of a slot before whoever updates it further behind, and its readers before whoever takes it.
/// (Not those who look at an earlier batch.)
constexpr list<precedence> precedences(const graph& g) {
  list<precedence> all;
  for (std::size_t n = 0; n < g.tasks; ++n)
    for (std::size_t i = g.nodes[n].links.first; i < g.nodes[n].links.last; ++i)
      if (g.links[i].where == field::depends_on && g.links[i].producer != none)
        all.push_back({g.links[i].producer, n});
  for (std::size_t slot = 0; slot < g.slot_list.size(); ++slot) {
    for (std::size_t w = g.writers_of[slot].first; w < g.writers_of[slot].last; ++w) {
      const use& write = g.writers[w];
      const auto add = [&, &g = g](const use& other, bool reads) {
        if (other.node >= g.tasks || write.node >= g.tasks || other.node == write.node) return;
        if (other.offset > write.offset) all.push_back({other.node, write.node});
        if (reads && other.offset <= write.offset) all.push_back({write.node, other.node});
      };
      for (std::size_t i = g.writers_of[slot].first; i < g.writers_of[slot].last; ++i)
        add(g.writers[i], false);
      for (std::size_t i = g.readers_of[slot].first; i < g.readers_of[slot].last; ++i)
        if (g.readers[i].ago == 0) add(g.readers[i], true);
    }
  }
  for (const use& taker : g.takers) {
    const range readers = g.readers_of[taker.slot];
    for (std::size_t i = readers.first; i < readers.last; ++i)
      if (g.readers[i].node < g.tasks && g.readers[i].node != taker.node)
        all.push_back({g.readers[i].node, taker.node});
  }
  return all;
}

/// Which nodes are in a group with a queue or workers.
constexpr void find_groups(const declaration& d, graph& g) {
  const group_index groups(d);
  for (std::size_t n = 0; n < g.nodes.size(); ++n) {
    if (n == g.deliver()) continue;
    const std::string_view thread = n < g.tasks ? thread_name(d.tasks[n]) : d.from.thread;
    node& own = g.nodes[n];
    own.group = groups.find(thread);
    if (own.group == none) continue;
    own.workers = groups.workers_on(thread);
    own.further = d.groups[own.group].queue + own.workers - 1;
  }
}

/// By node: how many batches further ahead it works than is declared. A group as many as its own
/// queue and workers ask for, and all that its batches go through before as many as that, too.
constexpr list<int> further_ahead(const graph& g) {
  const list<precedence> all = precedences(g);
  list<int> further(g.nodes.size(), 0);
  for (std::size_t n = 0; n < g.tasks; ++n) further[n] = g.nodes[n].further;

  // From the last that a batch goes through to the first.
  list<std::size_t> open(g.tasks, 0);  // how many of those after it are not settled yet
  list<range> of(g.tasks, range{});
  for (const precedence& p : all) {
    ++open[p.before];
    ++of[p.after].last;
  }
  list<std::size_t> before(lay_out(of), 0);
  for (const precedence& p : all) before[of[p.after].last++] = p.before;
  list<std::size_t> settled;
  settled.reserve(g.tasks);
  for (std::size_t n = g.tasks; n-- > 0;)
    if (open[n] == 0) settled.push_back(n);
  for (std::size_t at = 0; at < settled.size(); ++at) {
    const std::size_t after = settled[at];
    for (std::size_t i = of[after].first; i < of[after].last; ++i) {
      const std::size_t n = before[i];
      const bool together = g.nodes[n].group != none && g.nodes[n].group == g.nodes[after].group;
      further[n] = larger(further[n], further[after] + (together ? 0 : g.nodes[n].further));
      if (--open[n] == 0) settled.push_back(n);
    }
  }
  return further;
}

/// Lets tasks and the source work as much further ahead as `pipelined` has found.
constexpr void raise_lookaheads(graph& g, view<int> raised) {
  for (std::size_t n = 0; n < raised.size(); ++n) g.nodes[n].lookahead += raised[n];
  g.max_lookahead = g.nodes[g.pull()].lookahead;
  for (list<use>* const uses : {&g.reads, &g.writes, &g.readers, &g.writers, &g.takers})
    for (use& u : *uses)
      if (u.node != g.deliver()) u.offset += raised[u.node];
}

/// The graph with what queues and workers make of it.
constexpr graph graph_with_groups(const declaration& d) {
  graph g = make_graph(d);
  if (d.groups.empty() || d.generated > 0) return g;
  g.grouped = true;
  detail::find_groups(d, g);
  const list<int> further = detail::further_ahead(g);

  // The source is as much further ahead of the deepest task as it was.
  node& pull = g.nodes[g.pull()];
  int declared = 0;
  int planned = pull.further;
  for (std::size_t n = 0; n < g.tasks; ++n) {
    node& own = g.nodes[n];
    const bool together = pull.group != none && pull.group == own.group;
    declared = larger(declared, own.lookahead);
    own.lookahead += further[n];
    planned = larger(planned, own.lookahead + (together ? 0 : pull.further));
  }
  const int pulled = planned + g.max_lookahead - declared;
  const int pulled_further = pulled - g.max_lookahead;
  g.max_lookahead = pulled;
  pull.lookahead = pulled;
  const auto shift = [&](list<use>& uses) {
    for (use& u : uses) {
      if (u.node < g.tasks) u.offset += further[u.node];
      if (u.node == g.pull()) u.offset += pulled_further;
    }
  };
  shift(g.reads);
  shift(g.writes);
  shift(g.readers);
  shift(g.writers);
  shift(g.takers);
  return g;
}

}  // namespace detail

/// The graph of a declaration as it is planned. A group that may run N batches further ahead than
/// the others works at a lookahead that is N more: the batches between are its queue. In a
/// pipelined schedule lookaheads are raised as well.
constexpr graph planned_graph(const declaration& d) {
  graph g = detail::graph_with_groups(d);
  if (!d.raised.empty()) detail::raise_lookaheads(g, d.raised);
  return g;
}

/// How many batches ahead a task works with the queues and workers of the schedule.
constexpr int planned_lookahead(const declaration& d, std::size_t task) {
  return d.groups.empty() && d.raised.empty() ? d.tasks[task].lookahead
                                              : planned_graph(d).nodes[task].lookahead;
}

}  // namespace stretto::planner
