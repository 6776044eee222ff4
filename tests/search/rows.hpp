// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/dynamic.hpp>
#include <stretto/search.hpp>
#include <string>
#include <utility>
#include <vector>

/// Tasks in a row, for searches that choose their threads.
namespace rows {

/// They take so long, and may be on any thread.
inline stretto::dynamic::schedule row(const std::vector<int>& weights) {
  stretto::dynamic::schedule s;
  s.source.slot = "s0";
  for (std::size_t t = 0; t < weights.size(); ++t) {
    stretto::dynamic::task made;
    made.name = "t" + std::to_string(t + 1);
    made.weight = weights[t];
    made.reads = {"s" + std::to_string(t)};
    made.writes = {"s" + std::to_string(t + 1)};
    s.tasks.push_back(made);
  }
  s.results = {"s" + std::to_string(weights.size())};
  return s;
}

inline stretto::search::limits threads(std::vector<std::string> names) {
  stretto::search::limits within;
  within.in_flight = 8;
  within.threads = std::move(names);
  return within;
}

}  // namespace rows
