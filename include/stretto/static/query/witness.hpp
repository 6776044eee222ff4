// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/plan/derive/planned_graph.hpp>
#include <stretto/plan/model/firing.hpp>
#include <stretto/plan/text/witness.hpp>
#include <stretto/static/errors/diagnosis.hpp>
#include <stretto/static/query/explain.hpp>
#include <stretto/static/values/checked_rules.hpp>
#include <stretto/static/values/declared.hpp>
#include <string>

namespace stretto {

namespace typed::detail {

/// What interleavings of a schedule with findings follow from, a constant.
template <class Schedule>
struct course_of {
 private:
  using from = declared<Schedule>;
  static constexpr std::size_t nodes = from::tasks::size + 2;
  struct kept {
    std::array<std::size_t, nodes> lag{};
    std::array<std::size_t, nodes> workers{};
  };
  static constexpr kept by_node = [] {
    kept k{};
    const planner::graph g = planner::planned_graph(from::value);
    for (std::size_t n = 0; n < nodes; ++n) {
      k.lag[n] = planner::lag(g.max_lookahead, g.nodes[n].lookahead);
      k.workers[n] = static_cast<std::size_t>(g.nodes[n].workers);
    }
    return k;
  }();

 public:
  static constexpr planner::course value = [] {
    planner::course c;
    c.lag = by_node.lag;
    c.workers = by_node.workers;
    if constexpr (checked_rules<from>::kept) {
      c.order = planned<Schedule>::value.order;
      c.effects = explained<Schedule>::effects;
    }
    return c;
  }();
};

}  // namespace typed::detail

/// What goes wrong in a schedule that does not compile, when it runs: the sentence of the first
/// finding that an interleaving shows, and the shortest such interleaving, line by line. Empty for
/// a valid schedule, and where all findings are about how something is declared.
template <class Schedule>
[[gnu::cold]] std::string witness() {
  if constexpr (typed::well_formed<Schedule> && !is_valid<Schedule>) {
    const auto& found = typed::detail::diagnosed<Schedule>::value;
    for (std::size_t i = 0; i < found.findings.size(); ++i) {
      const std::string lines =
          planner::witness(typed::declared<Schedule>::value, found.findings[i],
                           typed::detail::course_of<Schedule>::value, found.cycle);
      if (!lines.empty())
        return planner::text_builder()
            .add(typed::detail::told_findings<Schedule>::sentence(i))
            .add("\n")
            .add(lines)
            .text();
    }
  }
  return {};
}

}  // namespace stretto
