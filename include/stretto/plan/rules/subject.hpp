// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/plan/derive/sort.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/rules/finding.hpp>

namespace stretto::planner::rules {

/// What a rule looks at.
struct subject {
  const declaration& declared;
  const graph& resolved;
  view<edge> edges;
  const sorted& order;
};

using findings = list<finding>;

}  // namespace stretto::planner::rules
