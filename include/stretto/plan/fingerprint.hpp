// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <stretto/plan/plan.hpp>
#include <string_view>

namespace stretto::plan {

/// A number that two plans share if and only if (up to a collision of 64 bits) they have the same
/// tasks, order, edges, copies and tickets under the same names, whatever their thread maps. Ranks
/// compare it before their first collective. Uses the names shown, not the compilers' spelling of
/// types, so that it is the same on every compiler.
constexpr std::uint64_t fingerprint(const declaration& d, const plan& p) {
  std::uint64_t h = 14695981039346656037U;
  const auto byte = [&](unsigned char b) { h = (h ^ b) * 1099511628211U; };
  const auto number = [&](std::uint64_t n) {
    for (int i = 0; i < 4; ++i) byte(static_cast<unsigned char>(n >> (8 * i)));
  };
  const auto text = [&](std::string_view s) {
    number(s.size());
    for (const char c : s) byte(static_cast<unsigned char>(c));
  };
  // The order that the edges ask for: a generated thread map may have another.
  const list<std::size_t> order = sort(p.resolved, p.edges).order;
  number(order.size());
  for (const std::size_t n : order) {
    text(node_name(d, n));
    number(static_cast<std::uint64_t>(p.resolved.nodes[n].lookahead));
    text(p.resolved.nodes[n].stream == none ? std::string_view()
                                            : p.resolved.streams[p.resolved.nodes[n].stream]);
  }
  number(p.edges.size());
  for (const edge& e : p.edges) {
    number(e.producer);
    number(e.consumer);
    number(static_cast<std::uint64_t>(e.delta));
    number(static_cast<std::uint64_t>(e.why));
  }
  for (std::size_t s = 0; s < p.copies.size(); ++s) {
    text(p.resolved.slots[s].text);
    number(p.copies[s]);
  }
  for (const std::size_t n : p.tickets) number(n);
  return h;
}

}  // namespace stretto::plan
