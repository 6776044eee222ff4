// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stretto/plan/derive/sort.hpp>
#include <stretto/plan/fingerprint.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/static/errors/diagnosis.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/static/query/planned_nodes.hpp>
#include <stretto/static/values/declared.hpp>

namespace stretto {

/// Where the plans of two ranks part: by node, in the order that the edges ask for, its number in
/// the plan (`names` of plan_of tell it) and a number that is the same wherever it is planned
/// alike.
struct node_fingerprint {
  std::size_t node = 0;
  std::uint64_t value = 0;
};

namespace typed::detail {

template <class Nodes, class Plan>
constexpr std::uint64_t find_fingerprint(const planner::declaration& d, const Nodes& nodes,
                                         const Plan& p) {
  return planner::fingerprint(d, nodes.read(), p.edges, p.slot_list, p.copies, p.tickets);
}

template <class Nodes, class Plan>
constexpr auto find_node_fingerprints(const planner::declaration& d, const Nodes& nodes,
                                      const Plan& p) {
  const planner::graph g = nodes.read();
  const planner::list<std::uint64_t> values = planner::node_fingerprints(d, g, p.edges);
  const planner::sorted sorted = planner::sort(g, p.edges);
  std::array<node_fingerprint, Plan::nodes> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = {sorted.order[i], values[i]};
  return all;
}

/// Of an invalid schedule the error is that of the schedule, and no other follows.
template <class Schedule, bool Valid>
inline constexpr std::uint64_t fingerprint_if =
    (static_cast<void>(plan_of<Schedule>), std::uint64_t{0});
template <class Schedule>
inline constexpr std::uint64_t fingerprint_if<Schedule, true> =
    find_fingerprint(declared<Schedule>::value, nodes_of<Schedule>, plan_of<Schedule>);

}  // namespace typed::detail

/// A number for the plan, equal wherever the plan was compiled, by whichever compiler.
template <class Schedule>
inline constexpr std::uint64_t fingerprint =
    typed::detail::fingerprint_if<Schedule, is_valid<Schedule>>;

/// The fingerprints of a plan's nodes: an array of `node_fingerprint`, which two ranks compare from
/// the front.
template <class Schedule>
inline constexpr auto node_fingerprints = typed::detail::find_node_fingerprints(
    typed::declared<Schedule>::value, typed::nodes_of<Schedule>, plan_of<Schedule>);

}  // namespace stretto
