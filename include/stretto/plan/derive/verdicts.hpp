// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/derive/planned_graph.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>

namespace stretto::planner {

/// Whether some task, or the source, may drop batches.
constexpr bool may_drop(const declaration& d) {
  bool found = drops_failures(d.from);
  for (const task& t : d.tasks) found = found || may_drop(t);
  return found;
}

/// Which tasks may drop a batch, and which nodes come after them and have to ask whether they have.
/// The source is one of them, `pull`, if it skips what it fails on.
///
/// No edge is added for that. What a node asks of is a task whose work it uses for the batch,
/// directly or through others: each step of that way is an edge of the plan already. And a batch
/// has its word for itself as long as it is in flight: that as many are as the plan says is what
/// the edges around `deliver` are for.
struct verdicts {
  list<std::size_t> droppers;  ///< nodes, in declaration order, `pull` last
  list<std::size_t> failures;  ///< as droppers: how many of a task's a run drops; none: all
  list<std::size_t> places;    ///< by node, its own in `droppers`; none: it may not drop batches
  /// By node, places in `droppers`: those with no other one between. One that is passed over
  /// because of an earlier one says so, too.
  list<std::size_t> asked;
  list<range> asked_by;         ///< by node, into `asked`
  list<std::size_t> unwritten;  ///< by slot, places in `droppers`: who keeps it from being written
  list<range> unwritten_of;     ///< by slot, into `unwritten`
  bool drop_failures = false;   ///< some task drops batches on which it throws
  std::size_t looked_back = 0;  ///< how many batches at most lie before one that is asked about

  /// Who may drop a batch so that a node is passed over, or may itself; none: nobody. The first of
  /// several.
  constexpr std::size_t dropper_before(std::size_t node) const {
    if (may_be_skipped(node)) return droppers[asked[asked_by[node].first]];
    return places[node] == none ? none : node;
  }
  /// Likewise, so that a slot is not written, or not to its end.
  constexpr std::size_t dropper_of_slot(std::size_t slot) const {
    const range of = unwritten_of[slot];
    return of.first == of.last ? none : droppers[unwritten[of.first]];
  }
  /// Whether a node may be passed over for a batch.
  constexpr bool may_be_skipped(std::size_t node) const {
    return asked_by[node].first != asked_by[node].last;
  }
};

namespace detail {

/// Whether a node, a task or \c pull, may drop batches.
constexpr bool drops_batches(const declaration& d, const graph& g, std::size_t node) {
  return node < g.tasks ? may_drop(d.tasks[node]) : drops_failures(d.from);
}
/// How many failures of a node a run drops; none: any number.
constexpr std::size_t most_failures(const declaration& d, const graph& g, std::size_t node) {
  const bool drops = node < g.tasks ? drops_failures(d.tasks[node]) : drops_failures(d.from);
  const int most = node < g.tasks ? d.tasks[node].max_failures : d.from.max_failures;
  return !drops ? 0 : most > 0 ? static_cast<std::size_t>(most) : none;
}

/// Who uses whose work of the same batch: by reads, updates and `depends_on`.
constexpr list<precedence> uses_of_batch(const declaration& d, const graph& g) {
  list<precedence> all;
  for (std::size_t n = 0; n < g.tasks; ++n)
    for (std::size_t i = g.nodes[n].links.first; i < g.nodes[n].links.last; ++i)
      if (g.links[i].where == field::depends_on && g.links[i].producer != none)
        all.push_back({g.links[i].producer, n});
  for (std::size_t slot = 0; slot < g.slot_list.size(); ++slot) {
    const range writers = g.writers_of[slot];
    for (std::size_t w = writers.first; w < writers.last; ++w) {
      const use& write = g.writers[w];
      for (std::size_t i = g.readers_of[slot].first; i < g.readers_of[slot].last; ++i) {
        const use& read = g.readers[i];
        if (read.ago == 0 && read.span == 0 && read.node != write.node && !g.before(read, write))
          all.push_back({write.node, read.node});
      }
      for (std::size_t i = writers.first; i < writers.last; ++i)
        if (g.before(write, g.writers[i])) all.push_back({write.node, g.writers[i].node});
    }
  }
  // Where there is no result, a batch itself is what is handed out.
  if (d.results.empty())
    for (std::size_t n = 0; n <= g.pull(); ++n)
      if (drops_batches(d, g, n)) all.push_back({n, g.deliver()});
  return all;
}

/// A slot has no value for a batch that one of its writers drops or is passed over for.
constexpr void find_unwritten(const graph& g, const list<char>& asks, verdicts& v) {
  const std::size_t width = v.droppers.size();
  for (std::size_t slot = 0; slot < g.slot_list.size(); ++slot) {
    const std::size_t first = v.unwritten.size();
    for (std::size_t i = 0; i < width; ++i) {
      bool keeps = false;
      for (std::size_t w = g.writers_of[slot].first; w < g.writers_of[slot].last; ++w) {
        const std::size_t writer = g.writers[w].node;
        keeps = keeps || v.places[writer] == i || asks[writer * width + i] != 0;
      }
      if (keeps) v.unwritten.push_back(i);
    }
    v.unwritten_of.push_back({first, v.unwritten.size()});
    if (first == v.unwritten.size()) continue;
    for (std::size_t r = g.readers_of[slot].first; r < g.readers_of[slot].last; ++r)
      v.looked_back = larger(v.looked_back, static_cast<std::size_t>(g.readers[r].ago));
  }
}

}  // namespace detail

/// Of any declaration, whether it keeps the rules or not.
constexpr verdicts find_verdicts(const declaration& d, const graph& g) {
  verdicts v;
  v.places.assign(g.nodes.size(), none);
  for (std::size_t n = 0; n <= g.pull(); ++n) {
    if (!detail::drops_batches(d, g, n)) continue;
    v.places[n] = v.droppers.size();
    v.droppers.push_back(n);
    v.failures.push_back(detail::most_failures(d, g, n));
    v.drop_failures = v.drop_failures || v.failures.back() != 0;
  }
  const std::size_t width = v.droppers.size();
  if (width == 0) {
    v.asked_by.assign(g.nodes.size(), range{});
    v.unwritten_of.assign(g.slot_list.size(), range{});
    return v;
  }
  const list<detail::precedence> uses = detail::uses_of_batch(d, g);
  list<char> asks(g.nodes.size() * width, 0);
  const auto tell = [&asks](std::size_t at) {
    if (asks[at] != 0) return false;
    asks[at] = 1;
    return true;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const detail::precedence& u : uses) {
      if (v.places[u.before] != none) {
        if (tell(u.after * width + v.places[u.before])) changed = true;
        continue;
      }
      for (std::size_t i = 0; i < width; ++i)
        if (asks[u.before * width + i] != 0 && tell(u.after * width + i)) changed = true;
    }
  }
  for (std::size_t n = 0; n < g.nodes.size(); ++n) {
    const std::size_t first = v.asked.size();
    for (std::size_t i = 0; i < width; ++i)
      if (asks[n * width + i] != 0) v.asked.push_back(i);
    v.asked_by.push_back({first, v.asked.size()});
  }
  detail::find_unwritten(g, asks, v);
  return v;
}

/// Whether a node is not called for a batch that a task dropped, or has no value of one that it
/// looks back at.
constexpr bool depends_on_drops(const graph& g, const verdicts& v, std::size_t node) {
  if (v.may_be_skipped(node)) return true;
  for (std::size_t i = g.nodes[node].reads.first; i < g.nodes[node].reads.last; ++i)
    if (g.reads[i].ago > 0 && v.dropper_of_slot(g.reads[i].slot) != none) return true;
  return false;
}

}  // namespace stretto::planner
