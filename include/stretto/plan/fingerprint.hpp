// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <stretto/plan/derive/sort.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/edge_groups.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/rate.hpp>
#include <stretto/plan/model/view.hpp>
#include <string_view>

namespace stretto::planner {

namespace detail {

/// FNV-1a over whatever is put in. (Byte by byte without a call, which takes compilers longer than
/// the byte.)
class hash {
 public:
  constexpr void number(std::uint64_t n) {
    std::uint64_t value = value_;
    for (int shift = 0; shift < 32; shift += 8) value = (value ^ ((n >> shift) & 255U)) * prime;
    value_ = value;
  }
  constexpr void text(std::string_view s) {
    const std::size_t size = s.size();
    const char* const from = s.data();
    number(size);
    std::uint64_t value = value_;
    for (std::size_t i = 0; i < size; ++i)
      value = (value ^ static_cast<unsigned char>(from[i])) * prime;
    value_ = value;
  }
  constexpr std::uint64_t value() const { return value_; }

 private:
  static constexpr std::uint64_t prime = 1099511628211U;

  std::uint64_t value_ = 14695981039346656037U;
};

constexpr void add_node(hash& h, const declaration& d, const graph& g, std::size_t n) {
  h.text(node_name(d, n));
  h.number(static_cast<std::uint64_t>(g.nodes[n].lookahead));
  h.text(g.nodes[n].stream == none ? std::string_view() : g.streams[g.nodes[n].stream]);
  if (const rate& runs = g.nodes[n].runs; runs.every > 1) {
    h.number(static_cast<std::uint64_t>(runs.every));
    h.number(static_cast<std::uint64_t>(runs.phase));
    if (runs.at_end) h.text("and at the end");
  }
  if (n < d.tasks.size() && may_drop(d.tasks[n])) h.text("may drop");
  if (n < d.tasks.size() && !d.tasks[n].role.empty()) {
    h.text(d.tasks[n].role);
    for (const std::string_view to : d.tasks[n].to) h.text(to);
  }
  if (n < d.tasks.size())
    for (const view<access> uses : {d.tasks[n].reads, d.tasks[n].writes})
      for (const access& a : uses)
        if (a.items != 0) {
          h.text(a.slot.text);
          h.number(static_cast<std::uint64_t>(a.items));
        }
}

}  // namespace detail

/// A number that two plans share if and only if (up to a collision of 64 bits) they have the same
/// tasks, order, edges, copies and tickets under the same names, whatever their thread maps. Ranks
/// compare it before their first collective. Uses the names shown, not the compilers' spelling of
/// types, so that it is the same on every compiler. \p copies: by slot of \p slot_list.
constexpr std::uint64_t fingerprint(const declaration& d, const graph& g, view<edge> edges,
                                    view<name> slot_list, view<std::size_t> copies,
                                    view<std::size_t> tickets) {
  detail::hash h;
  // The order that the edges ask for: a generated thread map may have another.
  const list<std::size_t> order = sort(g, edges).order;
  h.number(order.size());
  for (const std::size_t n : order) detail::add_node(h, d, g, n);
  h.number(edges.size());
  for (const edge& e : edges) {
    h.number(e.producer);
    h.number(e.consumer);
    h.number(static_cast<std::uint64_t>(e.delta));
    h.number(static_cast<std::uint64_t>(e.why));
  }
  for (std::size_t s = 0; s < copies.size(); ++s) {
    h.text(slot_list[s].text);
    h.number(copies[s]);
  }
  for (const std::size_t n : tickets) h.number(n);
  return h.value();
}
constexpr std::uint64_t fingerprint(const declaration& d, const plan& p) {
  return fingerprint(d, p.resolved, p.edges, p.resolved.slot_list, p.copies, p.tickets);
}

/// A fingerprint of each node alone, in the order of the fingerprint: what it is called, where it
/// runs, whether it is a collective, and its incoming edges with the names of where they come from.
/// Where two plans part, the first of these that differs tells at which task.
constexpr list<std::uint64_t> node_fingerprints(const declaration& d, const graph& g,
                                                view<edge> edges) {
  const sorted in_order = sort(g, edges);
  list<range> incoming;
  const list<edge> grouped = by_consumer(g.nodes.size(), edges, incoming);
  list<std::uint64_t> all;
  for (const std::size_t n : in_order.order) {
    detail::hash h;
    detail::add_node(h, d, g, n);
    h.number(g.nodes[n].collective ? 1 : 0);
    for (std::size_t i = incoming[n].first; i < incoming[n].last; ++i) {
      const edge& e = grouped[i];
      h.text(node_name(d, e.producer));
      h.number(static_cast<std::uint64_t>(e.delta));
      h.number(static_cast<std::uint64_t>(e.why));
    }
    all.push_back(h.value());
  }
  return all;
}
constexpr list<std::uint64_t> node_fingerprints(const declaration& d, const plan& p) {
  return node_fingerprints(d, p.resolved, p.edges);
}

}  // namespace stretto::planner
