// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/query/planned.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/plan.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto::dynamic {

namespace detail {

class submitter;

}  // namespace detail

/// The device that a schedule's streams are of, where threads only submit.
struct device_model {
  /// By engine: tasks on streams that share something which does one thing at a time, such as a
  /// copy engine or a bus.
  std::vector<std::vector<std::string>> engines{};
};

/// A plan as a device works through it. A host thread is at work on a task for as long as that
/// takes; of a task on a stream of a device it submits the work, and goes on to the next one. So
/// here each stream is a thread, `stream compute`, that does the work of its tasks in their order,
/// and for each of them a task `submit forward` is on the thread that `forward` was on. That waits
/// where the thread waits: for what host tasks have done, and for other threads to have submitted,
/// what comes before it. A batch is handed out when all of it is submitted and what the result
/// reads is done. Collectives of one communicator work one after the other on all streams.
///
/// It is what `bound_of`, `simulate` and `begins_of` take for a plan, with costs of both kinds:
/// `bound_of(device_plan, {{"forward", 1200}, {"submit forward", 40}})`. What is told no cost of
/// submission takes none.
class device_plan {
 public:
  /// Has the order, threads, lookaheads and copies of \p planned, which need not be kept. Each of
  /// \p engines names tasks on streams that share something which does one thing at a time, such as
  /// a copy engine or a bus: it works for them in the order in which they are submitted, on
  /// whatever streams.
  ///
  /// Throws `usage_error` if no task is on a stream; if there are queues, workers, roles or tasks
  /// that do not run for every batch; if one batch is done after the other; if a task or a thread
  /// has a name already that is needed here; and if an engine names what is no task on a stream.
  explicit device_plan(const planned_schedule& planned,
                       const std::vector<std::vector<std::string>>& engines = {});

  /// The tasks with their submissions, without bodies.
  const schedule& input() const { return planned_.input(); }
  const planner::declaration& declaration() const { return planned_.declaration(); }
  const planner::plan& plan() const { return plan_; }
  /// The fewest waits between threads that run ahead of each other, streams among them.
  planner::list<planner::edge> run_ahead_waits() const;

  /// What the task is called that submits \p task.
  static std::string submission_of(std::string_view task) {
    return std::string("submit ").append(task);
  }
  /// The number, in the plan that was taken apart, of a task or of what submits it. Throws
  /// `usage_error` if there is none such.
  static std::size_t node_of(const planned_schedule& planned, std::string_view task);

 private:
  device_plan(const detail::submitter& taken_apart,
              const std::vector<std::vector<std::string>>& engines);

  planned_schedule planned_;
  planner::plan plan_;
};

}  // namespace stretto::dynamic

#if !defined(STRETTO_COMPILED)
#  include <stretto/dynamic/query/device_plan.ipp>
#endif
