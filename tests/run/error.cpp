// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What errors of runs say, and what is nested in them.

#include <doctest/doctest.h>
#include <exception>
#include <stdexcept>
#include <stretto/run/error.hpp>
#include <string>

namespace {

namespace runner = stretto::runner;

template <class Thrown>
std::exception_ptr thrown(Thrown what) {
  return std::make_exception_ptr(what);
}

}  // namespace

TEST_CASE("an error of a task says where, and has the original in it") {
  try {
    runner::detail::throw_task_error("tr\nain", 3, 5, thrown(std::runtime_error("it broke")));
  } catch (const stretto::task_error& e) {
    CHECK(std::string(e.what()) == "task `tr\\nain` failed on batch 3 (progress 5): it broke");
    CHECK(e.task() == "tr\nain");
    CHECK(e.batch() == 3);
    CHECK(e.progress() == 5);
    CHECK_THROWS_WITH_AS(e.rethrow_nested(), "it broke", std::runtime_error);
  }
  CHECK_THROWS_WITH_AS(runner::detail::throw_task_error("t", 0, 1, thrown(7)),
                       "task `t` failed on batch 0 (progress 1): an exception that is not a "
                       "std::exception",
                       stretto::task_error);
  struct silent : std::exception {
    const char* what() const noexcept override { return nullptr; }
  };
  CHECK_THROWS_WITH_AS(runner::detail::throw_task_error("t", 0, 1, thrown(silent())),
                       "task `t` failed on batch 0 (progress 1): an exception whose what() is null",
                       stretto::task_error);
}

TEST_CASE("an error keeps the names that are in it, whoever gave them is gone") {
  std::exception_ptr kept;
  {
    std::string slot = "a slot with a long name", group = "loading";
    try {
      throw std::runtime_error("no more");
    } catch (...) {
      kept = runner::detail::slot_failure(slot, group);
    }
    slot.assign(slot.size(), '?');
  }
  try {
    std::rethrow_exception(kept);
  } catch (const stretto::slot_error& e) {
    const stretto::slot_error copy = e;
    CHECK(copy.slot() == "a slot with a long name");
    CHECK(copy.group() == "loading");
    CHECK_THROWS_WITH(copy.rethrow_nested(), "no more");
  }
}

TEST_CASE("a wait that ended because the pipeline stops is told from a failure") {
  CHECK(runner::only_stopped(thrown(stretto::wait_stopped())));
  CHECK_FALSE(runner::only_stopped(thrown(std::runtime_error("it broke"))));
  CHECK_FALSE(runner::only_stopped(thrown(7)));
}
