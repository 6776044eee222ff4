// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Longest paths under arcs that come and go, and what they rest on.

#include <doctest/doctest.h>
#include <algorithm>
#include <random>
#include <set>
#include <stretto/search/paths.hpp>
#include <vector>
#include "../support/seed.hpp"

namespace {

using stretto::search::number;
using stretto::search::detail::paths;
using stretto::search::detail::stretch;

constexpr number nodes = 6;
constexpr long long unit = 3;
constexpr long long period = 20;

/// The longest paths of arcs, anew.
std::vector<long long> longest(const std::vector<paths::step>& steps) {
  std::vector<long long> all(nodes * nodes, -1'000'000);
  for (number n = 0; n < nodes; ++n) all[n * nodes + n] = 0;
  for (const paths::step& s : steps) {
    long long& known = all[s.from * nodes + s.to];
    known = std::max(known, s.length.time * unit + s.length.periods * period);
  }
  for (number via = 0; via < nodes; ++via)
    for (number from = 0; from < nodes; ++from)
      for (number to = 0; to < nodes; ++to)
        all[from * nodes + to] =
            std::max(all[from * nodes + to], all[from * nodes + via] + all[via * nodes + to]);
  return all;
}

std::vector<paths::step> ring() {
  std::vector<paths::step> fixed;
  for (number n = 0; n < nodes; ++n)
    fixed.push_back({n, (n + 1) % nodes, {1, n + 1 == nodes ? -4 : 0}});
  return fixed;
}

}  // namespace

TEST_CASE("paths are the longest after each arc, and as before when it is taken back") {
  std::mt19937 random(seeds::first(1));
  const auto pick = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  std::size_t refused = 0;
  for (int round = 0; round < 50; ++round) {
    std::vector<paths::step> steps = ring();
    paths all;
    REQUIRE(all.reset(nodes, steps, unit, period));
    std::vector<number> before;
    for (number i = 0; i < 30; ++i) {
      const bool back = !before.empty() && pick(0, 3) == 0;
      if (back) {
        all.back_to(before.back());
        before.pop_back();
        steps.pop_back();
      } else {
        const paths::step s{static_cast<number>(pick(0, nodes - 1)),
                            static_cast<number>(pick(0, nodes - 1)),
                            {pick(0, 9), pick(-3, 1)},
                            i};
        if (s.from == s.to) continue;
        std::vector<paths::step> more = steps;
        more.push_back(s);
        const std::vector<long long> then = longest(more);
        bool positive = false;
        for (number n = 0; n < nodes; ++n) positive = positive || then[n * nodes + n] > 0;
        REQUIRE(all.closes(s) == positive);
        if (positive) {
          ++refused;
          continue;
        }
        before.push_back(all.changes());
        steps.push_back(s);
        all.add(s);
      }
      const std::vector<long long> expected = longest(steps);
      for (number from = 0; from < nodes; ++from)
        for (number to = 0; to < nodes; ++to)
          REQUIRE(all.reach(from, to) == expected[from * nodes + to]);
    }
  }
  CHECK(refused > 100);
}

TEST_CASE("a path is told by the arcs that it rested on at a time") {
  std::mt19937 random(seeds::first(2));
  const auto pick = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  for (int round = 0; round < 100; ++round) {
    const std::vector<paths::step> fixed = ring();
    paths all;
    REQUIRE(all.reset(nodes, fixed, unit, period));
    struct moment {
      number changes;
      std::vector<long long> reach;
      std::vector<paths::step> steps;
    };
    std::vector<paths::step> steps;
    std::vector<moment> moments;
    for (number i = 0; i < 12; ++i) {
      const paths::step s{static_cast<number>(pick(0, nodes - 1)),
                          static_cast<number>(pick(0, nodes - 1)),
                          {pick(0, 9), pick(-3, 0)},
                          i};
      if (s.from == s.to || all.closes(s)) continue;
      if (i % 2 == 1) {  // once for nothing
        const number before = all.changes();
        all.add({s.from, s.to, {s.length.time - 1, s.length.periods}, 99});
        all.back_to(before);
      }
      all.add(s);
      steps.push_back(s);
      moment m{all.changes(), {}, steps};
      for (number p = 0; p < nodes * nodes; ++p) m.reach.push_back(all.reach_of(p));
      moments.push_back(m);
    }
    for (const moment& m : moments)
      for (number from = 0; from < nodes; ++from)
        for (number to = 0; to < nodes; ++to) {
          std::set<number> literals;
          const stretch length =
              all.explain(from, to, m.changes, [&](number l) { literals.insert(l); });
          CHECK(all.scaled(length) == m.reach[from * nodes + to]);
          // These arcs are enough, and were there.
          std::vector<paths::step> told = fixed;
          for (const paths::step& s : m.steps)
            if (literals.erase(s.literal) != 0) told.push_back(s);
          CHECK(literals.empty());
          CHECK(longest(told)[from * nodes + to] == m.reach[from * nodes + to]);
        }
  }
}

TEST_CASE("arcs that hold in any case and close a cycle are refused, with its length") {
  std::vector<paths::step> fixed = ring();
  fixed.back().length = {1, -1};
  paths all;
  CHECK_FALSE(all.reset(nodes, fixed, unit, 17));
  CHECK(all.reset(nodes, fixed, unit, 18));
  CHECK_FALSE(all.reset(nodes, fixed, unit, 17));
  CHECK(all.fixed(0, 0).time == 6);
  CHECK(all.fixed(0, 0).periods == -1);
  CHECK(all.reach(0, 0) == 1);
}
