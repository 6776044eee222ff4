// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Formulas decided, against every way to decide them.

#include <doctest/doctest.h>
#include <random>
#include <stretto/search/clause_search.hpp>
#include <vector>
#include "../support/seed.hpp"

namespace {

using stretto::planner::ratio;
using stretto::search::no_limit;
using stretto::search::number;
using stretto::search::detail::clause_search;
using stretto::search::detail::formula;
using stretto::search::detail::literal;
using stretto::search::detail::opposite;
using stretto::search::detail::paths;
using stretto::search::detail::variable_of;

constexpr number nodes = 4;
constexpr number variables = 12;

formula draw(std::mt19937& random) {
  const auto pick = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  const auto any = [&] { return static_cast<literal>(pick(0, 2 * variables - 1)); };
  formula f;
  f.nodes = nodes;
  for (number v = 0; v < variables; ++v)
    f.add(pick(0, 1) == 0, v > 2 && pick(0, 3) == 0 ? literal{0} : stretto::search::no_number);
  for (number n = 0; n < nodes; ++n) {
    f.fix(formula::times, n, (n + 1) % nodes, {pick(0, 3), n + 1 == nodes ? -3 : 0});
    f.fix(formula::progresses, n, (n + 1) % nodes, {0, n + 1 == nodes ? -2 : 0});
  }
  for (int i = 0; i < 20; ++i) {
    const number from = static_cast<number>(pick(0, nodes - 1));
    const number to = static_cast<number>(pick(0, nodes - 1));
    if (from == to) continue;
    if (pick(0, 3) == 0)
      f.imply(any(), formula::progresses, from, to, {0, pick(-1, 1)});
    else
      f.imply(any(), formula::times, from, to, {pick(0, 9), pick(-3, 0)});
  }
  for (int i = 0; i < 50; ++i) {
    const literal a = any();
    const literal b = any();
    const literal c = any();
    if (variable_of(a) == variable_of(b) || variable_of(b) == variable_of(c) ||
        variable_of(a) == variable_of(c))
      continue;
    if (i < 48) f.clause({a, b, c});
    if (i == 48) f.clause({a, b});
    if (i == 49 && pick(0, 2) == 0) f.clause({c});
  }
  for (const bool bytes : {false, true}) {
    formula::at_most sum;
    sum.bytes = bytes;
    sum.constant = pick(0, 4);
    for (number v = 0; v < variables; ++v)
      if (pick(0, 1) == 0)
        sum.terms.push_back({2 * v + static_cast<literal>(pick(0, 1)), pick(1, 6)});
    f.sums.push_back(sum);
  }
  return f;
}

bool holds(unsigned decided, literal l) { return ((decided >> variable_of(l)) & 1U) != (l & 1U); }

bool satisfies(const formula& f, unsigned decided, ratio period, long long bytes) {
  for (const auto& any_of : f.clauses) {
    bool one = false;
    for (const literal l : any_of) one = one || holds(decided, l);
    if (!one) return false;
  }
  for (const auto& sum : f.sums) {
    long long all = sum.constant;
    for (const auto& t : sum.terms)
      if (holds(decided, t.holds)) all += t.weight;
    if (sum.bytes ? all > bytes : period < ratio{all, 1}) return false;
  }
  for (number g = 0; g < 2; ++g) {
    std::vector<paths::step> steps = f.fixed[g];
    for (const formula::arc& a : f.arcs)
      if (a.graph == g && holds(decided, a.step.literal)) steps.push_back(a.step);
    paths all;
    const bool time = g == formula::times;
    if (!all.reset(nodes, steps, time ? period.progresses : 0, time ? period.time : 1))
      return false;
  }
  return true;
}

bool can_be(const formula& f, ratio period, long long bytes) {
  for (unsigned decided = 0; decided < (1U << variables); ++decided)
    if (satisfies(f, decided, period, bytes)) return true;
  return false;
}

}  // namespace

TEST_CASE("what is found holds, what is not cannot be, up to the limits that are told") {
  std::mt19937 random(seeds::first(4));
  std::size_t found = 0;
  std::size_t by_period = 0;
  std::size_t by_bytes = 0;
  long long conflicts = 0;
  for (int i = 0; i < 400; ++i) {
    CAPTURE(i);
    const formula f = draw(random);
    // One search, of which each question leaves what it has learnt to the next.
    clause_search by(f);
    for (int question = 0; question < 12; ++question) {
      const ratio period{std::uniform_int_distribution<long long>(4, 60)(random), 1 + question % 3};
      const long long bytes =
          question % 2 == 0 ? no_limit : std::uniform_int_distribution<long long>(0, 20)(random);
      const auto verdict = by.solve(period, bytes, 10'000'000);
      REQUIRE(verdict != clause_search::verdict::unknown);
      REQUIRE((verdict == clause_search::verdict::found) == can_be(f, period, bytes));
      if (verdict == clause_search::verdict::found) {
        ++found;
        unsigned decided = 0;
        for (number v = 0; v < variables; ++v)
          if (by.holds(2 * v)) decided |= 1U << v;
        CHECK(satisfies(f, decided, period, bytes));
        continue;
      }
      const auto& refuted = by.refuted();
      CHECK(refuted.holds(period, bytes));
      // Nothing with any limits below both.
      const ratio endless{1'000'000, 1};
      const ratio below = refuted.period.progresses == 0 ? endless
                                                         : ratio{refuted.period.time * 1000 - 1,
                                                                 refuted.period.progresses * 1000};
      CHECK_FALSE(can_be(f, below, refuted.bytes == no_limit ? no_limit : refuted.bytes - 1));
      if (refuted.period.progresses != 0) ++by_period;
      if (refuted.bytes != no_limit) ++by_bytes;
    }
    conflicts += by.conflicts();
  }
  CHECK(conflicts > 500);
  CHECK(found > 200);
  CHECK(by_period > 200);
  CHECK(by_bytes > 50);
}

TEST_CASE("a search gives up after its steps, and goes on from there") {
  // Pigeons: more than there are holes.
  formula f;
  const number pigeons = 9;
  const number holes = 8;
  f.nodes = 1;
  std::vector<std::vector<literal>> in(pigeons);
  for (auto& own : in) {
    for (number h = 0; h < holes; ++h) own.push_back(f.add());
    f.clause(own);
  }
  for (number h = 0; h < holes; ++h)
    for (number a = 0; a < pigeons; ++a)
      for (number b = 0; b < a; ++b) f.clause({opposite(in[a][h]), opposite(in[b][h])});
  clause_search by(f);
  CHECK(by.solve({1, 1}, no_limit, 1000) == clause_search::verdict::unknown);
  const long long first = by.work();
  CHECK(first < 100'000);
  CHECK(by.solve({1, 1}, no_limit, 2'000'000'000) == clause_search::verdict::none);
  CHECK(by.refuted().period.progresses == 0);
}
