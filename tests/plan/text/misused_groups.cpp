// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Queues and workers that a thread group cannot have, as values; types and files say the sentences.

#include <doctest/doctest.h>
#include <array>
#include <stretto/plan/text/misused_groups.hpp>
#include <string>

namespace {

namespace planner = stretto::planner;
using planner::group_misuse;
using planner::thread_group;

/// Two tasks on thread "in", one on a stream, one that is a collective, one that is a coroutine.
struct five_tasks {
  std::array<planner::task, 5> tasks{};
  planner::declaration value;

  five_tasks() {
    tasks[0].thread = "in";
    tasks[1].stream = "copies";
    tasks[2].thread = "ranks";
    tasks[2].collective = true;
    tasks[3].thread = "in";
    tasks[4].thread = "calls";
    tasks[4].suspends = true;
    value.tasks = {tasks.data(), tasks.size()};
    value.from.thread = "source";
    value.caller_runs = "lent";
  }
  group_misuse of(const char* thread, int queue, int workers) const {
    return planner::group_judge(value).misuse_of({thread, queue, workers}).what;
  }
};

}  // namespace

TEST_CASE("who can have a queue, and who workers") {
  const five_tasks s;
  CHECK(s.of("in", 4, 1) == group_misuse::sound);
  CHECK(s.of("in", 0, 3) == group_misuse::sound);
  CHECK(s.of("in", 4, 3) == group_misuse::sound);
  CHECK(s.of("source", 4, 1) == group_misuse::sound);
  CHECK(s.of("copies", 4, 1) == group_misuse::sound);
  CHECK(s.of("ranks", 4, 1) == group_misuse::sound);
  CHECK(s.of("nobody", 0, 1) == group_misuse::sound);  // it asks for nothing

  CHECK(s.of("caller", 4, 1) == group_misuse::on_caller);
  CHECK(s.of("lent", 0, 2) == group_misuse::on_caller);
  CHECK(s.of("nobody", 4, 1) == group_misuse::of_nobody);
  CHECK(s.of("source", 0, 2) == group_misuse::pulls);
  CHECK(s.of("copies", 0, 2) == group_misuse::in_order);
  CHECK(s.of("ranks", 1, 2) == group_misuse::in_order);
  CHECK(s.of("calls", 0, 2) == group_misuse::suspends);
  CHECK(s.of("calls", 4, 1) == group_misuse::sound);
}

TEST_CASE("the task that keeps a group from having workers is named: its first") {
  five_tasks s;
  s.tasks[3].collective = true;
  const planner::group_judge judge(s.value);
  CHECK(judge.misuse_of({"in", 0, 2}).task == 3);
  CHECK(judge.misuse_of({"copies", 0, 2}).task == 1);
  CHECK(judge.misuse_of({"in", 4, 1}).task == planner::none);
  s.tasks[0].collective = true;
  CHECK(planner::group_judge(s.value).misuse_of({"in", 0, 2}).task == 0);
}

TEST_CASE("a group without tasks was probably meant to be one with a name that is near") {
  five_tasks s;
  const auto meant = [&](const char* thread, int queue = 4) {
    return std::string(planner::group_judge(s.value).misuse_of({thread, queue, 1}).meant);
  };
  CHECK(meant("rnaks") == "ranks");
  CHECK(meant("copie") == "copies");  // a stream's
  CHECK(meant("sourc") == "source");  // the one that pulls
  CHECK(meant("callerr").empty());    // which could have no queue
  CHECK(meant("elsewhere").empty());
  s.value.from.thread = planner::caller;
  CHECK(meant("callerr").empty());
  s.value.generated = 5;  // then streams have no groups
  CHECK(planner::nearest_group(s.value, "copie").empty());
  CHECK(planner::nearest_group(s.value, "rank") == "ranks");
}

TEST_CASE("a generated map has neither, whoever is in the group") {
  five_tasks s;
  s.value.generated = 9;
  CHECK(s.of("in", 4, 1) == group_misuse::in_generated_map);
  CHECK(s.of("nobody", 0, 2) == group_misuse::in_generated_map);
  CHECK(s.of("in", 0, 1) == group_misuse::sound);
}

TEST_CASE("a generated map needs as many threads as have a name") {
  five_tasks s;
  CHECK(planner::crowded_by(s.value) == 0);
  s.value.generated = 5;  // the caller, "in", "ranks", "source", "calls"
  CHECK(planner::crowded_by(s.value) == 0);
  s.value.generated = 3;
  CHECK(planner::crowded_by(s.value) == 5);
  CHECK(planner::sentence_on_too_few(3, 4) ==
        "a thread map is generated for 3 threads, but 4 have a name, the calling thread's counted; "
        "ask for at least as many");
}

TEST_CASE("sentences speak of what was asked for") {
  const auto begins = [](const thread_group& g, const std::string& with) {
    return planner::sentence(group_misuse::of_nobody, g)
        .starts_with("no task is in the group that is to have " + with + " of thread group `t`");
  };
  CHECK(begins({"t", 4, 1}, "the queue"));
  CHECK(begins({"t", 0, 2}, "the workers"));
  CHECK(begins({"t", 4, 2}, "the queue and the workers"));
  CHECK(planner::sentence(group_misuse::of_nobody, {"rank", 4, 1}, "ranks") ==
        "no task is in the group that is to have the queue of thread group `rank`; did you mean "
        "`ranks`?");
  CHECK(planner::sentence(group_misuse::in_order, {"t", 4, 2}, "sum").starts_with("task `sum` is"));
  CHECK(planner::sentence(group_misuse::suspends, {"t", 0, 2}, "ask") ==
        "task `ask` is a coroutine, whose calls come one after the other, and so cannot have "
        "workers; "
        "leave them out, or let the task be none, so that each worker waits for its own batch");
}
