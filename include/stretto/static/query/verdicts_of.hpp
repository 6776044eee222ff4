// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/plan/derive/planned_graph.hpp>
#include <stretto/plan/derive/verdicts.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/static/values/declared.hpp>

namespace stretto::typed {

namespace detail {

struct verdict_sizes {
  std::size_t droppers, asked, unwritten;
};

}  // namespace detail

/// Which tasks may drop a batch and who asks them, as constants: see planner::verdicts.
template <std::size_t Nodes, std::size_t Slots, detail::verdict_sizes Size>
struct fixed_verdicts {
  std::array<std::size_t, Size.droppers> droppers{};
  std::array<std::size_t, Size.droppers> failures{};
  std::array<std::size_t, Size.asked> asked{};
  std::array<planner::range, Nodes> asked_by{};
  std::array<std::size_t, Size.unwritten> unwritten{};
  std::array<planner::range, Slots> unwritten_of{};
  std::array<std::size_t, Nodes> places{};  ///< of nodes among the droppers, or none
  bool drop_failures = false;
  std::size_t looked_back = 0;

  constexpr explicit fixed_verdicts(const planner::verdicts& v)
      : drop_failures(v.drop_failures), looked_back(v.looked_back) {
    planner::copy_items(v.droppers, droppers.data());
    planner::copy_items(v.failures, failures.data());
    planner::copy_items(v.asked, asked.data());
    planner::copy_items(v.asked_by, asked_by.data());
    planner::copy_items(v.unwritten, unwritten.data());
    planner::copy_items(v.unwritten_of, unwritten_of.data());
    planner::copy_items(v.places, places.data());
  }
  constexpr bool may_be_skipped(std::size_t node) const {
    return asked_by[node].first != asked_by[node].last;
  }
};

/// Of a schedule that keeps the rules, some task of which may drop batches.
template <class Schedule>
inline constexpr auto verdicts_of = [] {
  constexpr auto find = [] {
    const planner::declaration& d = declared<Schedule>::value;
    return planner::find_verdicts(d, planner::planned_graph(d));
  };
  constexpr detail::verdict_sizes sizes = [find] {
    const planner::verdicts v = find();
    return detail::verdict_sizes{v.droppers.size(), v.asked.size(), v.unwritten.size()};
  }();
  return fixed_verdicts<declared<Schedule>::tasks::size + 2, plan_of<Schedule>.copies.size(),
                        sizes>(find());
}();

}  // namespace stretto::typed
