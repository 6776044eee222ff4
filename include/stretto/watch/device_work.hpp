// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stretto/plan/text/plan_view.hpp>
#include <stretto/watch/activity.hpp>
#include <stretto/watch/turns.hpp>
#include <vector>

namespace stretto::watch::detail {

/// What a device has said of the work that the tasks of a run have put on its streams.
class device_work {
 public:
  enum class state {
    unknown,
    done,
    pending,
    /// It is pending itself, or what its event was recorded behind once more: streams' waits of
    /// progresses in which the task did not run.
    pending_or_later
  };
  struct awaited {
    std::size_t producer;
    std::size_t back;  ///< progresses
  };

  template <class Device>
  static device_work asked_of(const Device& device, const turns& where) {
    device_work all;
    all.host_waits_for_all_ = device.host_waits_for_all();
    all.nodes_.resize(where.plan.lag.size());
    const auto asked = device.inquire();
    for (std::size_t n = 0; n < all.nodes_.size(); ++n) {
      node_work& w = all.nodes_[n];
      w.place = place_in(where.plan, n);
      device.each_awaited(n, [&w](std::size_t producer, std::size_t back) {
        w.awaits.push_back({producer, back});
      });
      w.stream = device.stream_of(n);
      if (w.stream == activity::none || n >= where.plan.tasks()) continue;
      w.in_wide_graph = device.in_wide_graph(n);
      const turns::reach r = where.reach_of(n);
      w.told = r.told;
      if (r.told == activity::none) continue;
      const std::size_t kept = 2 * where.in_flight();
      const std::size_t events = device.events_of(n);
      w.first = r.told + 1 - (std::min)(r.told + 1, kept);
      for (std::size_t p = w.first; p <= r.told; ++p) {
        w.states.push_back(state::unknown);
        if (events == 0 || !where.runs_in(n, p)) continue;
        const std::optional<bool> is_done = device.has_done(asked, n, p);
        if (!is_done) continue;
        bool of_another = false;  // run of the task that its event was recorded behind since
        for (std::size_t q = p + events; q <= r.told; q += events)
          of_another = of_another || where.runs_in(n, q);
        const bool stays = r.later != activity::none && p + events > r.later;
        w.states.back() = *is_done     ? state::done
                          : of_another ? state::unknown
                          : stays      ? state::pending
                                       : state::pending_or_later;
      }
    }
    for (std::size_t n = 0; n < all.nodes_.size(); ++n)
      if (all.nodes_[n].stream == activity::none && where.workers(where.plan.thread_of[n]) == 1)
        all.has_waited(n, where.reach_of(n).told);
    while (all.infer()) {
    }
    return all;
  }

  /// Whether host tasks wait for all that was put on streams.
  bool host_waits_for_all() const { return host_waits_for_all_; }
  /// The number of a task's stream; none: it is a host task.
  std::size_t stream_of(std::size_t node) const { return nodes_[node].stream; }
  /// What is waited for before a node, by its stream or by the host.
  const std::vector<awaited>& awaits(std::size_t node) const { return nodes_[node].awaits; }
  /// Whether a node is launched in graphs that span streams.
  bool in_wide_graph(std::size_t node) const { return nodes_[node].in_wide_graph; }
  /// The last progress whose work has been put on the stream; none: there is none.
  std::size_t told(std::size_t node) const { return nodes_[node].told; }

  /// By the node's event, by what comes before and after it on its stream, which does one after the
  /// other, by what waits for it, and by what it waits for.
  state of(std::size_t node, std::size_t progress) const {
    const node_work& w = nodes_[node];
    if (progress < w.first || progress - w.first >= w.states.size()) return state::unknown;
    return w.states[progress - w.first];
  }
  std::size_t place(std::size_t node) const { return nodes_[node].place; }

  /// Whether the device is known to have something to do.
  bool has_any_pending() const {
    for (const node_work& w : nodes_)
      for (const state s : w.states)
        if (s == state::pending || s == state::pending_or_later) return true;
    return false;
  }

 private:
  struct node_work {
    std::size_t stream = activity::none;
    std::size_t place = 0;  ///< in the order of a progress
    bool in_wide_graph = false;
    std::size_t told = activity::none;
    std::size_t first = 0;      ///< the progress of the first of `states`
    std::vector<state> states;  ///< those of the progresses up to `told`
    std::vector<awaited> awaits;
  };

  static std::size_t place_in(const planner::plan_view& plan, std::size_t node) {
    std::size_t at = 0;
    while (at < plan.order.size() && plan.order[at] != node) ++at;
    return at;
  }

  /// A host thread has done all that it waits for before a node, up to a progress.
  void has_waited(std::size_t node, std::size_t told) {
    if (told == activity::none) return;
    for (const awaited& a : nodes_[node].awaits) {
      node_work& w = nodes_[a.producer];
      for (std::size_t i = 0; i < w.states.size(); ++i)
        if (w.first + i + a.back <= told) w.states[i] = state::done;
    }
  }

  /// Whether something more has come to be known.
  bool infer() {
    bool any = false;
    for (std::size_t n = 0; n < nodes_.size(); ++n)
      for (std::size_t i = 0; i < nodes_[n].states.size(); ++i) {
        state& known = nodes_[n].states[i];
        if (known != state::unknown) continue;
        known = inferred(n, nodes_[n].first + i);
        any = any || known != state::unknown;
      }
    return any;
  }
  state inferred(std::size_t node, std::size_t progress) const {
    const node_work& w = nodes_[node];
    state found = state::unknown;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const node_work& other = nodes_[n];
      for (const awaited& a : other.awaits)
        if (a.producer == node && of(n, progress + a.back) == state::done) return state::done;
      if (other.stream != w.stream) continue;
      for (std::size_t i = 0; i < other.states.size(); ++i) {
        const std::size_t p = other.first + i;
        const bool is_later = p != progress ? p > progress : other.place > w.place;
        if (is_later && other.states[i] == state::done) return state::done;
        if (!is_later && other.states[i] == state::pending) found = state::pending;
      }
    }
    for (const awaited& a : w.awaits)
      if (progress >= a.back && of(a.producer, progress - a.back) == state::pending)
        found = state::pending;
    return found;
  }

  std::vector<node_work> nodes_;  ///< by number
  bool host_waits_for_all_ = false;
};

}  // namespace stretto::watch::detail
