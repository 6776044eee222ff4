// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstddef>
#include <string_view>

namespace stretto {

/// Where in its life a run is: not yet all tasks fire, all do, no longer all do because the source
/// ended before this progress.
///
/// It is what the thread knows that asks. One that runs ahead may be in a progress of the drain
/// before the source has turned out to have ended, and hears `steady` there. With a barrier all
/// threads hear `drain` from the progress after that of the end on.
enum class phase { prefill, steady, drain };

/// What a task body gets when it asks for a context: where in the pipeline it is running.
class task_context {
 public:
  constexpr task_context(std::size_t batch, std::size_t progress, stretto::phase phase,
                         std::string_view task, std::string_view thread)
      : batch_(batch), progress_(progress), phase_(phase), task_(task), thread_(thread) {}

  /// The number of the batch, from 0 in each run.
  constexpr std::size_t batch() const { return batch_; }
  /// The internal progress, from 0 in each run.
  constexpr std::size_t progress() const { return progress_; }
  constexpr stretto::phase phase() const { return phase_; }
  /// The task's name.
  constexpr std::string_view task() const { return task_; }
  /// The name of the thread group that runs the task.
  constexpr std::string_view thread() const { return thread_; }

 private:
  std::size_t batch_;
  std::size_t progress_;
  stretto::phase phase_;
  std::string_view task_;
  std::string_view thread_;
};

/// A context as a body's first parameter: `void operator()(stretto::context auto& ctx, ...)`.
template <class Context>
concept context = requires(const Context& c) {
  { c.batch() } -> std::convertible_to<std::size_t>;
  { c.progress() } -> std::convertible_to<std::size_t>;
  { c.phase() } -> std::convertible_to<phase>;
  { c.task() } -> std::convertible_to<std::string_view>;
};

}  // namespace stretto
