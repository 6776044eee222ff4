// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/order/waits.hpp>
#include <stretto/plan/rules/diagnose.hpp>
#include <stretto/plan/rules/finding.hpp>

/// The engine that the conformance records come from.
namespace original {

using namespace stretto::planner;

/// The original engine's own list of waits on tasks of other streams, for conformance. It differs
/// from `stream_waits` in two ways: reuse is not guarded, and a read also waits on writers *behind*
/// it, whose event of that batch cannot exist yet, so that it orders nothing.
constexpr list<edge> waits(const graph& g, view<edge> declared) {
  list<edge> edges;
  for (const edge& e : declared)
    if (e.producer < g.tasks && e.consumer < g.tasks) edges.push_back(e);
  for (const use& read : g.reads) {
    const range writers = g.writers_of[read.slot];
    for (std::size_t w = writers.first; w < writers.last; ++w) {
      const use& write = g.writers[w];
      if (write.offset < read.offset && read.node < g.tasks && write.node < g.tasks)
        edges.push_back({write.node, read.node, write.offset - read.offset, reason::data, read.slot,
                         read.offset});
    }
  }
  return stream_waits(g, edges);
}

/// What the original engine alone finds wrong, for conformance: it keeps no history and knows no
/// races.
constexpr list<finding> findings(declaration d) {
  d.strict = true;
  return check_rules(d).findings;
}

}  // namespace original
