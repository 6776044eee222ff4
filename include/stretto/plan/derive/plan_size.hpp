// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/derive/copies.hpp>
#include <stretto/plan/derive/planned_graph.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/graph.hpp>

/// What a plan takes, and what it may.
namespace stretto::planner {

struct plan_size {
  int in_flight = 1;      ///< batches
  std::size_t bytes = 0;  ///< of all copies of slots; 0 where nothing bounds them
};

constexpr bool is_bounded(const declaration& d) {
  return d.within.in_flight > 0 || d.within.bytes > 0;
}

/// What the plan of a declaration takes, known before there is one.
constexpr plan_size size_of_plan(const declaration& d) {
  const graph g = planned_graph(d);
  plan_size size;
  size.in_flight = g.max_lookahead + 1;
  if (d.within.bytes > 0) size.bytes = bytes_of_copies(d, g, copies(d, g));
  return size;
}

/// The bounds that a plan of some size exceeds.
struct exceeded_bounds {
  bool in_flight = false;
  bool bytes = false;

  constexpr bool any() const { return in_flight || bytes; }
};
constexpr exceeded_bounds exceeded_by(const declaration& d, const plan_size& size) {
  return {d.within.in_flight > 0 && size.in_flight > d.within.in_flight,
          d.within.bytes > 0 && size.bytes > d.within.bytes};
}
/// The bounds that the plan of a declaration exceeds.
constexpr exceeded_bounds exceeded_bounds_of(const declaration& d) {
  if (!is_bounded(d)) return {};
  return exceeded_by(d, size_of_plan(d));
}

}  // namespace stretto::planner
