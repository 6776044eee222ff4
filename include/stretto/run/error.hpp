// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <stretto/plan/model/list.hpp>
#include <stretto/run/exceptions.hpp>
#include <stretto/run/text_builder.hpp>
#include <stretto/text/visible.hpp>
#include <string_view>

namespace stretto {

namespace runner::detail {

/// A name that outlives whoever gave it. Copies share it and do not throw, as exceptions want it;
/// the standard library has such a string here only.
class shared_name {
 public:
  [[gnu::cold]] explicit shared_name(std::string_view name)
      : text_(text_builder().add(name).text()) {}
  std::string_view view() const { return text_.what(); }

 private:
  std::runtime_error text_;
};

}  // namespace runner::detail

/// A task threw. The original exception is nested: `std::rethrow_if_nested`, or `nested_ptr()`.
class task_error : public std::runtime_error, public std::nested_exception {
 public:
  [[gnu::cold]] task_error(std::string_view task, std::size_t batch, std::size_t progress,
                           const char* what)
      : std::runtime_error(sentence(task, batch, progress, what).data()),
        task_(task),
        batch_(batch),
        progress_(progress) {}

  /// The name of the task, or "pull" if the source threw.
  std::string_view task() const { return task_.view(); }
  std::size_t batch() const { return batch_; }
  std::size_t progress() const { return progress_; }

 private:
  // Not by std::string, whose operations every user's file would have to compile.
  static planner::list<char> sentence(std::string_view task, std::size_t batch,
                                      std::size_t progress, const char* what) {
    constexpr const char* form = "task `%.*s` failed on batch %zu (progress %zu): %s";
    planner::list<char> name;
    text::add_visible_name(name, task);
    const auto print = [&](char* into, std::size_t size) {
      return std::snprintf(into, size, form, static_cast<int>(name.size()), name.data(), batch,
                           progress, what);
    };
    const auto size = static_cast<std::size_t>((std::max)(print(nullptr, 0), 0)) + 1;
    planner::list<char> text(size, '\0');
    print(text.data(), size);
    return text;
  }

  runner::detail::shared_name task_;
  std::size_t batch_;
  std::size_t progress_;
};

/// The value of a slot could not be made: its default constructor threw, on the thread that fills
/// the slot, at its first run. Nested in the `task_error` of the task that fills it; the original
/// exception is nested in this.
class slot_error : public std::runtime_error, public std::nested_exception {
 public:
  [[gnu::cold]] slot_error(std::string_view slot, std::string_view group, const char* what)
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
inline bool only_stopped(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const wait_stopped&) {
    return true;
  } catch (...) {
    return false;
  }
}

namespace detail {

/// Ends the program where going on would be undefined, and says why.
[[noreturn, gnu::cold]] inline void end_program(const char* why) {
  std::fprintf(stderr, "stretto: %s\n", why);
  std::abort();
}

/// Inside a handler: what was thrown, nested in an error that names the slot.
inline std::exception_ptr slot_failure(std::string_view slot, std::string_view group) {
  try {
    throw;
  } catch (const std::exception& e) {
    return std::make_exception_ptr(slot_error(slot, group, e.what()));
  } catch (...) {
    return std::make_exception_ptr(
        slot_error(slot, group, "an exception that is not a std::exception"));
  }
}

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
}  // namespace runner
}  // namespace stretto
