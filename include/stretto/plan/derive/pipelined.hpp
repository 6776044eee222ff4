// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <limits>
#include <stretto/plan/derive/planned_graph.hpp>
#include <stretto/plan/derive/sort.hpp>
#include <stretto/plan/derive/threads.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/name_index.hpp>
#include <stretto/plan/model/text_index.hpp>
#include <stretto/plan/model/view.hpp>
#include <string_view>

/// How much further ahead tasks may work so that those on different threads and streams overlap.
namespace stretto::planner {

/// What runs in order by nature: a stream or, of what is on none, a host thread.
struct track_map {
  list<std::size_t> of;       ///< by node
  list<std::size_t> workers;  ///< by track
};

/// The tracks of a declaration whose threads have names. With a map that is still to be generated,
/// any two tasks may be on different threads, and are. \p thread_of by node, if that is known.
constexpr track_map tracks_of(const declaration& d, const graph& g,
                              view<std::size_t> thread_of = {}) {
  track_map tracks;
  text_index names;
  list<std::size_t> threads(thread_of.size(), none);
  list<std::size_t> streams(g.streams.size(), none);
  const auto next = [&](int workers) {
    tracks.workers.push_back(static_cast<std::size_t>(workers));
    return tracks.workers.size() - 1;
  };
  for (std::size_t n = 0; n < g.nodes.size(); ++n) {
    const node& own = g.nodes[n];
    if (own.stream != none) {
      if (streams[own.stream] == none) streams[own.stream] = next(1);
      tracks.of.push_back(streams[own.stream]);
      continue;
    }
    if (!thread_of.empty()) {
      std::size_t& known = threads[thread_of[n]];
      if (known == none) known = next(own.workers);
      tracks.of.push_back(known);
      continue;
    }
    const bool is_task = n < g.tasks;
    if (is_task && d.generated > 0 && d.tasks[n].thread.empty()) {
      tracks.of.push_back(next(1));
      continue;
    }
    std::string_view thread = is_task         ? thread_name(d.tasks[n])
                              : n == g.pull() ? d.from.thread
                                              : caller;
    if (thread == d.caller_runs) thread = caller;
    const std::size_t number = names.number(thread);
    if (number == threads.size()) threads.push_back(next(own.workers));
    tracks.of.push_back(threads[number]);
  }
  return tracks;
}

/// Whether nobody says how long anything takes, nor are threads made of that.
constexpr bool is_unweighted(const declaration& d) { return d.generated == 0 && !has_weights(d); }

/// Whether pulling, and what the calling thread does with results, count as tasks: if another
/// thread pulls. Where the calling thread does, results would only come later.
constexpr bool keeps_caller_apart(const declaration& d) {
  return !d.results.empty() && d.results_on.empty() && d.from.thread != caller &&
         d.from.thread != d.caller_runs;
}

namespace detail {

/// Raises lookaheads, one by one, as far as what is declared allows. What holds before holds after.
class lookahead_raiser {
 public:
  /// \p g as it is planned without any raised.
  constexpr lookahead_raiser(const declaration& d, const graph& g)
      : g_(g),
        keeps_caller_apart_(is_unweighted(d) && keeps_caller_apart(d)),
        raised_(g.tasks, 0),
        limits_(g.tasks, (std::numeric_limits<int>::max)()) {
    for (std::size_t n = 0; n < g.tasks; ++n) {
      for (const view<access> uses : {d.tasks[n].reads, d.tasks[n].writes})
        for (const access& a : uses)
          if (a.given) limits_[n] = 0;
    }
    const list<precedence> all = precedences(g);
    for (const precedence& p : all) demands_.push_back({p.before, p.after, 0});
    batches_ = demands_.size();
    add_links();
    add_resources(d);
    group();
  }

  /// Raises whoever works on a batch before another task on another of the \p tracks, so that the
  /// two work on different batches. From the last that a batch goes through to the first.
  /// Two that take less than \p least together may stay on one batch.
  constexpr void separate(view<std::size_t> tracks, view<std::size_t> order, long long least = 0) {
    if (keeps_caller_apart_)
      for (std::size_t n = 0; n < g_.tasks; ++n)
        if (tracks[n] != tracks[g_.deliver()] && g_.nodes[n].lookahead == 0) raise(n, 1, none);
    for (std::size_t i = order.size(); i-- > 0;) {
      const std::size_t after = order[i];
      if (after >= g_.tasks) continue;
      for (std::size_t at = of_[after].first; at < of_[after].last; ++at) {
        const std::size_t number = grouped_[at];
        demand& one = demands_[number];
        if (number >= batches_ || one.least > 0 || tracks[one.before] == tracks[after] ||
            g_.nodes[one.before].lookahead > g_.nodes[after].lookahead || time_of(one) < least)
          continue;
        one.least = 1;
        if (!raise(one.before, raised_[after] + 1, after)) one.least = 0;
      }
    }
  }

  /// What those who could be separated take together, each time once, the longest first.
  constexpr list<long long> times(view<std::size_t> tracks) const {
    const auto longer = [](long long a, long long b) { return a > b; };
    list<long long> all;
    for (std::size_t i = 0; i < batches_; ++i)
      if (tracks[demands_[i].before] != tracks[demands_[i].after])
        push_to_heap(all, time_of(demands_[i]), longer);
    list<long long> distinct;
    while (!all.empty()) {
      const long long time = pop_from_heap(all, longer);
      if (distinct.empty() || distinct.back() != time) distinct.push_back(time);
    }
    return distinct;
  }

  constexpr const list<int>& raised() const { return raised_; }

 private:
  /// That one task is raised at least so much more than another.
  struct demand {
    std::size_t before;
    std::size_t after;
    int least;
  };

  constexpr long long time_of(const demand& one) const {
    return g_.nodes[one.before].weight + g_.nodes[one.after].weight;
  }

  /// What speaks of earlier batches limits how much further ahead its task may work. What speaks of
  /// a progress does not, unless a batch leads back: then a turn must not get shorter.
  constexpr void add_links() {
    list<edge> edges;
    for (std::size_t n = 0; n < g_.tasks; ++n) {
      for (std::size_t i = g_.nodes[n].links.first; i < g_.nodes[n].links.last; ++i) {
        const link& l = g_.links[i];
        if (l.producer == none || l.producer == n) continue;
        if (l.where == field::cross_iter_depends_on) {
          const int room = g_.nodes[l.producer].lookahead + l.ago - g_.nodes[n].lookahead;
          demands_.push_back({l.producer, n, -room});
        }
        if (l.where == field::same_progress_sync) keep_turn(edges, l.producer, n);
      }
      for (std::size_t i = g_.nodes[n].reads.first; i < g_.nodes[n].reads.last; ++i)
        if (g_.reads[i].ago > 0) keep_writers_ahead(g_.reads[i]);
    }
    for (const turn_node& t : g_.turns)
      if (t.node != none && t.before != none) keep_turn(edges, t.before, t.node);
  }

  /// Of a read of an earlier batch, which the slot's writers must be done with.
  constexpr void keep_writers_ahead(const use& read) {
    const range writers = g_.writers_of[read.slot];
    for (std::size_t w = writers.first; w < writers.last; ++w) {
      const use& write = g_.writers[w];
      if (write.node < g_.tasks && write.node != read.node)
        demands_.push_back({write.node, read.node, read.offset - write.offset});
    }
  }

  constexpr void keep_turn(list<edge>& edges, std::size_t producer, std::size_t consumer) {
    if (edges.empty()) {
      edges = declared_edges(g_);
      edges.append(order_edges(g_));
      next_.assign(g_.nodes.size(), range{});
      for (const edge& e : edges) ++next_[e.producer].last;
      consumers_.assign(lay_out(next_), 0);
      for (const edge& e : edges) consumers_[next_[e.producer].last++] = e.consumer;
    }
    list<char> seen(g_.nodes.size(), 0);
    list<std::size_t> open;
    open.push_back(consumer);
    seen[consumer] = 1;
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      for (std::size_t i = next_[at].first; i < next_[at].last; ++i)
        if (replace(seen[consumers_[i]], char{1}) == 0) open.push_back(consumers_[i]);
    }
    if (seen[producer] != 0) demands_.push_back({consumer, producer, 0});
  }

  /// Tasks that use what one of them changes stay as far apart as they are: so each finds what it
  /// would find otherwise.
  constexpr void add_resources(const declaration& d) {
    std::size_t uses = 0;
    for (const task& t : d.tasks) uses += t.observes.size() + t.mutates.size();
    if (uses == 0) return;
    name_index resources(uses);
    for (const task& t : d.tasks)
      for (const name& r : t.mutates) resources.number(r);
    list<std::size_t> last(uses, none);
    for (std::size_t n = 0; n < g_.tasks; ++n) {
      const auto tie = [&](view<name> all) {
        for (const name& r : all) {
          const std::size_t number = resources.find(r);
          if (number == none) continue;  // nobody changes it
          const std::size_t other = replace(last[number], n);
          if (other == none || other == n) continue;
          demands_.push_back({n, other, 0});
          demands_.push_back({other, n, 0});
        }
      };
      tie(d.tasks[n].observes);
      tie(d.tasks[n].mutates);
    }
  }

  constexpr void group() {
    of_.assign(g_.tasks, range{});
    for (const demand& one : demands_) ++of_[one.after].last;
    grouped_.assign(lay_out(of_), 0);
    for (std::size_t i = 0; i < demands_.size(); ++i) grouped_[of_[demands_[i].after].last++] = i;
  }

  /// Raises a task, and all whom that asks to be raised. If \p fixed is among those, or one that
  /// must not be raised so far, nothing is.
  constexpr bool raise(std::size_t task, int to, std::size_t fixed) {
    undo_.assign(0, 0);
    was_.assign(0, 0);
    bool fits = set(task, to, fixed);
    for (std::size_t at = 0; fits && at < undo_.size(); ++at) {
      const std::size_t n = undo_[at];
      for (std::size_t i = of_[n].first; fits && i < of_[n].last; ++i) {
        const demand& one = demands_[grouped_[i]];
        fits = set(one.before, raised_[n] + one.least, fixed);
      }
    }
    if (fits) return true;
    for (std::size_t i = undo_.size(); i-- > 0;) raised_[undo_[i]] = was_[i];
    return false;
  }
  constexpr bool set(std::size_t task, int to, std::size_t fixed) {
    if (raised_[task] >= to) return true;
    if (task == fixed || to > limits_[task]) return false;
    undo_.push_back(task);
    was_.push_back(raised_[task]);
    raised_[task] = to;
    return true;
  }

  const graph& g_;
  bool keeps_caller_apart_;
  list<int> raised_;  // by task
  list<int> limits_;  // by task
  list<demand> demands_;
  std::size_t batches_ = 0;    // how many of them are of one batch
  list<range> of_;             // by task that is after another
  list<std::size_t> grouped_;  // demands, by that task
  list<range> next_;           // by node, into its consumers
  list<std::size_t> consumers_;
  list<std::size_t> undo_;  // what is being raised
  list<int> was_;
};

}  // namespace detail

/// By task: how much further ahead it works if all that are on different \p tracks work on
/// different batches. \p g as it is planned without any raised.
constexpr list<int> depths(const declaration& d, const graph& g, view<std::size_t> tracks) {
  detail::lookahead_raiser raiser(d, g);
  list<edge> edges = declared_edges(g);
  edges.append(order_edges(g));
  raiser.separate(tracks, sort(g, edges).order);
  return raiser.raised();
}

/// How far lookaheads are raised.
struct raise_step {
  int most = 0;        ///< each task's: by so much at most
  bool ahead = true;   ///< a batch is pulled before all who work on another track work on it
  bool pairs = false;  ///< instead only so that those work on different batches who take longest
                       ///< together, of as many different times as `most` says
};

/// By task, then `pull`: \p depths, of which each counts up to a number.
constexpr list<int> raised_up_to(const graph& g, view<std::size_t> tracks, view<int> depths,
                                 raise_step step) {
  list<int> raised(g.tasks + 1, 0);
  const int declared = g.nodes[g.pull()].lookahead;
  int pulled = declared;
  for (std::size_t n = 0; n < g.tasks; ++n) {
    raised[n] = smaller(depths[n], step.most);
    const int apart = !step.ahead || tracks[n] == tracks[g.pull()] ? 0 : 1;
    pulled = larger(pulled, g.nodes[n].lookahead + raised[n] + apart);
  }
  raised[g.pull()] = pulled - declared;
  return raised;
}

/// Likewise, of a declaration whose \p depths are known. \p g as it is planned without any raised.
constexpr list<int> raised_by(const declaration& d, const graph& g, view<std::size_t> tracks,
                              view<int> depths, raise_step step) {
  if (!step.pairs) return raised_up_to(g, tracks, depths, step);
  detail::lookahead_raiser raiser(d, g);
  if (step.most > 0) {
    const list<long long> times = raiser.times(tracks);
    list<edge> edges = declared_edges(g);
    edges.append(order_edges(g));
    raiser.separate(tracks, sort(g, edges).order, times[static_cast<std::size_t>(step.most) - 1]);
  }
  constexpr int any = (std::numeric_limits<int>::max)();
  return raised_up_to(g, tracks, raiser.raised(), {any, step.ahead});
}
/// How many different times pairs of tasks take, which a `raise_step` counts.
constexpr int different_times(const declaration& d, const graph& g, view<std::size_t> tracks) {
  return static_cast<int>(detail::lookahead_raiser(d, g).times(tracks).size());
}

}  // namespace stretto::planner
