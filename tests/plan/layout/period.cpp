// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How long a progress takes: the worst cycle, worked out by hand.

#include <doctest/doctest.h>
#include <array>
#include <initializer_list>
#include <stretto/plan/layout/period.hpp>
#include <vector>
#include "../draft.hpp"

namespace {

namespace planner = stretto::planner;
using planner::edge;
using planner::none;
using planner::ratio;
using planner::reason;

using numbers = std::vector<std::size_t>;

struct tasks {
  planner::graph g{};
  planner::list<edge> edges{};
  numbers order{};

  explicit tasks(std::initializer_list<int> weights) {
    g.tasks = weights.size();
    g.nodes.assign(weights.size() + 2, {});
    std::size_t n = 0;
    for (const int weight : weights) g.nodes[n++].weight = weight;
    order.push_back(g.pull());
    for (std::size_t t = 0; t < g.tasks; ++t) order.push_back(t);
    order.push_back(g.deliver());
  }
  tasks& from(std::size_t producer, std::size_t consumer, int delta) {
    edges.push_back({producer, consumer, delta, reason::data, none, 0});
    return *this;
  }
  planner::timing timing() const { return planner::make_timing(g, edges); }
};

}  // namespace

TEST_CASE("quotients are compared exactly") {
  CHECK(ratio{1, 2} < ratio{2, 3});
  CHECK_FALSE(ratio{2, 3} < ratio{1, 2});
  CHECK(ratio{2, 4} == ratio{1, 2});
  CHECK_FALSE(ratio{2, 4} < ratio{1, 2});
  CHECK(ratio{7, 2}.value() == 3.5);
}

TEST_CASE("a cycle takes its weights, shared by the progresses that it spans") {
  tasks two({3, 4});
  two.from(0, 1, 0).from(1, 0, 1);
  const planner::timing once = two.timing();
  CHECK(planner::period_finder(once).period({0, 1}, two.order) == ratio{7, 1});
  tasks wider({3, 4});
  wider.from(0, 1, 0).from(1, 0, 2);
  const planner::timing twice = wider.timing();
  CHECK(planner::period_finder(twice).period({0, 1}, wider.order) == ratio{7, 2});
  CHECK(planner::period_finder(twice).period({5, 1}, wider.order) == ratio{5, 1});
}

TEST_CASE("the worst of several cycles counts, and is told") {
  tasks three({3, 4, 5});
  three.from(0, 1, 0).from(1, 0, 1).from(1, 2, 0).from(2, 1, 1);
  const planner::timing t = three.timing();
  planner::period_finder finder(t);
  CHECK(finder.period({0, 1}, three.order) == ratio{9, 1});
  CHECK(finder.exceeds({17, 2}, three.order));
  CHECK_FALSE(finder.exceeds({9, 1}, three.order));
  CHECK(finder.cycle().size() == 2);
}

TEST_CASE("a thread takes the sum of what it runs, and its workers share that") {
  tasks three({3, 4, 5});
  const planner::timing t = three.timing();
  const numbers apart{0, 1, 1, 0, 0};
  planner::period_finder finder(t);
  CHECK(finder.period({0, 1}, three.order, apart, 2) == ratio{9, 1});
  const numbers workers{1, 2};
  finder.share(workers);
  CHECK(finder.period({0, 1}, three.order, apart, 2) == ratio{9, 2});
}

TEST_CASE("a cycle may lead through arcs and chains") {
  // 0 and 1 on one thread; 2, on another, comes after 1, and 0 of the next progress after that.
  tasks three({3, 4, 5});
  three.from(1, 2, 0).from(2, 0, 1);
  const planner::timing t = three.timing();
  const numbers apart{0, 0, 1, 0, 0};
  CHECK(planner::period_finder(t).period({0, 1}, three.order, apart, 2) == ratio{12, 1});
}

TEST_CASE("a limit ends the search at the first cycle beyond it") {
  tasks two({3, 4});
  two.from(0, 1, 0).from(1, 0, 1);
  const planner::timing t = two.timing();
  CHECK(planner::period_finder(t).period({0, 1}, two.order, {}, 0, {6, 1}) == ratio{7, 1});
}

TEST_CASE("of several edges between two nodes the one with the least delta delays") {
  tasks two({1, 1});
  two.from(0, 1, 3).from(0, 1, 1).from(0, 1, 2).from(1, 1, 1);
  const planner::timing t = two.timing();
  REQUIRE(t.into[1].last - t.into[1].first == 1);
  CHECK(t.arcs[t.into[1].first].from == 0);
  CHECK(t.arcs[t.into[1].first].delta == 1);
  CHECK(t.into[0].first == t.into[0].last);
}

TEST_CASE("a task's own runs are in order, unless workers take turns at them") {
  tasks one({1});
  one.from(0, 0, 2);
  CHECK(one.timing().arcs.empty());
  one.g.nodes[0].workers = 2;
  REQUIRE(one.timing().arcs.size() == 1);
  CHECK(one.timing().arcs[0].delta == 2);
}

TEST_CASE("the source delays only what nothing else delays more") {
  tasks two({1, 1});
  two.edges.push_back({two.g.pull(), 0, 0, reason::batch, none, 0});
  two.edges.push_back({two.g.pull(), 1, 0, reason::batch, none, 0});
  two.from(0, 1, 0);
  const planner::timing t = two.timing();
  REQUIRE(t.arcs.size() == 2);
  CHECK(t.arcs[0].from == two.g.pull());
  CHECK(t.arcs[1].from == 0);
}
