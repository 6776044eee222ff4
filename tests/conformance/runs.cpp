// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Records of the original engine as task types: what really runs when they run. (What they are
// planned to do, of all records: `static`.)

#include "runs.hpp"
#include <doctest/doctest.h>
#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace {

using nlohmann::json;

const std::map<std::string, json>& records() {
  static const auto all = [] {
    std::map<std::string, json> result;
    for (const char* file : {"hstu.jsonl", "documented.jsonl"}) {
      std::ifstream in(std::string(STRETTO_GOLDENS) + "/" + file);
      REQUIRE_MESSAGE(in, "cannot open ", file);
      for (std::string line; std::getline(in, line);) {
        json record = json::parse(line);
        const auto id = record["id"].get<std::string>();
        result.emplace(id, std::move(record));
      }
    }
    return result;
  }();
  return all;
}

template <class Check>
void for_each_compiled(Check check) {
  for (const conformance::compiled& c : conformance::all_compiled()) {
    CAPTURE(c.id);
    check(c, records().at(std::string(c.id)));
  }
}

/// The table as JSON. The original knows how many batches come; Stretto, with no lookahead, learns
/// that there is no more in a last progress in which nothing runs.
json table(conformance::fire_table t, const json& golden) {
  if (t.size() == golden.size() + 1 && t.back().empty()) t.pop_back();
  return t;
}

/// As sets: threads may interleave the tasks of a progress.
json unordered(json t) {
  for (json& progress : t) std::sort(progress.begin(), progress.end());
  return t;
}

}  // namespace

TEST_CASE("compiled records: all of the ranking pipeline's, and a spread of the document's") {
  std::size_t ranking = 0;
  std::size_t documented = 0;
  std::size_t invalid = 0;
  std::size_t threaded = 0;
  for_each_compiled([&](const conformance::compiled& c, const json&) {
    ++(c.id.starts_with("hstu_") ? ranking : documented);
    invalid += c.valid ? 0U : 1U;
    threaded += c.run_on_threads != nullptr ? 1U : 0U;
  });
  if (!conformance::all_are_compiled()) {  // a day's sample
    CHECK(ranking >= 8);
    CHECK(documented >= 20);
    CHECK(invalid >= 8);
    CHECK(threaded >= 16);
    return;
  }
  CHECK(ranking == 36);
  CHECK(documented == 116);
  CHECK(invalid == 50);
  CHECK(threaded == 78);
}

TEST_CASE("compiled records: verdicts, in strict mode and with history") {
  std::size_t accepted_with_history = 0;
  for_each_compiled([&](const conformance::compiled& c, const json& record) {
    CHECK(c.valid == (record["verdict"] == "valid"));
    if (c.valid) {
      CHECK(c.valid_with_history);
      return;
    }
    CHECK(c.valid_with_history == (record["error"]["kind"] == "cross_iter_rotated_out"));
    accepted_with_history += c.valid_with_history ? 1U : 0U;
  });
  CHECK(accepted_with_history >= (conformance::all_are_compiled() ? 10 : 1));
}

TEST_CASE("compiled records: what runs in each progress, in order, on one thread") {
  for_each_compiled([](const conformance::compiled& c, const json& record) {
    if (!c.valid) return;
    for (const auto& [batches, golden] : record["fires"].items()) {
      CAPTURE(batches);
      CHECK(table(c.run(std::stoul(batches)), golden) == golden);
    }
  });
}

TEST_CASE("compiled records: what runs in each progress, on a thread per stream") {
  for_each_compiled([](const conformance::compiled& c, const json& record) {
    if (!c.run_on_threads) return;
    for (const auto& [batches, golden] : record["fires"].items()) {
      CAPTURE(batches);
      CHECK(unordered(table(c.run_on_threads(std::stoul(batches)), golden)) == unordered(golden));
    }
  });
}
