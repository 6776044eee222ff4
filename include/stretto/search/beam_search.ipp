// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <stretto/bound/costs.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/error.hpp>
#include <stretto/search/assigned.hpp>
#include <stretto/search/authored.hpp>
#include <stretto/search/batch_graph.hpp>
#include <stretto/search/beam_search.hpp>
#include <stretto/search/evaluation.hpp>
#include <stretto/search/find_schedule.hpp>
#include <stretto/search/fire_order.hpp>
#include <stretto/search/found_by.hpp>
#include <stretto/search/limits.hpp>
#include <stretto/search/listed.hpp>
#include <stretto/search/plain_answer.hpp>
#include <stretto/search/problem.hpp>
#include <stretto/search/ring_answer.hpp>
#include <stretto/search/schedule_problem.hpp>
#include <stretto/search/solve.hpp>
#include <stretto/search/thread_maps.hpp>
#include <string>
#include <utility>
#include <vector>

namespace stretto::search {

namespace detail {

/// The original engine's joint search, procedure by procedure.
class beam_searcher {
 public:
  /// Begins with the lookaheads \p by an author; does not assign others if \p assigns is false.
  beam_searcher(const problem& p, const beam& how, const authored& by, bool assigns)
      : p_(&p),
        how_(&how),
        g_(p),
        maps_(p),
        start_(starting_lookaheads(p, g_, by)),
        by_stream_(by.by_stream),
        assigns_(assigns),
        listed_(listed::order(p, g_)),
        left_(how.scored > 0
                  ? how.scored
                  : 40'000 / static_cast<long long>((std::max)(p.tasks.size(), std::size_t{1}))) {}

  /// The best candidate; `found` is false if none is legal.
  solution search() {
    candidate first;
    first.thread = maps_.stages(1);
    for (number t = 0; t < p_->tasks.size(); ++t) first.wanted.push_back(t);
    std::vector<candidate> kept{first};
    candidate best;
    if (score(kept.front())) best = kept.front();
    int idle = 0;
    for (int round = 0; round < how_->rounds && idle < how_->patience; ++round) {
      std::vector<candidate> next;
      for (const candidate& c : kept) mutate(c, next);
      kept = the_best(next);
      if (kept.empty()) break;
      ++idle;
      if (!best.legal || kept.front().period < best.period) {
        best = kept.front();
        idle = 0;
      }
    }
    return best.legal ? as_solution(*p_, best.made) : as_solution(*p_, answer{});
  }

 private:
  struct candidate {
    std::vector<number> thread{};
    std::vector<number> wanted{};
    bool legal = false;
    planner::ratio period{};
    answer made{};
  };

  bool score(candidate& c) const {
    std::vector<int> ahead = start_;
    if (assigns_) {
      const assigned by = assign(*p_, g_, queues(*p_, c.thread, by_stream_), start_);
      if (!by.ok()) return false;
      ahead = by.lookahead;
    }
    c.made = ring_answer(*p_, g_, ahead, c.thread, c.wanted);
    const evaluation now(*p_, c.made);
    c.legal = now.wrong() == illegal::no;
    c.period = now.period();
    return c.legal;
  }

  void mutate(const candidate& c, std::vector<candidate>& next) {
    const auto add = [&](std::vector<number> thread, std::vector<number> wanted) {
      if (left_ <= 0 || !seen_.insert({thread, wanted}).second) return;
      --left_;
      candidate made{std::move(thread), std::move(wanted)};
      if (score(made)) next.push_back(std::move(made));
    };
    const bool free = !maps_.free().empty() && p_->choices() > 0;
    if (free) {
      for (number n = 1; n <= p_->choices(); ++n) add(maps_.stages(n), c.wanted);
      add(maps_.by_stream(), c.wanted);
      add(maps_.greedy(listed_), c.wanted);
      const std::vector<number> groups = maps_.stages(p_->choices());
      for (number group = 0; group < p_->choices(); ++group)
        for (number to = 0; to < p_->choices(); ++to) {
          std::vector<number> thread = c.thread;
          for (const number t : maps_.free())
            if (groups[t] == group) thread[t] = to;
          add(std::move(thread), c.wanted);
        }
    }
    const queues q(*p_, c.thread, by_stream_);
    for (const fire_order policy :
         {fire_order::main_first, fire_order::longest_off_main, fire_order::collectives_early,
          fire_order::transfers_early, fire_order::least_slack, fire_order::critical_path})
      add(c.thread, priorities(*p_, g_, q, policy));
    // Neighbours of which none waits for the other.
    const std::vector<number> order =
        c.legal ? c.made.order : order_of_a_progress(*p_, g_, start_, c.wanted);
    for (std::size_t i = 1; i < order.size(); ++i) {
      if (waits(order[i], order[i - 1])) continue;
      std::vector<number> swapped = order;
      std::swap(swapped[i - 1], swapped[i]);
      if (order_of_a_progress(*p_, g_, c.legal ? c.made.lookahead : start_, swapped) == swapped)
        add(c.thread, std::move(swapped));
    }
  }

  /// Whether a task comes after another on each batch.
  bool waits(number t, number other) const {
    std::vector<number> from{t};
    std::vector<char> seen(p_->tasks.size(), 0);
    while (!from.empty()) {
      const number n = from.back();
      from.pop_back();
      for (const number b : g_.before[n]) {
        if (b == other) return true;
        if (seen[b] == 0) from.push_back(b);
        seen[b] = 1;
      }
    }
    return false;
  }

  /// Of those with one thread map and one set of lookaheads the best; of these the best `width`.
  std::vector<candidate> the_best(std::vector<candidate>& all) const {
    std::map<std::pair<std::vector<number>, std::vector<int>>, std::size_t> of;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto [at, first] = of.insert({{all[i].thread, all[i].made.lookahead}, i});
      if (!first && all[i].period < all[at->second].period) at->second = i;
    }
    std::vector<std::size_t> chosen;
    chosen.reserve(of.size());
    for (const auto& [key, i] : of) chosen.push_back(i);
    std::sort(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) {
      if (all[a].period < all[b].period) return true;
      return !(all[b].period < all[a].period) && a < b;
    });
    if (chosen.size() > static_cast<std::size_t>(how_->width))
      chosen.resize(static_cast<std::size_t>(how_->width));
    std::vector<candidate> best;
    best.reserve(chosen.size());
    for (const std::size_t i : chosen) best.push_back(std::move(all[i]));
    return best;
  }

  const problem* p_;
  const beam* how_;
  batch_graph g_;
  thread_maps maps_;
  std::vector<int> start_;
  bool by_stream_;
  bool assigns_;
  std::vector<number> listed_;
  long long left_;  // candidates to score
  std::set<std::pair<std::vector<number>, std::vector<number>>> seen_{};
};

/// Throws if a beam is none.
inline void refuse_none(const beam& how) {
  const auto at_least_one = [](const char* what, int is, const char* why) {
    if (is < 1)
      throw usage_error(std::string("a beam search with a ")
                            .append(what)
                            .append(" of ")
                            .append(std::to_string(is))
                            .append(" ")
                            .append(why)
                            .append(": the least is 1"));
  };
  at_least_one("width", how.width, "goes on with no candidate");
  at_least_one("number of rounds", how.rounds, "looks at nothing");
  at_least_one("patience", how.patience, "ends before its first round");
  if (how.scored < 0) throw usage_error("a beam search cannot score fewer than 0 candidates");
}

}  // namespace detail

STRETTO_INLINE solution beam_search(const problem& p, const authored& by, const beam& how) {
  detail::refuse_none(how);
  solution found = detail::beam_searcher(p, how, by, true).search();
  if (found.found || found.none) return found;
  const std::optional<answer> plain = detail::plain_answer(p);
  found.none = !plain;
  if (found.none) return found;
  return detail::beam_searcher(p, how, {plain->lookahead, by.by_stream}, false).search();
}

STRETTO_INLINE found_schedule beam_search(const dynamic::schedule& s,
                                          planner::view<task_cost> costs, const limits& within,
                                          const beam& how) {
  detail::refuse_device(within.device.has_value(), "`beam_search`");
  return detail::found_by(
      s, costs, within, [&](const detail::schedule_problem& asked, std::string& refused) {
        refused = "the beam search comes to no schedule within these limits";
        authored by{asked.lookaheads()};
        if (std::all_of(by.lookahead.begin(), by.lookahead.end(), [](int la) { return la == 0; }))
          by.lookahead.clear();
        return beam_search(asked.asked(), by, how);
      });
}

}  // namespace stretto::search
