// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <exception>
#include <stdexcept>
#include <stretto/compiled/linkage.hpp>
#include <stretto/observe/observer.hpp>

namespace stretto {

/// The pipeline's observer threw when it was told of a task. Nested in the `task_error` of that
/// task; what the observer threw is nested in this.
class observer_error : public std::runtime_error, public std::nested_exception {
 public:
  observer_error(bool task_ran, const char* what);

  /// Whether it was told that the task had finished. Otherwise the task did not run on that batch.
  bool task_ran() const { return task_ran_; }

 private:
  bool task_ran_;
};

namespace runner {

/// Inside a handler of what an observer threw: throws it, nested in an error that says when.
[[noreturn, gnu::cold]] STRETTO_INLINE void throw_observer_error(bool task_ran);

namespace detail {

/// Who threw, the task or the observer that was told of it.
enum class thrower { task, observer_before, observer_after };

[[gnu::cold]] STRETTO_INLINE thrower thrower_of(const std::exception_ptr& error);

/// Tells an observer that a task has failed, unless it is the observer that has: \p error is what
/// was thrown. Whether the task itself has run to its end.
template <class Observer>
bool tell_observer(Observer& observer, std::size_t thread, std::size_t task, std::size_t batch,
                   const std::exception_ptr& error) noexcept {
  const thrower who = thrower_of(error);
  if constexpr (observe::observes_failures<Observer>) {
    if (who == thrower::task) {
      try {
        observer.failed(thread, task, batch);
      } catch (...) {  // the task's own error is the one to be told
      }
    }
  }
  return who == thrower::observer_after;
}

}  // namespace detail
}  // namespace runner
}  // namespace stretto

#if !defined(STRETTO_COMPILED)
#  include <stretto/run/observer_error.ipp>
#endif
