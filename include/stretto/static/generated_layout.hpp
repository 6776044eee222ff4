// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <stretto/plan/diagnose.hpp>
#include <stretto/plan/plan.hpp>
#include <utility>

namespace stretto::detail {

/// The generated thread map of a schedule, looked for once. `Declared::bare` is the declaration
/// without it. In several constant evaluations, because a compiler allows each so many steps. A
/// schedule that breaks a rule has none.
template <class Declared>
struct generated_layout {
 private:
  static constexpr std::size_t nodes = Declared::bare.tasks.size() + 2;
  static constexpr bool plannable = [] {
    const plan::diagnosis d = plan::check_rules(Declared::bare);
    return d.findings.empty();
  }();
  static constexpr std::size_t edges = [] {
    if constexpr (!plannable) return std::size_t{0};
    const plan::plan p = plan::detail::plan_without_threads(Declared::bare);
    return p.edges.size();
  }();

  struct unmapped {
    std::array<std::size_t, nodes> order{};
    std::array<plan::edge, edges> all_edges{};
  };
  static constexpr unmapped planned = [] {
    unmapped u{};
    if constexpr (plannable) {
      const plan::plan p = plan::detail::plan_without_threads(Declared::bare);
      std::copy(p.order.begin(), p.order.end(), u.order.begin());
      std::copy(p.edges.begin(), p.edges.end(), u.all_edges.begin());
    }
    return u;
  }();

  /// The problem to solve, as far as it is not at hand.
  struct stated {
    std::array<plan::timing::arc, edges + nodes + 1> arcs{};
    std::size_t count = 0;
    std::array<plan::range, nodes> into{};
    plan::ratio bound;
  };
  static constexpr stated problem = [] {
    stated s{};
    if constexpr (plannable) {
      const plan::graph g = plan::make_graph(Declared::bare);
      plan::timing t = plan::make_layout_timing(Declared::bare, g, planned.all_edges);
      s.count = t.arcs.size();
      std::copy(t.arcs.begin(), t.arcs.end(), s.arcs.begin());
      std::copy(t.into.begin(), t.into.end(), s.into.begin());
      const plan::layout_problem p =
          plan::make_layout_problem(Declared::bare, g, planned.order, std::move(t));
      s.bound = p.bound;
    }
    return s;
  }();
  static constexpr plan::layout_problem restated() {
    const plan::graph g = plan::make_graph(Declared::bare);
    plan::timing t;
    for (const plan::node& n : g.nodes) t.weight.push_back(n.weight);
    for (const plan::range& r : problem.into) t.into.push_back(r);
    t.arcs.reserve(problem.count);
    for (std::size_t i = 0; i < problem.count; ++i) t.arcs.push_back(problem.arcs[i]);
    return plan::make_layout_problem(Declared::bare, g, planned.order, std::move(t), problem.bound);
  }

  struct kept {
    std::array<std::size_t, nodes> order{};
    std::array<std::size_t, nodes> thread_of{};
  };
  static constexpr kept found = [] {
    kept k{};
    if constexpr (plannable) {
      const plan::layout_problem p = restated();
      const plan::layout l = plan::generate(p);
      std::copy(l.order.begin(), l.order.end(), k.order.begin());
      std::copy(l.thread_of.begin(), l.thread_of.end(), k.thread_of.begin());
    }
    return k;
  }();

 public:
  static constexpr plan::layout_view value =
      plannable ? plan::layout_view{found.order, found.thread_of} : plan::layout_view{};
};

}  // namespace stretto::detail
