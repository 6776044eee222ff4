// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What schedules that are values can get wrong, and what is said of it.

#include <doctest/doctest.h>
#include <climits>
#include <cstddef>
#include <functional>
#include <stretto/dynamic.hpp>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace dynamic = stretto::dynamic;

dynamic::schedule chain() {
  return {.name = "chain",
          .streams = {"s"},
          .source = {.slot = "in"},
          .results = {"out"},
          .tasks = {{.name = "first", .stream = "s", .reads = {"in"}, .writes = {"mid"}},
                    {.name = "second", .thread = "t", .reads = {"mid"}, .writes = {"out"}}}};
}

std::vector<std::string> wrong_with(const std::function<void(dynamic::schedule&)>& spoil) {
  dynamic::schedule s = chain();
  spoil(s);
  const dynamic::diagnosis found = dynamic::diagnose(s);
  const std::vector<std::string> all = found.sentences(s);
  CHECK(found.size() == all.size());
  if (found.ok()) {
    CHECK_NOTHROW(dynamic::planned_schedule{s});
  } else {
    CHECK_THROWS_AS(dynamic::planned_schedule{s}, dynamic::schedule_error);
  }
  return all;
}

TEST_CASE("A task is asked for by name, and named where there is none") {
  dynamic::schedule s;
  s.name = "training";
  s.tasks.push_back({.name = "forward"});
  s.tasks.push_back({.name = "step"});
  s.at("step").lookahead = 2;
  CHECK(s.tasks[1].lookahead == 2);
  const dynamic::schedule& same = s;
  CHECK(&same.at("forward") == &s.tasks[0]);
  CHECK(s.find("stepp") == nullptr);
  const auto what = [&](const char* name) {
    try {
      static_cast<void>(same.at(name));
    } catch (const stretto::usage_error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(what("foward") == "schedule `training` has no task `foward`; did you mean `forward`?");
  CHECK(what("backward\x1b") == "schedule `training` has no task `backward\\x1b`");
}

}  // namespace

TEST_CASE("a schedule with nothing wrong") {
  CHECK(wrong_with([](auto&) {}).empty());
  const dynamic::planned_schedule p(chain());
  CHECK(p.in_flight() == 1);
  CHECK(p.node("second") == 1);
  CHECK(p.node("pull") == 2);
  CHECK(p.name_of(3) == "deliver");
  CHECK(p.ordered("first", "second"));
  CHECK_FALSE(p.ordered("second", "first"));
  CHECK(p.explain("first", "second").starts_with("`first` in the same progress comes before"));
  CHECK(p.describe().starts_with("schedule chain: 2 tasks, 1 batch in flight"));
  CHECK_THROWS_AS(static_cast<void>(p.node("third")), stretto::usage_error);
}

TEST_CASE("rules are those of schedules that are types, with the same sentences") {
  CHECK(wrong_with([](auto& s) { s.tasks[0].stream = "x"; }) ==
        std::vector<std::string>{"rule 3: task `first` is on stream `x`, which the schedule does "
                                 "not declare; add it to `streams`"});
  CHECK(
      wrong_with([](auto& s) { s.tasks[1].depends_on = {"firstt"}; }) ==
      std::vector<std::string>{"rule 6: task `second` names `firstt` in depends_on, which is not a "
                               "task of this schedule; did you mean `first`?"});
  CHECK(wrong_with([](auto& s) {
          s.tasks[0].mutates = {"w"};
          s.tasks[1].observes = {"w"};
          s.tasks[0].lookahead = 1;
        })
            .at(0)
            .starts_with("race: "));
  CHECK(wrong_with([](auto& s) { s.tasks.clear(); }).at(0) ==
        "rule 1: the schedule has no task; list one");
  CHECK(wrong_with([](auto& s) { s.tasks[1].name = "first"; }).at(0).starts_with("rule 1: "));
  CHECK(wrong_with([](auto& s) { s.tasks[0].reads[0].offset = 1; }).at(0).starts_with("rule 2: "));
}

TEST_CASE("what no rule is about") {
  struct misuse {
    std::function<void(dynamic::schedule&)> spoil;
    std::string sentence;
  };
  const auto group = [](const char* thread, int queue, int workers) {
    return [=](dynamic::schedule& s) { s.groups.push_back({thread, queue, workers}); };
  };
  const misuse all[] = {
      {[](auto& s) { s.tasks[0].lookahead = INT_MAX; },
       "task `first` has lookahead 2147483647; the most is 100000"},
      {[](auto& s) { s.tasks[0].lookahead = INT_MIN; },
       "task `first` has lookahead -2147483648; the most is 100000"},
      {[](auto& s) { s.tasks[0].communicator = "node"; },
       "task `first` names a communicator and is not collective: set its `collective`, or drop it"},
      {[](auto& s) { s.tasks[0].on_failure = "keep"; },
       "task `first` has the `on_failure` `keep`; it is `drop`, which drops the batch on which the "
       "task fails, or empty, and a failure ends the run"},
      {[](auto& s) {
         s.tasks[0].on_failure = "drop";
         s.tasks[0].max_failures = -1;
       },
       "task `first` has -1 as `max_failures`; it is how many are dropped in a run, 1 or more (0: "
       "any number)"},
      {[](auto& s) {
         s.tasks[0].on_failure = "drop";
         s.tasks[0].body = [](const int&, int&) noexcept {};
       },
       "task `first` drops batches on which it fails (`on_failure`), but its body is noexcept: "
       "what "
       "it throws would end the program; drop one of the two"},
      {[](auto& s) { s.tasks[0].max_failures = 2; },
       "task `first` has `max_failures` and no `on_failure`: its first failure ends the run; set "
       "its `on_failure` to `drop`, or leave out how many"},
      {[](auto& s) { s.source.on_failure = "keep"; },
       "the source has the `on_failure` `keep`; it is `drop`, which drops the batch on which the "
       "source fails, or empty, and a failure ends the run"},
      {[](auto& s) {
         s.source.on_failure = "drop";
         s.source.max_failures = -1;
       },
       "the source has -1 as `max_failures`; it is how many are dropped in a run, 1 or more (0: "
       "any number)"},
      {[](auto& s) { s.source.max_failures = 2; },
       "the source has `max_failures` and no `on_failure`: its first failure ends the run; set its "
       "`on_failure` to `drop`, or leave out how many"},
      {[](auto& s) { s.tasks[0].weight = -1; },
       "task `first` has weight -1; a weight is a time, 0 or more"},
      {[](auto& s) {
         s.points = {{"nothing", "in"}};
       },
       "slot `nothing` is said to point into `in`, but no task of the schedule writes it; name a "
       "slot that one writes, or drop the entry"},
      {[](auto& s) { s.tasks[0].writes = {dynamic::takes("out")}; },
       "task `first` takes the value of slot `out` in `writes`; list it in `reads`: what a task "
       "takes is a value that another has left in the slot"},
      {[](auto& s) { s.tasks[0].reads[0].offset = INT_MAX; },
       "task `first` uses slot `in` at offset 2147483647; the most is 100000"},
      {[](auto& s) { s.tasks[0].reads.push_back(dynamic::use::previous("in", 100'001)); },
       "task `first` reads slot `in` of 100001 batches ago; it is one of 0 to 100000"},
      {[](auto& s) { s.tasks[0].reads.push_back(dynamic::use::previous("in", -1)); },
       "task `first` reads slot `in` of -1 batches ago; it is one of 0 to 100000"},
      {[](auto& s) {
         s.tasks[0].reads.push_back(dynamic::use::previous("in")),
             s.tasks[0].reads.back().offset = 0;
       },
       "task `first` reads slot `in` of an earlier batch at an offset; say only how many batches "
       "ago"},
      {[](auto& s) { s.tasks[0].writes.push_back(dynamic::use::previous("mid")); },
       "task `first` writes slot `mid` of an earlier batch, which can only be read; list the slot "
       "itself in `writes`"},
      {[](auto& s) {
         s.tasks[1].cross_iter_depends_on = {{"first", INT_MAX}};
       },
       "task `second` waits for `first` of a batch this far back: 2147483647; the most is 100000"},
      {[](auto& s) { s.source.lookahead = 100'001; },
       "the source has lookahead 100001; the most is 100000"},
      {[](auto& s) { s.source.weight = -2; },
       "the source has weight -2; a weight is a time, 0 or more"},
      {[](auto& s) { s.source.thread.clear(); },
       "the thread on which the source is pulled has no name; the calling one is `caller`"},
      {[](auto& s) {
         s.slacks = {{"mid", 0}};
       },
       "the slack of slot `mid` adds 0 copies; it adds 1 to 100000"},
      {[](auto& s) { s.generated = -1; },
       "a thread map is generated for 1 to 1000 threads (0: none is), not for -1"},
      {[](auto& s) { s.generated = 1001; },
       "a thread map is generated for 1 to 1000 threads (0: none is), not for 1001"},
      {[](auto& s) { s.generated = 1; },
       "a thread map is generated for 1 threads, but 2 have a name, the calling thread's counted; "
       "ask for at least as many"},
      {group("t", -1, 1),
       "thread group `t` has a queue of -1 batches; a queue has room for 1 to 100000 (0: no "
       "queue)"},
      {group("t", 0, 0), "thread group `t` has 0 workers; a group has 1 to 99"},
      {group("t", 0, 100), "thread group `t` has 100 workers; a group has 1 to 99"},
      {group("x", 2, 1),
       "no task is in the group that is to have the queue of thread group `x`; give tasks that "
       "thread, or drop it"},
      {[](auto& s) {
         s.at("second").thread = "parsing";
         s.groups = {{"parsng", 2, 1}};
       },
       "no task is in the group that is to have the queue of thread group `parsng`; did you mean "
       "`parsing`?"},
      {[](auto& s) {
         s.at("second").thread = "parsing";
         s.caller_runs = "prasing";
       },
       "the calling thread is to run thread group `prasing`, but no task is in it; did you mean "
       "`parsing`?"},
      {group("caller", 0, 2),
       "the workers of thread group `caller` would be the calling thread's, which has none; put "
       "the tasks on another thread"},
      {[](auto& s) {
         s.caller_runs = "t";
         s.groups = {{"t", 2, 1}};
       },
       "the queue of thread group `t` would be the calling thread's, which has none; put the "
       "tasks on another thread"},
      {[](auto& s) {
         s.source.thread = "t";
         s.groups = {{"t", 0, 2}};
       },
       "a source is pulled by one thread, and the workers of thread group `t` would be several; "
       "give the source another thread"},
      {group("s", 0, 2),
       "task `first` is on a stream or a collective, whose runs are in order, and so cannot have "
       "workers; put it on a thread of its own"},
      {[](auto& s) {
         s.generated = 3;
         s.groups = {{"t", 2, 1}};
       },
       "the queue of thread group `t` and a generated thread map are in one schedule; name the "
       "threads instead"},
      {[](auto& s) {
         s.streams = {"s", "s"};
       },
       "stream `s` is declared twice; name it once"},
      {[](auto& s) {
         s.thread_names = {"t", "t"};
       },
       "thread `t` is listed twice; name it once"},
      {[](auto& s) {
         s.streams = {"", "s"};
       },
       "a stream is declared without a name; name it, or drop it"},
      {[](auto& s) {
         s.streams = {"s", "", "s"};
         s.streams.erase(s.streams.begin());
       },
       "a stream is declared without a name; name it, or drop it"},
      {[](auto& s) {
         s.thread_names = {"t", ""};
       },
       "a thread is listed without a name; name it, or drop it"},
      {[](auto& s) {
         s.thread_names = {"t", "parsing"};
         s.at("second").thread = "prasing";
         s.groups = {{"parsing", 2, 1}};
       },
       "task `second` is on thread `prasing`, which `thread_names` does not list; did you mean "
       "`parsing`?"},
      {[](auto& s) {
         s.thread_names = {"t"};
         s.source.thread = "files";
       },
       "the source is pulled by thread `files`, which `thread_names` does not list; add it there, "
       "or name one that it lists"},
      {[](auto& s) {
         s.tasks[0].lookahead = 3;
         s.max_in_flight = 3;
       },
       "the declared lookaheads alone need 4 batches in flight, and `max_in_flight` is 3; raise it "
       "to 4, or lower lookaheads, queues or workers"},
      {[](auto& s) {
         s.tasks[0].lookahead = 3;
         s.max_bytes = 300;
         s.pipelined = true;
         s.template slot<int>("mid");
         s.template slot<char>("out");
       },
       "the declared lookaheads alone need 320 bytes for the copies of slots, and `max_bytes` is "
       "300; raise it to 320, or lower lookaheads, queues, workers or slack"},
      {[](auto& s) { s.max_in_flight = -1; },
       "`max_in_flight` is 1 to 100001 batches (0: no bound), not -1"},
      {[](auto& s) { s.tasks[0].writes[0] = dynamic::use::items_of("mid", 0); },
       "task `first` has 0 items of slot `mid` per call; each call consumes or produces 1 to 65536 "
       "items of a slot; without them it has one value"},
      {[](auto& s) { s.tasks[0].writes[0] = dynamic::use::items_of("mid", -3); },
       "task `first` has -3 items of slot `mid` per call; each call consumes or produces 1 to "
       "65536 "
       "items of a slot; without them it has one value"},
      {[](auto& s) { s.max_bytes = -1; }, "`max_bytes` is a number of bytes (0: no bound), not -1"},
      {[](auto& s) {
         s.slacks = {{"nowhere", 1}};
       },
       "slack is asked for slot `nowhere`, which no task of the schedule reads or writes; name a "
       "slot of the schedule, or drop the slack"},
      {[](auto& s) {
         s.slacks = {{"mid", 1}, {"out", 1}, {"mid", 2}};
       },
       "slot `mid` is given slack twice; say once how many copies"},
      {[](auto& s) {
         s.results = {"out", "mid", "out"};
       },
       "slot `out` is listed twice in `result`; list it once"},
      {[](auto& s) {
         s.groups = {{"t", 2, 1}, {"t", 3, 1}};
       },
       "thread group `t` is given a queue twice; keep one"},
      {[](auto& s) {
         s.groups = {{"t", 2, 3}, {"t", 0, 2}};
       },
       "thread group `t` is given workers twice; keep one"},
      {[](auto& s) { s.caller_runs = "nobody"; },
       "the calling thread is to run thread group `nobody`, but no task is in it; give tasks that "
       "thread, or drop `caller_runs`"},
      {[](auto& s) { s.template slot<int>("nowhere"); },
       "a type is given for slot `nowhere`, which no task of the schedule reads or writes; name a "
       "slot of the schedule, or drop the type"},
      {[](auto& s) { s.template slot<int>("mid").template slot<int>("mid"); },
       "slot `mid` is given a type twice; keep one"},
      {[](auto& s) {
         s.tasks[1].observes = {"weights", "log", "weights"};
       },
       "rule 6: task `second` lists `weights` twice in observes; drop one"},
      {[](auto& s) {
         s.tasks[0].mutates = {"weights", "weights"};
       },
       "rule 6: task `first` lists `weights` twice in mutates; drop one"},
  };
  for (const misuse& m : all) CHECK(wrong_with(m.spoil) == std::vector{m.sentence});
  CHECK(wrong_with([](auto& s) { s.groups = {{"t", 2, 1}, {"t", 0, 3}}; }).empty());
  CHECK(wrong_with([](auto& s) { s.groups = {{"nobody", 0, 1}}; }).empty());
}

TEST_CASE("what a replan leaves without tasks is not asked of the calling thread") {
  dynamic::schedule s = chain();
  s.caller_runs = "s";
  CHECK(dynamic::diagnose(s).ok());
  CHECK(dynamic::diagnose(dynamic::on_caller(s)).ok());
  CHECK(dynamic::diagnose(dynamic::per_task(s)).ok());
  CHECK(dynamic::diagnose(dynamic::serial(s)).ok());
  s.caller_runs = "t";
  CHECK(dynamic::per_task(s).caller_runs == "t");
}

TEST_CASE("the most batches that a schedule can reach ahead can be planned") {
  dynamic::schedule s = chain();
  s.tasks[0].lookahead = dynamic::most_batches;
  const dynamic::planned_schedule p(s);
  CHECK(p.in_flight() == dynamic::most_batches + 1);
}

TEST_CASE("a broken schedule of thousands of tasks is told in a hundred sentences and a number") {
  dynamic::schedule s{.name = "large"};
  for (int t = 0; t < 3000; ++t)
    s.tasks.push_back({.name = std::to_string(t), .stream = "nowhere"});
  try {
    const dynamic::planned_schedule p(std::move(s));
    FAIL("accepted");
  } catch (const dynamic::schedule_error& e) {
    CHECK(e.sentences().size() == 100);
    CHECK(std::string(e.what()).ends_with("(and 2999 more)"));
  }
}
