// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stretto/advice/moved_along.hpp>
#include <string>
#include <unordered_map>
#include <vector>

namespace stretto::advising {

namespace detail {

/// That a task's lookahead, and some batches, is no less than another's.
struct no_less {
  std::size_t task = 0;
  std::size_t than = 0;
  int batches = 0;
};

/// What a schedule's lookaheads keep to.
class lookahead_limits {
 public:
  explicit lookahead_limits(const dynamic::schedule& s) : s_(s) {
    for (std::size_t t = 0; t < s.tasks.size(); ++t) number_.emplace(s.tasks[t].name, t);
    for (std::size_t t = 0; t < s.tasks.size(); ++t) {
      for (const std::string& before : s.tasks[t].depends_on) add(before, t, 0);
      for (const dynamic::ago& a : s.tasks[t].cross_iter_depends_on) add(a.task, t, a.batches);
      for (const dynamic::use& u : s.tasks[t].writes) writes_[u.slot].push_back({t, 0});
      for (const dynamic::use& u : s.tasks[t].reads) reads_[u.slot].push_back({t, u.ago});
      for (const std::string& r : s.tasks[t].observes) users_[r].push_back({t, false});
      for (const std::string& r : s.tasks[t].mutates) users_[r].push_back({t, true});
    }
    for (const auto& [slot, writes] : writes_)
      for (const slot_use& w : writes) {
        for (const slot_use& other : writes)
          if (offset(w) > offset(other)) all_.push_back({w.task, other.task, -1});
        if (const auto reads = reads_.find(slot); reads != reads_.end())
          for (const slot_use& r : reads->second) keep(w, r);
      }
    for (const auto& [resource, users] : users_) keep_together(users);
  }
  const std::vector<no_less>& all() const { return all_; }

 private:
  struct slot_use {
    std::size_t task = 0;
    int ago = 0;
  };
  struct resource_use {
    std::size_t task = 0;
    bool mutates = false;
  };

  int ahead(std::size_t task) const { return s_.tasks[task].lookahead; }
  int offset(const slot_use& u) const { return ahead(u.task) - u.ago; }
  void add(const std::string& before, std::size_t after, int batches) {
    if (const auto found = number_.find(before); found != number_.end())
      all_.push_back({found->second, after, batches});
  }
  /// What a task reads was written before, or is updated only later.
  void keep(const slot_use& write, const slot_use& read) {
    if (write.task == read.task) return;
    if (offset(write) >= offset(read)) {
      all_.push_back({write.task, read.task, read.ago});
    } else {
      all_.push_back({read.task, write.task, -read.ago - 1});
    }
  }
  /// How many batches were worked into a resource when a task looks at it.
  void keep_together(const std::vector<resource_use>& users) {
    for (const resource_use& a : users)
      for (const resource_use& b : users)
        if (a.task != b.task && (a.mutates || b.mutates))
          all_.push_back({a.task, b.task, ahead(b.task) - ahead(a.task)});
  }

  const dynamic::schedule& s_;
  std::unordered_map<std::string, std::size_t> number_;
  std::unordered_map<std::string, std::vector<slot_use>> writes_;
  std::unordered_map<std::string, std::vector<slot_use>> reads_;
  std::unordered_map<std::string, std::vector<resource_use>> users_;
  std::vector<no_less> all_;
};

/// Whether a task says at which offset it uses a slot, and so stays where it is.
inline bool stays(const dynamic::task& t) {
  const auto given = [](const dynamic::use& u) { return u.offset.has_value(); };
  return std::any_of(t.reads.begin(), t.reads.end(), given) ||
         std::any_of(t.writes.begin(), t.writes.end(), given);
}

}  // namespace detail

STRETTO_INLINE std::vector<int> moved_along(const dynamic::schedule& s, std::size_t task,
                                            int step) {
  const detail::lookahead_limits limits(s);
  std::vector<int> ahead;
  ahead.reserve(s.tasks.size());
  for (const dynamic::task& t : s.tasks) ahead.push_back(t.lookahead);
  const int goal = ahead[task] += step;
  bool moved = true;
  // As longest paths are found: after a round for each task only a contradiction moves anything.
  for (std::size_t round = 0; moved && round <= s.tasks.size(); ++round) {
    moved = false;
    for (const detail::no_less& limit : limits.all()) {
      const int missing = ahead[limit.than] - limit.batches - ahead[limit.task];
      if (missing <= 0) continue;
      if (step > 0) {
        ahead[limit.task] += missing;
      } else {
        ahead[limit.than] -= missing;
      }
      moved = true;
    }
  }
  if (moved || ahead[task] != goal) return {};
  for (std::size_t t = 0; t < ahead.size(); ++t)
    if (ahead[t] < 0 || (ahead[t] != s.tasks[t].lookahead && detail::stays(s.tasks[t]))) return {};
  return ahead;
}

}  // namespace stretto::advising
