// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stretto/device/grouping.hpp>
#include <stretto/device/known_plan.hpp>
#include <stretto/device/obstacle.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/edge_groups.hpp>
#include <stretto/plan/model/firing.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/view.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto::device::detail {

/// Which tasks of a schedule that is a value can be captured, and which of them one launch of a
/// graph does: what `capture` and `launches` are of types.
class table_launches {
  using edges = stretto::planner::list<stretto::planner::edge>;

 public:
  /// Tasks that one launch does, in the order of their thread.
  struct group {
    std::vector<std::size_t> nodes;
    std::size_t turn = 1;  ///< after how many progresses they use the same copies and events again
    /// The first progress in which each batch is there that they look back to: bodies find less
    /// before.
    std::size_t complete = 0;
  };

  table_launches() = default;
  table_launches(const table_launches&) = delete;
  table_launches& operator=(const table_launches&) = delete;

  /// \p stream_of, \p event_count: by node. \p awaits: the waits between streams, grouped by
  /// consumer. \p blocking: where host tasks wait for streams.
  void find(const known_plan& known, stretto::planner::view<std::size_t> stream_of,
            stretto::planner::view<std::size_t> event_count, const edges& awaits,
            const edges& blocking) {
    const stretto::planner::plan& p = known.value;
    const stretto::planner::graph& g = p.resolved;
    const std::size_t nodes = g.nodes.size();
    stream_of_.append(stream_of);
    event_count_.append(event_count);
    awaits_ = awaits;
    awaits_of_ = stretto::planner::groups_of(nodes, awaits_);
    host_waits_.assign(nodes, false);
    for (const stretto::planner::edge& e : blocking) host_waits_[e.producer] = true;
    for (std::size_t n = 0; n < nodes; ++n)
      lag_.push_back(stretto::planner::lag(g.max_lookahead, g.nodes[n].lookahead));
    find_waits(known);
    find_obstacles(known);
    facts_ = {g.streams.size(),
              g.pull(),
              p.threads.thread_of,
              p.threads.chains,
              p.threads.chained,
              lag_,
              stream_of_,
              event_count_,
              host_waits_,
              waits_,
              can_,
              turns_,
              awaits_,
              awaits_of_};
    const auto read = [&p]() -> const stretto::planner::plan& { return p; };
    found_ = grouping_search(facts_, stretto::planner::none, read).find();
    grouped_ = {facts_, found_.first, found_.spanning, found_.launch};
    list_groups(g);
  }

  const grouped_nodes& grouped() const { return grouped_; }
  const std::vector<group>& groups() const { return groups_; }
  /// The number of the group that a node is in; none: it is called.
  std::size_t group_of(std::size_t node) const { return group_of_[node]; }
  /// By task.
  const std::vector<obstacle>& obstacles() const { return obstacles_; }

  /// What is launched in a steady progress when all is captured, in the order of each thread.
  std::vector<launch_group> each_launch(stretto::planner::view<std::string_view> tasks,
                                        stretto::planner::view<std::string_view> streams) const {
    std::vector<launch_group> all;
    for (const group& g : groups_) {
      const std::size_t first = g.nodes.front();
      launch_group& l = all.emplace_back();
      l.stream = streams[grouped_.launch_stream(first)];
      l.reason = reason_of(found_.choice[facts_.thread_of[first]]);
      for (const std::size_t n : g.nodes) l.tasks.push_back(tasks[n]);
    }
    return all;
  }

 private:
  /// Whether a thread waits for others right before a node, however it keeps pace with them.
  void find_waits(const known_plan& known) {
    const stretto::planner::thread_map& threads = known.value.threads;
    waits_.assign(known.value.order.size(), false);
    if (threads.chains.size() == 1 && threads.workers[0] == 1) return;
    for (const stretto::planner::edge& e : known.run_ahead) waits_[e.consumer] = true;
    for (const stretto::planner::edge& e : known.value.host_waits) waits_[e.consumer] = true;
  }

  void find_obstacles(const known_plan& known) {
    const stretto::planner::plan& p = known.value;
    const stretto::planner::graph& g = p.resolved;
    can_.assign(g.nodes.size(), false);
    turns_.assign(g.nodes.size(), 1);
    for (std::size_t n = 0; n < g.tasks; ++n) {
      bool transient = false;
      bool stays = true;
      bool rated = g.nodes[n].runs.every > 1;
      each_use(g, n, [&](const stretto::planner::use& u) {
        transient = transient || known.transient[u.slot] != 0;
        stays = stays && known.stays[u.slot] != 0;
        rated = rated || g.rate_of_slot(u.slot).every > 1;
        if (turns_[n] <= longest_turn) turns_[n] = common_turn(turns_[n], p.copies[u.slot]);
      });
      obstacle why = obstacle::none;
      if (stream_of_[n] == stretto::planner::none) {
        why = obstacle::host_task;
      } else if (known.collective[n] != 0) {
        why = obstacle::collective;
      } else if (known.knows_batch[n] != 0) {
        why = obstacle::context;
      } else if (transient) {
        why = obstacle::transient;
      } else if (!stays) {
        why = obstacle::slot;
      } else if (rated) {
        why = obstacle::rate;
      } else if (known.drops[n] != 0) {
        why = obstacle::drop;
      } else if (turns_[n] > longest_turn) {
        why = obstacle::turn;
      }
      can_[n] = why == obstacle::none;
      obstacles_.push_back(why);
    }
  }
  template <class Use>
  static void each_use(const stretto::planner::graph& g, std::size_t n, Use use) {
    for (std::size_t i = g.nodes[n].reads.first; i < g.nodes[n].reads.last; ++i) use(g.reads[i]);
    for (std::size_t i = g.nodes[n].writes.first; i < g.nodes[n].writes.last; ++i) use(g.writes[i]);
  }

  void list_groups(const stretto::planner::graph& g) {
    group_of_.assign(facts_.nodes(), stretto::planner::none);
    for (const std::size_t n : facts_.chained) {
      if (grouped_.first[n] == stretto::planner::none) continue;
      if (grouped_.first[n] == n) groups_.emplace_back();
      group& in = groups_.back();
      group_of_[n] = groups_.size() - 1;
      in.nodes.push_back(n);
      in.turn = common_turn(in.turn, grouped_.turn_of(n));
      each_use(g, n, [&](const stretto::planner::use& u) {
        if (u.ago > 0)
          in.complete = (std::max)(in.complete, lag_[n] + static_cast<std::size_t>(u.ago));
      });
    }
  }

  stretto::planner::list<std::size_t> stream_of_;
  stretto::planner::list<std::size_t> event_count_;
  stretto::planner::list<std::size_t> lag_;
  stretto::planner::list<bool> host_waits_;
  stretto::planner::list<bool> waits_;
  stretto::planner::list<bool> can_;
  stretto::planner::list<std::size_t> turns_;
  edges awaits_;
  stretto::planner::list<stretto::planner::range> awaits_of_;
  capture_facts facts_;
  grouping found_;
  grouped_nodes grouped_;
  std::vector<obstacle> obstacles_;
  std::vector<group> groups_;
  std::vector<std::size_t> group_of_;  ///< by node
};

}  // namespace stretto::device::detail
