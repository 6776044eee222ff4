// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Schedules of 10,000 tasks, of every shape, are checked and planned with memory in proportion to
// their edges. Whatever takes time in proportion to tasks times tasks, tasks times streams or the
// like does not end before the tests' time is over.

#include <doctest/doctest.h>
#include <cstddef>
#include <functional>
#include <stretto/plan/order/deadlock.hpp>
#include <stretto/plan/order/fewest_waits.hpp>
#include <stretto/plan/rules/diagnose.hpp>
#include <string>
#include <vector>
#include "../../benchmarks/planning/allocated.hpp"
#include "../../benchmarks/planning/shapes.hpp"

namespace {

namespace planner = stretto::planner;
namespace kind = planner::kind;
using planner::declaration;
using shapes::lines;
using shapes::name;

constexpr std::size_t tasks = 10000;
using writer = std::function<void(large_schedule&)>;

struct outcome {
  planner::diagnosis found;
  std::size_t edges = 0;
  std::size_t stream_waits = 0;
  std::size_t run_ahead_waits = 0;
  std::size_t host_waits = 0;
  std::size_t bytes = 0;  ///< at the most
};

bool only_races(const planner::diagnosis& found) {
  for (const planner::finding& f : found.findings)
    if (f.what != kind::race) return false;
  return true;
}

outcome plan_it(const writer& write) {
  large_schedule s;
  write(s);
  REQUIRE(s.tasks() == tasks);
  const declaration d = s.declaration();
  const std::size_t before = allocated::live;
  allocated::peak = allocated::live;
  outcome o;
  o.found = planner::diagnose(d);
  if (only_races(o.found)) {
    const planner::plan p = planner::make_plan(d);
    o.edges = p.edges.size();
    o.stream_waits = planner::minimal_stream_waits(p).size();
    o.run_ahead_waits = planner::run_ahead_waits(p).size();
    o.host_waits = p.host_waits.size();
    planner::blocking_waits(p);
    CHECK(planner::deadlock(p).empty());
  }
  o.bytes = allocated::peak - before;
  return o;
}

/// Plans a valid schedule. It takes 300 to 1,200 bytes an edge.
outcome plan_valid(const writer& write) {
  outcome o = plan_it(write);
  CHECK(o.found.findings.empty());
  CHECK(o.bytes < 2000 * o.edges);
  return o;
}

large_schedule::task& numbered(large_schedule& s, std::string_view stream, int lookahead = 0) {
  return s.add(s.named("task", s.tasks()), lookahead, stream);
}
large_schedule::task& on_own_stream(large_schedule& s, int lookahead = 0) {
  return shapes::add(s, lines::streams, lookahead, 0);
}

}  // namespace

TEST_CASE("10,000 tasks: sections of a pipeline") {
  const outcome few = plan_valid([](auto& s) { shapes::pipeline(s, tasks, lines::few); });
  const outcome own = plan_valid([](auto& s) { shapes::pipeline(s, tasks, lines::streams); });
  const outcome threads =
      plan_valid([](auto& s) { shapes::pipeline(s, tasks, lines::own_thread); });
  // Each section is like the one before it.
  CHECK(few.stream_waits == 10 * tasks / 8 - 1);
  CHECK(own.stream_waits == 15 * tasks / 8 - 2);
  CHECK(own.host_waits == threads.host_waits);
  CHECK(threads.stream_waits == 0);
}

TEST_CASE("10,000 tasks: all read what one wrote, and one reads what all wrote") {
  for (const lines l : {lines::few, lines::streams, lines::own_thread}) {
    const outcome o = plan_valid([&](auto& s) { shapes::fan(s, tasks, l); });
    CHECK(o.edges >= 4 * tasks);
    // Each task in between waits for the first and is waited for by the last, this time and next.
    if (l == lines::streams) CHECK(o.stream_waits == 3 * (tasks - 2));
  }
}

TEST_CASE("10,000 tasks: a slot with thousands of readers and a few writers") {
  for (const bool own : {false, true}) {
    plan_valid([&](auto& s) {
      for (const auto stream : {"hub", "a", "b", "c", "d"}) s.stream(stream);
      for (int ahead = 3; ahead >= 0; --ahead) s.writes(numbered(s, "hub", ahead), name("hub"));
      constexpr const char* streams[] = {"a", "b", "c", "d"};
      while (s.tasks() < tasks) {
        const int ahead = static_cast<int>(s.tasks() % 4);
        s.reads(own ? on_own_stream(s, ahead) : numbered(s, streams[ahead], ahead), name("hub"));
      }
    });
  }
}

TEST_CASE("10,000 tasks: chains within a progress and from one to the next") {
  for (const bool own : {false, true}) {
    for (const bool backward : {false, true}) {
      const outcome o = plan_valid([&](auto& s) {
        s.stream("a");
        s.stream("b");
        for (std::size_t t = 0; t < tasks; ++t) {
          auto& task = own ? on_own_stream(s) : numbered(s, t % 2 == 0 ? "a" : "b");
          const bool last = t + 1 == tasks;
          if (backward && !last) task.sync.push_back({s.named("task", t + 1), 0});
          if (!backward && t > 0) task.sync.push_back({s.named("task", t - 1), 0});
          if (!backward && !last) task.cross_iter.push_back({s.named("task", t + 1), 1});
        }
      });
      // Alternating streams, and next to nothing else to wait for; or both neighbours.
      CHECK(o.stream_waits == (own && !backward ? 2 * (tasks - 1) : tasks - 1));
    }
  }
}

TEST_CASE("10,000 tasks: working a thousand batches ahead") {
  for (const bool own : {false, true}) {
    plan_valid([&](auto& s) {
      for (const auto stream : {"a", "b", "c"}) s.stream(stream);
      constexpr const char* streams[] = {"a", "b", "c"};
      for (std::size_t t = 0; t < tasks; ++t) {
        const int ahead = static_cast<int>((tasks - 1 - t) / 10);
        auto& task = own ? on_own_stream(s, ahead) : numbered(s, streams[t % 3], ahead);
        s.writes(task, s.named("slot", t));
        s.reads(task, t == 0 ? name("source") : s.named("slot", t - 1));
        if (t > 10) s.reads(task, s.named("slot", t - 10));
      }
    });
  }
}

TEST_CASE("10,000 tasks: queues and workers") {
  const std::size_t groups = tasks / 10;
  plan_valid([&](auto& s) {  // declared backward, each in a group with a queue
    for (std::size_t t = 0; t < tasks; ++t) {
      auto& task = s.add(s.named("task", t), 0, {}, s.text("group", t / 10));
      s.writes(task, s.named("slot", t));
      s.reads(task, t + 1 == tasks ? name("source") : s.named("slot", t + 1));
    }
    for (std::size_t g = 0; g < groups; ++g) s.groups.push_back({s.text("group", g), 1, 1});
  });
  plan_valid([&](auto& s) {
    for (std::size_t t = 0; t < tasks; ++t) {
      auto& task = s.add(s.named("task", t), 0, {}, s.text("group", t * 8 / tasks));
      s.writes(task, s.named("slot", t));
      s.reads(task, t == 0 ? name("source") : s.named("slot", t - 1));
    }
    for (std::size_t g = 0; g < 8; ++g) s.groups.push_back({s.text("group", g), 1, 2});
  });
  plan_valid([&](auto& s) {  // a group for each, some with workers
    shapes::pipeline(s, tasks, shapes::lines::own_thread);
    for (std::size_t t = 3; t < tasks; t += 40)
      s.groups.push_back({s.text("thread", t), 0, t % 3 == 0 ? 2 : 3});
  });
}

TEST_CASE("10,000 tasks: one with thousands of entries in each field, slack and an order for all") {
  plan_valid([&](auto& s) {
    s.stream("a");
    s.stream("b");
    for (std::size_t t = 0; t + 1 < tasks; ++t) {
      s.writes(numbered(s, "a"), s.named("slot", t));
      s.slacks.push_back({s.named("slot", t), 1});
      s.turns.push_back({s.named("task", t), 0});
    }
    auto& last = numbered(s, "b");
    for (std::size_t t = 0; t + 1 < tasks; ++t) {
      s.reads(last, s.named("slot", t));
      last.cross_iter.push_back({s.named("task", t), 2});
    }
  });
}

TEST_CASE("10,000 tasks: resources that all use") {
  plan_valid([](auto& s) {  // in order on one stream
    s.stream("a");
    while (s.tasks() < tasks) {
      auto& task = numbered(s, "a");
      task.mutates.push_back(name("weights"));
      (s.tasks() % 3 == 0 ? task.mutates : task.observes).push_back(name("cache"));
    }
  });
  plan_valid([](auto& s) {  // in order, each on a stream of its own
    while (s.tasks() < tasks) {
      auto& task = on_own_stream(s);
      const std::size_t t = s.tasks() - 1;
      task.mutates.push_back(name("weights"));
      if (t > 0) task.depends_on.push_back({s.named("task", t - 1), 0});
      if (t == 0) task.cross_iter.push_back({s.named("task", tasks - 1), 1});
    }
  });
  const auto with_an_unknown = [](std::size_t unknown) {
    return [unknown](auto& s) {
      s.stream("a");
      s.stream("b");
      while (s.tasks() < tasks)
        numbered(s, s.tasks() == unknown ? "b" : "a").mutates.push_back(name("weights"));
    };
  };
  for (const std::size_t unknown : {std::size_t{0}, tasks / 2}) {
    const outcome one = plan_it(with_an_unknown(unknown));
    REQUIRE(one.found.findings.size() == tasks - 1);
    for (const planner::finding& f : one.found.findings)
      CHECK((f.what == kind::race && (f.task == unknown || f.other == unknown)));
  }
}

TEST_CASE("10,000 tasks: of millions of pairs that race or write one slot, not all are listed") {
  const outcome racing = plan_it([](auto& s) {
    while (s.tasks() < tasks) on_own_stream(s).mutates.push_back(name("weights"));
  });
  CHECK(racing.found.findings.size() == planner::most_pairs);
  const outcome writing = plan_it([](auto& s) {
    s.stream("a");
    while (s.tasks() < tasks) s.writes(numbered(s, "a"), name("slot"));
  });
  CHECK(writing.found.findings.size() == planner::most_pairs);
}

TEST_CASE("10,000 tasks: in a cycle") {
  const outcome o = plan_it([](auto& s) {
    s.stream("a");
    for (std::size_t t = 0; t < tasks; ++t)
      numbered(s, "a").depends_on.push_back({s.named("task", (t + 1) % tasks), 0});
  });
  REQUIRE(o.found.findings.size() == 1);
  CHECK(o.found.findings[0].what == kind::cycle);
  CHECK(o.found.cycle.size() == tasks);
}

TEST_CASE("10,000 tasks: each wrong in three ways") {
  const outcome o = plan_it([](auto& s) {
    for (std::size_t t = 0; t < tasks; ++t) {
      auto& task = numbered(s, s.text("undeclared", t));
      s.reads(task, s.named("nobody's", t));
      task.depends_on.push_back({s.named("unknown", t), 0});
    }
  });
  REQUIRE(o.found.findings.size() == 3 * tasks);
  CHECK(o.found.findings[0].what == kind::stream_not_declared);
  CHECK(o.found.findings[tasks].what == kind::unresolved_read);
  CHECK(o.found.findings[2 * tasks].what == kind::unknown_name);
}
