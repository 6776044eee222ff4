// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <stretto/plan/layout/crowded_thread.hpp>
#include <stretto/plan/layout/modulo_placement.hpp>
#include <stretto/plan/layout/modulo_problem.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>

namespace stretto::planner {

/// What start times come to.
class modulo_evaluation {
 public:
  explicit constexpr modulo_evaluation(const modulo_problem& p) : p_(&p) {}

  /// The tasks in the order of one progress.
  constexpr list<std::size_t> order(const modulo_placed& at, const modulo_placement& by) const {
    const modulo_problem& p = *p_;
    list<std::size_t> sorted;
    for (std::size_t t = 0; t < p.tasks(); ++t) sorted.push_back(t);
    insertion_sort(sorted, [&p, &at = at, &by = by](std::size_t a, std::size_t b) {
      const long long x = at.start[a] % at.period;
      const long long y = at.start[b] % at.period;
      if (x != y) return x < y;
      if ((p.weight[a] == 0) != (p.weight[b] == 0)) return p.weight[a] == 0;
      return by.rank(a) < by.rank(b);
    });
    return sorted;
  }

  constexpr int ahead(const modulo_placed& at, std::size_t n) const {
    return n < p_->tasks() ? at.ahead(n) : n == p_->pull() ? at.in_flight - 1 : 0;
  }
  /// Those that batches in flight need in any case, as a frugal schedule has them.
  constexpr int least_copies(const modulo_placed& at, const modulo_problem::slot& s) const {
    int most = 0;
    int earliest = 0;
    for (std::size_t i = s.readers.first; i < s.readers.last; ++i) {
      const modulo_problem::reader& r = p_->readers[i];
      most = larger(most, ahead(at, s.writer) - ahead(at, r.node) + r.ago);
      earliest = larger(earliest, r.ago);
    }
    return larger(most + 1, earliest);
  }
  constexpr long long bytes(const modulo_placed& at, const modulo_placement& by) {
    long long all = 0;
    for (const modulo_problem::slot& s : p_->slot_list) all += s.bytes * by.copies(at, s);
    work_ += static_cast<long long>(p_->slot_list.size() + p_->readers.size());
    return all;
  }

  /// The time per progress; or 0 if that cannot be.
  constexpr ratio period(const modulo_placed& at, const modulo_placement& by) {
    const modulo_problem& p = *p_;
    const std::size_t nodes = p.nodes();
    list<modulo_problem::arc> all;
    list<std::size_t> order_of_all;
    order_of_all.push_back(p.pull());
    order_of_all.append(order(at, by));
    order_of_all.push_back(p.deliver());
    list<std::size_t> place(nodes, 0);
    for (std::size_t i = 0; i < nodes; ++i) place[order_of_all[i]] = i;
    for (const modulo_problem::arc& x : p.arcs)
      all.push_back({x.from, x.to, ahead(at, x.from) + x.ago - ahead(at, x.to)});
    all.append(p.progresses);
    for (const modulo_problem::slot& s : p.slot_list)
      for (std::size_t i = s.readers.first; i < s.readers.last; ++i) {
        const modulo_problem::reader& r = p.readers[i];
        all.push_back({s.writer, r.node, ahead(at, s.writer) - ahead(at, r.node) + r.ago});
      }
    for (const modulo_problem::arc& x : all)
      if (x.ago < 0 || (x.ago == 0 && place[x.from] >= place[x.to])) return {0, 0};
    for (const modulo_problem::slot& s : p.slot_list)
      for (std::size_t i = s.readers.first; i < s.readers.last; ++i) {
        const modulo_problem::reader& r = p.readers[i];
        all.push_back({r.node, s.writer,
                       by.copies(at, s) - (ahead(at, s.writer) - ahead(at, r.node) + r.ago)});
      }
    // Threads, and whatever else tasks hold, each in the order of a progress.
    long long least = p.weight[p.pull()];
    for (std::size_t track = 0; track < p.threads + 64; ++track) {
      std::size_t first = none;
      std::size_t last = none;
      long long busy = 0;
      for (std::size_t i = 1; i + 1 < nodes; ++i) {
        const std::size_t t = order_of_all[i];
        if (track < p.threads ? at.thread[t] != track
                              : (p.holds[t] >> (track - p.threads) & 1U) == 0)
          continue;
        busy += p.weight[t];
        if (first == none) first = t;
        if (last != none) all.push_back({last, t, 0});
        last = t;
      }
      least = larger(least, busy);
      if (first != last) all.push_back({last, first, 1});
      if (track >= p.threads && (resources() >> (track - p.threads)) == 0) break;
    }
    for (std::size_t t = 0; t < p.tasks(); ++t) {
      least = larger(least, p.weight[t]);
      all.push_back({p.pull(), t, at.in_flight - 1 - at.ahead(t)});
      all.push_back({t, p.deliver(), at.ahead(t)});
    }
    all.push_back({p.deliver(), p.pull(), 1});
    all.push_back({p.pull(), p.deliver(), at.in_flight - 1});
    return greatest_cycle(all, order_of_all, least);
  }

  /// What no period is below: the loads, and the cycles of batches.
  constexpr ratio least_period(const modulo_placement& by) {
    const modulo_problem& p = *p_;
    long long least = p.weight[p.pull()];
    long long all_offered = 0;
    for (std::size_t j = 0; j < p.threads; ++j) {
      long long busy = 0;
      for (std::size_t t = 0; t < p.tasks(); ++t)
        if (p.thread[t] == j) busy += p.weight[t];
      if (j < p.offered) all_offered += busy;
      least = larger(least, busy);
    }
    for (std::uint64_t left = resources(), bit = 1; left != 0; left &= ~bit, bit <<= 1U) {
      long long busy = 0;
      for (std::size_t t = 0; t < p.tasks(); ++t)
        if ((p.holds[t] & bit) != 0) busy += p.weight[t];
      least = larger(least, busy);
    }
    for (std::size_t t = 0; t < p.tasks(); ++t) {
      least = larger(least, p.weight[t]);
      if (p.thread[t] == none) all_offered += p.weight[t];
    }
    const auto threads = static_cast<long long>(p.offered);
    if (threads > 0) least = larger(least, (all_offered + threads - 1) / threads);
    list<long long> shared;
    for (std::size_t t = 0; t < p.tasks(); ++t)
      if (p.thread[t] == none ? p.offered > 0 : p.thread[t] < p.offered)
        shared.push_back(p.weight[t]);
    insertion_sort(shared, [](long long a, long long b) { return a > b; });
    least = larger(least, find_crowd(shared, p.offered).load);
    list<modulo_problem::arc> all;
    const list<modulo_problem::arc> batch = p.by_batch();
    for (const modulo_problem::arc& x : batch)
      if (x.ago >= 0) all.push_back(x);
    for (const modulo_problem::arc& x : p.progresses)
      all.push_back({x.from, x.to, x.ago + p.in_flight - 1});
    list<std::size_t> order;
    order.push_back(p.pull());
    order.append(by.batch());
    order.push_back(p.deliver());
    for (std::size_t t = 0; t < p.tasks(); ++t) {
      all.push_back({p.pull(), t, 0});
      all.push_back({t, p.deliver(), 0});
    }
    all.push_back({p.deliver(), p.pull(), p.in_flight});
    return greatest_cycle(all, order, least);
  }

  constexpr long long work() const { return work_; }

 private:
  constexpr std::uint64_t resources() const {
    std::uint64_t all = 0;
    for (const std::uint64_t h : p_->holds) all |= h;
    return all;
  }
  constexpr ratio greatest_cycle(const list<modulo_problem::arc>& all,
                                 const list<std::size_t>& order, long long least) {
    const modulo_problem& p = *p_;
    timing t;
    t.weight = p.weight;
    t.into.assign(p.nodes(), range{});
    const std::size_t count = all.size();
    for (std::size_t i = 0; i < count; ++i) ++t.into[all[i].to].last;
    timing::arc* const arcs = t.arcs.overwrite(lay_out(t.into));
    for (std::size_t i = 0; i < count; ++i)
      arcs[t.into[all[i].to].last++] = {all[i].from, all[i].ago};
    period_finder finder(t);
    const ratio found = finder.period({least, 1}, order);
    work_ += finder.work() + static_cast<long long>(100 + 4 * count + p.nodes() * p.threads);
    return found;
  }

  const modulo_problem* p_;
  long long work_ = 0;
};

}  // namespace stretto::planner
