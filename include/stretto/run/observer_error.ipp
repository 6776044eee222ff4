// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/run/observer_error.hpp>
#include <stretto/run/text_builder.hpp>

namespace stretto {

[[gnu::cold]] STRETTO_INLINE observer_error::observer_error(bool task_ran, const char* what)
    : std::runtime_error(runner::text_builder()
                             .add("the observer threw ")
                             .add(task_ran ? "after the task had run: " : "before the task ran: ")
                             .add(what)
                             .text()),
      task_ran_(task_ran) {}

namespace runner {

STRETTO_INLINE void throw_observer_error(bool task_ran) {
  try {
    throw;
  } catch (const std::exception& e) {
    throw observer_error(task_ran, e.what());
  } catch (...) {
    throw observer_error(task_ran, "an exception that is not a std::exception");
  }
}

STRETTO_INLINE detail::thrower detail::thrower_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const observer_error& e) {
    return e.task_ran() ? thrower::observer_after : thrower::observer_before;
  } catch (...) {
    return thrower::task;
  }
}

}  // namespace runner
}  // namespace stretto
