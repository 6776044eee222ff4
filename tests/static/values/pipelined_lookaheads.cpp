// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Pipelined schedules of types: they have the plans of the same schedules as values, and
// `describe` says where nothing overlaps.

#include <doctest/doctest.h>
#include <stretto/dynamic.hpp>
#include <stretto/explain.hpp>
#include <stretto/from_types.hpp>
#include <stretto/static/values/pipelined_lookaheads.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <vector>

namespace {

namespace st = stretto;
namespace dynamic = stretto::dynamic;

struct line : st::slot<int> {};
struct words : st::slot<int> {};
struct entries : st::slot<int> {};
struct best : st::slot<int> {};
struct answer : st::slot<int> {};
struct table : st::resource<> {};

struct parse {
  using reads = st::reads<line>;
  using writes = st::writes<words>;
  void operator()(int in, int& to) const { to = in + 1; }
};
struct parse_ahead : parse {
  static constexpr int lookahead = 2;
};
struct look_up {
  using reads = st::reads<words>;
  using writes = st::writes<entries>;
  void operator()(int in, int& to) const { to = in * 2; }
};
struct rank {
  using reads = st::reads<entries>;
  using writes = st::writes<best>;
  void operator()(int in, int& to) const { to = in + 3; }
};
struct print {
  using reads = st::reads<best>;
  using writes = st::writes<answer>;
  void operator()(int in, int& to) const { to = in * 5; }
};

template <class... Part>
struct of
    : st::schedule<st::source<line>, st::result<answer>, parse, look_up, rank, print, Part...> {};
using each_alone = of<st::threads<st::per_task>>;

/// A schedule is planned like its outline, which knows of no types; and it runs.
template <class Schedule>
void check_same_as_value() {
  const dynamic::planned_schedule value(dynamic::outline<Schedule>());
  CHECK(value.input().pipelined);
  CHECK(value.fingerprint() == st::fingerprint<Schedule>);
  CHECK(value.in_flight() == st::in_flight<Schedule>);
  const std::vector<int> lines{1, 2, 3, 4, 5, 6, 7};
  std::vector<int> expected;
  st::pipeline<st::serial<Schedule>> serial;
  for (const int a : serial.run(lines)) expected.push_back(a);
  std::vector<int> found;
  st::pipeline<Schedule> pipeline;
  for (const int a : pipeline.run(lines)) found.push_back(a);
  CHECK(found == expected);
}

template <class Schedule>
std::vector<int> lookaheads() {
  std::vector<int> all;
  for (const std::size_t lag : st::plan_of<Schedule>.lag)
    all.push_back(st::plan_of<Schedule>.max_lookahead - static_cast<int>(lag));
  return all;
}

bool tells(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

struct parse_after : parse {
  using cross_iter_depends_on = st::cross_iter_depends_on<look_up>;
};
struct count : parse {
  using mutates = st::mutates<table>;
};
struct count_again : rank {
  using mutates = st::mutates<table>;
};
struct pinned : parse {
  using reads = st::reads<st::at_offset<line, 0>>;
};

}  // namespace

TEST_CASE("a pipelined schedule, an option and a part say the same") {
  using pipelined = st::pipelined<each_alone>;
  CHECK(lookaheads<pipelined>() == std::vector{3, 2, 1, 0, 4, 0});
  CHECK(st::fingerprint<st::replan<each_alone, st::pipelined<>>> == st::fingerprint<pipelined>);
  CHECK(st::fingerprint<of<st::pipelined<>, st::threads<st::per_task>>> ==
        st::fingerprint<pipelined>);
  CHECK(st::fingerprint<st::serial<pipelined>> == st::fingerprint<st::serial<each_alone>>);
  CHECK(
      dynamic::planned_schedule(dynamic::pipelined(dynamic::outline<each_alone>())).fingerprint() ==
      st::fingerprint<pipelined>);
}

TEST_CASE("pipelined plans of types are those of values") {
  check_same_as_value<st::pipelined<each_alone>>();
  check_same_as_value<st::pipelined<of<>>>();
  check_same_as_value<st::pipelined<of<st::threads<st::generated<2>>>>>();
  check_same_as_value<
      st::pipelined<of<st::threads<st::generated<3>>, st::place<look_up, st::weight<3>>>>>();
  check_same_as_value<st::pipelined<of<st::threads<st::per_task>, st::queue<"look_up", 2>>>>();
  check_same_as_value<
      st::pipelined<of<st::threads<st::per_task>, st::place<parse, st::lookahead<2>>>>>();
}

TEST_CASE("bounded plans of types are those of values") {
  check_same_as_value<st::pipelined<each_alone, st::max_in_flight<4>>>();
  check_same_as_value<st::pipelined<each_alone, st::max_in_flight<2>>>();
  check_same_as_value<
      st::pipelined<of<st::threads<st::generated<3>>>, st::max_in_flight<2>, st::max_bytes<512>>>();
  check_same_as_value<
      st::replan<each_alone, st::place<parse, st::weight<3>>, st::place<print, st::weight<3>>,
                 st::pipelined<>, st::max_in_flight<3>>>();
  using small_enough = st::pipelined<each_alone, st::max_bytes<512>>;
  check_same_as_value<small_enough>();
  CHECK(st::memory_bytes<small_enough> == 512);
  CHECK(st::in_flight<small_enough> == 4);
  CHECK(st::fingerprint<of<st::max_in_flight<4>, st::pipelined<>, st::threads<st::per_task>>> ==
        st::fingerprint<st::pipelined<each_alone, st::max_in_flight<4>>>);
  CHECK(st::fingerprint<st::serial<small_enough>> == st::fingerprint<st::serial<each_alone>>);
}

TEST_CASE("a plan that is within its bounds is what it is without") {
  CHECK(st::fingerprint<st::replan<each_alone, st::max_in_flight<1>, st::max_bytes<320>>> ==
        st::fingerprint<each_alone>);
  CHECK(st::fingerprint<st::pipelined<each_alone, st::max_in_flight<5>>> ==
        st::fingerprint<st::pipelined<each_alone>>);
  CHECK_FALSE(st::is_valid<st::replan<each_alone, st::max_bytes<319>>>);
}

TEST_CASE("what bodies take is counted as what types say") {
  dynamic::schedule s{.name = "by bodies", .source = {"line"}, .results = {"words"}};
  s.tasks.push_back({.name = "parse", .thread = "io", .reads = {"line"}, .writes = {"words"}});
  s.tasks[0].body = [](const int& in, int& to) { to = in; };
  s.max_bytes = 127;
  CHECK(dynamic::diagnose(s).size() == 1);
  s.max_bytes = 128;
  s.pipelined = true;
  CHECK(dynamic::planned_schedule(s).in_flight() == 1);
  s.max_bytes = 192;
  CHECK(dynamic::planned_schedule(s).in_flight() == 2);
}

TEST_CASE("a plan says what a bound keeps it from") {
  using held = st::pipelined<each_alone, st::max_in_flight<2>>;
  const std::string told =
      "\n`max_in_flight` 2 keeps `parse` from +3, `look_up` from +2, `rank` from +1, `pull` from "
      "+4\n";
  CHECK(tells(st::describe<held>(), told));
  CHECK(tells(dynamic::planned_schedule(dynamic::outline<held>()).describe(), told));
  using twice = st::pipelined<each_alone, st::max_in_flight<4>, st::max_bytes<512>>;
  CHECK(
      tells(st::describe<twice>(), "`max_in_flight` 4 and `max_bytes` 512 keep `pull` from +4\n"));
  CHECK_FALSE(tells(st::describe<st::pipelined<each_alone, st::max_in_flight<5>>>(), "keep"));
  CHECK_FALSE(tells(st::describe<st::replan<each_alone, st::max_in_flight<5>>>(), "keep"));
}

TEST_CASE("threads that are listed are kept, and those that no task is on are told") {
  using listed = of<st::thread_names<"io", "disk", "net">, st::place<parse, st::thread<"io">>,
                    st::place<print, st::thread<"net">>, st::caller_runs<"net">>;
  const dynamic::schedule outline = dynamic::outline<listed>();
  CHECK(outline.thread_names == std::vector<std::string>{"io", "disk", "net"});
  const std::string told = "\n  (listed, and no task is on it: `disk`)\n";
  CHECK(tells(st::describe<listed>(), told));
  CHECK(tells(dynamic::planned_schedule(outline).describe(), told));
  CHECK(st::fingerprint<st::replan<listed, st::threads<st::per_task>>> ==
        dynamic::planned_schedule(dynamic::per_task(dynamic::outline<of<>>())).fingerprint());
  CHECK(dynamic::outline<st::serial<listed>>().thread_names.empty());
  CHECK_FALSE(st::is_valid<st::replan<listed, st::thread_names<"io", "disk">>>);
  CHECK(st::is_valid<st::replan<listed, st::threads<st::group<"disk", rank>>>>);
  CHECK_FALSE(st::is_valid<st::replan<listed, st::threads<st::group<"dsik", rank>>>>);
  CHECK(st::is_valid<st::replan<listed, st::queue<"io", 2>>>);
  CHECK_FALSE(st::is_valid<st::replan<listed, st::queue<"oi", 2>>>);
  CHECK_FALSE(st::is_valid<st::replan<listed, st::workers<"disk", 2>>>);  // nobody is on it
}

TEST_CASE("a task that gives an offset stays where it is") {
  using holding = st::schedule<st::source<line>, st::result<entries>, pinned, look_up,
                               st::threads<st::per_task>>;
  using held = st::pipelined<holding>;
  CHECK(lookaheads<held>() == std::vector{0, 0, 1, 0});
  const dynamic::schedule outline = dynamic::outline<held>();
  CHECK(outline.tasks[0].reads[0].offset == 0);
  CHECK(dynamic::planned_schedule(outline).fingerprint() == st::fingerprint<held>);
  CHECK(dynamic::planned_schedule(dynamic::pipelined(dynamic::outline<holding>())).fingerprint() ==
        st::fingerprint<held>);
}

TEST_CASE("whether anything overlaps can be asked") {
  CHECK_FALSE(st::overlaps<each_alone>);
  CHECK(st::overlaps<st::pipelined<each_alone>>);
  CHECK_FALSE(st::overlaps<of<>>);
  CHECK_FALSE(st::overlaps<st::pipelined<of<>>>);
}

TEST_CASE("a plan of which nothing overlaps says so, and what would change it") {
  const std::string told =
      "\nnothing overlaps: each batch passes all 4 threads before the next "
      "begins; `pipelined` would raise `parse` to +3, `look_up` to +2, "
      "`rank` to +1\n";
  CHECK(tells(st::describe<each_alone>(), told));
  CHECK(tells(dynamic::planned_schedule(dynamic::outline<each_alone>()).describe(), told));
  CHECK_FALSE(tells(st::describe<st::pipelined<each_alone>>(), "overlaps"));
  CHECK_FALSE(tells(st::describe<of<>>(), "overlaps"));

  using on_streams = of<st::streams<"a", "b">, st::threads<st::on_caller>,
                        st::place<parse, st::stream<"a">>, st::place<look_up, st::stream<"b">>,
                        st::place<rank, st::stream<"b">>, st::place<print, st::stream<"b">>>;
  CHECK(tells(st::describe<on_streams>(), "each batch passes all 2 streams before the next"));
}

TEST_CASE("a plan that looks ahead on one thread says that this overlaps nothing") {
  using ahead = st::schedule<st::source<line>, st::result<entries>, parse_ahead, look_up>;
  for (const std::string& text : {st::describe<ahead>(), st::describe<st::pipelined<ahead>>(),
                                  dynamic::planned_schedule(dynamic::outline<ahead>()).describe()})
    CHECK(tells(text, "\nno two tasks overlap: one thread runs all of them"));
  CHECK(
      tells(st::describe<st::replan<ahead, st::threads<st::on_caller>>>(), "one thread runs all"));
  CHECK_FALSE(tells(st::describe<st::serial<ahead>>(), "overlap"));
  CHECK_FALSE(tells(st::describe<st::replan<ahead, st::threads<st::per_task>>>(), "overlap"));
}

TEST_CASE("where lookaheads cannot help, that is said") {
  using stuck = st::schedule<st::source<line>, st::result<entries>, parse_after, look_up,
                             st::threads<st::per_task>>;
  for (const std::string& text : {st::describe<stuck>(), st::describe<st::pipelined<stuck>>(),
                                  dynamic::planned_schedule(dynamic::outline<stuck>()).describe()})
    CHECK(tells(text, "all 2 threads before the next begins; no other lookaheads would change"));
}

TEST_CASE("what is shared is never used at once") {
  using sharing = st::schedule<st::source<line>, st::result<best>, count, look_up, count_again,
                               st::threads<st::per_task>>;
  CHECK(st::is_valid<sharing>);
  CHECK(lookaheads<st::pipelined<sharing>>() == std::vector{0, 0, 0, 0, 0});
}
