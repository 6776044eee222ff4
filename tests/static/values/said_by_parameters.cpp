// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks that say by their parameters what they read and write declare what their twins with lists
// do: the same slots, plans and fingerprints.

#include <doctest/doctest.h>
#include <cstddef>
#include <stretto/explain.hpp>
#include <stretto/from_types.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <type_traits>

namespace st = stretto;

namespace {

struct keys : st::slot<int> {};
struct rows : st::slot<int> {};
struct loss : st::slot<int> {};
struct table : st::resource<> {};

namespace by_lists {
struct optimize;
struct load {
  using stream = st::stream<"copy">;
  static constexpr int lookahead = 2;
  using reads = st::reads<keys>;
  using writes = st::writes<st::at_offset<rows, 2>>;
  void operator()(int key, int& row) const { row = key * 10; }
};
struct patch {
  using stream = st::stream<"copy">;
  static constexpr int lookahead = 1;
  using writes = st::writes<rows>;
  using cross_iter_depends_on = st::cross_iter_depends_on<optimize>;
  using observes = st::observes<table>;
  void operator()(int& row) const { ++row; }
};
struct forward {
  static constexpr int weight = 7;
  using thread = st::thread<"other">;
  using reads = st::reads<rows>;
  using writes = st::writes<loss>;
  void operator()(int row, int& out) const { out = -row; }
};
struct optimize {
  using stream = st::stream<"compute">;
  using depends_on = st::depends_on<forward>;
  using mutates = st::mutates<table>;
  void operator()() const {}
};
struct training : st::schedule<st::source<keys>, st::result<loss>, st::streams<"copy", "compute">,
                               load, patch, forward, optimize> {};
}  // namespace by_lists

namespace by_parameters {
struct optimize;
struct load {
  using stream = st::stream<"copy">;
  static constexpr int lookahead = 2;
  void operator()(st::out<st::at_offset<rows, 2>> row, st::in<keys> key) const { row = key * 10; }
};
void raise(st::inout<rows> row) { ++*row; }
using patch = st::task<"patch", raise, st::stream<"copy">, st::lookahead<1>,
                       st::cross_iter_depends_on<optimize>, st::observes<table>>;
using forward = st::task<"forward", [](st::in<rows> row, st::out<loss> out) { out = -row; },
                         st::weight<7>, st::thread<"other">>;
struct optimize : st::task<"optimize", [] {}, st::stream<"compute">, st::depends_on<forward>,
                           st::mutates<table>> {};
struct training : st::schedule<st::source<keys>, st::result<loss>, st::streams<"copy", "compute">,
                               load, patch, forward, optimize> {};
}  // namespace by_parameters

static_assert(st::is_valid<by_lists::training> && st::is_valid<by_parameters::training>);
static_assert(st::fingerprint<by_lists::training> == st::fingerprint<by_parameters::training>);
struct lists_serial : st::serial<by_lists::training> {};
struct parameters_serial : st::serial<by_parameters::training> {};
static_assert(st::fingerprint<lists_serial> == st::fingerprint<parameters_serial>);

TEST_CASE("a schedule declares what its twin declares") {
  CHECK(st::describe<by_parameters::training>() == st::describe<by_lists::training>());
  const st::dynamic::schedule said = st::dynamic::outline<by_parameters::training>();
  const st::dynamic::schedule listed = st::dynamic::outline<by_lists::training>();
  REQUIRE(said.tasks.size() == listed.tasks.size());
  for (std::size_t t = 0; t < said.tasks.size(); ++t) {
    CHECK(said.tasks[t].name == listed.tasks[t].name);
    CHECK(said.tasks[t].weight == listed.tasks[t].weight);
    CHECK(said.tasks[t].thread == listed.tasks[t].thread);
    CHECK((said.tasks[t].reads == listed.tasks[t].reads));
    CHECK((said.tasks[t].writes == listed.tasks[t].writes));
  }
  CHECK(said.types.size() == listed.types.size());
}

// What call operators say.
template <class Task>
using said = st::typed::task_fields<Task>;
template <class Task, class Reads, class Writes>
constexpr bool says = std::is_same_v<typename said<Task>::reads, Reads> &&
                      std::is_same_v<typename said<Task>::writes, Writes>;
template <class Task>
constexpr bool says_rows_and_loss = says<Task, st::pack<rows>, st::pack<loss>>;

struct not_const {
  void operator()(st::in<rows>, st::out<loss>);
};
struct const_noexcept {
  void operator()(st::out<loss>, st::in<rows>) const noexcept;
};
struct for_lvalues {
  int operator()(st::in<rows>, st::out<loss>) const&;
};
struct by_reference {
  void operator()(const st::in<rows>&, st::out<loss>&&) &;
};
struct with_context {
  void operator()(const st::task_context&, st::in<rows>, st::out<loss>) const;
};
struct with_any_context {
  void operator()(st::context auto&, st::in<rows>, st::out<loss>) const;
};
/// Whose body is compiled to know its result.
struct with_any_context_and_result {
  auto operator()(auto&& ctx, st::in<rows>, st::out<loss>) const {
    void* const stream = ctx.stream();
    ctx.all_reduce(stream, 1);
    return ctx.all_reduced(ctx.batch());
  }
};
struct inherited : const_noexcept {};
static_assert(says_rows_and_loss<not_const> && says_rows_and_loss<const_noexcept>);
static_assert(says_rows_and_loss<for_lvalues> && says_rows_and_loss<by_reference>);
static_assert(says_rows_and_loss<with_context> && says_rows_and_loss<with_any_context>);
static_assert(says_rows_and_loss<with_any_context_and_result> && says_rows_and_loss<inherited>);

struct update {
  void operator()(st::inout<rows>, st::in<keys>, st::inout<loss>, st::in<table>) const;
};
static_assert(says<update, st::pack<keys, table>, st::pack<rows, loss>>);
static_assert(std::is_same_v<st::typed::updates<update>, st::pack<rows, loss>>);
static_assert(std::is_same_v<st::typed::accessed<update>, st::pack<rows, keys, loss, table>>);
struct taking {
  void operator()(st::out<loss> l, st::takes<st::at_offset<rows, 2>> r, st::in<keys> k) const;
};
static_assert(says<taking, st::pack<rows, keys>, st::pack<loss>>);

// Of those that say nothing by parameters nobody expects it.
struct without_slots {
  void operator()() const {}
};
struct only_context {
  void operator()(st::context auto&) const {}
};
struct anything {
  void operator()(auto&&...) const {}
};
struct overloaded {
  void operator()() const {}
  void operator()(int) const {}
};
template <class Task>
constexpr bool says_nothing = says<Task, st::pack<>, st::pack<>> && st::typed::body<Task>::ok;
static_assert(says_nothing<without_slots> && says_nothing<only_context>);
static_assert(says_nothing<anything> && says_nothing<overloaded>);

// Lists are what goes where there are any, and nobody looks further.
struct listed {
  using reads = st::reads<keys>;
  void operator()(st::in<rows>, st::out<loss>) const;
};
static_assert(says<listed, st::pack<keys>, st::pack<>> && !st::typed::body<listed>::ok);
struct listed_in_order {
  using reads = st::reads<rows>;
  using writes = st::writes<loss>;
  void operator()(st::in<rows>, st::out<loss>) const;
};
static_assert(!st::typed::body<listed_in_order>::ok, "said twice");

// What says nothing of a slot is odd among what does, except in front, where a context is.
struct plain_behind {
  void operator()(st::in<rows>, int, st::out<loss>) const;
};
struct plain {
  void operator()(int, int&) const;
};
template <class Task>
constexpr int odd = st::typed::said_by_task<Task>::odd;
static_assert(odd<with_context> == 0 && odd<not_const> == 0 && odd<plain> == 0);
static_assert(odd<plain_behind> == 2);

// A slot that two parameters name is one listed twice.
struct reads_twice {
  void operator()(st::in<keys>, st::in<keys>, st::out<rows>) const;
};
struct writes_twice {
  void operator()(st::in<keys>, st::out<rows>, st::out<rows>) const;
};
struct reads_and_writes {
  void operator()(st::in<keys>, st::in<rows>, st::out<rows>) const;
};
template <class Task>
struct only : st::schedule<st::source<keys>, st::result<rows>, Task> {};
template <class Task>
constexpr st::planner::finding_kind first_finding = st::findings<only<Task>>[0].what;
static_assert(first_finding<reads_twice> == st::planner::kind::listed_twice);
static_assert(first_finding<writes_twice> == st::planner::kind::listed_twice);
static_assert(first_finding<reads_and_writes> == st::planner::kind::reader_not_after_writer);

// What is said of the slots comes before what is missing because of it.
struct generic {
  void operator()(auto, auto&) const {}
};
template <class Task>
struct lacks_rows : st::schedule<st::source<keys>, st::result<loss>, Task> {};
static_assert(!st::is_valid<lacks_rows<listed>> && !st::is_valid<lacks_rows<generic>>);
TEST_CASE("a task that does not say its slots is told of before what nobody writes") {
  const auto told = []<class Task>(st::pack<Task>) -> std::string {
    return decltype(st::typed::run_diagnostic<lacks_rows<Task>>())::text();
  };
  CHECK(told(st::pack<listed>{}).starts_with("task `listed` lists slots in `reads` or `writes`"));
  CHECK(told(st::pack<generic>{}).starts_with("task `generic` lists no slots"));
  CHECK(told(st::pack<without_slots>{}).starts_with("rule 5"));
}

// An update needs a writer further ahead, wherever tasks are placed.
using st::typed::well_formed;
struct made_late
    : st::replan<by_parameters::training, st::place<by_parameters::patch, st::lookahead<2>>> {};
static_assert(!well_formed<made_late>);
static_assert(well_formed<by_parameters::training> && well_formed<parameters_serial>);

}  // namespace
