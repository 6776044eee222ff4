// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What can be asked of a schedule as a type, valid or not, and what replanning changes.

#include <doctest/doctest.h>
#include <algorithm>
#include <iterator>
#include <span>
#include <stretto/static/query/describe.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <utility>
#include <vector>

namespace st = stretto;
namespace planner = stretto::planner;

namespace {

struct raw_batch : st::slot<int> {};
struct batch : st::slot<double> {};
struct loss : st::slot<float> {};

struct h2d {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw_batch>;
  using writes = st::writes<batch>;
  void operator()(int, double&) const {}
};

struct h2d_at_1 : h2d {
  using writes = st::writes<st::at_offset<batch, 1>>;
};

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  using same_progress_sync = st::same_progress_sync<h2d>;
  void operator()(double, float&) const {}
};

struct report {
  static constexpr auto name = "loss to log";
  using thread = st::thread<"log">;
  using reads = st::reads<loss>;
  void operator()(float) const {}
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward, report> {};

struct report_batch {
  using stream = st::stream<"compute">;
  using reads = st::reads<st::at_offset<batch, 0>>;
  void operator()(double) const {}
};

struct no_such_task;
struct backward {
  using stream = st::stream<"memory">;
  using reads = st::reads<loss>;
  using depends_on = st::depends_on<no_such_task>;
  void operator()(float) const {}
};
struct invalid_training : st::schedule<st::source<raw_batch>, st::result<loss>,
                                       st::streams<"memcpy", "compute">, h2d, forward, backward> {};

struct misspelled {
  using read = st::reads<raw_batch>;
  void operator()() const {}
};
struct odd_training : st::schedule<st::source<raw_batch>, misspelled> {};

struct loader {
  using reads = st::reads<raw_batch>;
  using writes = st::writes<batch>;
  using depends_on = st::depends_on<struct circular>;
  void operator()(int, double&) const {}
};
struct circular {
  using reads = st::reads<batch>;
  void operator()(double) const {}
};
struct circular_training : st::schedule<st::source<raw_batch>, loader, circular> {};

template <class Schedule, class Task>
constexpr std::size_t number = [] {
  const auto& rows = st::typed::declared<Schedule>::rows;
  std::size_t n = 0;
  while (!(rows[n].id == st::name_of<Task>)) ++n;
  return n;
}();

template <class Schedule, class Task>
std::string_view thread_of() {
  const auto& p = st::plan_of<Schedule>;
  return p.thread_names[p.thread_of[number<Schedule, Task>]];
}

template <class Schedule, class Task>
constexpr const planner::task& row = st::typed::declared<Schedule>::rows[number<Schedule, Task>];

constexpr std::string_view by_collective(const planner::task& t) {
  return t.stream == "compute" ? "computing" : "";
}

}  // namespace

TEST_CASE("a valid schedule") {
  static_assert(st::is_valid<training>);
  static_assert(st::findings<training>.empty());
  static_assert(st::in_flight<training> == 2);
  static_assert(st::copies_of<training, batch> == 2);
  static_assert(st::copies_of<training, loss> == 2);  // one is spare
  static_assert(st::copies_of<st::replan<training, st::frugal>, loss> == 1);
  CHECK(st::explain_findings<training>().empty());
  CHECK(st::describe<training>().starts_with("schedule training: 3 tasks, 2 batches in flight\n"));
  CHECK(st::describe<training>().find("batch        2 copies of 8 bytes\n") != std::string::npos);
}

TEST_CASE("an invalid schedule can be asked what is wrong, without a compile error") {
  static_assert(!st::is_valid<invalid_training>);
  static_assert(st::findings<invalid_training>.size() == 2);
  static_assert(st::findings<invalid_training>[0].what == planner::kind::stream_not_declared);
  static_assert(st::findings<invalid_training>[0].task == 2);
  static_assert(st::findings<invalid_training>[1].what == planner::kind::unknown_name);
  const std::vector<std::string> wanted{
      "rule 3: task `backward` is on stream `memory`, which the schedule does not declare; add it "
      "to `streams`",
      "rule 6: task `backward` names `no_such_task` in depends_on, which is not a task of this "
      "schedule; list it there, or drop the entry"};
  CHECK(st::explain_findings<invalid_training>() == wanted);
  CHECK(st::describe<invalid_training>() ==
        "schedule invalid_training is invalid\n  " + wanted[0] + "\n  " + wanted[1] + "\n");
}

TEST_CASE("a cycle is explained task by task") {
  CHECK(
      st::explain_findings<circular_training>() ==
      std::vector<std::string>{"rule 7: tasks wait for each other in a cycle: `loader` waits for "
                               "`circular` waits for `loader`; drop one of these waits, or make it "
                               "one for an earlier batch (cross_iter_depends_on)"});
}

TEST_CASE("what is not written as a schedule can be asked too") {
  static_assert(!st::is_valid<odd_training>);
  static_assert(!st::is_valid<int>);
  static_assert(st::findings<odd_training>.empty());
  CHECK(
      st::explain_findings<odd_training>() ==
      std::vector<std::string>{"task `misspelled` has a member `read`, which nobody looks at; did "
                               "you mean `reads`?"});
  CHECK(st::explain_findings<int>().at(0).starts_with("`int` is not a schedule"));
  CHECK(st::describe<odd_training>().starts_with("schedule odd_training is invalid\n  task"));
}

struct cache : st::resource<> {};
struct prefetch {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 1;
  using mutates = st::mutates<cache>;
  void operator()() const {}
};
struct train {
  using stream = st::stream<"compute">;
  using depends_on = st::depends_on<prefetch>;
  using mutates = st::mutates<cache>;
  void operator()() const {}
};

TEST_CASE("strict hides no race") {
  using racing =
      st::schedule<st::source<raw_batch>, st::streams<"memcpy", "compute">, prefetch, train>;
  static_assert(!st::is_valid<racing> && !st::is_valid<st::replan<racing, st::strict>>);
  static_assert(st::findings<st::replan<racing, st::strict>>[0].what == planner::kind::race);
}

TEST_CASE("serial: one stream, one thread, no lookahead, no sync with another batch") {
  using serial = st::serial<training>;
  static_assert(st::is_valid<serial>);
  static_assert(st::in_flight<serial> == 1);
  CHECK(std::size(st::plan_of<serial>.thread_names) == 1);
  static_assert(st::plan_of<serial>.barrier.edges.empty());
  static_assert(st::plan_of<serial>.stream_waits.empty());
  CHECK(row<serial, h2d>.lookahead == 0);
  CHECK(row<serial, h2d>.stream == row<serial, forward>.stream);
  CHECK(row<serial, forward>.same_progress_sync.empty());
  CHECK(row<training, forward>.same_progress_sync.size() == 1);
  CHECK(thread_of<serial, report>() == "caller");
}

TEST_CASE("place overrides stream, lookahead and thread, each on its own, the last replan wins") {
  using late = st::replan<training, st::place<h2d, st::lookahead<2>, st::thread<"late">>>;
  using again =
      st::replan<late, st::place<h2d, st::lookahead<3>>, st::place<h2d, st::thread<"io">>>;
  using moved = st::replan<again, st::place<report, st::stream<"compute">, st::thread<"aside">>>;
  static_assert(st::in_flight<moved> == 4);
  CHECK(row<moved, h2d>.lookahead == 3);
  CHECK(row<moved, h2d>.stream == "memcpy");
  CHECK(row<moved, h2d>.reads[0].offset == 3);
  CHECK(thread_of<moved, h2d>() == "io");
  CHECK(row<moved, report>.stream == "compute");
  CHECK(thread_of<moved, report>() == "aside");
  CHECK(row<moved, forward>.lookahead == 0);
  static_assert(st::copies_of<moved, batch> == 4);
  static_assert(!st::is_valid<st::replan<training, st::place<h2d, st::lookahead<0>>,
                                         st::place<forward, st::lookahead<1>>>>);
}

TEST_CASE("thread maps") {
  CHECK(thread_of<training, h2d>() == "memcpy");
  CHECK(thread_of<training, forward>() == "compute");
  CHECK(thread_of<training, report>() == "log");

  using per_task = st::replan<training, st::threads<st::per_task>>;
  CHECK(thread_of<per_task, h2d>() == "h2d");
  CHECK(thread_of<per_task, forward>() == "forward");
  CHECK(thread_of<per_task, report>() == "log");  // its own `thread` goes first

  using on_caller = st::replan<training, st::threads<st::on_caller>>;
  CHECK(thread_of<on_caller, h2d>() == "caller");
  CHECK(std::size(st::plan_of<on_caller>.thread_names) == 2);

  using grouped = st::replan<training, st::threads<st::group<"pair", h2d, forward>>>;
  CHECK(thread_of<grouped, h2d>() == "pair");
  CHECK(thread_of<grouped, forward>() == "pair");

  using partly = st::replan<training, st::threads<st::group<"copies", h2d>>>;
  CHECK(thread_of<partly, forward>() == "compute");

  using chosen = st::replan<training, st::threads<st::chosen_by<by_collective>>>;
  CHECK(thread_of<chosen, forward>() == "computing");
  CHECK(thread_of<chosen, h2d>() == "memcpy");

  using caller_works = st::replan<training, st::caller_runs<"compute">>;
  CHECK(thread_of<caller_works, forward>() == "caller");
  CHECK(std::size(st::plan_of<caller_works>.thread_names) == 3);
}

TEST_CASE("a source placed on a thread, further ahead") {
  using ahead = st::schedule<st::source<raw_batch, st::lookahead<2>, st::thread<"reader">>,
                             st::result<loss>, st::streams<"memcpy", "compute">, h2d, forward>;
  static_assert(st::in_flight<ahead> == 3);
  static_assert(st::copies_of<ahead, raw_batch> == 2);
  const auto& p = st::plan_of<ahead>;
  constexpr std::size_t pull = st::typed::declared<ahead>::tasks::size;
  CHECK(p.thread_names[p.thread_of[pull]] == "reader");
  CHECK(p.lag[pull] == 0);
  CHECK(p.lag[0] == 1);
}

TEST_CASE("a task placed behind the training step is judged like one declared there") {
  using behind = st::replan<training, st::place<h2d, st::lookahead<-1>>>;
  static_assert(!st::is_valid<behind>);
  CHECK(st::findings<behind>.front().what == st::planner::kind::negative_lookahead);
}

namespace {

/// Whether a constant's waits are those of the planner, found by consumer, with the producers
/// marked.
template <class Table>
void check_waits(const Table& table, const planner::list<planner::edge>& planned) {
  const auto& [waits, of, awaited] = table;
  REQUIRE(waits.size() == planned.size());
  REQUIRE_FALSE(waits.empty());
  std::vector<bool> expected(awaited.size(), false);
  for (std::size_t i = 0; i < waits.size(); ++i) {
    CAPTURE(i);
    CHECK(waits[i].producer == planned[i].producer);
    CHECK(waits[i].consumer == planned[i].consumer);
    CHECK(waits[i].delta == planned[i].delta);
    CHECK(of[waits[i].consumer].first <= i);
    CHECK(i < of[waits[i].consumer].last);
    expected[waits[i].producer] = true;
  }
  std::size_t covered = 0;
  for (const planner::range r : of) covered += r.last - r.first;
  CHECK(covered == waits.size());
  CHECK(std::equal(awaited.begin(), awaited.end(), expected.begin()));
}

}  // namespace

namespace {

struct shared : st::slot<int> {};

template <int Lookahead>
struct write {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = Lookahead;
  using writes = st::writes<shared>;
  using reads = st::reads<raw_batch>;
  void operator()(int, int&) const {}
};
template <int Lookahead>
struct read {
  using stream = st::stream<"compute">;
  static constexpr int lookahead = Lookahead;
  using reads = st::reads<shared>;
  using thread = st::thread<"late">;
  static constexpr bool collective = Lookahead % 2 == 0;
  void operator()(int) const {}
};
template <class>
struct crowd;
template <int... I>
struct crowd<std::integer_sequence<int, I...>>
    : st::schedule<st::source<raw_batch, st::thread<"reader">>, st::streams<"memcpy", "compute">,
                   write<I>..., read<I>...> {};

template <class Schedule>
void check_constant() {
  const auto& kept = st::plan_of<Schedule>;
  const planner::plan p = planner::make_plan(st::typed::declared<Schedule>::value);
  check_waits(kept.barrier, p.host_waits);
  check_waits(kept.run_ahead, planner::run_ahead_waits(p));
  check_waits(kept.streams, planner::minimal_stream_waits(p));
  CHECK(kept.max_lookahead == p.resolved.max_lookahead);
  CHECK(p.order == kept.order);
  CHECK(p.copies == kept.copies);
  CHECK(p.tickets == kept.tickets);
  CHECK(p.resolved.slot_list == kept.slot_list);
  CHECK(p.threads.names == kept.thread_names);
  CHECK(p.threads.thread_of == kept.thread_of);
  CHECK(p.threads.chained == kept.chained);
  for (std::size_t n = 0; n < kept.lag.size(); ++n)
    CHECK(kept.lag[n] == planner::lag(p.resolved.max_lookahead, p.resolved.nodes[n].lookahead));
  REQUIRE(kept.chains.size() == p.threads.chains.size());
  for (std::size_t t = 0; t < kept.chains.size(); ++t) {
    CHECK(kept.chains[t].first == p.threads.chains[t].first);
    CHECK(kept.chains[t].last == p.threads.chains[t].last);
  }
  const auto check_edges = [](std::span<const planner::edge> edges,
                              std::span<const planner::edge> made) {
    REQUIRE(edges.size() == made.size());
    for (std::size_t i = 0; i < edges.size(); ++i) {
      CAPTURE(i);
      CHECK(edges[i].producer == made[i].producer);
      CHECK(edges[i].consumer == made[i].consumer);
      CHECK(edges[i].delta == made[i].delta);
      CHECK(edges[i].why == made[i].why);
      CHECK(edges[i].slot == made[i].slot);
      CHECK(edges[i].offset == made[i].offset);
    }
  };
  check_edges(kept.edges, p.edges);
  check_edges(kept.stream_waits, p.stream_waits);
}

}  // namespace

TEST_CASE("the constant holds what the planner made, also of a plan larger than usual") {
  check_constant<training>();
  using crowded = crowd<std::make_integer_sequence<int, 16>>;
  using st::typed::constant_plan;
  static_assert(constant_plan<training>::needed <= constant_plan<training>::usual);
  static_assert(constant_plan<crowded>::needed > constant_plan<crowded>::usual);
  check_constant<crowded>();
}

TEST_CASE("a slot's stated offset must be its task's lookahead, wherever the task is placed") {
  using training_at =
      st::schedule<st::source<raw_batch>, st::streams<"memcpy", "compute">, h2d_at_1, report_batch>;
  static_assert(st::is_valid<training_at>);
  static_assert(st::copies_of<training_at, batch> == 2);
  using moved = st::replan<training_at, st::place<h2d_at_1, st::lookahead<2>>>;
  static_assert(st::findings<moved>.size() == 1);
  CHECK(st::explain_findings<moved>().at(0) ==
        "rule 2: task `h2d_at_1` writes slot `batch` at offset 1, but works at lookahead 2; the "
        "two must be equal");
  static_assert(st::is_valid<st::serial<training_at>>);
}
