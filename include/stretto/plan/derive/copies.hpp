// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/derive/spare_copies.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/name_index.hpp>
#include <stretto/plan/model/view.hpp>

namespace stretto::planner {

namespace detail {

/// At least \p least copies of a slot that lookahead \p ahead fills, and enough that queues and
/// workers have theirs: its users in a group with a queue may lie the queue's length behind a
/// writer in another group, and workers hold a copy each.
constexpr std::size_t grouped_copies(const graph& g, std::size_t slot, int ahead,
                                     std::size_t least) {
  std::size_t filler = none;
  const range writers = g.writers_of[slot];
  for (std::size_t i = writers.first; i < writers.last; ++i)
    if (g.writers[i].offset == ahead) filler = g.nodes[g.writers[i].node].group;
  const auto ask = [&, &g = g](const list<use>& uses, range r) {
    for (std::size_t i = r.first; i < r.last; ++i) {
      const node& user = g.nodes[uses[i].node];
      if (user.group == none) continue;
      const int room = user.group == filler ? user.workers : user.further + 1;
      least = larger(least, static_cast<std::size_t>(ahead - uses[i].oldest() + room));
    }
  };
  ask(g.writers, writers);
  ask(g.readers, g.readers_of[slot]);
  return least;
}

/// Whether a task reads a slot's value for the last batch when the stream has ended. The source may
/// have touched the next copy by then, before it said that there was no batch.
constexpr bool is_read_at_end(const graph& g, std::size_t slot) {
  if (!g.rated) return false;
  bool found = false;
  for (std::size_t i = g.readers_of[slot].first; i < g.readers_of[slot].last; ++i)
    found = found || g.nodes[g.readers[i].node].runs.at_end;
  return found;
}

/// Adds the copies asked for. Of a slot named twice, what was said first counts.
constexpr void add_slack(const graph& g, view<slack> slacks, list<std::size_t>& copies) {
  if (slacks.empty()) return;
  name_index names(slacks.size());
  for (const slack& s : slacks) names.number(s.slot);
  list<std::size_t> more(names.names().size(), none);
  for (const slack& s : slacks)
    if (std::size_t& known = more[names.find(s.slot)]; known == none) known = s.copies;
  for (std::size_t slot = 0; slot < g.slot_list.size(); ++slot)
    if (const std::size_t known = names.find(g.slot_list[slot]); known != none)
      copies[slot] += more[known];
}

/// The writer that fills a copy with a batch: the one before all others.
constexpr const use& refiller(const graph& g, range writers) {
  std::size_t first = writers.first;
  for (std::size_t i = writers.first; i < writers.last; ++i)
    if (g.before(g.writers[i], g.writers[first])) first = i;
  return g.writers[first];
}

}  // namespace detail

/// How many copies of each slot the batches in flight need, from the writer furthest ahead to the
/// user furthest behind, and queues and workers. A slot that is written once per N batches has one
/// for each N of them, or part of N.
constexpr list<std::size_t> needed_copies(const graph& g) {
  list<std::size_t> result(g.slot_list.size(), 1);
  for (std::size_t slot = 0; slot < g.slot_list.size(); ++slot) {
    int ahead = 0;
    int behind = 0;
    bool first = true;
    int reach = 1;  // if the source has nothing yet, the writer goes on until it has run dry
    const auto widen = [&, &g = g](const list<use>& uses, range r) {
      for (std::size_t i = r.first; i < r.last; ++i) {
        ahead = first ? uses[i].offset : larger(ahead, uses[i].offset);
        behind = first ? uses[i].oldest() : smaller(behind, uses[i].oldest());
        first = false;
        reach = larger(reach, g.nodes[uses[i].node].lookahead - uses[i].oldest());
      }
    };
    widen(g.writers, g.writers_of[slot]);
    widen(g.readers, g.readers_of[slot]);
    result[slot] = static_cast<std::size_t>(larger(ahead - behind + 1, reach));
    if (slot == g.source_slot && detail::is_read_at_end(g, slot))
      result[slot] = larger(result[slot], std::size_t{2});
    if (g.grouped) result[slot] = detail::grouped_copies(g, slot, ahead, result[slot]);
    if (g.rated) {
      // One for each batch for which it is written.
      const auto every = static_cast<std::size_t>(g.rate_of_slot(slot).every);
      result[slot] = (result[slot] + every - 1) / every;
    }
  }
  return result;
}

/// By slot: the node that fills a copy with a batch, before all others that use it. The writer
/// furthest ahead.
constexpr list<std::size_t> fillers(const graph& g) {
  list<std::size_t> result(g.slot_list.size(), g.pull());
  for (std::size_t slot = 0; slot < g.slot_list.size(); ++slot) {
    const range writers = g.writers_of[slot];
    if (writers.first != writers.last) result[slot] = detail::refiller(g, writers).node;
  }
  return result;
}

/// The bytes that copies take, of the slots whose size is known; 0, where nothing bounds them.
constexpr std::size_t bytes_of_copies(const declaration& d, const graph& g,
                                      const list<std::size_t>& copies) {
  if (d.within.bytes == 0) return 0;
  name_index names(d.within.sizes.size());
  list<std::size_t> bytes;
  for (const slot_size& s : d.within.sizes)
    if (names.number(s.slot) == bytes.size()) bytes.push_back(s.bytes);
  std::size_t sum = 0;
  for (std::size_t slot = 0; slot < copies.size(); ++slot)
    if (const std::size_t known = names.find(g.slot_list[slot]); known != none)
      sum += copies[slot] * bytes[known];
  return sum;
}

/// How many copies of each slot there are: those needed, and the slack asked for or else, if the
/// schedule is not to be frugal and its bound on bytes allows that, spare ones where those save
/// waiting. Batch b lives in copy b mod copies; of a slot that is written once per N batches, the
/// value of group b / N in copy b / N mod copies.
constexpr list<std::size_t> copies(const declaration& d, const graph& g) {
  const list<std::size_t> needed = needed_copies(g);
  list<std::size_t> result = needed;
  detail::add_slack(g, d.slacks, result);
  if (!may_have_spare_copies(d, g)) return result;
  list<std::size_t> with_spares = result;
  for (std::size_t slot = 0; slot < result.size(); ++slot) {
    const range writers = g.writers_of[slot];
    if (writers.first == writers.last) continue;
    const std::size_t filler = detail::refiller(g, writers).node;
    if (result[slot] == 1) {
      with_spares[slot] += spare_copies(d, g, slot, filler);
    } else if (filler == g.pull() && result[slot] == needed[slot]) {
      with_spares[slot] = larger(result[slot], declared_source_copies(d, g, slot));
    }
  }
  if (bytes_of_copies(d, g, with_spares) > d.within.bytes) return result;
  return with_spares;
}

/// The edges that make sharing a slot's copies safe. The writer furthest ahead refills a copy: it
/// comes after every reader and later writer of the batch that was there (reuse). A later writer
/// updates in place: it comes after every user further ahead of it (update).
constexpr list<edge> sharing_edges(const graph& g, const list<std::size_t>& copies) {
  list<edge> edges;
  for (std::size_t slot = 0; slot < g.slot_list.size(); ++slot) {
    const range writers = g.writers_of[slot];
    if (writers.first == writers.last) continue;
    const use* const refill = &detail::refiller(g, writers);
    const int every = g.rate_of_slot(slot).every;

    const auto order_after = [&, &g = g, &copies = copies](const use& user) {
      // A task's own runs are in order, unless workers take turns at them.
      if (user.node != refill->node || g.nodes[user.node].workers > 1) {
        const int batches = static_cast<int>(copies[slot]) * every;
        const int first = batches - (refill->offset - user.oldest());
        detail::each_pass(g, user.node, user.span, user.step, [&, &user = user](int earlier) {
          const int delta = first + earlier;
          edges.push_back(
              {user.node, refill->node, delta, reason::reuse, slot, refill->offset - delta});
        });
      }
      for (std::size_t i = writers.first; i < writers.last; ++i) {
        const use& later = g.writers[i];
        if (user.offset > later.offset && user.node != later.node)
          edges.push_back({user.node, later.node, user.offset - later.offset, reason::update, slot,
                           later.offset});
      }
    };
    for (std::size_t i = g.readers_of[slot].first; i < g.readers_of[slot].last; ++i)
      order_after(g.readers[i]);
    for (std::size_t i = writers.first; i < writers.last; ++i) order_after(g.writers[i]);
  }
  return edges;
}

}  // namespace stretto::planner
