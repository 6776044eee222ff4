// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/compiled/linkage.hpp>
#include <stretto/declare/name.hpp>
#include <stretto/picture/diagram.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/text/plan_view.hpp>
#include <stretto/static/query/plan_view.hpp>
#include <string>
#include <string_view>

namespace stretto::picture {

/// A plan as a picture in GraphViz's language: boxes grouped by thread and coloured by stream, an
/// arrow for each wait.
STRETTO_INLINE std::string to_dot(std::string_view title, const planner::plan_view& p,
                                  const options& o = {});
STRETTO_INLINE std::string to_dot(std::string_view title, const planner::declaration& d,
                                  const planner::plan& p, const options& o = {});

/// Draws a planned schedule that is a value, for GraphViz.
template <planned Planned>
[[gnu::cold]] std::string to_dot(const Planned& p, const options& o = {}) {
  return to_dot(p.input().name, p.declaration(), p.plan(), o);
}

/// Draws a schedule of types, which keeps the rules, for GraphViz.
template <class Schedule>
[[gnu::cold]] std::string to_dot(const options& o = {}) {
  return to_dot(name_of<Schedule>.text, typed::plan_view_of<Schedule>, o);
}

}  // namespace stretto::picture

#if !defined(STRETTO_COMPILED)
#  include <stretto/picture/dot.ipp>
#endif
