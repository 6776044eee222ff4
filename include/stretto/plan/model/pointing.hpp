// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/name_index.hpp>
#include <stretto/plan/model/view.hpp>

/// Slots whose values view into those of others.
namespace stretto::planner {

/// Which slots each slot points into, directly or through others.
class pointings {
 public:
  constexpr explicit pointings(view<pointing> said) : numbers_(2 * said.size()), said_(said) {
    const pointing* const all = said.data();
    for (std::size_t i = 0; i < said.size(); ++i) {
      from_.push_back(numbers_.number(all[i].slot));
      into_.push_back(numbers_.number(all[i].into));
    }
  }

  /// The places, among what was said, of the slots that \p slot points into, nearest first; it is
  /// not among them.
  constexpr list<std::size_t> of(const name& slot) const {
    list<std::size_t> places;
    const std::size_t number = numbers_.find(slot);
    if (number == none) return places;
    list<std::size_t> seen(numbers_.names().size(), 0);
    seen[number] = 1;
    std::size_t at = number;
    for (std::size_t next = 0;; at = into_[places[next++]]) {
      for (std::size_t i = 0; i < from_.size(); ++i)
        if (from_[i] == at && replace(seen[into_[i]], std::size_t{1}) == 0) places.push_back(i);
      if (next == places.size()) return places;
    }
  }
  /// The slot at a place.
  constexpr const name& into(std::size_t place) const { return said_.data()[place].into; }

  constexpr bool leads(const name& slot, const name& to) const {
    const list<std::size_t> all = of(slot);
    bool found = false;
    for (const std::size_t place : all) found = found || into(place) == to;
    return found;
  }

 private:
  name_index numbers_;
  view<pointing> said_;
  list<std::size_t> from_;  // by place
  list<std::size_t> into_;
};

namespace detail {

/// Calls \p look with each slot that a node names.
template <class Look>
constexpr void each_used(const declaration& d, std::size_t node, Look look) {
  if (node < d.tasks.size()) {
    for (const access& a : d.tasks[node].reads) look(a.slot);
    for (const access& a : d.tasks[node].writes) look(a.slot);
  } else if (node > d.tasks.size()) {
    for (const name& r : d.results) look(r);
  }
}

/// Whether one slot points into another. Without lists, because programs that print plans compile
/// this; it is not looked for among more than 64 pairs.
constexpr bool points_to(view<pointing> said, const name& slot, const name& into) {
  if (said.size() > 64) return false;
  std::uint64_t seen = 0;
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < said.size(); ++i) {
      if ((seen >> i & 1U) != 0) continue;
      bool reached = said[i].slot == slot;
      for (std::size_t j = 0; j < said.size(); ++j)
        reached = reached || ((seen >> j & 1U) != 0 && said[j].into == said[i].slot);
      if (!reached) continue;
      if (said[i].into == into) return true;
      seen |= std::uint64_t{1} << i;
      more = true;
    }
  }
  return false;
}

}  // namespace detail

/// The slot that a node uses and that points into another; no key: there is none.
constexpr name viewing_slot(const declaration& d, std::size_t node, const name& into) {
  const pointings all(d.points);
  name found;
  detail::each_used(d, node, [&](const name& used) {
    if (found.key.empty() && all.leads(used, into)) found = used;
  });
  return found;
}

/// The slot by which a node uses another that it does not name itself; no key: it names it, or
/// there are too many slots to look through.
constexpr name implying_slot(const declaration& d, std::size_t node, const name& slot) {
  if (d.points.empty()) return {};
  name found{};
  bool is_named = false;
  detail::each_used(d, node, [&](const name& used) {
    is_named = is_named || used == slot;
    if (found.key.empty() && detail::points_to(d.points, used, slot)) found = used;
  });
  return is_named ? name{} : found;
}

}  // namespace stretto::planner
