// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Schedules that the search finds of instances whose optima others have proved, and what it has to
// reach on them.

#include "scheduling.hpp"
#include <doctest/doctest.h>
#include <algorithm>
#include <cstddef>
#include <fstream>
#include <stretto/search/solve.hpp>
#include <string>
#include "../support/as_modulo.hpp"

namespace {

namespace search = stretto::search;
using conformance::json;
using conformance::quotient;
using stretto::planner::ratio;

}  // namespace

TEST_CASE("instances with proved optima") {
  std::ifstream file(STRETTO_GOLDENS "/scheduling.jsonl");
  REQUIRE(file.good());
  std::size_t instances = 0;
  std::size_t ratios = 0;
  double bytes = 0;
  std::size_t alone = 0;
  double gaps = 0;
  std::size_t beaten = 0;  // where the baseline is not optimal, and has more than there has to be
  std::size_t least_already = 0;
  std::size_t smaller = 0;  // of these, in bytes or batches in flight
  for (std::string text; std::getline(file, text);) {
    const json line = json::parse(text);
    const conformance::instance asked(line);
    CAPTURE(asked.id);
    const search::solution found = search::solve(asked.asked);
    REQUIRE(found.found);
    ++instances;
    const search::evaluation of(asked.asked, found.best);
    REQUIRE(of.wrong() == search::illegal::no);
    CHECK(of.period() == found.period);
    CHECK(of.bytes() == found.bytes);

    const json& best = line["best"];
    const ratio lower = quotient(best["lower"]);
    const ratio known = quotient(best["period"]);
    const bool small = asked.tasks.size() <= 64;
    CHECK(!(found.period < lower));
    // What is said to be proved contradicts no answer that is known.
    CHECK(!(known < found.least));
    CHECK(!(known < found.period));
    if (small && asked.asked.in_flight > 1) CHECK(found.optimal());
    if (best["proved"] && asked.asked.in_flight == 1) {
      const double gap = found.period.value() / known.value() - 1;
      CHECK(gap <= 0.05);
      gaps += gap;
      ++alone;
    }
    if (best.contains("bytes") && found.period == known) {
      const double over = static_cast<double>(found.bytes) / best["bytes"].get<double>();
      CHECK(over <= 1.25);
      CHECK((!best.value("bytes_proved", false) || found.bytes >= best["bytes"]));
      CHECK(found.least_bytes <= best["bytes"]);
      bytes += over;
      ++ratios;
    }
    if (!line.contains("baseline")) continue;
    const json& baseline = line["baseline"];
    CHECK(!(quotient(baseline["period"]) < found.period));
    if (quotient(baseline["period"]) == known) continue;
    long long least = 0;
    for (const search::problem::slot& slot : asked.asked.slot_list) least += slot.bytes;
    // One batch at a time with a copy of each slot: nothing has fewer of either, and it takes long.
    if (baseline["in_flight"] == 1 && baseline["bytes"] == least) {
      ++least_already;
      continue;
    }
    ++beaten;
    if (found.bytes < baseline["bytes"] || found.best.in_flight < baseline["in_flight"]) ++smaller;
  }
  CHECK(instances == 84);
  CHECK(gaps <= 0.02 * static_cast<double>(alone));
  CHECK(bytes <= 1.05 * static_cast<double>(ratios));
  CHECK(smaller == beaten);
  CHECK(beaten == 37);
  CHECK(least_already == 22);
}

TEST_CASE("the original's fourteen tasks need two batches in flight, not three") {
  std::ifstream file(STRETTO_GOLDENS "/scheduling.jsonl");
  for (std::string text; std::getline(file, text);) {
    const conformance::instance asked(json::parse(text));
    if (asked.id != "hstu_native_3" && asked.id != "hstu_prefetch_2") continue;
    const search::solution found = search::solve(asked.asked);
    CHECK(found.period == ratio{108'380, 1});
    CHECK(found.optimal());
    CHECK(found.why.reason == search::proof::why::resource);  // its default stream
    CHECK(found.best.in_flight == 2);
    CHECK(found.fewest_in_flight);
  }
}

TEST_CASE("what a compiler finds, of instances that are small enough for it") {
  std::ifstream file(STRETTO_GOLDENS "/scheduling.jsonl");
  std::size_t free = 0;
  double gaps = 0;
  std::size_t bounded = 0;
  double gaps_of_bounded = 0;
  for (std::string text; std::getline(file, text);) {
    const json line = json::parse(text);
    const conformance::instance in(line);
    if (in.tasks.size() > stretto::planner::most_scheduled) continue;
    CAPTURE(in.id);
    const auto as = as_modulo::problem(in.asked);
    const auto s = as_modulo::found(as);
    REQUIRE(s.found());
    const search::evaluation of(in.asked, as_modulo::answer(in.asked, as, s.best));
    REQUIRE(of.wrong() == search::illegal::no);
    CHECK(of.bytes() == s.bytes);
    const ratio period{s.period.time, s.period.progresses * stretto::planner::modulo_scale};
    CHECK(of.period() == period);
    const ratio known = quotient(line["best"]["period"]);
    CHECK((!line["best"]["proved"] || !(period < known)));
    const double gap = period.value() / known.value() - 1;
    if (in.asked.bytes == search::no_limit) {
      CHECK(gap < 0.25);
      gaps += gap;
      ++free;
    } else {
      gaps_of_bounded += gap;
      ++bounded;
    }
  }
  CHECK(free == 43);
  CHECK(gaps < 0.03 * static_cast<double>(free));
  CHECK(gaps_of_bounded < 0.2 * static_cast<double>(bounded));
}
