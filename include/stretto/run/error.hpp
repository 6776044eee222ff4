// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <exception>
#include <stdexcept>
#include <stretto/compiled/linkage.hpp>
#include <stretto/run/exceptions.hpp>
#include <string_view>

namespace stretto {

namespace runner::detail {

/// A name that outlives whoever gave it. Copies share it and do not throw, as exceptions want it;
/// the standard library has such a string here only.
class shared_name {
 public:
  explicit shared_name(std::string_view name);
  std::string_view view() const { return text_.what(); }

 private:
  std::runtime_error text_;
};

}  // namespace runner::detail

/// A task threw. The original exception is nested: `std::rethrow_if_nested`, or `nested_ptr()`.
class task_error : public std::runtime_error, public std::nested_exception {
 public:
  task_error(std::string_view task, std::size_t batch, std::size_t progress, const char* what);

  /// The name of the task, or "pull" if the source threw.
  std::string_view task() const { return task_.view(); }
  std::size_t batch() const { return batch_; }
  std::size_t progress() const { return progress_; }

 private:
  runner::detail::shared_name task_;
  std::size_t batch_;
  std::size_t progress_;
};

/// The value of a slot could not be made: its default constructor threw, on the thread that fills
/// the slot, at its first run. Nested in the `task_error` of the task that fills it; the original
/// exception is nested in this.
class slot_error : public std::runtime_error, public std::nested_exception {
 public:
  slot_error(std::string_view slot, std::string_view group, const char* what);

  std::string_view slot() const { return slot_.view(); }
  /// The thread group of the task that fills the slot.
  std::string_view group() const { return group_.view(); }

 private:
  runner::detail::shared_name slot_;
  runner::detail::shared_name group_;
};

/// The pipeline was used in a way that its state does not allow, or asked for what the machine does
/// not have; what() says what to do.
class usage_error : public std::logic_error {
  using std::logic_error::logic_error;
};

/// The pipeline stops, because a task failed or on request, and this task was waiting for other
/// ranks. Not a failure: what throws it out of a body has only ended early.
class wait_stopped : public std::runtime_error {
 public:
  wait_stopped() : std::runtime_error("the pipeline stopped while the task waited for ranks") {}
};

namespace runner {

/// Whether a body only left a wait because the pipeline stops.
STRETTO_INLINE bool only_stopped(const std::exception_ptr& error);

/// Inside a handler of something that may be an error of any kind: what it says.
[[gnu::cold]] STRETTO_INLINE const char* what_was_thrown();

/// Ends the program where going on would be undefined, and says why.
[[noreturn, gnu::cold]] STRETTO_INLINE void end_program(const char* why);

namespace detail {

/// Out of line: a `throw` takes ten times the code of a call.
[[noreturn, gnu::cold]] STRETTO_INLINE void throw_usage_error(const char* what);

/// Inside a handler: what was thrown, nested in an error that names the slot.
[[gnu::cold]] STRETTO_INLINE std::exception_ptr slot_failure(std::string_view slot,
                                                             std::string_view group);

/// Throws \p original nested in an error that names the task. \p most: it was one failure more than
/// as many, which the run has dropped; 0: none is dropped.
[[noreturn, gnu::cold]] STRETTO_INLINE void throw_task_error(std::string_view task,
                                                             std::size_t batch,
                                                             std::size_t progress,
                                                             const std::exception_ptr& original,
                                                             std::size_t most = 0);

}  // namespace detail
}  // namespace runner
}  // namespace stretto

#if !defined(STRETTO_COMPILED)
#  include <stretto/run/error.ipp>
#endif
