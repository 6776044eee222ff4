// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

namespace stretto {

/// A task threw. The original exception is nested: `std::rethrow_if_nested`, or `nested_ptr()`.
class task_error : public std::runtime_error, public std::nested_exception {
 public:
  task_error(std::string_view task, std::size_t batch, std::size_t progress,
             const std::string& what)
      : std::runtime_error("task `" + std::string(task) + "` failed on batch " +
                           std::to_string(batch) + " (progress " + std::to_string(progress) +
                           "): " + what),
        task_(task),
        batch_(batch),
        progress_(progress) {}

  /// The name of the task, or "pull" if the source threw.
  std::string_view task() const { return task_; }
  std::size_t batch() const { return batch_; }
  std::size_t progress() const { return progress_; }

 private:
  std::string_view task_;
  std::size_t batch_;
  std::size_t progress_;
};

/// The pipeline was used in a way that its state does not allow; what() says what to do.
class usage_error : public std::logic_error {
  using std::logic_error::logic_error;
};

namespace detail {

/// Throws \p original nested in an error that names the task.
[[noreturn]] inline void throw_task_error(std::string_view task, std::size_t batch,
                                          std::size_t progress, std::exception_ptr original) {
  try {
    std::rethrow_exception(std::move(original));
  } catch (const std::exception& e) {
    throw task_error(task, batch, progress, e.what());
  } catch (...) {
    throw task_error(task, batch, progress, "an exception that is not a std::exception");
  }
}

}  // namespace detail
}  // namespace stretto
