// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <random>
#include <stretto/search/evaluation.hpp>
#include <stretto/search/problem.hpp>
#include <vector>

/// Problems by chance, and everything that can be answered to small ones.
namespace random_problem {

namespace search = stretto::search;
using search::number;

struct shape {
  int tasks = 4;
  int threads = 2;
  int resources = 2;
  int in_flight = 2;
  bool bounds = true;  ///< of lookaheads, copies, progresses
};

inline search::problem draw(std::mt19937& random, const shape& of) {
  const auto pick = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  search::problem p;
  p.threads = static_cast<number>(of.threads);
  p.resources = static_cast<number>(of.resources);
  p.in_flight = of.in_flight;
  p.tasks.resize(static_cast<std::size_t>(of.tasks));
  const number tasks = p.pull();
  for (number t = 0; t < tasks; ++t) {
    search::problem::task& task = p.tasks[t];
    task.weight = pick(1, 9);
    task.host = of.threads > 0 && pick(0, 4) != 0;
    if (task.host && pick(0, 2) == 0) task.thread = static_cast<number>(pick(0, of.threads - 1));
    if (of.resources > 0 && pick(0, 2) == 0)
      task.on.push_back(static_cast<number>(pick(0, of.resources - 1)));
    if (of.bounds && pick(0, 5) == 0) task.least = task.most = pick(0, of.in_flight - 1);
    if (of.bounds && pick(0, 5) == 0) task.most = of.in_flight - 1;
  }
  const auto earlier = [&](number t) {
    // Near ones, so that many tasks make no deep net.
    const int from = std::max(0, static_cast<int>(t) - 20);
    return t == 0 || pick(0, 5) == 0 ? p.pull()
                                     : static_cast<number>(pick(from, static_cast<int>(t) - 1));
  };
  for (number t = 0; t < tasks; ++t) {
    search::problem::slot slot;
    slot.bytes = pick(1, 5);
    slot.writer = earlier(t);
    slot.readers.push_back({t, 0});
    if (pick(0, 2) == 0 && t + 1 < tasks)
      slot.readers.push_back(
          {static_cast<number>(pick(static_cast<int>(t) + 1, std::min(static_cast<int>(tasks) - 1,
                                                                      static_cast<int>(t) + 20))),
           0});
    if (pick(0, 4) == 0) slot.readers.back().ago = pick(0, 1);
    p.slot_list.push_back(slot);
    if (pick(0, 2) == 0)
      p.arcs.push_back(
          {static_cast<number>(pick(static_cast<int>(t), std::min(static_cast<int>(tasks) - 1,
                                                                  static_cast<int>(t) + 3))),
           t, pick(1, 2)});
  }
  p.slot_list.push_back({2, tasks - 1, {{p.deliver(), 0}}});
  if (of.bounds && pick(0, 3) == 0 && tasks > 1) p.progresses.push_back({0, tasks - 1, pick(0, 1)});
  if (of.bounds && pick(0, 5) == 0) p.pull_weight = pick(1, 9);
  return p;
}

/// Calls \p each with every answer to a small problem of which copies are as few as can be.
template <class Each>
void for_each_answer(const search::problem& p, Each each) {
  const std::size_t tasks = p.tasks.size();
  search::answer a;
  a.lookahead.assign(tasks, 0);
  a.thread.assign(tasks, 0);
  const auto next = [](auto& digits, auto most) {
    for (std::size_t i = 0; i < digits.size(); ++i) {
      if (++digits[i] < most(i)) return true;
      digits[i] = 0;
    }
    return false;
  };
  for (a.in_flight = 1; a.in_flight <= p.in_flight; ++a.in_flight) {
    do {
      std::vector<number> threads(tasks, 0);
      do {
        for (std::size_t t = 0; t < tasks; ++t)
          a.thread[t] = !p.tasks[t].host                         ? search::no_number
                        : p.tasks[t].thread != search::no_number ? p.tasks[t].thread
                                                                 : threads[t];
        a.order.clear();
        for (number t = 0; t < tasks; ++t) a.order.push_back(t);
        do {
          a.copies.clear();
          for (const auto& s : p.slot_list)
            a.copies.push_back(search::evaluation::least_copies(p, a, s));
          each(a);
        } while (std::next_permutation(a.order.begin(), a.order.end()));
      } while (next(threads, [&](std::size_t t) {
        return p.tasks[t].host && p.tasks[t].thread == search::no_number ? p.threads : number{1};
      }));
    } while (next(a.lookahead, [&](std::size_t) { return a.in_flight; }));
  }
}

/// Calls \p each with every legal answer to a small problem, and its evaluation. Copies are tried
/// from as few as can be to one for each batch that they may hold.
template <class Each>
void for_each_legal_answer(const search::problem& p, Each each) {
  for_each_answer(p, [&](const search::answer& fewest) {
    search::answer a = fewest;
    if (search::evaluation(p, a).wrong() != search::illegal::no) return;
    while (true) {
      search::evaluation of(p, a);
      if (of.wrong() == search::illegal::no) each(a, of);
      std::size_t s = 0;
      for (; s < a.copies.size(); ++s) {
        if (a.copies[s] < a.in_flight + p.slot_list[s].earliest()) {
          ++a.copies[s];
          break;
        }
        a.copies[s] = fewest.copies[s];
      }
      if (s == a.copies.size()) return;
    }
  });
}

/// The shortest period of all answers; at that, the fewest bytes; at both, the fewest batches in
/// flight.
struct best_of_all {
  bool any = false;
  stretto::planner::ratio period{};
  long long bytes = 0;
  int in_flight = 0;

  explicit best_of_all(const search::problem& p) {
    for_each_legal_answer(p, [&](const search::answer& a, const search::evaluation& of) {
      const bool better =
          !any || of.period() < period ||
          (of.period() == period &&
           (of.bytes() < bytes || (of.bytes() == bytes && a.in_flight < in_flight)));
      if (!better) return;
      any = true;
      period = of.period();
      bytes = of.bytes();
      in_flight = a.in_flight;
    });
  }
};

}  // namespace random_problem
