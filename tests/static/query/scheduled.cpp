// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Schedules that the compiler finds: each is a constant, so what is wrong is a compile error.

#include <doctest/doctest.h>
#include <cstddef>
#include <limits>
#include <stretto/bound.hpp>
#include <stretto/scheduled.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace st = stretto;
using st::planner::ratio;

struct sample : st::slot<int> {};
struct image : st::slot<int> {};
struct tensor : st::slot<int> {};
struct loss : st::slot<int> {};

struct decode {
  using reads = st::reads<sample>;
  using writes = st::writes<image>;
  static constexpr int weight = 300;
  void operator()(int in, int& out) const { out = in + 1; }
};
struct augment {
  using reads = st::reads<image>;
  using writes = st::writes<tensor>;
  static constexpr int weight = 250;
  void operator()(int in, int& out) const { out = 2 * in; }
};
struct train {
  using reads = st::reads<tensor>;
  using writes = st::writes<loss>;
  using cross_iter_depends_on = st::cross_iter_depends_on<train>;
  static constexpr int weight = 420;
  void operator()(int in, int& out) const { out = in + 3; }
};
struct by_hand : st::schedule<st::source<sample>, decode, augment, train, st::result<loss>> {};

struct found : st::scheduled<by_hand, st::offered_threads<"a", "b", "c">, st::max_in_flight<4>> {};
static_assert(st::bound_of<found>().period() == ratio{420, 1});
static_assert(st::is_optimal<found>());
static_assert(st::in_flight<found> <= 4);

// With two threads, no task fills what another leaves.
struct on_two : st::scheduled<by_hand, st::offered_threads<"a", "b">, st::max_in_flight<3>> {};
static_assert(st::bound_of<on_two>().period() == ratio{550, 1});
// One of them has two of the three tasks, so that it takes no search to prove that.
static_assert(st::is_optimal<on_two>());

// One batch at a time takes as long as a batch.
struct alone : st::scheduled<by_hand, st::offered_threads<"a", "b">, st::max_in_flight<1>> {};
static_assert(st::in_flight<alone> == 1);
static_assert(st::bound_of<alone>().period() == ratio{970, 1});
static_assert(st::is_optimal<alone>());

// A bound on bytes: each slot has one copy of a cache line.
struct small : st::scheduled<by_hand, st::offered_threads<"a", "b">, st::max_in_flight<3>,
                             st::max_bytes<std::size_t{4} * 64>> {};
static_assert(st::copies_of<small, image> == 1);
static_assert(st::copies_of<small, tensor> == 1);

// Who names a thread stays there.
struct pinned : st::scheduled<st::replan<by_hand, st::place<decode, st::thread<"disk">>>,
                              st::offered_threads<"a">, st::max_in_flight<3>> {};
constexpr std::string_view thread_of(std::size_t task) {
  const auto& p = st::plan_of<pinned>;
  for (std::size_t t = 0; t < p.tasks; ++t)
    if (p.names[t] == (task == 0 ? "decode" : "augment")) return p.thread_names[p.thread_of[t]];
  return {};
}
static_assert(thread_of(0) == "disk");
static_assert(thread_of(1) == "a");
static_assert(st::bound_of<pinned>().period() == ratio{670, 1});

// Threads that were to be generated have names instead.
struct generated : st::scheduled<st::replan<by_hand, st::threads<st::generated<2>>>,
                                 st::offered_threads<"a", "b", "c">, st::max_in_flight<4>> {};
static_assert(st::bound_of<generated>().period() == ratio{420, 1});

// Who shares state stays where it is, and in the order that it had.
struct table : st::resource<> {};
int rows = 1;
struct look_up {
  using reads = st::reads<sample>;
  using writes = st::writes<image>;
  using observes = st::observes<table>;
  static constexpr int weight = 100;
  void operator()(int in, int& out) const { out = in + rows; }
};
struct update {
  using reads = st::reads<image>;
  using writes = st::writes<loss>;
  using mutates = st::mutates<table>;
  static constexpr int weight = 100;
  void operator()(int in, int& out) const {
    out = in;
    rows = (rows + in) % 997;
  }
};
struct sharing : st::schedule<st::source<sample>, look_up, update, st::result<loss>> {};
struct shared : st::scheduled<sharing, st::offered_threads<"a", "b">, st::max_in_flight<3>> {};
static_assert(st::is_valid<shared>);
static_assert(st::bound_of<shared>().period() == ratio{200, 1});

// Bounds that no schedule comes near bound nothing, and make the search no worse.
struct wide : st::scheduled<by_hand, st::offered_threads<"a", "b", "c">, st::max_in_flight<100001>,
                            st::max_bytes<(std::numeric_limits<std::size_t>::max)()>> {};
static_assert(st::bound_of<wide>().period() == ratio{420, 1});

// The largest weights are numbers to reckon with.
template <int Weight>
struct weighing : st::replan<by_hand, st::place<decode, st::weight<Weight>>,
                             st::place<augment, st::weight<Weight>>> {};
struct heavy : st::scheduled<weighing<(std::numeric_limits<int>::max)()>,
                             st::offered_threads<"a", "b", "c">, st::max_in_flight<4>> {};
static_assert(st::bound_of<heavy>().period() == ratio{(std::numeric_limits<int>::max)(), 1});

// What was found is a schedule like any other.
struct again : st::scheduled<found, st::max_in_flight<2>> {};
static_assert(st::bound_of<again>().period() == ratio{970, 2});
static_assert(st::in_flight<again> <= 2);
struct one_by_one : st::serial<found> {};
static_assert(st::in_flight<one_by_one> == 1);
struct raised : st::pipelined<alone, st::max_in_flight<3>> {};
static_assert(st::is_valid<raised>);

// What is refused is an invalid schedule, of which may be asked.
struct refused : st::scheduled<by_hand, st::offered_threads<"a", "a">> {};
static_assert(!st::is_valid<refused>);
struct refused_of_refused : st::scheduled<refused, st::max_in_flight<2>> {};
static_assert(!st::is_valid<refused_of_refused>);
struct replan_of_refused : st::replan<refused, st::place<decode, st::lookahead<1>>> {};
static_assert(!st::is_valid<replan_of_refused>);
struct unweighed {
  using reads = st::reads<sample>;
  using writes = st::writes<image>;
  void operator()(int in, int& out) const { out = in; }
};
struct half_weighed : st::schedule<st::source<sample>, unweighed, augment> {};
struct by_half : st::scheduled<half_weighed, st::offered_threads<"a", "b">, st::max_in_flight<2>> {
};
static_assert(!st::is_valid<by_half>);
struct placed_weight : st::replan<half_weighed, st::place<unweighed, st::weight<1>>> {};
static_assert(st::is_valid<st::scheduled<placed_weight, st::offered_threads<"a", "b">>>);
struct offered_in_vain : st::scheduled<found, st::offered_threads<"a", "d">> {};
static_assert(!st::is_valid<offered_in_vain>);
struct too_small
    : st::scheduled<by_hand, st::offered_threads<"a", "b">, st::max_bytes<std::size_t{3} * 64>> {};
static_assert(!st::is_valid<too_small>);

}  // namespace

TEST_CASE("what is refused is told in a sentence") {
  const std::vector<std::string> twice{"thread `a` is listed twice; name it once"};
  CHECK(st::explain_findings<refused>() == twice);
  CHECK(st::explain_findings<refused_of_refused>() == twice);
  CHECK(st::explain_findings<replan_of_refused>() == twice);
  CHECK(st::explain_findings<by_half>()[0].starts_with("task `unweighed` has no weight, and "));
  CHECK(st::explain_findings<too_small>()[0].find("one batch at a time they take 256: raise it") !=
        std::string::npos);
}

namespace {

template <class Schedule>
std::vector<int> results() {
  std::vector<int> given(50);
  for (std::size_t i = 0; i < given.size(); ++i) given[i] = static_cast<int>(i);
  rows = 1;
  st::pipeline<Schedule> pipeline;
  std::vector<int> all;
  for (const int x : pipeline.run(given)) all.push_back(x);
  return all;
}

}  // namespace

TEST_CASE("results are those of the schedule as it was") {
  CHECK(results<by_hand>() == results<found>());
  CHECK(results<by_hand>() == results<small>());
  CHECK(results<sharing>() == results<shared>());
}
