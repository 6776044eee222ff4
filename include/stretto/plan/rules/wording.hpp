// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/rate.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <string>
#include <string_view>

/// \file
/// What sentences are put together from.
namespace stretto::planner {

constexpr std::string_view field_name(field f) {
  switch (f) {
    case field::reads: return "reads";
    case field::writes: return "writes";
    case field::depends_on: return "depends_on";
    case field::cross_iter_depends_on: return "cross_iter_depends_on";
    case field::same_progress_sync: return "same_progress_sync";
    case field::observes: return "observes";
    case field::mutates: return "mutates";
    case field::order: return "order";
  }
  return "";
}

/// For which batches a task runs: "for every batch", "once per 4 batches (phase 3)", "once per 4
/// batches (phase 3) and at the end".
[[gnu::cold]] constexpr void say_when(const task& t, text_builder& to) {
  const rate runs = rate_of(t);
  if (runs.every == 1) {
    to.add("for every batch");
  } else {
    to.add("once per ").number(runs.every).add(" batches (phase ").number(runs.phase).add(")");
    if (runs.at_end) to.add(" and at the end");
  }
}

[[gnu::cold]] constexpr std::string number(int value) {
  return text_builder().number(value).text();
}

[[gnu::cold]] constexpr std::string quoted(std::string_view name) {
  return text_builder().quoted(name).text();
}

}  // namespace stretto::planner
