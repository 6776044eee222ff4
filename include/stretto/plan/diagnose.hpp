// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <stretto/plan/rules/rule_1_names.hpp>
#include <stretto/plan/rules/rule_2_offsets.hpp>
#include <stretto/plan/rules/rule_3_streams.hpp>
#include <stretto/plan/rules/rule_4_writers.hpp>
#include <stretto/plan/rules/rule_5_reads.hpp>
#include <stretto/plan/rules/rule_6_dependencies.hpp>
#include <stretto/plan/rules/rule_7_acyclic.hpp>

namespace stretto::plan {

/// Everything that is wrong with a schedule.
struct diagnosis {
  std::vector<finding> findings;   ///< by rule, then by task
  std::vector<std::size_t> cycle;  ///< the tasks of a cycle: each waits for the next
};

/// Checks a declaration against rules 1 to 7. Total: any declaration gets a diagnosis. (Rule 8 is
/// about the emitted plan: see rules/rule_8_emission.hpp.)
constexpr diagnosis diagnose(const declaration& d) {
  const graph g = make_graph(d);
  const std::vector<edge> edges = declared_edges(g);
  const sorted order = sort(g, edges);
  const rules::subject s{d, g, edges, order};
  diagnosis result;
  rules::check_names(s, result.findings);
  rules::check_offsets(s, result.findings);
  rules::check_streams(s, result.findings);
  rules::check_writers(s, result.findings);
  rules::check_reads(s, result.findings);
  rules::check_dependencies(s, result.findings);
  rules::check_acyclic(s, result.findings);
  result.cycle = cycle(g, edges, order);
  return result;
}

}  // namespace stretto::plan
