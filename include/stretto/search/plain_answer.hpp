// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stretto/search/evaluation.hpp>
#include <stretto/search/model.hpp>
#include <stretto/search/problem.hpp>
#include <vector>

namespace stretto::search::detail {

/// The least lookaheads that there are, as few batches in flight, and threads by what they have to
/// do already. Empty if bounds of lookaheads contradict each other.
inline std::optional<answer> plain_answer(const problem& p) {
  answer a;
  struct arc {
    number from;
    number to;
    int ago;
  };
  std::vector<arc> arcs;
  for (const problem::slot& s : p.slot_list)
    for (const auto& r : s.readers) arcs.push_back({s.writer, r.node, r.ago});
  for (const problem::arc& x : p.arcs) arcs.push_back({x.from, x.to, x.ago});
  for (const problem::task& t : p.tasks) a.lookahead.push_back(t.least);
  for (number t = 0; t < p.tasks.size(); ++t)
    if (p.tasks[t].least > p.most_ahead(t)) return std::nullopt;
  for (bool grew = true; grew;) {
    grew = false;
    for (const arc& x : arcs) {
      const int asked = (x.to < p.tasks.size() ? a.lookahead[x.to] : 0) - x.ago;
      if (x.from >= p.tasks.size() || x.to == p.pull() || a.lookahead[x.from] >= asked) continue;
      if (asked > p.most_ahead(x.from)) return std::nullopt;
      a.lookahead[x.from] = asked;
      grew = true;
    }
  }
  int deepest = 0;
  for (const int ahead : a.lookahead) deepest = (std::max)(deepest, ahead);
  a.in_flight = deepest + 1;

  std::vector<std::vector<number>> after(p.tasks.size());
  std::vector<number> missing(p.tasks.size(), 0);
  const auto add = [&](number from, number to) {
    if (from >= p.tasks.size() || to >= p.tasks.size()) return;
    after[from].push_back(to);
    ++missing[to];
  };
  for (const arc& x : arcs)
    if (evaluation::ahead(p, a, x.from) + x.ago == evaluation::ahead(p, a, x.to)) add(x.from, x.to);
  for (const problem::arc& x : p.progresses)
    if (x.ago == 0) add(x.from, x.to);
  for (const number t : order_of_a_batch(p))
    if (missing[t] == 0) a.order.push_back(t);
  for (std::size_t i = 0; i < a.order.size(); ++i)
    for (const number t : after[a.order[i]])
      if (--missing[t] == 0) a.order.push_back(t);

  std::vector<long long> busy(p.threads, 0);
  const auto offered = busy.begin() + static_cast<std::ptrdiff_t>(p.choices());
  a.thread.assign(p.tasks.size(), no_number);
  for (number t = 0; t < p.tasks.size(); ++t)
    if (p.tasks[t].host && p.tasks[t].thread != no_number) {
      a.thread[t] = p.tasks[t].thread;
      busy[a.thread[t]] += p.tasks[t].weight;
    }
  for (number t = 0; t < p.tasks.size(); ++t) {
    if (!p.tasks[t].host || p.tasks[t].thread != no_number || p.choices() == 0) continue;
    a.thread[t] = static_cast<number>(std::min_element(busy.begin(), offered) - busy.begin());
    busy[a.thread[t]] += p.tasks[t].weight;
  }
  for (const problem::slot& s : p.slot_list) a.copies.push_back(evaluation::least_copies(p, a, s));
  return a;
}

}  // namespace stretto::search::detail
