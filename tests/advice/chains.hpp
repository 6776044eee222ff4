// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/dynamic/values/schedule.hpp>
#include <string>
#include <vector>

/// A task of a chain, which reads what the one before it writes.
struct link_of_chain {
  int weight = 0;
  int lookahead = 0;
  std::string thread{};
};

/// Tasks t1, t2, ...: slot s0 is the source's, each writes that of its number, the last is the
/// result.
inline stretto::dynamic::schedule chain(const std::vector<link_of_chain>& links) {
  stretto::dynamic::schedule s;
  s.source.slot = "s0";
  for (const link_of_chain& l : links) {
    const std::string number = std::to_string(s.tasks.size() + 1);
    stretto::dynamic::task t;
    t.name = "t" + number;
    t.thread = l.thread;
    t.lookahead = l.lookahead;
    t.weight = l.weight;
    t.reads = {"s" + std::to_string(s.tasks.size())};
    t.writes = {"s" + number};
    s.tasks.push_back(t);
  }
  s.results = {"s" + std::to_string(links.size())};
  return s;
}
