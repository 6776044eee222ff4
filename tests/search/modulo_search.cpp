// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The search that compilers do, at run time: against all answers that there are.

#include <doctest/doctest.h>
#include <random>
#include <stretto/plan/layout/modulo_search.hpp>
#include <stretto/search/evaluation.hpp>
#include <stretto/search/least_period.hpp>
#include "../support/as_modulo.hpp"
#include "../support/seed.hpp"
#include "random_problem.hpp"

namespace {

namespace search = stretto::search;
namespace planner = stretto::planner;
using planner::ratio;

ratio unscaled(ratio r) { return {r.time, r.progresses * planner::modulo_scale}; }

}  // namespace

TEST_CASE("what is found is an answer, takes as long as is said, and is mostly the best") {
  std::mt19937 random(seeds::first(5));
  int found = 0;
  int best_found = 0;
  int missed = 0;
  double over = 0;
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    random_problem::shape of;
    of.tasks = i < 240 ? 3 : 4;
    of.in_flight = 1 + i % (i < 240 ? 3 : 2);
    of.threads = 1 + i % 2;
    search::problem p = random_problem::draw(random, of);
    if (i % 4 == 0) {
      p.bytes = 3;
      for (const auto& s : p.slot_list) p.bytes += s.bytes;
    }
    if (i % 7 == 0) p.offered = 1;
    const random_problem::best_of_all best(p);
    const planner::modulo_problem as = as_modulo::problem(p);
    const planner::modulo_progress s = as_modulo::found(as);
    CHECK(s.work < planner::modulo_budget(p.tasks.size()) + planner::modulo_part_budget);
    if (!best.any) {
      CHECK(!s.found());
      continue;
    }
    if (!s.found()) {
      ++missed;
      continue;
    }
    ++found;
    const search::evaluation of_it(p, as_modulo::answer(p, as, s.best));
    REQUIRE(of_it.wrong() == search::illegal::no);
    CHECK(of_it.bytes() == s.bytes);
    CHECK(of_it.period() == unscaled(s.period));
    CHECK(!(unscaled(s.period) < best.period));
    CHECK(!(best.period < unscaled(s.least)));
    CHECK(s.best.in_flight <= p.in_flight);
    if (unscaled(s.period) == best.period) ++best_found;
    over += of_it.period().value() / best.period.value() - 1;
  }
  CHECK(found > 200);
  CHECK(missed * 20 < found);
  CHECK(best_found * 10 > found * 8);
  CHECK(over < 0.05 * found);
}

TEST_CASE("a search goes on where it was") {
  std::mt19937 random(seeds::first(6));
  random_problem::shape of;
  of.tasks = 30;
  of.in_flight = 3;
  of.bounds = false;
  const planner::modulo_problem as = as_modulo::problem(random_problem::draw(random, of));
  planner::modulo_progress s;
  int parts = 0;
  for (; s.now != planner::modulo_progress::phase::over; ++parts) {
    const planner::modulo_progress before = s;
    s = planner::modulo_search(as, s).run();
    CHECK(s.work > before.work);
    if (before.found()) CHECK(!(before.period < s.period));
  }
  CHECK(parts > 2);
  CHECK(s.found());
}
