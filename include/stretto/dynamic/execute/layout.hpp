// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/execute/device_call.hpp>
#include <stretto/dynamic/execute/host.hpp>
#include <stretto/dynamic/execute/launch_call.hpp>
#include <stretto/dynamic/execute/slot_copies.hpp>
#include <stretto/dynamic/query/planned.hpp>
#include <stretto/dynamic/values/body.hpp>
#include <stretto/dynamic/values/known_collectives.hpp>
#include <stretto/dynamic/values/known_driver.hpp>
#include <stretto/dynamic/values/result.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/derive/begun_calls.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/run/accounting.hpp>
#include <stretto/run/run_state.hpp>
#include <stretto/run/slot_storage.hpp>
#include <stretto/run/verdict_book.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto::dynamic::detail {

/// A planned schedule as tables, made before there are threads: who runs what, on which copies of
/// which slots, after which signals. What depends on the options of a pipeline by type, machine.hpp
/// adds.
class layout {
 public:
  /// What it depends on of a pipeline's options.
  struct asked {
    known_driver driver;
    known_collectives collectives;
    bool meets = false;            ///< threads meet after every progress
    bool observed = false;         ///< somebody is told of each task
    bool submits = false;          ///< streams are on a device
    bool replaces_bodies = false;  ///< somebody may stand in for bodies
  };

  /// Throws `schedule_error` if anything is wrong with the schedule.
  layout(schedule&& s, const asked& how);
  layout(const schedule& s, const asked& how);
  layout(const layout&) = delete;
  layout& operator=(const layout&) = delete;

  /// Calls \p use with the place of each word that is said early.
  template <class Use>
  void each_early_word(Use use) const {
    for (const node_signals& s : signals_of)
      for (std::size_t i = 0; s.early.first != nullptr && i < s.early.count; ++i)
        use(s.early.of(i));
  }

  /// Where a machine has its signals, each \c stride bytes from the one before.
  struct signal_rows {
    void* of_nodes;  ///< as many as `signal_count`
    void* closed;    ///< with a barrier: one for each host thread except the calling one
    std::size_t stride;
  };
  /// Calls to be laid out besides those of bodies, by node; null: there are none.
  struct other_calls {
    const std::vector<device_calls>* on_device = nullptr;
    const std::vector<device_calls>* on_ranks = nullptr;  ///< around a body: part of its call
    std::vector<launch_calls>* launches = nullptr;        ///< in place of those of their tasks
    const std::vector<device_call>* begun = nullptr;      ///< in front of a coroutine's, by number
    device_call between{};  ///< of two tasks of a segment, where others may ask for a stop
  };
  /// Lays out every call. \p batches tells how many there are, once it is known, and \p first the
  /// progress that threads were last set going before.
  void lay_out_calls(const signal_rows& rows, const std::atomic<std::size_t>* batches,
                     const std::size_t* first, const other_calls& others);

  std::size_t pull() const { return plan.plan().resolved.pull(); }
  std::size_t deliver() const { return plan.plan().resolved.deliver(); }
  std::size_t deliver_lag() const { return deliver_lag_; }
  std::size_t lag_of(std::size_t node) const { return plan.lag()[node]; }
  /// How many host threads there are: of a coroutine there is none.
  std::size_t threads() const { return hosts.size() - begun.size(); }
  /// What stands for the thread of a coroutine. (None shares its thread with workers.)
  host& host_of(std::size_t coroutine) { return hosts[threads() + coroutine]; }

  /// The number of a slot. Throws `usage_error` if there is none of that name, or if it does not
  /// hold values of \p type.
  std::size_t slot_named(std::string_view name, const slot_type& type) const;
  /// Throws `usage_error` unless the source's slot holds what the source yields.
  void check_source(const slot_type& yielded) const;

  /// The values of the result slots of the batch that got through last. (The position is that of
  /// the calling thread.)
  result result_at(const position& at) {
    const std::size_t batch = at.progress() - deliver_lag();
    if (at.results() != nullptr) [[likely]]
      return {results_, at.results(), batch};
    return moved_result(batch);
  }
  /// Whether some task runs at the end, too, for what is left of a group.
  bool may_end_groups() const { return may_end_groups_; }
  /// The batch behind the last one for which some task does at the end of a stream of so many.
  std::size_t last_run_at_end(std::size_t batches) const;
  /// Lays out a call of a task that runs at the end, behind a stream whose last batch is \p last: a
  /// copy of that of a progress, \p at, in the host's room for one. Returns where it begins.
  word* call_at_end(host& h, const task_facts& of, const word* at, std::size_t size,
                    std::size_t last);
  /// Destroys the values of slots, while no run is on.
  void release_slots();
  /// Destroys the values of slots for good, while what made them is still there.
  void end_values();
  /// Before a run.
  void nobody_stopped();
  /// On a host thread, before its part of a run: makes the slots' values that it fills first.
  /// Whether none threw.
  bool make_values(std::size_t host, runner::caught& failure);
  /// Where threads stopped. \p batches: how many there were; those before \p first were through
  /// when the threads were last set going.
  runner::run_accounting accounting(std::size_t batches, std::size_t first) const;

  planned_schedule plan;
  std::vector<slot_copies> slot_list;
  std::vector<host> hosts;                   ///< 0: the calling thread; last, those of coroutines
  planner::list<planner::begun_call> begun;  ///< tasks that are coroutines
  std::vector<std::string_view> host_names;  ///< as observers show them
  std::vector<std::string_view> node_names;
  std::vector<runner::stopping_point> stopped;  ///< by host thread
  std::vector<runner::passed_over> passed;      ///< by node, for each of its workers
  std::vector<std::size_t> ranks;               ///< by node, in the order of a batch's tasks
  bool pulls_apart = false;                     ///< the source is alone on a thread of its own
  bool alone = true;                            ///< there is only the calling thread
  bool meets = false;                           ///< all threads, after every progress
  std::size_t signal_count = 0;
  std::vector<node_signals> signals_of;     ///< by node
  bool opens = false;                       ///< with a barrier: not all threads see the pull
  std::vector<std::size_t> first_host;      ///< by thread
  std::vector<runner::slot_storage> rooms;  ///< by slot
  std::vector<task_facts> facts;            ///< by host thread and step; frames refer to them
  runner::verdict_book verdicts;

 protected:
  /// Out of line, as vectors are destroyed there.
  ~layout();

 private:
  /// Where the table is too long to be laid out.
  result moved_result(std::size_t batch);
  void find_hosts();
  void lay_out_rooms();
  void number_signals();
  void name_results();
  void place_signals(const signal_rows& rows);
  void fill_in(host& h, const other_calls& others);
  void fill_in_coroutine(host& h);
  in_turn closed_early(std::size_t thread) const;
  bool is_opened_by_pull(const host& h) const;
  task_facts& facts_of(std::size_t n, std::size_t place, host& h);
  /// A progress as it is laid out: what its calls consist of.
  struct progress_calls {
    std::vector<word> words;
    std::vector<moving_part> parts;
  };
  void add_call(progress_calls& to, const task_facts& of, const host& h) const;
  static void add_gate(progress_calls& to, const task_facts& of);
  static void add_device_calls(progress_calls& to, const std::vector<device_call>& calls,
                               const task_facts& of, const host& h);
  static void add_end(progress_calls& to, call end);
  static void add_between(progress_calls& to, const device_call& between);
  /// Appends the step in which a thread begins the calls of a coroutine; \p place is the next of
  /// the thread's own.
  void add_beginning(progress_calls& to, std::size_t coroutine, std::size_t place,
                     const other_calls& others, host& h);
  static launch_calls* launch_of(const other_calls& others, std::size_t n);
  static void add_launch(progress_calls& to, launch_calls& of, const task_facts& first,
                         const host& h);
  /// Appends what a node's own call consists of.
  void add_own_call(progress_calls& to, step_signals& step, const other_calls& others,
                    const task_facts& of, const host& h) const;
  /// Appends the copies of the slots that a node uses.
  void add_uses(progress_calls& to, std::size_t n, const host& h) const;
  void lay_out(host& h, progress_calls& calls);

  asked how_;
  std::vector<const slot_type*> types_;    ///< by slot
  std::vector<std::string> worker_names_;  ///< by host thread
  std::vector<char> awaited_;              ///< by node
  std::vector<std::size_t> first_signal_;  ///< by node; none: nobody waits for it
  std::vector<std::size_t> places_;        ///< by node, in its chain
  planner::list<planner::rate> runs_;      ///< by node
  std::vector<runner::slots_made> made_;   ///< by host thread
  planner::list<planner::edge> waits_;
  planner::list<planner::range> waits_of_;
  slot_names results_;
  std::size_t deliver_lag_ = 0;
  bool may_end_groups_ = false;
  std::vector<task_facts> facts_at_end_;  ///< see call_at_end; as `facts`
  std::vector<const slot_copies*> result_slots_;
  std::vector<void*> result_row_;
};

}  // namespace stretto::dynamic::detail

#if !defined(STRETTO_COMPILED)
#  include <stretto/dynamic/execute/layout.ipp>
#endif
