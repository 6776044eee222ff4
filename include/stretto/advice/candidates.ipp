// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stretto/advice/candidates.hpp>
#include <stretto/advice/moved_along.hpp>
#include <stretto/plan/derive/copies.hpp>
#include <stretto/plan/derive/threads.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/plan.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::advising {

namespace detail {

class candidate_list {
 public:
  candidate_list(const dynamic::planned_schedule& p, const std::vector<std::size_t>& cycle,
                 const task_facts& facts)
      : s_(p.input()), d_(p.declaration()), plan_(p.plan()), g_(p.plan().resolved), facts_(facts) {
    for (const std::size_t n : cycle) add_copies(n);
    for (const std::size_t n : cycle) {
      if (n == g_.pull()) add_pull();
      if (n >= g_.tasks) continue;
      add_lookahead(n, 1);
      add_lookahead(n, -1);
      if (s_.generated == 0) add_threads(n);
      add_streams(n);
    }
    if (s_.generated == 0) add_shares(cycle);
    if (!s_.pipelined) add({{plan_change::kind::pipelined, {}, {}, 0}});
    if (s_.generated > 0) add({{plan_change::kind::generated, {}, {}, s_.generated + 1}});
    add({{plan_change::kind::source_lookahead, {}, {}, declared_depth() + 1}});
  }
  std::vector<changes> take() { return std::move(all_); }

 private:
  using kind = plan_change::kind;

  void add(const changes& one) {
    if (std::find(all_.begin(), all_.end(), one) == all_.end()) all_.push_back(one);
  }

  /// A copy more of each slot that a node uses.
  void add_copies(std::size_t n) {
    const planner::list<std::size_t> needed = planner::needed_copies(g_);
    const auto look = [&](const planner::list<planner::use>& uses, planner::range r) {
      for (std::size_t i = r.first; i < r.last; ++i) {
        const std::size_t slot = uses[i].slot;
        const auto more = static_cast<int>(plan_.copies[slot] - needed[slot]) + 1;
        add({{kind::copies, std::string(g_.slot_list[slot].text), {}, more}});
      }
    };
    look(g_.reads, g_.nodes[n].reads);
    look(g_.writes, g_.nodes[n].writes);
  }

  /// How many batches ahead the source is declared to be.
  int declared_depth() const {
    int depth = s_.source.lookahead.value_or(0);
    for (const dynamic::task& t : s_.tasks) depth = (std::max)(depth, t.lookahead);
    return depth;
  }

  void add_lookahead(std::size_t n, int step) {
    const std::vector<int> ahead = moved_along(s_, n, step);
    changes moved;
    for (std::size_t t = 0; t < ahead.size(); ++t)
      if (ahead[t] != s_.tasks[t].lookahead)
        moved.push_back({kind::lookahead, s_.tasks[t].name, {}, ahead[t]});
    if (!moved.empty()) add(moved);
  }

  bool is_thread(std::string_view name) const {
    const auto& known = plan_.threads.names;
    return name == planner::caller || std::find(known.begin(), known.end(), name) != known.end();
  }
  /// The tasks of a thread group.
  std::size_t tasks_on(std::string_view thread) const {
    return static_cast<std::size_t>(
        std::count_if(d_.tasks.begin(), d_.tasks.end(),
                      [&](const planner::task& t) { return planner::thread_name(t) == thread; }));
  }
  bool is_shareable(std::size_t task) const { return facts_.shareable[task] != 0; }

  void add_threads(std::size_t n) {
    const std::string& name = s_.tasks[n].name;
    const std::string own(planner::thread_name(d_.tasks[n]));
    const bool alone = tasks_on(own) == 1 && own != d_.from.thread && own != planner::caller;
    for (const std::string_view other : plan_.threads.names)
      if (other != own) add({{kind::thread, name, std::string(other), 0}});
    const bool on_host = s_.tasks[n].stream.empty() && !s_.tasks[n].collective;
    if (!alone && !is_thread(name)) {
      const plan_change moved{kind::thread, name, name, 0};
      add({moved});
      if (on_host && is_shareable(n)) add_workers(name, 1, {moved});
    }
    bool shareable = own != planner::caller && own != d_.caller_runs && own != d_.from.thread;
    for (std::size_t t = 0; t < g_.tasks; ++t)
      if (planner::thread_name(d_.tasks[t]) == own)
        shareable =
            shareable && is_shareable(t) && s_.tasks[t].stream.empty() && !s_.tasks[t].collective;
    if (shareable) add_workers(own, planner::workers_on(d_, own), {});
  }
  /// What several tasks of a thread could do elsewhere: those of a stream, and those that work some
  /// batches ahead.
  void add_shares(const std::vector<std::size_t>& cycle) {
    for (const std::size_t n : cycle) {
      if (n >= g_.tasks) continue;
      const dynamic::task& one = s_.tasks[n];
      const std::string_view own = planner::thread_name(d_.tasks[n]);
      if (!one.stream.empty())
        add_share(own, one.stream, [&](const dynamic::task& t) { return t.stream == one.stream; });
      if (one.lookahead > 0)
        add_share(own, one.name,
                  [&](const dynamic::task& t) { return t.lookahead >= one.lookahead; });
    }
  }
  template <class Belongs>
  void add_share(std::string_view own, const std::string& fresh, Belongs belongs) {
    std::vector<std::string> share;
    for (std::size_t t = 0; t < g_.tasks; ++t)
      if (planner::thread_name(d_.tasks[t]) == own && belongs(s_.tasks[t]))
        share.push_back(s_.tasks[t].name);
    if (share.size() < 2) return;
    const auto move_to = [&](const std::string& thread) {
      changes moved;
      for (const std::string& task : share) moved.push_back({kind::thread, task, thread, 0});
      add(moved);
    };
    for (const std::string_view other : plan_.threads.names)
      if (other != own) move_to(std::string(other));
    if (!is_thread(fresh)) move_to(fresh);
  }
  void add_workers(const std::string& thread, int now, const changes& with) {
    constexpr int most_more = 3;
    constexpr int most = 99;
    if (!facts_.may_have_workers) return;
    for (int more = 1; more <= most_more && now + more <= most; ++more) {
      changes all = with;
      all.push_back({kind::workers, thread, {}, now + more});
      add(all);
    }
  }
  void add_streams(std::size_t n) {
    if (s_.tasks[n].stream.empty()) return;
    for (const std::string& other : s_.streams)
      if (other != s_.tasks[n].stream) add({{kind::stream, s_.tasks[n].name, other, 0}});
  }
  void add_pull() {
    if (s_.generated > 0 || tasks_on(s_.source.thread) == 0) return;
    const std::string own(planner::pull_name);
    if (!is_thread(own)) add({{kind::source_thread, {}, own, 0}});
  }

  const dynamic::schedule& s_;
  const planner::declaration& d_;
  const planner::plan& plan_;
  const planner::graph& g_;
  const task_facts& facts_;
  std::vector<changes> all_;
};

}  // namespace detail

STRETTO_INLINE std::vector<changes> candidates(const dynamic::planned_schedule& p,
                                               const std::vector<std::size_t>& cycle,
                                               const task_facts& facts) {
  return detail::candidate_list(p, cycle, facts).take();
}

}  // namespace stretto::advising
