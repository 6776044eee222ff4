// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/dynamic/schedule.hpp>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

/// The same tasks, planned otherwise.
namespace stretto::dynamic {

/// Every task that names no thread on the calling thread: as `threads<on_caller>`.
inline schedule on_caller(schedule s) {
  for (task& t : s.tasks)
    if (t.thread.empty()) t.thread = "caller";
  s.groups.clear();
  s.generated = 0;
  return s;
}

/// Every task that names no thread on a thread of its own: as `threads<per_task>`.
inline schedule per_task(schedule s) {
  for (task& t : s.tasks)
    if (t.thread.empty()) t.thread = t.name;
  s.generated = 0;
  return s;
}

/// The same tasks one batch after the other: lookahead 0, one stream, the calling thread. A
/// `same_progress_sync` between tasks of different lookahead speaks of batches in flight together,
/// which there are none of here, and is dropped; an order is kept among tasks of one lookahead.
inline schedule serial(schedule s) {
  std::unordered_map<std::string, int> lookahead;
  for (const task& t : s.tasks) lookahead.emplace(t.name, t.lookahead);
  const auto apart = [&](const std::string& a, const std::string& b) {
    const auto found = lookahead.find(b);
    return found != lookahead.end() && found->second != lookahead.at(a);
  };

  std::vector<std::vector<std::string>> orders;
  for (const std::vector<std::string>& all : s.orders) {
    const std::size_t first = orders.size();
    for (const std::string& t : all) {
      std::size_t list = first;
      while (list < orders.size() && lookahead.contains(t) && apart(orders[list].front(), t))
        ++list;
      if (list == orders.size()) orders.emplace_back();
      orders[list].push_back(t);
    }
  }
  s.orders = std::move(orders);

  for (task& t : s.tasks) {
    std::erase_if(t.same_progress_sync,
                  [&](const std::string& other) { return apart(t.name, other); });
    t.stream = "serial";
    t.thread = "caller";
    for (std::vector<use>* uses : {&t.reads, &t.writes})
      for (use& u : *uses) u.offset.reset();
  }
  for (task& t : s.tasks) t.lookahead = 0;
  s.streams = {"serial"};
  s.results_on.clear();
  s.source.lookahead.reset();
  s.source.thread = "caller";
  s.slacks.clear();
  s.groups.clear();
  s.generated = 0;
  return s;
}

}  // namespace stretto::dynamic
