// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With headers to which recipe_field.py has added a field of tasks, `urgency`: all that a field
// passes through has it.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <stretto/schedule_file.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include "dynamic/file/equal.hpp"

namespace st = stretto;
namespace dyn = stretto::dynamic;

struct raw : st::slot<int> {};
struct loaded : st::slot<int> {};
struct load {
  using reads = st::reads<raw>;
  using writes = st::writes<loaded>;
  static constexpr int urgency = 3;
  static constexpr int lookahead = 1;
  void operator()(const int& in, int& out) const { out = in; }
};
struct train {
  using reads = st::reads<loaded>;
  void operator()(const int&) const {}
};
struct report {
  using reads = st::reads<loaded>;
  static constexpr int urgency = 5;
  void operator()(const int&) const {}
};

struct training : st::schedule<st::source<raw>, load, train, report> {};
struct placed : st::replan<training, st::place<report, st::urgency<7>>> {};
struct alone : st::serial<placed> {};
template <class... Parts>
struct with : st::schedule<st::source<raw>, load, train, report, Parts...> {};
struct twice : with<st::place<report, st::urgency<7>, st::urgency<8>>> {};
struct stray : with<st::urgency<7>> {};
struct pulled : st::schedule<st::source<raw, st::urgency<7>>, load, train, report> {};

namespace {

template <class Schedule>
constexpr const auto& tasks = st::typed::declared<Schedule>::value.tasks;

static_assert(tasks<training>[0].urgency == 3);
static_assert(tasks<training>[1].urgency == 0);
static_assert(tasks<training>[2].urgency == 5);
static_assert(tasks<placed>[0].urgency == 3);
static_assert(tasks<placed>[2].urgency == 7);
static_assert(tasks<alone>[2].urgency == 7);
static_assert(st::planner::make_graph(st::typed::declared<placed>::value).nodes[2].urgency == 7);
static_assert(st::typed::well_formed<training>);
static_assert(st::typed::well_formed<placed>);
static_assert(!st::typed::well_formed<twice>);
static_assert(!st::typed::well_formed<stray>);
static_assert(!st::typed::well_formed<pulled>);
static_assert(st::plan_of<placed>.in_flight() == 2);

constexpr std::string_view text = R"({
  "stretto": 1,
  "name": "training",
  "source": {"slot": "raw"},
  "tasks": [
    {
      "name": "load",
      "lookahead": 1,
      "urgency": 3,
      "reads": ["raw"],
      "writes": ["loaded"]
    },
    {
      "name": "train",
      "reads": ["loaded"]
    },
    {
      "name": "report",
      "urgency": 5,
      "reads": ["loaded"]
    }
  ]
}
)";

dyn::schedule from_file() {
  const dyn::schedule_file file{std::string(text)};
  REQUIRE(file.ok());
  return file.schedule();
}

std::string problem(std::string_view member, std::string_view instead) {
  std::string changed(text);
  changed.replace(changed.find(member), member.size(), instead);
  const dyn::schedule_file file(changed);
  REQUIRE(file.problems().size() == 1);
  return file.problems().front().what;
}

}  // namespace

TEST_CASE("a file is read and written with the field") {
  const dyn::schedule s = from_file();
  CHECK(s.at("load").urgency == 3);
  CHECK(s.at("train").urgency == 0);
  CHECK(dyn::to_json(s) == text);
  const std::string range =
      "expected a number of batches, whole, from -100000 to 100000, found 1000000";
  CHECK(problem("\"urgency\": 3", "\"urgency\": 1000000") == range);
  CHECK(problem("\"urgency\": 3", "\"urgncy\": 3") ==
        "unknown field \"urgncy\"; did you mean `urgency`?");
}

TEST_CASE("what a file declares is what types declare") {
  const dyn::declared d(from_file());
  REQUIRE(d.value().tasks.size() == tasks<training>.size());
  for (std::size_t t = 0; t < d.value().tasks.size(); ++t)
    CHECK(d.value().tasks[t].urgency == tasks<training>[t].urgency);
}

TEST_CASE("schedules of types are turned into values with the field") {
  dyn::schedule s = dyn::detail::outliner(st::typed::declared<training>::value).outline();
  s.name = "training";
  check_equal(s, from_file());
}

TEST_CASE("schedules with other values of the field are not equal" * doctest::should_fail()) {
  dyn::schedule other = from_file();
  other.at("load").urgency = 4;
  check_equal(other, from_file());
}

TEST_CASE("generated headers have the field") {
  const std::string header = dyn::to_header(from_file());
  CHECK(header.find("  static constexpr int urgency = 3;\n") != std::string::npos);
  dyn::schedule s = from_file();
  dyn::rename_task(s, "load", "urgency");
  CHECK(dyn::to_header(s).find("struct urgency_task {") != std::string::npos);
}
