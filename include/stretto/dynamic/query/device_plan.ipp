// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <stretto/dynamic/query/declared.hpp>
#include <stretto/dynamic/query/device_plan.hpp>
#include <stretto/dynamic/query/planned.hpp>
#include <stretto/dynamic/values/concat.hpp>
#include <stretto/dynamic/values/fields.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/derive/copies.hpp>
#include <stretto/plan/derive/planned_graph.hpp>
#include <stretto/plan/derive/serial_edges.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/order/fewest_waits.hpp>
#include <stretto/plan/order/waits.hpp>
#include <stretto/run/error.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::dynamic {

namespace detail {

/// Takes the tasks on streams of a plan apart: what submits them, and what the device does.
class submitter {
 public:
  explicit submitter(const planned_schedule& planned)
      : planned_(planned), p_(planned.plan()), g_(p_.resolved) {
    refuse();
  }

  /// A thread for each stream, and what slots and dependencies say of what threads wait for.
  schedule tasks() const {
    schedule made = planned_.input();
    made.streams.clear();
    made.thread_names.clear();
    made.orders.clear();
    made.generated = 0;
    made.strict = false;
    made.pipelined = false;
    made.max_in_flight = 0;
    made.max_bytes = 0;
    made.caller_runs = planner::caller;
    made.source.thread = thread_of(g_.pull());
    made.source.lookahead = g_.nodes[g_.pull()].lookahead;
    made.source.collective = false;
    // Nobody waits for what is handed out in the order of a stream.
    if (!std::exchange(made.results_on, {}).empty()) made.results.clear();
    add_tasks(made);
    keep_copies(made);
    return made;
  }

  /// Adds the other waits of the threads and of the device. \p made is the plan of `tasks`.
  void add_waits(planner::plan& made, const std::vector<std::vector<std::string>>& engines) const {
    const numbers to = numbers_in(made);
    for (std::size_t n = 0; n < g_.tasks; ++n)
      made.resolved.nodes[to.work[n]].settles = !is_submitted(n);
    for (const planner::edge& e : p_.edges) {
      const bool only_submission =
          e.why == planner::reason::ticket || e.why == planner::reason::order;
      // A thread submits when what comes before on other threads is submitted or, of a host task,
      // done.
      if (only_submission || (g_.nodes[e.consumer].stream != planner::none &&
                              p_.threads.thread_of[e.producer] != p_.threads.thread_of[e.consumer]))
        made.edges.push_back(
            {to.host[e.producer], to.host[e.consumer], e.delta, e.why, planner::none, e.offset});
    }
    for (const auto& members : collectives_of_streams(to))
      planner::add_chain(members, planner::reason::ticket, made.edges);
    for (const std::vector<std::string>& engine : engines)
      planner::add_chain(served_by(engine, to), planner::reason::stream, made.edges);
    for (const planner::edge& e : planner::run_ahead_bound(p_, planner::blocking_waits(p_)))
      made.edges.push_back(
          {to.work[e.producer], to.host[e.consumer], e.delta, e.why, planner::none, e.offset});
    made.host_waits = planner::barrier_waits(made.resolved, made.order, made.edges, made.threads);
  }

 private:
  /// By node of the plan that is taken apart, nodes of the other.
  struct numbers {
    std::vector<std::size_t> work;
    std::vector<std::size_t> host;  ///< what a thread does: the task, or its submission
  };

  [[noreturn]] void refuse_for(std::string_view why) const {
    throw usage_error(
        joined("schedule ", quoted_name{planned_.input().name}, " has no plan of a device: ", why));
  }
  void refuse() const {
    const schedule& s = planned_.input();
    if (s.serial) refuse_for("it does one batch after the other");
    if (g_.grouped) refuse_for("it has queues or workers");
    bool any = false;
    for (const task& t : s.tasks) {
      any = any || !t.stream.empty();
      if (!t.role.empty() || !s.role.empty()) refuse_for("it has roles");
      if (t.every != 1) refuse_for("it has tasks that do not run for every batch");
      if (!t.stream.empty() && s.find(device_plan::submission_of(t.name)) != nullptr)
        refuse_for(joined("it has a task ", quoted_name{device_plan::submission_of(t.name)}));
    }
    if (!any) refuse_for("no task is on a stream");
    for (const std::string_view stream : g_.streams)
      for (const std::string_view thread : p_.threads.names)
        if (thread == thread_of_stream(stream))
          refuse_for(joined("it has a thread ", quoted_name{thread}));
  }

  bool is_submitted(std::size_t node) const {
    return node < g_.tasks && g_.nodes[node].stream != planner::none;
  }
  std::string thread_of(std::size_t node) const {
    return std::string(p_.threads.names[p_.threads.thread_of[node]]);
  }
  static std::string thread_of_stream(std::string_view stream) {
    return std::string("stream ").append(stream);
  }

  /// Slots have as many copies as before.
  void keep_copies(schedule& made) const {
    made.frugal = true;
    made.slacks.clear();
    const declared bare(made);
    const planner::graph g = planner::planned_graph(bare.value());
    const planner::list<std::size_t> needed = planner::needed_copies(g);
    std::vector<slack> more;
    for (std::size_t slot = 0; slot < needed.size(); ++slot)
      for (std::size_t before = 0; before < p_.copies.size(); ++before)
        if (g.slot_list[slot].text == g_.slot_list[before].text && needed[slot] < p_.copies[before])
          more.push_back({std::string(g.slot_list[slot].text),
                          static_cast<int>(p_.copies[before] - needed[slot])});
    made.slacks = std::move(more);
  }

  /// In the order of the plan, which the sort of what is made keeps.
  void add_tasks(schedule& made) const {
    made.tasks.clear();
    for (const std::size_t n : p_.order) {
      if (n >= g_.tasks) continue;
      task t = planned_.input().tasks[n];
      t.body = {};
      t.observes.clear();  // who shares state is in order by the plan that is taken apart
      t.mutates.clear();
      t.lookahead = g_.nodes[n].lookahead;
      t.thread = thread_of(n);
      t.collective = false;
      t.communicator.clear();
      if (is_submitted(n)) {
        task submission;
        submission.name = device_plan::submission_of(t.name);
        submission.thread = std::exchange(t.thread, thread_of_stream(t.stream));
        submission.lookahead = t.lookahead;
        submission.weight = 0;
        t.stream.clear();
        t.depends_on.push_back(submission.name);
        made.tasks.push_back(std::move(submission));
      }
      made.tasks.push_back(std::move(t));
    }
  }
  numbers numbers_in(const planner::plan& made) const {
    numbers to;
    to.work.assign(g_.nodes.size(), made.resolved.pull());
    to.work[g_.deliver()] = made.resolved.deliver();
    to.host = to.work;
    std::size_t next = 0;
    for (const std::size_t n : p_.order) {
      if (n >= g_.tasks) continue;
      to.host[n] = next;
      if (is_submitted(n)) ++next;
      to.work[n] = next++;
    }
    return to;
  }

  std::vector<std::vector<std::size_t>> collectives_of_streams(const numbers& to) const {
    std::map<std::string_view, std::vector<std::size_t>> by_communicator;
    for (const std::size_t n : p_.tickets)
      if (is_submitted(n))
        by_communicator[planner::communicator_of(planned_.declaration().tasks[n])].push_back(
            to.work[n]);
    std::vector<std::vector<std::size_t>> all;
    all.reserve(by_communicator.size());
    for (auto& [name, members] : by_communicator) all.push_back(std::move(members));
    return all;
  }

  std::vector<std::size_t> served_by(const std::vector<std::string>& engine,
                                     const numbers& to) const {
    for (const std::string& name : engine) {
      const task* const named = planned_.input().find(name);
      if (named == nullptr || named->stream.empty())
        throw usage_error(
            joined("an engine of a device works for task ", quoted_name{name},
                   named == nullptr ? ", which there is not" : ", which is on no stream"));
    }
    const auto is_on = [&](std::size_t n) {
      return n < g_.tasks &&
             std::find(engine.begin(), engine.end(), planned_.name_of(n)) != engine.end();
    };
    std::vector<std::size_t> members;
    for (const std::size_t n : p_.order)
      if (is_on(n)) members.push_back(to.work[n]);
    return members;
  }

  const planned_schedule& planned_;
  const planner::plan& p_;
  const planner::graph& g_;
};

}  // namespace detail

STRETTO_INLINE device_plan::device_plan(const planned_schedule& planned,
                                        const std::vector<std::vector<std::string>>& engines)
    : device_plan(detail::submitter(planned), engines) {}

STRETTO_INLINE device_plan::device_plan(const detail::submitter& taken_apart,
                                        const std::vector<std::vector<std::string>>& engines)
    : planned_(taken_apart.tasks()), plan_(planned_.plan()) {
  taken_apart.add_waits(plan_, engines);
}

STRETTO_INLINE std::size_t device_plan::node_of(const planned_schedule& planned,
                                                std::string_view task) {
  for (const stretto::dynamic::task& t : planned.input().tasks)
    if (!t.stream.empty() && submission_of(t.name) == task) return planned.node(t.name);
  return planned.node(task);
}

STRETTO_INLINE planner::list<planner::edge> device_plan::run_ahead_waits() const {
  return planner::run_ahead_waits(plan_);
}

}  // namespace stretto::dynamic
