// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The order that a user gives: what it changes in a plan, and which orders are refused.

#include <doctest/doctest.h>
#include <algorithm>
#include <mutex>
#include <span>
#include <stretto/plan/fingerprint.hpp>
#include <stretto/plan/order/fewest_waits.hpp>
#include <stretto/plan/text/explain.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <vector>
#include "../../plan/draft.hpp"

namespace {

namespace st = stretto;
namespace planner = stretto::planner;
namespace kind = planner::kind;
using names = std::vector<std::string>;

names named(const planner::declaration& d, std::span<const std::size_t> nodes) {
  names all;
  for (const std::size_t n : nodes) all.emplace_back(planner::node_name(d, n));
  return all;
}

names sentences(const planner::declaration& d) {
  const planner::diagnosis all = planner::diagnose(d);
  names text;
  for (const auto& f : all.findings) text.push_back(planner::sentence(d, f, all.cycle));
  return text;
}

bool waits(std::span<const planner::edge> all, std::size_t producer, std::size_t consumer) {
  return std::any_of(all.begin(), all.end(), [&](const planner::edge& e) {
    return e.producer == producer && e.consumer == consumer && e.delta == 0;
  });
}

}  // namespace

TEST_CASE("an order goes before the order of declaration") {
  draft d{"one", "two"};
  d.add("a", 0, "one");
  d.add("b", 1, "two");
  d.add("c", 0, "one").collective();
  d.add("e", 0, "two").collective();
  const auto before = planner::make_plan(d.declaration());
  CHECK(named(d.declaration(), before.order) == names{"pull", "a", "b", "c", "e", "deliver"});

  d.order({"e", "c", "a"}).order({"c", "b"});
  const auto declared = d.declaration();
  CHECK(sentences(declared).empty());
  const auto p = planner::make_plan(declared);
  CHECK(named(declared, p.order) == names{"pull", "e", "c", "a", "b", "deliver"});
  CHECK(named(declared, p.tickets) == names{"e", "c"});
  // "one" runs c > a, "two" runs e > b, one thread each: c waits for e, b for c.
  CHECK(named(declared, std::span(p.threads.chained).subspan(2)) == names{"e", "b", "c", "a"});
  CHECK(waits(p.host_waits, 3, 2));
  CHECK(waits(p.host_waits, 2, 1));
  CHECK(waits(planner::run_ahead_waits(p), 3, 2));
  CHECK(planner::fingerprint(declared, p) != planner::fingerprint(declared, before));
}

TEST_CASE("an order says when tasks are submitted: on streams their effects may still overlap") {
  draft d{"one", "two"};
  d.add("a", 0, "one").mutates({"r"});
  d.add("b", 0, "two").mutates({"r"});
  d.add("host").thread("h");
  d.order({"host", "a", "b"});
  const auto declared = d.declaration();
  const auto p = planner::make_plan(declared);
  CHECK(waits(p.host_waits, 0, 1));
  CHECK(p.stream_waits.empty());
  const auto effects = planner::effect_order(p);
  CHECK(effects.ordered(2, 0, 0));  // `a` is submitted when the host task is over
  CHECK(!effects.ordered(0, 1, 0));
  REQUIRE(planner::diagnose(declared).findings.size() == 1);
  CHECK(planner::diagnose(declared).findings[0].what == kind::race);
}

TEST_CASE("the description of a plan shows the order and where it is the reason for a wait") {
  draft d;
  d.add("a").thread("x");
  d.add("b").thread("y");
  d.add("c").thread("x");
  d.order({"b", "a"}).order({"c", "a"});
  const auto declared = d.declaration();
  const auto p = planner::make_plan(declared);
  const std::string text = planner::describe("t", declared, p);
  CHECK(text.find("\norder given by the schedule\n  b > a\n  c > a\n") != std::string::npos);
  CHECK(text.find("`a` waits for `b` in the same progress: the schedule's `order`") !=
        std::string::npos);
  CHECK(planner::explain(declared, p, 1, 0, 0).find("`b` before `a`: the schedule's `order`") !=
        std::string::npos);
}

TEST_CASE("an order that contradicts the tasks is an error that names the whole cycle") {
  draft d;
  d.add("a", 0).writes({"x"});
  d.add("b", 0).reads({"x"});
  d.add("c", 0);
  d.add("e", 1).cross_iter("c", 1);
  d.order({"b", "c"}).order({"e", "a"});
  const auto declared = d.declaration();
  const planner::diagnosis all = planner::diagnose(declared);
  REQUIRE(all.findings.size() == 1);
  CHECK(all.findings[0].what == kind::order_cycle);
  CHECK(planner::rule_of(all.findings[0]) == 7);
  CHECK(sentences(declared) ==
        names{"rule 7: the `order` of the schedule contradicts what its tasks declare: `a` waits "
              "for `e` (`order`) waits for `c` waits for `b` (`order`) waits for `a`; drop a step "
              "marked `order`"});
}

TEST_CASE("two orders that contradict each other are a cycle, too") {
  draft d;
  d.add("a");
  d.add("b");
  d.order({"a", "b"}).order({"b", "a"});
  CHECK(sentences(d.declaration()) ==
        names{"rule 7: the `order` of the schedule contradicts what its tasks declare: `a` waits "
              "for `b` (`order`) waits for `a` (`order`); drop a step marked `order`"});
}

TEST_CASE("a cycle that the tasks declare is theirs, whatever the order says") {
  draft d;
  d.add("a").depends_on({"b"});
  d.add("b").depends_on({"a"});
  d.add("c");
  d.order({"c", "a"});
  const auto all = planner::diagnose(d.declaration()).findings;
  REQUIRE(all.size() == 1);
  CHECK(all[0].what == kind::cycle);
}

TEST_CASE("an edge to a later progress contradicts no order") {
  draft d;
  d.add("load", 1).writes({"x"});
  d.add("use", 0).reads({"x"}).cross_iter("load", 2);
  d.order({"use", "load"});
  CHECK(sentences(d.declaration()).empty());
}

TEST_CASE("a strict schedule keeps an order and judges it in the same way") {
  draft d;
  d.add("a");
  d.add("b");
  d.order({"b", "a"});
  auto declared = d.declaration();
  declared.strict = true;
  CHECK(sentences(declared).empty());
  CHECK(named(declared, planner::make_plan(declared).order) == names{"pull", "b", "a", "deliver"});
  d.order({"a", "b"});
  declared = d.declaration();
  declared.strict = true;
  CHECK(planner::diagnose(declared).findings[0].what == kind::order_cycle);
}

TEST_CASE("an order names tasks of the schedule, each once") {
  draft d;
  d.add("a");
  d.add("b");
  d.order({"a", "x", "b"}).order({"b", "b"});
  const auto declared = d.declaration();
  CHECK(sentences(declared) ==
        names{"rule 6: an `order` of the schedule names `x`, which is not a task of this schedule; "
              "list it there, or drop the entry",
              "rule 6: an `order` of the schedule lists `b` twice; drop one"});
  CHECK(planner::diagnose(declared).findings[1].position == 4);
  CHECK(planner::kind_name(kind::order_cycle) == "order_cycle");
}

namespace {

struct number : st::slot<int> {};
struct loaded : st::slot<int> {};
struct trained : st::slot<int> {};

struct load {
  using stream = st::stream<"copy">;
  static constexpr int lookahead = 1;
  using reads = st::reads<number>;
  using writes = st::writes<loaded>;
  void operator()(int in, int& out) const { out = in; }
};
struct train {
  using stream = st::stream<"compute">;
  using reads = st::reads<loaded>;
  using writes = st::writes<trained>;
  void operator()(int in, int& out) const { out = in * 2; }
};
struct log {
  void operator()() const {}
};
struct training : st::schedule<st::source<number>, st::result<trained>,
                               st::streams<"copy", "compute">, load, train, log> {};
struct turned : st::replan<training, st::order<log, train, load>> {};
struct turned_more : st::replan<turned, st::order<train, load>, st::order<log, load>> {};

template <class Schedule>
std::string order_of() {
  std::string text;
  const planner::declaration& d = st::typed::declared<Schedule>::value;
  for (const std::size_t n : st::plan_of<Schedule>.order)
    text += " " + std::string(planner::node_name(d, n));
  return text;
}

}  // namespace

TEST_CASE("an order is a part of a schedule, or an option of a plan") {
  CHECK(order_of<training>() == " pull load train log deliver");
  CHECK(order_of<turned>() == " pull log train load deliver");
  CHECK(order_of<turned_more>() == " pull log train load deliver");
  CHECK(st::describe<turned>().find("log > train > load") != std::string::npos);
  st::pipeline<turned> pipeline;
  std::vector<int> out;
  for (const int r : pipeline.run(std::vector{1, 2, 3})) out.push_back(r);
  CHECK(out == std::vector{2, 4, 6});
}

TEST_CASE("one batch at a time, an order holds among tasks of the same lookahead") {
  // `train` before `load` speaks of two batches; `log` before `train` of one.
  static_assert(st::is_valid<st::serial<turned>>);
  CHECK(order_of<st::serial<turned>>() == " pull load log train deliver");
  CHECK(order_of<st::serial<training>>() == " pull load train log deliver");
}

namespace {

/// What ran, in the order in which it ended.
struct record {
  std::mutex lock;
  std::vector<std::pair<char, std::size_t>> ended;

  void add(char task, std::size_t progress) {
    const std::lock_guard held(lock);
    ended.emplace_back(task, progress);
  }
  std::size_t place(char task, std::size_t progress) const {
    return static_cast<std::size_t>(
        std::find(ended.begin(), ended.end(), std::pair(task, progress)) - ended.begin());
  }
};

struct first {
  using thread = st::thread<"x">;
  static constexpr int lookahead = 1;
  record& seen;
  void operator()(st::context auto& ctx) { seen.add('a', ctx.progress()); }
};
struct second {
  using thread = st::thread<"y">;
  record& seen;
  void operator()(st::context auto& ctx) { seen.add('b', ctx.progress()); }
};
struct third {
  using thread = st::thread<"z">;
  using reads = st::reads<number>;
  record& seen;
  void operator()(st::context auto& ctx, int) { seen.add('c', ctx.progress()); }
};
struct unordered : st::schedule<st::source<number>, first, second, third> {};
struct backwards : st::replan<unordered, st::order<third, second, first>> {};

}  // namespace

TEST_CASE("threads keep the order in every progress") {
  record seen;
  st::pipeline<backwards> pipeline{first{seen}, second{seen}, third{seen}};
  std::size_t results = 0;
  for (const std::size_t batch : pipeline.run(std::vector<int>(200, 1)))
    results += batch == results;
  CHECK(results == 200);
  REQUIRE(seen.ended.size() == 600);
  for (std::size_t progress = 1; progress < 200; ++progress) {
    REQUIRE(seen.place('c', progress) < seen.place('b', progress));
    REQUIRE(seen.place('b', progress) < seen.place('a', progress));
  }
}
