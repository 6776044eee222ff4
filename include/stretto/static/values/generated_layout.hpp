// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/plan/layout/generate.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/static/values/checked_rules.hpp>
#include <stretto/static/values/constant_draft.hpp>
#include <stretto/static/values/constant_words.hpp>
#include <utility>

namespace stretto::typed::detail {

/// The generated thread map of a schedule, looked for once. `Declared::bare` is the declaration
/// without it. In several constant evaluations, because a compiler limits the steps of each. A
/// schedule that breaks a rule has none.
template <class Declared, bool Plannable = checked_rules<Declared>::kept>
struct generated_layout {
 private:
  static constexpr std::size_t nodes = Declared::bare.tasks.size() + 2;
  static constexpr std::size_t most_arcs =
      sizes_in(constant_draft<Declared>::row).edges + nodes + 1;

  /// The problem to solve.
  struct stated {
    std::array<planner::timing::arc, most_arcs> arcs{};
    std::size_t count = 0;
    std::array<planner::range, nodes> into{};
    std::array<long long, nodes> weight{};
    std::array<std::size_t, nodes> order{};
    std::array<std::size_t, nodes> pinned{};
    std::array<std::size_t, nodes> stream{};
    std::size_t threads = 1;
    std::size_t named = 1;
    planner::ratio bound;
  };
  template <std::size_t Capacity>
  static constexpr stated state(const planner::declaration& d,
                                const constant_words<Capacity>& drafted) {
    stated s{};
    const draft known = read_draft(d, drafted);
    const planner::graph& g = known.made.resolved;
    const planner::layout_problem p = planner::make_layout_problem(
        d, g, known.made.order, planner::make_layout_timing(d, g, known.made.edges));
    s.count = p.edges.arcs.size();
    planner::copy_items(p.edges.arcs, s.arcs.data());
    planner::copy_items(p.edges.into, s.into.data());
    planner::copy_items(p.edges.weight, s.weight.data());
    planner::copy_items(p.order, s.order.data());
    planner::copy_items(p.pinned, s.pinned.data());
    planner::copy_items(p.stream, s.stream.data());
    s.threads = p.threads;
    s.named = p.named;
    s.bound = p.bound;
    return s;
  }
  static constexpr planner::layout_problem restate(const stated& problem) {
    planner::layout_problem p;
    p.edges.weight = planner::list<long long>(planner::view<long long>(problem.weight));
    p.edges.arcs =
        planner::list<planner::timing::arc>(planner::view(problem.arcs.data(), problem.count));
    p.edges.into = planner::list<planner::range>(planner::view<planner::range>(problem.into));
    p.order = planner::list<std::size_t>(planner::view<std::size_t>(problem.order));
    p.pinned = planner::list<std::size_t>(planner::view<std::size_t>(problem.pinned));
    p.stream = planner::list<std::size_t>(planner::view<std::size_t>(problem.stream));
    p.unit.reserve(nodes);
    for (std::size_t n = 0; n < nodes; ++n) p.unit.push_back(n);
    p.threads = problem.threads;
    p.named = problem.named;
    p.bound = problem.bound;
    return p;
  }

  struct kept {
    std::array<std::size_t, nodes> order{};
    std::array<std::size_t, nodes> thread_of{};
  };
  static constexpr kept find(const stated& problem) {
    kept k{};
    const planner::layout_problem p = restate(problem);
    const planner::layout l = planner::generate(p);
    planner::copy_items(l.order, k.order.data());
    planner::copy_items(l.thread_of, k.thread_of.data());
    return k;
  }

  /// Static members of a class that is complete where it finds them.
  struct constants;

 public:
  static constexpr planner::layout_view value{constants::found.order, constants::found.thread_of};
};

template <class Declared, bool Plannable>
struct generated_layout<Declared, Plannable>::constants {
  static constexpr stated problem = state(Declared::bare, constant_draft<Declared>::row);
  static constexpr kept found = find(problem);
};

template <class Declared>
struct generated_layout<Declared, false> {
  static constexpr planner::layout_view value{};
};

}  // namespace stretto::typed::detail
