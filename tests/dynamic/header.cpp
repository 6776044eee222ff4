// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Headers that were generated from schedules: as types they are the same schedules, planned the
// same, and the header made of those is the same header.

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <all_headers.hpp>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <fstream>
#include <set>
#include <sstream>
#include <stretto/dynamic/file.hpp>
#include <stretto/dynamic/header.hpp>
#include <stretto/dynamic/query/from_types.hpp>
#include <stretto/dynamic/query/planned.hpp>
#include <stretto/dynamic/values/identifiers.hpp>
#include <stretto/plan/fingerprint.hpp>
#include <stretto/suspend.hpp>
#include <string>
#include <utility>
#include <vector>
#include "file/equal.hpp"

namespace {

namespace st = stretto;
namespace dynamic = stretto::dynamic;

/// Without what types do not keep apart: in a serial plan an offset that is stated and one that is
/// meant, entries that say nothing, several for one group.
dynamic::schedule normal(dynamic::schedule s) {
  for (dynamic::task& t : s.tasks)
    for (std::vector<dynamic::use>* uses : {&t.reads, &t.writes})
      for (dynamic::use& u : *uses)
        if (u.offset == t.lookahead && s.serial) u.offset.reset();
  std::erase_if(s.orders, [](const auto& order) { return order.empty(); });
  const dynamic::declared d(s);
  s.groups.clear();
  for (const st::planner::thread_group& g : d.value().groups)
    if (g.queue != 0 || g.workers != 1)
      s.groups.push_back({std::string(g.thread), g.queue, g.workers});
  s.schema.clear();
  s.types.clear();  // compared by the header made of them
  s.schema.clear();
  return s;
}

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

void check_same(const st::planner::list<st::planner::edge>& a,
                const st::planner::list<st::planner::edge>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto& [producer, consumer, delta, why, slot, offset] = a[i];
    CHECK(producer == b[i].producer);
    CHECK(consumer == b[i].consumer);
    CHECK(delta == b[i].delta);
    CHECK(why == b[i].why);
    CHECK(slot == b[i].slot);
    CHECK(offset == b[i].offset);
  }
}
void check_same(const st::planner::list<st::planner::use>& a,
                const st::planner::list<st::planner::use>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CHECK(a[i].node == b[i].node);
    CHECK(a[i].slot == b[i].slot);
    CHECK(a[i].offset == b[i].offset);
    CHECK(a[i].ago == b[i].ago);
    CHECK(a[i].span == b[i].span);
    CHECK(a[i].step == b[i].step);
  }
}
void check_same(const st::planner::list<st::planner::range>& a,
                const st::planner::list<st::planner::range>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CHECK(a[i].first == b[i].first);
    CHECK(a[i].last == b[i].last);
  }
}

void check_same(const st::planner::graph& a, const st::planner::graph& b) {
  REQUIRE(a.nodes.size() == b.nodes.size());
  for (std::size_t n = 0; n < a.nodes.size(); ++n) {
    const auto& [stream, lookahead, stage, collective, weight, runs, group, further, workers,
                 settles, reads, writes, links] = a.nodes[n];
    CHECK(stream == b.nodes[n].stream);
    CHECK(lookahead == b.nodes[n].lookahead);
    CHECK(stage == b.nodes[n].stage);
    CHECK(collective == b.nodes[n].collective);
    CHECK(weight == b.nodes[n].weight);
    CHECK(runs == b.nodes[n].runs);
    // Groups count through the declaration's, which types only have if they say something.
    CHECK((group == st::planner::none) == (b.nodes[n].group == st::planner::none));
    CHECK(further == b.nodes[n].further);
    CHECK(workers == b.nodes[n].workers);
    CHECK(settles == b.nodes[n].settles);
    CHECK(reads.last - reads.first == b.nodes[n].reads.last - b.nodes[n].reads.first);
    CHECK(writes.last - writes.first == b.nodes[n].writes.last - b.nodes[n].writes.first);
    CHECK(links.last - links.first == b.nodes[n].links.last - b.nodes[n].links.first);
  }
  check_same(a.reads, b.reads);
  check_same(a.writes, b.writes);
  REQUIRE(a.slot_list.size() == b.slot_list.size());
  for (std::size_t s = 0; s < a.slot_list.size(); ++s)
    CHECK(a.slot_list[s].text == b.slot_list[s].text);
  CHECK(a.streams == b.streams);
  REQUIRE(a.turns.size() == b.turns.size());
  for (std::size_t t = 0; t < a.turns.size(); ++t) {
    CHECK(a.turns[t].node == b.turns[t].node);
    CHECK(a.turns[t].before == b.turns[t].before);
  }
  CHECK(a.source_slot == b.source_slot);
  CHECK(a.max_lookahead == b.max_lookahead);
}

void check_same(const st::planner::plan& a, const st::planner::plan& b) {
  const auto& [resolved, order, edges, copies, fillers, tickets, stream_waits, threads,
               host_waits] = a;
  check_same(resolved, b.resolved);
  CHECK(order == b.order);
  check_same(edges, b.edges);
  CHECK(copies == b.copies);
  CHECK(fillers == b.fillers);
  CHECK(tickets == b.tickets);
  check_same(stream_waits, b.stream_waits);
  const auto& [names, thread_of, chained, chains, place, workers, begun_by] = threads;
  CHECK(names == b.threads.names);
  CHECK(thread_of == b.threads.thread_of);
  CHECK(chained == b.threads.chained);
  check_same(chains, b.threads.chains);
  CHECK(place == b.threads.place);
  CHECK(workers == b.threads.workers);
  CHECK(begun_by == b.threads.begun_by);
  check_same(host_waits, b.host_waits);
}

TEST_CASE("A generated header is the schedule that it was generated from") {
  std::size_t number = 0;
  for_each_header([&]<class Schedule>(const std::string& name) {
    CAPTURE(name);
    ++number;
    const std::string folder = STRETTO_GENERATED;
    const dynamic::schedule s = dynamic::load(folder + "/" + name + ".json");
    const dynamic::planned_schedule planned(s);

    // Its plan, as the compiler keeps it and made anew.
    const st::planner::declaration& d = st::typed::declared<Schedule>::value;
    const st::planner::plan p = st::planner::make_plan(d);
    check_same(p, planned.plan());
    CHECK(st::plan_of<Schedule>.order.size() == planned.plan().order.size());
    for (std::size_t i = 0; i < planned.plan().order.size(); ++i)
      CHECK(st::plan_of<Schedule>.order[i] == planned.plan().order[i]);
    CHECK(st::planner::fingerprint(d, p) == planned.fingerprint());

    // Converted back, the schedule has an equal header. (Of a serial one types forget what it
    // ignores.)
    if (s.serial) return;
    dynamic::schedule again = dynamic::outline<Schedule>();
    const dynamic::header_options options{name, {"<vector>", "\"types.hpp\""}};
    CHECK(to_header(again, options) == to_header(
                                           [&] {
                                             dynamic::schedule plain = normal(s);
                                             plain.types = s.types;
                                             return plain;
                                           }(),
                                           options));
    check_equal(normal(again), normal(s));
    if (name != "every_field")  // which states offsets
      CHECK(to_header(again, options) == text_of(folder + "/" + name + ".hpp"));
  });
  CHECK(number >= 32);
}

TEST_CASE("A schedule that breaks rules, or that types cannot say, has no header") {
  dynamic::schedule s;
  CHECK_THROWS_AS(dynamic::to_header(s), dynamic::schedule_error);
  s.tasks.push_back({.name = "a"});
  CHECK_NOTHROW(static_cast<void>(dynamic::to_header(s)));
  s.source.thread = "reader";
  CHECK_THROWS_AS(dynamic::to_header(s), st::usage_error);
  s.source = {"x", 0, "", 0};
  CHECK_THROWS_AS(dynamic::to_header(s), dynamic::schedule_error);
  s.source = {"x", 0, "caller", 0};
  CHECK_NOTHROW(static_cast<void>(dynamic::to_header(s)));
  s.types = {{"x", nullptr, "int>, st::slot<char"}};
  CHECK_THROWS_WITH_AS(dynamic::to_header(s),
                       "slot `x` is said to hold `int>, st::slot<char`, which is not the spelling "
                       "of one C++ type",
                       st::usage_error);
}

TEST_CASE("A task whose body drops batches, or is a coroutine, says so in the header") {
  dynamic::schedule s;
  s.source.slot = "line";
  dynamic::task parse;
  parse.name = "parse";
  parse.reads = {"line"};
  parse.body = [](int line) { return line > 0 ? st::keep : st::drop; };
  s.tasks = {parse};
  CHECK(dynamic::to_header(s).find("  st::verdict operator()(") != std::string::npos);
  s.tasks[0].body = [](int) {};
  CHECK(dynamic::to_header(s).find("  void operator()(") != std::string::npos);
  CHECK(dynamic::to_header(s).find("suspend") == std::string::npos);
  s.tasks[0].body = [](int) -> st::suspendable { co_return; };
  CHECK(dynamic::to_header(s).find("  st::suspendable operator()(") != std::string::npos);
  CHECK(dynamic::to_header(s).find("#include <stretto/suspend.hpp>\n") != std::string::npos);
}

TEST_CASE("A header includes what the types of its slots need, and no more") {
  dynamic::schedule s;
  s.source.slot = "point";
  s.tasks = {{.name = "plot", .reads = {"point"}}};
  s.types = {{"point", nullptr, "std::vector<int>"}};
  CHECK(dynamic::to_header(s).find("#include <array>\n") == std::string::npos);
  for (const char* type : {"std::array<double, 3>", "std::vector<std::array<int, 2>>"}) {
    s.types = {{"point", nullptr, type}};
    CHECK(dynamic::to_header(s).find("#include <array>\n") != std::string::npos);
  }
}

TEST_CASE("A task whose failures drop batches says so in the header") {
  dynamic::schedule s;
  s.source.slot = "line";
  dynamic::task parse;
  parse.name = "parse";
  parse.reads = {"line"};
  parse.on_failure = "drop";
  s.tasks = {parse};
  std::string made = dynamic::to_header(s);
  CHECK(made.find("  using on_failure = st::on_failure<st::drop>;\n") != std::string::npos);
  CHECK(made.find("max_failures") == std::string::npos);
  s.tasks[0].max_failures = 12;
  made = dynamic::to_header(s);
  CHECK(made.find("  using on_failure = st::on_failure<st::drop, st::max_failures<12>>;\n") !=
        std::string::npos);
  CHECK(made.find("st::source<line>") != std::string::npos);
  s.source.on_failure = "drop";
  made = dynamic::to_header(s);
  CHECK(made.find("st::source<line, st::on_failure<st::drop>>") != std::string::npos);
  s.source.max_failures = 7;
  made = dynamic::to_header(s);
  CHECK(made.find("st::source<line, st::on_failure<st::drop, st::max_failures<7>>>") !=
        std::string::npos);
  CHECK(made.find("int max_failures") == std::string::npos);
}

TEST_CASE("No macro of the system's headers is an identifier") {
  std::ifstream list(STRETTO_MACROS);
  std::set<std::string> macros;
  for (std::string macro; std::getline(list, macro);) macros.insert(macro);
  REQUIRE(macros.size() > 1'000);
  REQUIRE(macros.contains("EIO"));
  dynamic::detail::identifiers make;
  for (const std::string& macro : macros) {
    CAPTURE(macro);
    CHECK(!macros.contains(make.make(macro, "task")));
    CHECK(!macros.contains(make.make(macro, "slot")));
  }
}

TEST_CASE("A header is in a namespace that can be called so") {
  dynamic::schedule s;
  s.source.slot = "text";
  s.tasks = {{.name = "parse", .reads = {"text"}}};
  CHECK(dynamic::to_header(s, {.name_space = "a1::b_2"}).find("namespace a1::b_2 {") !=
        std::string::npos);
  for (const char* const space : {"", "class", "a::class", "::a", "a::", "a:b", "1a", "a b"}) {
    CAPTURE(space);
    CHECK_THROWS_WITH_AS(static_cast<void>(dynamic::to_header(s, {.name_space = space})),
                         doctest::Contains("a header cannot be in namespace"), st::usage_error);
  }
}

TEST_CASE("Each name gets an identifier of its own, however many are alike") {
  dynamic::detail::identifiers make;
  std::set<std::string> made;
  for (int i = 0; i < 10'000; ++i)
    for (const char* name : {"a b", "a-b", "a_b_slot_2", "", "class", "1"})
      CHECK(made.insert(make.make(name, "slot")).second);
  CHECK(make.make("__x__Y__", "slot") == "x_Y");
  CHECK(make.make("3rd", "task") == "task_3rd");
  CHECK(make.make("using", "task") == "using_task");
}

}  // namespace
