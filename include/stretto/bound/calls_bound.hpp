// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/bound/batch_cycles.hpp>
#include <stretto/bound/costs.hpp>
#include <stretto/plan/derive/repetitions.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/name_list.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/model/view.hpp>
#include <string>
#include <string_view>

namespace stretto {

/// How fast the batches of a schedule could follow each other if each call of a task began as soon
/// as the items that it consumes are there, and next to it what plans do: all calls of a task for a
/// batch in one piece, for all that they consume. Threads, memory and batches in flight are without
/// limit in both; a task's calls follow each other, on as many batches at once as it has workers,
/// and streams stay in order. A bound for synchronous dataflow graphs: the greatest ratio of time
/// to batches of any cycle of the graph that has a node per call (Sriram and Bhattacharyya,
/// "Embedded Multiprocessors", 2009). Made by `calls_bound_of`. Refers to the schedule's names.
class calls_bound {
 public:
  /// A slot of items.
  struct buffer {
    std::string_view slot;
    int in_a_batch = 0;  ///< what a copy holds
    /// With less room than this, calls that take turns would wait for each other for ever: for what
    /// is produced by p and consumed by c, p + c - gcd(p, c) (Ade, Lauwereins and Peperstraete,
    /// "Data memory minimisation for synchronous data flow graphs", 1997); of several pairs the
    /// most. A bound: several slots may need more for each other's sake.
    int at_least = 0;
  };

  /// \p g: the resolved graph of \p d; \p edges as in its plan. Throws `usage_error` if \p costs
  /// name what is no task, name a task twice or say less than 0.
  constexpr calls_bound(const planner::declaration& d, const planner::graph& g,
                        planner::view<planner::edge> edges, planner::view<task_cost> costs) {
    const bound::shared::node_names names(d);
    planner::list<long long> times;
    for (std::size_t n = 0; n < g.nodes.size(); ++n)
      times.push_back((n < g.tasks     ? d.tasks[n].weight
                       : n == g.pull() ? d.from.weight
                                       : 0) /
                      g.nodes[n].runs.every);
    names.each(costs, [&g = g, &times = times](std::size_t node, long long time) {
      times[node] = time / g.nodes[node].runs.every;
    });
    planner::list<std::size_t> one(g.nodes.size(), 1);
    together_ = find(d, g, names, times, one, edges);
    for (std::size_t t = 0; t < g.tasks; ++t) {
      calls_ += static_cast<std::size_t>(d.tasks[t].calls);
      one[t] = static_cast<std::size_t>(d.tasks[t].calls);
    }
    apart_ = find(d, g, names, times, one, edges);
    find_buffers(d);
  }

  /// The time per batch that no order of calls goes below.
  constexpr planner::ratio period() const { return apart_.period; }
  /// The time per batch that no plan goes below, since a task's calls for a batch are one piece.
  constexpr planner::ratio in_one_piece() const { return together_.period; }
  /// Whether it costs time that they are.
  constexpr bool is_slower_in_one_piece() const { return apart_.period < together_.period; }
  /// The tasks that ask for `period()`: one that takes as long by itself, those of a stream, or
  /// those that wait for each other, in the order in which they work. What takes no time is left
  /// out.
  constexpr const planner::list<std::string_view>& because() const { return apart_.because; }
  /// Of all tasks, for a batch.
  constexpr std::size_t calls() const { return calls_; }
  /// Of each slot that holds items.
  constexpr const planner::list<buffer>& buffers() const { return buffers_; }

  /// All of that as text for people.
  [[gnu::cold]] std::string text() const {
    planner::text_builder out;
    out.add("a batch of ").count(calls_, " call", " calls").add(" takes ");
    add(out, apart_);
    if (is_slower_in_one_piece()) {
      out.add("\nplans have all calls of a task for a batch in one piece, which takes ");
      add(out, together_);
    } else {
      out.add(
          "\nno less than with all calls of a task for a batch in one piece, as plans have them");
    }
    for (const buffer& b : buffers_) {
      out.add("\n").quoted(b.slot).add(": a copy has the ").number(b.in_a_batch);
      out.add(" items of a batch; calls that take turns need room for ").number(b.at_least);
    }
    return out.add("\n").text();
  }

 private:
  struct limit {
    planner::ratio period{0, 1};
    planner::list<std::string_view> because;
    bool cycle = false;
  };

  [[gnu::cold]] static void add(planner::text_builder& out, const limit& l) {
    out.quotient(l.period.time, l.period.progresses).add(" at least");
    if (l.because.empty()) return;
    planner::add_names(out.add(": "), l.because, l.cycle ? " > " : ", ");
    if (!l.cycle) return;
    out.add(" > ").quoted(l.because.front()).add(" ");
    out.count(static_cast<std::size_t>(l.period.progresses), " batch later", " batches later");
  }

  /// With a node for each call of each node.
  static constexpr limit find(const planner::declaration& d, const planner::graph& g,
                              const bound::shared::node_names& names,
                              const planner::list<long long>& times,
                              const planner::list<std::size_t>& calls,
                              planner::view<planner::edge> edges) {
    limit found = busiest(g, names, times);
    planner::list<std::size_t> first;
    planner::list<std::size_t> node_of;
    planner::list<long long> each;
    for (std::size_t n = 0; n < g.nodes.size(); ++n) {
      first.push_back(node_of.size());
      const auto count = static_cast<long long>(calls[n]);
      for (long long k = 0; k < count; ++k) {
        node_of.push_back(n);
        // Their share, rounded so that they add up.
        each.push_back(times[n] / count + (k < times[n] % count ? 1 : 0));
      }
    }
    first.push_back(node_of.size());
    bound::shared::batch_cycles waits(each);
    for (std::size_t n = 0; n < g.nodes.size(); ++n) {
      for (std::size_t call = first[n]; call + 1 < first[n + 1]; ++call)
        waits.wait(call, call + 1, 0);
      if (g.nodes[n].runs.every == 1) waits.wait(first[n + 1] - 1, first[n], g.nodes[n].workers);
    }
    for (const planner::edge& e : edges) add_waits(d, g, first, e, waits);
    const bound::shared::batch_cycles::greatest cycle = waits.find(found.period);
    if (cycle.nodes.empty()) return found;
    found.period = cycle.period;
    found.because = {};
    found.cycle = true;
    std::size_t last = planner::none;
    for (const std::size_t call : cycle.nodes) {
      const std::size_t n = node_of[call];
      if (times[n] > 0 && n != last) found.because.push_back(names[n]);
      last = n;
    }
    return found;
  }

  /// Of a task or stream by itself.
  static constexpr limit busiest(const planner::graph& g, const bound::shared::node_names& names,
                                 const planner::list<long long>& times) {
    limit found;
    const auto look_at = [&found = found, &names = names](planner::ratio time, const auto& nodes) {
      if (!(found.period < time)) return;
      found.period = time;
      found.because = {};
      for (const std::size_t n : nodes) found.because.push_back(names[n]);
    };
    for (std::size_t n = 0; n <= g.pull(); ++n)
      look_at({times[n], g.nodes[n].workers}, planner::list<std::size_t>(1, n));
    for (std::size_t s = 0; s < g.streams.size(); ++s) {
      planner::list<std::size_t> there;
      long long time = 0;
      for (std::size_t n = 0; n < g.tasks; ++n)
        if (g.nodes[n].stream == s && times[n] > 0) {
          there.push_back(n);
          time += times[n];
        }
      look_at({time, 1}, there);
    }
    return found;
  }

  /// What calls of a consumer wait for: for the items that they consume, or for all calls of the
  /// producer.
  static constexpr void add_waits(const planner::declaration& d, const planner::graph& g,
                                  const planner::list<std::size_t>& first, const planner::edge& e,
                                  bound::shared::batch_cycles& waits) {
    const planner::node& from = g.nodes[e.producer];
    const planner::node& to = g.nodes[e.consumer];
    // How batches of groups correspond is more than a distance.
    if (from.runs.every > 1 || to.runs.every > 1) return;
    const bool by_batch = e.why == planner::reason::data || e.why == planner::reason::depends_on ||
                          e.why == planner::reason::cross_iter || e.why == planner::reason::take;
    const int ago = e.delta - from.lookahead + to.lookahead;
    if (!by_batch || ago < 0) return;
    const auto calls = static_cast<long long>(first[e.producer + 1] - first[e.producer]);
    long long made = 0;
    long long used = 0;
    if (e.why == planner::reason::data && e.producer < g.tasks && e.consumer < g.tasks) {
      made = items_in(d.tasks[e.producer].writes, g.slot_list[e.slot]);
      used = items_in(d.tasks[e.consumer].reads, g.slot_list[e.slot]);
    }
    // With one node for all calls, that consumes and produces all items.
    const bool apart =
        made > 0 && used > 0 &&
        made * calls == used * static_cast<long long>(first[e.consumer + 1] - first[e.consumer]);
    const std::size_t after = first[e.producer];
    for (std::size_t call = first[e.consumer]; call < first[e.consumer + 1]; ++call) {
      const auto consumed = static_cast<long long>(call - first[e.consumer] + 1) * used;
      const long long needed = apart ? (consumed + made - 1) / made : calls;
      waits.wait(after + static_cast<std::size_t>(needed - 1), call, ago);
      if (!apart) break;  // the calls behind the first one come after it
    }
  }
  static constexpr long long items_in(planner::view<planner::access> uses, const name& slot) {
    for (const planner::access& a : uses)
      if (a.slot == slot && a.items > 0) return a.items;
    return 0;
  }

  constexpr void find_buffers(const planner::declaration& d) {
    for (const planner::task& t : d.tasks)
      for (const planner::access& w : t.writes) {
        if (w.items == 0 || is_known(w.slot.text)) continue;
        buffer b{w.slot.text, w.items * t.calls, 0};
        for (const planner::task& producer : d.tasks) {
          const long long made = items_in(producer.writes, w.slot);
          for (const planner::task& consumer : d.tasks)
            if (const long long used = items_in(consumer.reads, w.slot); made > 0 && used > 0)
              b.at_least = planner::larger(
                  b.at_least, static_cast<int>(made + used - planner::common_divisor(made, used)));
        }
        buffers_.push_back(b);
      }
  }
  constexpr bool is_known(std::string_view slot) const {
    for (const buffer& b : buffers_)
      if (b.slot == slot) return true;
    return false;
  }

  limit apart_;
  limit together_;
  std::size_t calls_ = 0;
  planner::list<buffer> buffers_;
};

}  // namespace stretto
