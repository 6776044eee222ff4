// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/plan/declaration.hpp>
#include <stretto/plan/edge.hpp>
#include <stretto/plan/finding.hpp>
#include <stretto/plan/graph.hpp>
#include <stretto/plan/list.hpp>
#include <stretto/plan/order.hpp>
#include <stretto/plan/view.hpp>

namespace stretto::plan::rules {

/// What a rule looks at.
struct subject {
  const declaration& declared;
  const graph& resolved;
  view<edge> edges;
  const sorted& order;
};

using findings = list<finding>;

}  // namespace stretto::plan::rules
