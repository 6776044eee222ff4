// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Schedules of types as values: the same plan, the same bodies, the same runs.

#include <doctest/doctest.h>
#include <cstddef>
#include <memory>
#include <stretto/dynamic.hpp>
#include <stretto/explain.hpp>
#include <stretto/from_types.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace st = stretto;
namespace dynamic = stretto::dynamic;

struct number : st::slot<int> {};
struct prepared : st::slot<int> {};
struct sum : st::slot<int> {};
struct weights : st::resource<> {};

struct clear;
struct prepare {
  using stream = st::stream<"copy">;
  static constexpr int lookahead = 2;
  using reads = st::reads<number>;
  using writes = st::writes<prepared>;
  void operator()(const int& in, int& out) const { out = 10 * in; }
};
struct clear {
  using stream = st::stream<"work">;
  static constexpr int weight = 3;
  using mutates = st::mutates<weights>;
  using depends_on = st::depends_on<prepare>;
  std::unique_ptr<int> cleared;
  void operator()() { ++*cleared; }
};
struct add {
  using stream = st::stream<"work">;
  static constexpr bool collective = true;
  using communicator = st::communicator<"half">;
  using reads = st::reads<prepared>;
  using writes = st::writes<sum>;
  using observes = st::observes<weights>;
  using depends_on = st::depends_on<clear>;
  int total = 0;
  void operator()(st::context auto& ctx, const int& in, int& out) {
    CHECK(ctx.task() == "add");
    out = total += in;
  }
};
struct check {
  using reads = st::reads<sum>;
  using cross_iter_depends_on = st::cross_iter_depends_on<st::ago<add, 2>>;
  using same_progress_sync = st::same_progress_sync<prepare>;
  void operator()(const int&) const {}
};
struct plain
    : st::schedule<st::source<number>, st::result<sum>, st::streams<"copy", "work">,
                   st::order<prepare, clear>, st::slack<prepared, 2>, prepare, clear, add, check> {
};
struct after : st::replan<plain, st::queue<"copy", 3>> {};

template <class Schedule>
void check_same_plan() {
  const dynamic::schedule outline = dynamic::outline<Schedule>();
  REQUIRE(dynamic::diagnose(outline).ok());
  CHECK(outline.at("add").communicator == "half");
  const dynamic::planned_schedule p(outline);
  constexpr auto& types = st::plan_of<Schedule>;
  CHECK(p.fingerprint() == st::fingerprint<Schedule>);
  CHECK(p.plan().order == types.order);
  CHECK(p.plan().copies == types.copies);
  CHECK(p.plan().threads.thread_of == types.thread_of);
  CHECK(p.plan().threads.chained == types.chained);
  CHECK(p.plan().threads.workers == types.workers);
  CHECK(p.run_ahead_waits().size() == types.run_ahead.size());
  CHECK(p.plan().host_waits.size() == types.barrier.size());
}

template <class Schedule>
std::vector<int> results() {
  int cleared = 0;
  auto clears = std::make_unique<int>(0);
  const int* const seen = clears.get();
  dynamic::pipeline p(dynamic::from_types<Schedule>(clear{std::move(clears)}, add{1000}));
  std::vector<int> got;
  int next = 0;
  for (const dynamic::result& r : p.run([&](int& n) { return (n = next++) < 5; }))
    got.push_back(r.get<int>());
  cleared = *seen;
  CHECK(cleared == 5);
  return got;
}

}  // namespace

TEST_CASE("a schedule of types and its value have the same plan and give the same results") {
  const std::vector<int> expected{1000, 1010, 1030, 1060, 1100};
  const auto check_one = [&]<class Schedule>(st::pack<Schedule>) {
    check_same_plan<Schedule>();
    CHECK(results<Schedule>() == expected);
  };
  check_one(st::pack<after>{});
  check_one(st::pack<st::serial<after>>{});
  check_one(st::pack<st::replan<plain, st::threads<st::per_task>>>{});
  check_one(st::pack<st::replan<after, st::threads<st::on_caller>>>{});
  check_one(st::pack<st::replan<after, st::caller_runs<"work">>>{});
  check_one(st::pack<st::replan<after, st::place<add, st::thread<"x">, st::weight<7>>>>{});
}

TEST_CASE("replanning a value does what replanning types does") {
  const auto same = [](const dynamic::schedule& a, const dynamic::schedule& b) {
    REQUIRE(a.tasks.size() == b.tasks.size());
    for (std::size_t t = 0; t < a.tasks.size(); ++t) {
      const dynamic::task& x = a.tasks[t];
      const dynamic::task& y = b.tasks[t];
      CAPTURE(x.name);
      CHECK(x.name == y.name);
      CHECK(x.stream == y.stream);
      CHECK(x.thread == y.thread);
      CHECK(x.lookahead == y.lookahead);
      CHECK(x.reads == y.reads);
      CHECK(x.writes == y.writes);
      CHECK(x.depends_on == y.depends_on);
      CHECK(x.cross_iter_depends_on == y.cross_iter_depends_on);
      CHECK(x.same_progress_sync == y.same_progress_sync);
    }
    CHECK(a.streams == b.streams);
    CHECK(a.slacks.size() == b.slacks.size());
    CHECK(a.groups.size() == b.groups.size());
    CHECK(a.source.lookahead == b.source.lookahead);
    CHECK(dynamic::planned_schedule(a).fingerprint() == dynamic::planned_schedule(b).fingerprint());
    CHECK(dynamic::planned_schedule(a).plan().threads.chained ==
          dynamic::planned_schedule(b).plan().threads.chained);
  };
  const dynamic::schedule s = dynamic::outline<after>();
  const dynamic::planned_schedule serial(dynamic::serial(s));
  CHECK(serial.fingerprint() == st::fingerprint<st::serial<after>>);
  CHECK(serial.plan().threads.names.size() == 1);
  same(dynamic::on_caller(s), dynamic::outline<st::replan<after, st::threads<st::on_caller>>>());
  dynamic::schedule each = dynamic::per_task(s);
  each.groups.clear();  // of threads that are no more
  CHECK(dynamic::planned_schedule(each).plan().threads.names.size() == 5);
}

namespace other {
struct sum : st::slot<long> {};
}  // namespace other

namespace {

struct wide {
  using reads = st::reads<number>;
  using writes = st::writes<sum, other::sum>;
  void operator()(const int& in, int& a, long& b) const {
    a = in;
    b = 2 * in;
  }
};
struct both : st::schedule<st::source<number>, st::result<sum, other::sum>, wide> {};

struct forgetful {
  using stream = st::stream<"none">;
  using depends_on = st::depends_on<prepare>;
  void operator()() const {}
};
struct broken : st::schedule<st::source<number>, forgetful> {};

}  // namespace

TEST_CASE("slots that have one name to a person are told apart") {
  dynamic::pipeline p(dynamic::from_types<both>());
  const std::vector<dynamic::use>& writes = p.plan().input().tasks[0].writes;
  CHECK(writes[0].slot != writes[1].slot);
  for (const dynamic::result& r : p.run(std::vector{7})) {
    CHECK(r.get<int>(writes[0].slot) == 7);
    CHECK(r.get<long>(writes[1].slot) == 14);
  }
}

TEST_CASE("a schedule of types that breaks rules breaks the same as a value") {
  const dynamic::schedule s = dynamic::outline<broken>();
  CHECK(dynamic::diagnose(s).sentences(s) == st::explain_findings<broken>());
  CHECK(dynamic::diagnose(s).size() == 2);
}
