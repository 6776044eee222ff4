// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Observers that throw: before or after the task, and whether the task has run.

#include <doctest/doctest.h>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <stretto/run/observer_error.hpp>

namespace {

namespace runner = stretto::runner;

std::exception_ptr of_observer(bool task_ran) {
  try {
    try {
      throw std::runtime_error("it broke");
    } catch (...) {
      runner::throw_observer_error(task_ran);
    }
  } catch (...) {
    return std::current_exception();
  }
}

struct observer {
  int told = 0;
  bool throws = false;
  void failed(std::size_t, std::size_t task, std::size_t batch) {
    told += static_cast<int>(10 * task + batch);
    if (throws) throw std::logic_error("again");
  }
};

}  // namespace

TEST_CASE("an observer's error says whether the task had run") {
  CHECK_THROWS_WITH_AS(std::rethrow_exception(of_observer(true)),
                       "the observer threw after the task had run: it broke",
                       stretto::observer_error);
  CHECK_THROWS_WITH_AS(std::rethrow_exception(of_observer(false)),
                       "the observer threw before the task ran: it broke", stretto::observer_error);
}

TEST_CASE("an observer is told of what a task threw, not of what it threw itself") {
  observer o;
  const std::exception_ptr of_task = std::make_exception_ptr(std::runtime_error("task"));
  CHECK_FALSE(runner::detail::tell_observer(o, 0, 4, 2, of_task));
  CHECK(o.told == 42);
  CHECK(runner::detail::tell_observer(o, 0, 4, 2, of_observer(true)));
  CHECK_FALSE(runner::detail::tell_observer(o, 0, 4, 2, of_observer(false)));
  CHECK(o.told == 42);
  o.throws = true;
  CHECK_FALSE(runner::detail::tell_observer(o, 0, 4, 2, of_task));  // the task's own error is told
  CHECK(o.told == 84);
}
