// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a replan says goes before what the schedule says; what is said twice anywhere else is an
// error.

#include <doctest/doctest.h>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace st = stretto;

struct in : st::slot<int> {};
struct mid : st::slot<int> {};
struct out : st::slot<int> {};

struct load {
  using reads = st::reads<in>;
  using writes = st::writes<mid>;
};
struct work {
  using thread = st::thread<"working">;
  using reads = st::reads<mid>;
  using writes = st::writes<out>;
};

template <class... Part>
struct of : st::schedule<st::source<in>, st::result<out>, load, work, Part...> {};

struct full : of<st::queue<"host", 2>, st::workers<"host", 4>, st::slack<mid, 3>,
                 st::place<load, st::lookahead<2>>, st::caller_runs<"working">> {};

template <class Schedule>
constexpr const st::planner::declaration& said = st::typed::declared<Schedule>::value;

/// The only thing that is wrong.
template <class Schedule>
std::string wrong() {
  const std::vector<std::string> all = st::explain_findings<Schedule>();
  return all.size() == 1 ? all[0] : std::to_string(all.size()) + " findings";
}

TEST_CASE("a replan overrides workers, also with one") {
  static_assert(said<full>.groups[0].workers == 4);
  using one = st::replan<full, st::workers<"host", 1>>;
  CHECK(wrong<one>() == "0 findings");
  CHECK(said<one>.groups[0].workers == 1);
  CHECK(said<one>.groups[0].queue == 2);
  using other = st::replan<st::replan<full, st::workers<"host", 3>>, st::queue<"host", 5>>;
  CHECK(said<other>.groups[0].workers == 3);
  CHECK(said<other>.groups[0].queue == 5);
}

TEST_CASE("a replan overrides slack, placements, the source and results") {
  using more = st::replan<full, st::slack<mid, 1>, st::slack<out, 2>>;
  REQUIRE(said<more>.slacks.size() == 2);
  CHECK(said<more>.slacks[0].copies == 1);
  CHECK(said<more>.slacks[1].copies == 2);
  using placed = st::replan<full, st::place<load, st::lookahead<1>>, st::source<in, st::weight<7>>,
                            st::result<mid>>;
  CHECK(wrong<placed>() == "0 findings");
  CHECK(said<placed>.tasks[0].lookahead == 1);
  CHECK(said<placed>.from.weight == 7);
  CHECK(said<placed>.results[0] == st::name_of<mid>);
}

TEST_CASE("a group that a replan of the threads leaves without tasks is not the calling thread's") {
  struct mapped : of<st::threads<st::group<"loading", load>>, st::caller_runs<"loading">> {};
  CHECK(said<mapped>.caller_runs == "loading");
  using each = st::replan<mapped, st::threads<st::per_task>>;
  CHECK(wrong<each>() == "0 findings");
  CHECK(said<each>.caller_runs == "caller");
  CHECK(wrong<st::serial<mapped>>() == "0 findings");
  using again = st::replan<mapped, st::threads<st::per_task>, st::caller_runs<"loading">>;
  CHECK(wrong<again>().find("no task is in it") != std::string::npos);
}

TEST_CASE("one replan does not say one thing twice") {
  CHECK(wrong<st::replan<full, st::queue<"host", 3>, st::queue<"host", 4>>>() ==
        "thread group `host` is given a queue twice; keep one");
  CHECK(wrong<st::replan<full, st::slack<mid>, st::slack<mid, 2>>>() ==
        "slot `mid` is given slack twice; say once how many copies");
  CHECK(wrong<st::replan<full, st::place<load, st::weight<1>>, st::place<load, st::weight<2>>>>()
            .find("task `load` is placed twice: `weight<2>`") == 0);
  CHECK(wrong<st::replan<full, st::result<mid>, st::result<out>>>().find(
            "list all results in one") != std::string::npos);
  CHECK(wrong<of<st::place<load>>>().find("a `place` of task `load` says nothing") == 0);
  CHECK(wrong<of<st::place<load, st::lookahead<2>>, st::place<load, st::weight<2>>>>() ==
        "0 findings");
}

TEST_CASE("what a thread map would not look at") {
  CHECK(wrong<of<st::threads<st::group<"work", work>>>>().find(
            "has a thread of its own, and that goes first") != std::string::npos);
  CHECK(wrong<of<st::threads<st::group<"a", load>, st::group<"b", load>>>>().find(
            "in a group of this thread map already") != std::string::npos);
  CHECK(wrong<of<st::threads<st::group<"a">>>>() ==
        "thread group `a` names no task; name one, or drop it");
  CHECK(wrong<of<st::threads<st::per_task, st::on_caller>>>().find("makes nothing of") !=
        std::string::npos);
  CHECK(wrong<of<st::threads<st::group<"a", load>, st::by_stream>>>() == "0 findings");
  CHECK(wrong<of<st::threads<st::generated<3>, st::group<"a", load>>>>() == "0 findings");
  // A place in a replan of the map overrides it.
  CHECK(
      wrong<
          st::replan<of<st::threads<st::group<"a", load>>>, st::place<load, st::thread<"b">>>>() ==
      "0 findings");
}

TEST_CASE("a serial plan is replanned by weights alone") {
  using alone = st::serial<full>;
  CHECK(wrong<st::replan<alone, st::place<load, st::weight<2>>>>() == "0 findings");
  CHECK(wrong<st::replan<alone, st::place<load, st::lookahead<1>>>>().find(
            "makes nothing of `lookahead<1>`") != std::string::npos);
  CHECK(wrong<st::replan<alone, st::slack<mid>>>().find("makes nothing of `slack<") !=
        std::string::npos);
  CHECK(wrong<st::pipelined<alone>>().find("makes nothing of `pipelined<") != std::string::npos);
  CHECK(wrong<st::serial<st::pipelined<full>>>() == "0 findings");
  CHECK(wrong<of<st::pipelined<>, st::pipelined<>>>().find("two parts of one kind") !=
        std::string::npos);
  CHECK(wrong<st::pipelined<of<st::pipelined<>>>>() == "0 findings");
}

}  // namespace
