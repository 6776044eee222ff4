// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Nothing waits for itself: deadlocks planted by hand are found, no plan of a valid schedule is.

#include <doctest/doctest.h>
#include <random>
#include <stretto/plan/order/deadlock.hpp>
#include "../../support/random_schedule.hpp"
#include "../../support/seed.hpp"
#include "../draft.hpp"

namespace {

namespace planner = stretto::planner;
using planner::edge;
using planner::reason;

/// What a reported cycle must be: edges of the plan or steps of a chain, each from where the one
/// before leads to, back to the first, over no progress in sum.
void check_cycle(const planner::plan& p, const planner::list<edge>& cycle) {
  REQUIRE(!cycle.empty());
  int total = 0;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const edge& e = cycle[i];
    CHECK(e.consumer == cycle[i + 1 == cycle.size() ? 0 : i + 1].producer);
    total += e.delta;
    if (e.why == reason::thread) {
      CHECK(p.threads.thread_of[e.producer] == p.threads.thread_of[e.consumer]);
    } else {
      CHECK(std::any_of(p.edges.begin(), p.edges.end(), [&](const edge& known) {
        return known.producer == e.producer && known.consumer == e.consumer &&
               known.delta == e.delta && known.why == e.why;
      }));
    }
  }
  CHECK(total <= 0);
}

void swap_in_chain(planner::plan& p, std::size_t a, std::size_t b) {
  std::swap(p.threads.chained[a], p.threads.chained[b]);
}

}  // namespace

TEST_CASE("a chain that runs a consumer before its producer waits for itself") {
  draft d;
  d.add("a").writes({"x"});
  d.add("b").reads({"x"});
  auto p = planner::make_plan(d.declaration());
  CHECK(planner::deadlock(p).empty());
  // Threads: caller (pull, deliver), host (a, b).
  swap_in_chain(p, 2, 3);
  const auto cycle = planner::deadlock(p);
  check_cycle(p, cycle);
  CHECK(cycle.size() == 2);
}

TEST_CASE("two chains that wait for each other crosswise") {
  draft d;
  d.add("a").thread("one");
  d.add("b").thread("one").depends_on({"e"});
  d.add("c").thread("two").depends_on({"a"});
  d.add("e").thread("two");
  auto p = planner::make_plan(d.declaration());
  CHECK(planner::deadlock(p).empty());
  // one: b before a; two: c before e.
  const auto find = [&](std::size_t n) {
    return static_cast<std::size_t>(
        std::find(p.threads.chained.begin(), p.threads.chained.end(), n) -
        p.threads.chained.begin());
  };
  std::size_t first = find(0);
  std::size_t second = find(1);
  if (first < second) swap_in_chain(p, first, second);
  first = find(2);
  second = find(3);
  if (first > second) swap_in_chain(p, first, second);
  check_cycle(p, planner::deadlock(p));
}

TEST_CASE("tickets and the refilling of a copy are among what can close a cycle") {
  draft d{"s"};
  d.add("load", 1, "s").writes({"x"}).collective();
  d.add("use", 0).reads({"x"}).collective();
  const auto good = planner::make_plan(d.declaration());
  CHECK(planner::deadlock(good).empty());

  auto ticket = good;  // the ticket of `load` after that of `use`, which chains and data forbid
  for (edge& e : ticket.edges)
    if (e.why == reason::ticket) e.delta = e.delta == 0 ? -2 : e.delta;
  check_cycle(ticket, planner::deadlock(ticket));

  auto reuse = good;  // a copy too few: the refill waits for a reader that waits for the refill
  for (edge& e : reuse.edges)
    if (e.why == reason::reuse) e.delta -= 2;
  const auto cycle = planner::deadlock(reuse);
  check_cycle(reuse, cycle);
  CHECK(std::any_of(cycle.begin(), cycle.end(),
                    [](const edge& e) { return e.why == reason::reuse; }));
}

TEST_CASE("a cycle that leads to a later progress is none") {
  draft d;
  d.add("a").cross_iter("b");
  d.add("b").depends_on({"a"});
  auto p = planner::make_plan(d.declaration());
  CHECK(planner::deadlock(p).empty());
  for (edge& e : p.edges)
    if (e.why == reason::cross_iter) --e.delta;
  check_cycle(p, planner::deadlock(p));
}

TEST_CASE("no valid schedule waits for itself, on whichever threads") {
  std::mt19937 random(seeds::first(7));
  std::size_t plans = 0;
  std::size_t broken = 0;
  random_schedule::for_each_valid(
      500, seeds::first(400000), [&](const planner::declaration& d, unsigned seed) {
        CAPTURE(seed);
        std::vector<planner::task> tasks(d.tasks.begin(), d.tasks.end());
        auto mapped = d;
        mapped.tasks = tasks;
        const std::string_view threads[] = {"caller", "t0", "t1", "t2", "t3"};
        for (int map = 0; map < 8; ++map) {
          for (planner::task& t : tasks)
            t.thread = threads[std::uniform_int_distribution<std::size_t>(0, 4)(random)];
          auto p = planner::make_plan(mapped);
          REQUIRE(planner::deadlock(p).empty());
          ++plans;
          // Any order of a chain: stuck if and only if no order of all runs keeps chains and edges.
          std::shuffle(p.threads.chained.begin() + static_cast<long>(p.threads.chains[0].first),
                       p.threads.chained.begin() + static_cast<long>(p.threads.chains[0].last),
                       random);
          auto edges = p.edges;
          for (std::size_t i = p.threads.chains[0].first + 1; i < p.threads.chains[0].last; ++i)
            edges.push_back({p.threads.chained[i - 1], p.threads.chained[i], 0,
                             planner::reason::thread, planner::none, 0});
          for (std::size_t t = 1; t < p.threads.chains.size(); ++t)
            for (std::size_t i = p.threads.chains[t].first + 1; i < p.threads.chains[t].last; ++i)
              edges.push_back({p.threads.chained[i - 1], p.threads.chained[i], 0,
                               planner::reason::thread, planner::none, 0});
          // By elimination: take away what waits for nothing, until nothing is left or all wait.
          std::vector<char> gone(p.order.size(), 0);
          bool more = true;
          while (more) {
            more = false;
            for (std::size_t n = 0; n < gone.size(); ++n) {
              const bool waits = std::any_of(edges.begin(), edges.end(), [&](const edge& e) {
                return e.consumer == n && e.delta == 0 && gone[e.producer] == 0;
              });
              if (gone[n] != 0 || waits) continue;
              gone[n] = 1;
              more = true;
            }
          }
          const bool stuck = std::find(gone.begin(), gone.end(), 0) != gone.end();
          REQUIRE(planner::deadlock(p).empty() == !stuck);
          if (stuck) check_cycle(p, planner::deadlock(p));
          broken += stuck;
        }
      });
  CHECK(plans == 4000);
  CHECK(broken > 300);
  CHECK(broken < 3700);
}
