// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>

namespace stretto::planner {

/// Why one task's run must come after another's.
enum class reason {
  data,                ///< the consumer reads a slot that the producer wrote
  depends_on,          ///< declared, same batch
  cross_iter,          ///< declared, an earlier batch
  same_progress_sync,  ///< declared, same progress
  update,              ///< the consumer writes on what the producer wrote or read already
  reuse,               ///< the consumer overwrites the copy that the producer read or wrote last
  stream,              ///< both are on one in-order stream
  ticket,              ///< both are collectives: one global submission order
  batch,               ///< the producer (`pull`) tells whether the batch exists
  thread,              ///< both are on one host thread
  order,               ///< given by the schedule: they run in this order within a progress
  through,             ///< the consumer (`deliver`) hands out a batch that is done
  room,                ///< the producer (`deliver`) has let go of the batch in the consumer's place
  take                 ///< the consumer takes the value of a slot that the producer reads
};

/// Happens-before: the consumer's run at progress i comes after the producer's at progress i -
/// delta.
struct edge {
  std::size_t producer;
  std::size_t consumer;
  int delta;
  reason why;
  std::size_t slot;  ///< for data, update, reuse, take; else none
  int offset;        ///< ring offset at which the original engine looks the event up
};

namespace detail {

/// Calls \p order with how much earlier than the newest each pass of \p node is that has to be
/// waited for, where any of those up to \p span batches earlier may be meant, each \p step after
/// the one before. Runs of a node are in order, so that the newest tells of all: unless workers
/// take turns at them, of which each tells of its own.
template <class Order>
constexpr void each_pass(const graph& g, std::size_t node, int span, int step, Order order) {
  order(0);
  for (int turn = 1; turn < g.nodes[node].workers && turn <= span / step; ++turn)
    order(turn * step);
}

constexpr void link_edges(const graph& g, std::size_t consumer, list<edge>& into) {
  const node& c = g.nodes[consumer];
  for (std::size_t i = c.links.first; i < c.links.last; ++i) {
    const link& l = g.links[i];
    if (l.producer == none) continue;
    const int ahead = g.nodes[l.producer].lookahead;
    switch (l.where) {
      case field::depends_on:
        into.push_back(
            {l.producer, consumer, ahead - c.lookahead, reason::depends_on, none, c.lookahead});
        break;
      case field::cross_iter_depends_on: {
        const int delta = ahead + l.ago - c.lookahead;
        into.push_back({l.producer, consumer, delta, reason::cross_iter, none,
                        delta == 0 ? ahead : c.lookahead - l.ago});
        break;
      }
      default: into.push_back({l.producer, consumer, 0, reason::same_progress_sync, none, ahead});
    }
  }
}

/// In a serial plan, what updates a slot in place comes after all that would be further ahead.
constexpr void update_edges(const graph& g, std::size_t consumer, list<edge>& into) {
  const node& c = g.nodes[consumer];
  for (std::size_t i = c.writes.first; i < c.writes.last; ++i) {
    const use& write = g.writes[i];
    const auto come_after = [&, &g = g, &into = into](const list<use>& users, range r) {
      for (std::size_t u = r.first; u < r.last; ++u)
        if (users[u].node != consumer && g.before(users[u], write))
          into.push_back({users[u].node, consumer, 0, reason::update, write.slot, write.offset});
    };
    come_after(g.readers, g.readers_of[write.slot]);
    come_after(g.writers, g.writers_of[write.slot]);
  }
}

/// Whether a task may still use a value when another works that takes it.
constexpr bool uses_after(const graph& g, use user, const use& taker) {
  user.offset = user.oldest();
  return g.before(taker, user);
}

/// Who takes the value of a slot comes after all others that read it. Those behind it are left to
/// rule 5.
constexpr void take_edges(const graph& g, const use& taker, list<edge>& into) {
  const range readers = g.readers_of[taker.slot];
  for (std::size_t i = readers.first; i < readers.last; ++i) {
    const use& reader = g.readers[i];
    if (reader.node != taker.node && reader.node != g.deliver() && !uses_after(g, reader, taker))
      each_pass(g, reader.node, reader.span, reader.step,
                [&, &reader = reader, &taker = taker, &into = into](int earlier) {
                  into.push_back({reader.node, taker.node, reader.oldest() - taker.offset + earlier,
                                  reason::take, taker.slot, taker.offset});
                });
  }
}

}  // namespace detail

/// The edges that slots and dependency fields declare, grouped by consumer in node order. An edge
/// with delta < 0 reads the future: rules 5 and 6 reject it.
constexpr list<edge> declared_edges(const graph& g) {
  list<edge> edges;
  edges.reserve(g.reads.size() + g.links.size());
  std::size_t taker = 0;
  for (std::size_t consumer = 0; consumer < g.nodes.size(); ++consumer) {
    const node& c = g.nodes[consumer];
    for (std::size_t i = c.reads.first; i < c.reads.last; ++i) {
      const use& read = g.reads[i];
      const range writers = g.writers_of[read.slot];
      for (std::size_t w = writers.first; w < writers.last; ++w) {
        const use& write = g.writers[w];
        // Of an earlier batch, a task may read what it wrote itself.
        if ((write.node != consumer || read.ago > 0) && !g.before(read, write))
          detail::each_pass(
              g, write.node, read.span, read.step, [&, &read = read, &write = write](int earlier) {
                edges.push_back({write.node, consumer, write.offset - read.offset + earlier,
                                 reason::data, read.slot, read.offset});
              });
      }
    }
    detail::link_edges(g, consumer, edges);
    if (g.serial) detail::update_edges(g, consumer, edges);
    for (; taker < g.takers.size() && g.takers[taker].node == consumer; ++taker)
      detail::take_edges(g, g.takers[taker], edges);
  }
  return edges;
}

/// The edges of the order that the user gives.
constexpr list<edge> order_edges(const graph& g) {
  list<edge> edges;
  for (const turn_node& t : g.turns)
    if (t.before != none) edges.push_back({t.before, t.node, 0, reason::order, none, 0});
  return edges;
}

/// What a barrier does beyond the edges of the plan: a batch is handed out when every task is done
/// with it, and the next is pulled when the user is, so that no more are in flight than the ring
/// holds.
constexpr list<edge> delivery_edges(const graph& g) {
  list<edge> edges;
  for (std::size_t n = 0; n < g.nodes.size(); ++n)
    if (n != g.deliver() && g.nodes[n].settles)
      edges.push_back({n, g.deliver(), g.nodes[n].lookahead, reason::through, none, 0});
  edges.push_back({g.deliver(), g.pull(), 1, reason::room, none, 0});
  return edges;
}

}  // namespace stretto::planner
