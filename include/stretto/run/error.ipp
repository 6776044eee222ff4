// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdio>
#include <cstdlib>
#include <stretto/run/error.hpp>
#include <stretto/run/text_builder.hpp>

namespace stretto {

[[gnu::cold]] STRETTO_INLINE runner::detail::shared_name::shared_name(std::string_view name)
    : text_(text_builder().add(name).text()) {}

[[gnu::cold]] STRETTO_INLINE task_error::task_error(std::string_view task, std::size_t batch,
                                                    std::size_t progress, const char* what)
    : std::runtime_error(runner::text_builder()
                             .add("task ")
                             .name(task)
                             .add(" failed on batch ")
                             .count(batch)
                             .add(" (progress ")
                             .count(progress)
                             .add("): ")
                             .add(what)
                             .text()),
      task_(task),
      batch_(batch),
      progress_(progress) {}

[[gnu::cold]] STRETTO_INLINE slot_error::slot_error(std::string_view slot, std::string_view group,
                                                    const char* what)
    : std::runtime_error(runner::text_builder()
                             .add("the value of slot ")
                             .name(slot)
                             .add(" could not be made on thread group ")
                             .name(group)
                             .add(": ")
                             .add(what)
                             .text()),
      slot_(slot),
      group_(group) {}

namespace runner {

STRETTO_INLINE bool only_stopped(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const wait_stopped&) {
    return true;
  } catch (...) {
    return false;
  }
}

STRETTO_INLINE const char* what_was_thrown() {
  try {
    throw;
  } catch (const std::exception& e) {
    const char* const what = e.what();  // the handler around this one keeps it
    return what == nullptr ? "an exception whose what() is null" : what;
  } catch (...) {
    return "an exception that is not a std::exception";
  }
}

STRETTO_INLINE void end_program(const char* why) {
  std::fprintf(stderr, "stretto: %s\n", why);
  std::abort();
}

namespace detail {

STRETTO_INLINE void throw_usage_error(const char* what) { throw usage_error(what); }

STRETTO_INLINE std::exception_ptr slot_failure(std::string_view slot, std::string_view group) {
  try {
    throw slot_error(slot, group, what_was_thrown());
  } catch (...) {
    return std::current_exception();
  }
}

STRETTO_INLINE void throw_task_error(std::string_view task, std::size_t batch, std::size_t progress,
                                     const std::exception_ptr& original, std::size_t most) {
  try {
    std::rethrow_exception(original);
  } catch (...) {
    text_builder what;
    what.add(what_was_thrown());
    if (most > 0)
      what.add(" (a run drops ")
          .count(most)
          .add(most == 1 ? " failure" : " failures")
          .add(" of it at most, its `max_failures`, and this is one more)");
    throw task_error(task, batch, progress, what.text());
  }
}

}  // namespace detail
}  // namespace runner
}  // namespace stretto
