// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Serial plans, of types and of values: valid wherever the pipelined schedule is, with its results.

#include <doctest/doctest.h>
#include <cstddef>
#include <stretto/dynamic.hpp>
#include <stretto/explain.hpp>
#include <stretto/from_types.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <vector>

namespace {

namespace st = stretto;
namespace dynamic = stretto::dynamic;

struct keys : st::slot<int> {};
struct rows : st::slot<int> {};
struct peeked : st::slot<int> {};
struct loss : st::slot<int> {};

// Written in the order in which they must not run.
struct forward {
  using reads = st::reads<rows, peeked>;
  using writes = st::writes<loss>;
  void operator()(int row, int before, int& out) const { out = 1000 * before + row; }
};
struct patch {
  using stream = st::stream<"copy">;
  static constexpr int lookahead = 1;
  using writes = st::writes<rows>;
  void operator()(int& row) const { row += 7; }
};
struct peek {
  static constexpr int lookahead = 2;
  using reads = st::reads<rows>;
  using writes = st::writes<peeked>;
  void operator()(int row, int& out) const { out = row; }
};
struct load {
  using stream = st::stream<"copy">;
  static constexpr int lookahead = 3;
  using reads = st::reads<keys>;
  using writes = st::writes<rows>;
  void operator()(int key, int& row) const { row = 10 * key; }
};
struct training : st::schedule<st::source<keys>, st::result<loss>, st::streams<"copy">, forward,
                               patch, peek, load> {};

template <class Schedule>
std::vector<int> results() {
  std::vector<int> all;
  st::pipeline<Schedule> pipeline;
  for (const int l : pipeline.run(std::vector{1, 2, 3, 4})) all.push_back(l);
  return all;
}

std::vector<int> results(const dynamic::schedule& s) {
  std::vector<int> all;
  dynamic::pipeline pipeline(s);
  for (const dynamic::result& r : pipeline.run(std::vector{1, 2, 3, 4}))
    all.push_back(r.get<int>());
  return all;
}

const std::vector<int> expected{10017, 20027, 30037, 40047};

TEST_CASE("a slot that several tasks write is updated in the order of their lookaheads") {
  using serial = st::serial<training>;
  static_assert(st::is_valid<training> && st::is_valid<serial>);
  static_assert(st::in_flight<serial> == 1 && st::copies_of<serial, rows> == 1);
  CHECK(results<training>() == expected);
  CHECK(results<serial>() == expected);
  const dynamic::schedule pipelined = dynamic::from_types<training>();
  CHECK(results(pipelined) == expected);
  CHECK(results(dynamic::serial(pipelined)) == expected);
  CHECK(results(dynamic::from_types<serial>()) == expected);
  CHECK(results(dynamic::serial(dynamic::from_types<serial>())) == expected);
  const std::vector<std::size_t> order{4, 3, 2, 1, 0, 5};
  const dynamic::planned_schedule planned(dynamic::serial(pipelined));
  CHECK(std::vector(planned.plan().order.begin(), planned.plan().order.end()) == order);
}

struct patch_too : patch {
  static constexpr std::string_view name = "patch_too";
};
struct clash : st::schedule<st::source<keys>, st::streams<"copy">, load, patch, patch_too> {};

TEST_CASE("two writers at one lookahead are two writers in a serial plan, too") {
  CHECK(st::explain_findings<st::serial<clash>>().front() ==
        "rule 4: task `patch_too` and `patch` both write slot `rows` at lookahead 1; give one of "
        "them another slot or another lookahead");
  CHECK(dynamic::diagnose(dynamic::serial(dynamic::outline<clash>())).found.findings.size() == 1);
}

TEST_CASE("a serial plan's read of what is written behind it is told with the lookaheads") {
  dynamic::schedule s = dynamic::outline<training>();
  s.find("patch")->lookahead = 0;
  s.find("load")->lookahead = 1;
  const dynamic::diagnosis found = dynamic::diagnose(dynamic::serial(s));
  REQUIRE(found.size() == 1);
  CHECK(found.sentences(dynamic::serial(s)).front() ==
        "rule 5: task `peek` reads slot `rows` at lookahead 2, but `load` writes it only at "
        "lookahead 1; raise the lookahead of `load` to at least 2");
}

struct tick {
  using reads = st::reads<rows>;
  void operator()(int) const {}
};
struct turns : st::schedule<st::source<keys>, st::streams<"copy">, tick, forward, patch, peek, load,
                            st::order<load, forward, patch, tick>> {};

TEST_CASE("the outline of a serial schedule keeps its orders together") {
  const dynamic::schedule s = dynamic::outline<st::serial<turns>>();
  CHECK(s.serial);
  const std::vector<std::vector<std::string>> among{{"load"}, {"forward", "tick"}, {"patch"}};
  CHECK(s.orders == among);
  CHECK(dynamic::planned_schedule(s).fingerprint() == st::fingerprint<st::serial<turns>>);
}

int learned = 0;
struct table : st::resource<> {};

/// Looks at what `learn` has made of the batches before, as many as the plan has finished by then.
struct look {
  using stream = st::stream<"compute">;
  static constexpr int lookahead = 1;
  using reads = st::reads<keys>;
  using writes = st::writes<rows>;
  using observes = st::observes<table>;
  void operator()(int key, int& row) const { row = 100 * learned + key; }
};
struct learn {
  using stream = st::stream<"compute">;
  using reads = st::reads<rows>;
  using writes = st::writes<loss>;
  using mutates = st::mutates<table>;
  void operator()(int row, int& out) const {
    out = row;
    ++learned;
  }
};
struct online
    : st::schedule<st::source<keys>, st::result<loss>, st::streams<"compute">, look, learn> {};

struct learn_first;
struct look_after : look {
  using cross_iter_depends_on = st::cross_iter_depends_on<learn_first>;
};
struct learn_first : learn {};
struct in_turns : st::schedule<st::source<keys>, st::result<loss>, st::streams<"compute">,
                               look_after, learn_first> {};

template <class Schedule>
std::vector<int> learn_from_none() {
  learned = 0;
  return results<Schedule>();
}
std::vector<int> learn_from_none(const dynamic::schedule& s) {
  learned = 0;
  return results(s);
}

TEST_CASE("shared state is the same in every plan where its users wait for each other's batches") {
  const std::vector<int> one_by_one{1, 102, 203, 304};
  static_assert(st::is_valid<online> && st::is_valid<in_turns>);
  CHECK(learn_from_none<st::serial<online>>() == one_by_one);
  CHECK(learn_from_none<online>() == std::vector{1, 2, 103, 204});  // a batch behind
  CHECK(learn_from_none<st::serial<in_turns>>() == one_by_one);
  CHECK(learn_from_none<in_turns>() == one_by_one);
  const dynamic::schedule waits = dynamic::from_types<in_turns>();
  CHECK(learn_from_none(waits) == one_by_one);
  CHECK(learn_from_none(dynamic::serial(waits)) == one_by_one);
}

TEST_CASE("an order of unknown tasks is told, not thrown") {
  dynamic::schedule s = dynamic::outline<turns>();
  s.orders = {{"nobody", "load", "nobody else"}};
  CHECK(dynamic::diagnose(dynamic::serial(s)).size() == 2);
}

}  // namespace
