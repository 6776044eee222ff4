// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/name_index.hpp>
#include <stretto/plan/model/view.hpp>

/// Slots whose values view into those of others.
namespace stretto::planner {

/// Which slots each slot points into, directly or through others.
class pointings {
 public:
  constexpr explicit pointings(view<pointing> said) : numbers_(2 * said.size()) {
    for (const pointing& p : said) {
      numbers_.number(p.slot);
      numbers_.number(p.into);
    }
    into_.assign(numbers_.names().size(), {});
    for (const pointing& p : said) into_[numbers_.find(p.slot)].push_back(numbers_.find(p.into));
  }

  /// The slots that \p slot points into, nearest first; it is not among them.
  constexpr list<name> of(const name& slot) const {
    list<name> all;
    const std::size_t number = numbers_.find(slot);
    if (number == none) return all;
    list<char> seen(into_.size(), 0);
    list<std::size_t> open;
    open.push_back(number);
    seen[number] = 1;
    for (std::size_t at = 0; at < open.size(); ++at) {
      const std::size_t from = open[at];
      for (std::size_t i = 0; i < into_[from].size(); ++i) {
        const std::size_t next = into_[from][i];
        if (seen[next] != 0) continue;
        seen[next] = 1;
        open.push_back(next);
        all.push_back(*numbers_.names()[next]);
      }
    }
    return all;
  }

  constexpr bool leads(const name& slot, const name& into) const {
    const list<name> all = of(slot);
    bool found = false;
    for (const name& n : all) found = found || n == into;
    return found;
  }

 private:
  name_index numbers_;
  list<list<std::size_t>> into_;  // by number
};

namespace detail {

constexpr list<name> used_by(const declaration& d, std::size_t node) {
  list<name> used;
  if (node < d.tasks.size()) {
    for (const access& a : d.tasks[node].reads) used.push_back(a.slot);
    for (const access& a : d.tasks[node].writes) used.push_back(a.slot);
  } else if (node > d.tasks.size()) {
    for (const name& r : d.results) used.push_back(r);
  }
  return used;
}

}  // namespace detail

/// The slot that a node uses and that points into another; no key: there is none.
constexpr name viewing_slot(const declaration& d, std::size_t node, const name& into) {
  const list<name> used = detail::used_by(d, node);
  const pointings all(d.points);
  for (const name& n : used)
    if (all.leads(n, into)) return n;
  return {};
}

/// The slot by which a node uses another that it does not name itself; no key: it names it.
constexpr name implying_slot(const declaration& d, std::size_t node, const name& slot) {
  if (d.points.empty()) return {};
  const list<name> used = detail::used_by(d, node);
  for (const name& n : used)
    if (n == slot) return {};
  return viewing_slot(d, node, slot);
}

}  // namespace stretto::planner
