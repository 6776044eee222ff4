// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Threads that are named and not listed, as values; types and files say the sentences.

#include <doctest/doctest.h>
#include <array>
#include <stretto/plan/text/unlisted_threads.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace planner = stretto::planner;

/// Two tasks and a stream, of a schedule that lists two threads.
struct two_tasks {
  std::array<planner::task, 2> tasks{};
  std::array<std::string_view, 2> listed{"parsing", "files"};
  std::array<std::string_view, 1> streams{"copies"};
  planner::declaration value;

  two_tasks() {
    tasks[0].id = stretto::name("first");
    tasks[1].id = stretto::name("second");
    value.tasks = {tasks.data(), tasks.size()};
    value.streams = {streams.data(), streams.size()};
    value.thread_names = {listed.data(), listed.size()};
  }
  std::vector<std::string> wrong() const {
    std::vector<std::string> all;
    for (const planner::unlisted_thread& u : planner::unlisted_threads(value))
      all.push_back(planner::sentence_on_unlisted(
          u.task == planner::none ? std::string_view() : value.tasks[u.task].id.text, u.thread,
          u.meant));
    return all;
  }
};

}  // namespace

TEST_CASE("what goes by stream, by task or by the caller need not be listed") {
  two_tasks s;
  CHECK(s.wrong().empty());
  for (const std::string_view thread : {"parsing", "files", "copies", "host", "caller", "second"}) {
    s.tasks[1].thread = thread;
    CHECK(s.wrong().empty());
  }
  s.tasks[0].thread = "second";  // which is another's name
  CHECK(s.wrong().size() == 1);
}

TEST_CASE("each task on a thread that is not listed is named, and what was meant") {
  two_tasks s;
  s.tasks[0].thread = "prasing";
  s.tasks[1].thread = "copis";
  s.value.from.thread = "callr";
  CHECK(planner::unlisted_threads(s.value)[2].meant == "caller");
  s.value.from.thread = "network";
  CHECK(s.wrong() == std::vector<std::string>{
                         "task `first` is on thread `prasing`, which `thread_names` does not list; "
                         "did you mean `parsing`?",
                         "task `second` is on thread `copis`, which `thread_names` does not list; "
                         "did you mean `copies`?",
                         "the source is pulled by thread `network`, which `thread_names` does not "
                         "list; add it there, or name one that it lists"});
}

TEST_CASE("where no threads are listed, all are there") {
  two_tasks s;
  s.tasks[0].thread = "prasing";
  s.value.thread_names = {};
  CHECK(s.wrong().empty());
}
