// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random declarations that take values and point into slots: in the plan of each that is sound, who
// takes a value comes after all others that use it, and a slot is filled again after all that use
// it or what points into it. Who uses what is found anew here, by name.

#include <doctest/doctest.h>
#include <cstddef>
#include <random>
#include <stretto/plan/make_plan.hpp>
#include <stretto/plan/order/fewest_waits.hpp>
#include <stretto/plan/rules/diagnose.hpp>
#include <stretto/plan/rules/pipelined_choice.hpp>
#include <string>
#include <string_view>
#include <vector>
#include "../support/seed.hpp"
#include "draft.hpp"

namespace {

namespace planner = stretto::planner;

constexpr std::string_view slot_names[] = {"source", "a", "b", "c", "d"};
constexpr std::string_view task_names[] = {"t0", "t1", "t2", "t3", "t4", "t5"};
constexpr std::string_view threads[] = {"", "x", "y", "z"};

class dice {
 public:
  explicit dice(unsigned seed) : random_(seed) {}
  std::size_t below(std::size_t n) { return random_() % n; }
  bool one_in(std::size_t n) { return below(n) == 0; }

 private:
  std::mt19937 random_;
};

/// Each task reads slots of those before it, and writes one of its own.
void draw(dice& d, draft& into) {
  const std::size_t tasks = 2 + d.below(4);
  int lookahead = static_cast<int>(d.below(3));
  for (std::size_t t = 0; t < tasks; ++t) {
    if (lookahead > 0 && d.one_in(3)) --lookahead;
    draft::task& task = into.add(task_names[t], lookahead).thread(threads[d.below(4)]);
    for (std::size_t s = 0; s <= t && s < 5; ++s) {
      if (d.one_in(5)) {
        task.takes({slot_names[s]});
      } else if (d.one_in(2)) {
        task.reads({slot_names[s]});
      }
    }
    if (t + 1 < 5) task.writes({slot_names[t + 1]});
  }
  for (std::size_t s = 1; s < tasks && s < 5; ++s)
    if (d.one_in(3)) into.points(slot_names[s], slot_names[d.below(s)]);
  if (d.one_in(2)) into.result(slot_names[1 + d.below(tasks - 1) % 4]);
  if (d.one_in(4)) into.group("x", 1 + static_cast<int>(d.below(3)));
  if (d.one_in(4)) into.group("y", 0, 2);
}

bool uses(const planner::declaration& d, std::size_t node, const stretto::name& slot,
          int depth = 0) {
  bool found = false;
  if (node < d.tasks.size()) {
    for (const planner::access& a : d.tasks[node].reads) found = found || a.slot == slot;
    for (const planner::access& a : d.tasks[node].writes) found = found || a.slot == slot;
  } else if (node > d.tasks.size()) {
    for (const stretto::name& r : d.results) found = found || r == slot;
  } else {
    found = d.from.slot == slot;
  }
  if (depth == 5) return found;
  for (const planner::pointing& p : d.points)
    if (p.into == slot) found = found || uses(d, node, p.slot, depth + 1);
  return found;
}

struct tally {
  int takes = 0;
  int views = 0;
};

void check(const planner::declaration& d, tally& seen) {
  const planner::plan p = planner::make_plan(d);
  const auto order = planner::effect_order(p);
  const planner::graph& g = p.resolved;
  const auto comes_before = [&](std::size_t a, std::size_t b, int delta) {
    CAPTURE(planner::node_name(d, a));
    CAPTURE(planner::node_name(d, b));
    REQUIRE(delta >= 0);
    CHECK(order.ordered(a, b, delta));
  };
  for (std::size_t t = 0; t < g.tasks; ++t)
    for (const planner::access& a : d.tasks[t].reads) {
      if (!a.takes) continue;
      for (std::size_t n = 0; n < g.nodes.size(); ++n) {
        if (n == t || !uses(d, n, a.slot)) continue;
        comes_before(n, t, g.nodes[n].lookahead - g.nodes[t].lookahead);
        ++seen.takes;
      }
    }
  for (std::size_t s = 0; s < g.slot_list.size(); ++s)
    for (std::size_t n = 0; n < g.nodes.size(); ++n) {
      const std::size_t filler = p.fillers[s];
      if (n == filler || n == g.pull() || !uses(d, n, g.slot_list[s])) continue;
      comes_before(
          n, filler,
          static_cast<int>(p.copies[s]) - (g.nodes[filler].lookahead - g.nodes[n].lookahead));
      ++seen.views;
    }
}

}  // namespace

TEST_CASE("who takes a value is last, and what is pointed into is kept, in random plans") {
  dice d(seeds::first(20261123));
  tally seen;
  int sound = 0;
  for (int i = 0; i < 6000; ++i) {
    CAPTURE(i);
    draft drawn;
    draw(d, drawn);
    planner::declaration declared = drawn.declaration();
    if (!planner::diagnose(declared).findings.empty()) continue;
    ++sound;
    check(declared, seen);
    if (!declared.groups.empty()) continue;
    declared.pipelined = true;
    const planner::pipelined_choice raised = planner::choose_pipelined(declared);
    check(planner::with_choice(declared, raised), seen);
  }
  CHECK(sound > 500);
  CHECK(seen.takes > 500);
  CHECK(seen.views > 1000);
}
