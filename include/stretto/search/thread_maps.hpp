// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stretto/search/problem.hpp>
#include <vector>

namespace stretto::search::detail {

/// Ways to put the tasks that may be on any thread on threads.
class thread_maps {
 public:
  explicit thread_maps(const problem& p) : p_(&p) {
    for (const problem::task& t : p.tasks) pinned_.push_back(t.host ? t.thread : no_number);
    for (number t = 0; t < p.tasks.size(); ++t)
      if (p.tasks[t].host && p.tasks[t].thread == no_number) free_.push_back(t);
  }
  /// Tasks that may be on any thread.
  const std::vector<number>& free() const { return free_; }

  /// Stages of tasks that follow each other, of equal time, one on each of the first threads.
  std::vector<number> stages(number threads) const {
    long long all = 0;
    for (const number t : free_) all += p_->tasks[t].weight;
    std::vector<number> thread = pinned_;
    long long before = 0;
    for (const number t : free_) {
      const long long stage = all == 0 ? 0 : before * static_cast<long long>(threads) / all;
      thread[t] = (std::min)(static_cast<number>(stage), threads - 1);
      before += p_->tasks[t].weight;
    }
    return thread;
  }
  /// Tasks of one stream on one thread.
  std::vector<number> by_stream() const {
    std::vector<number> thread = pinned_;
    for (const number t : free_)
      thread[t] = p_->tasks[t].on.empty() ? 0 : p_->tasks[t].on.front() % p_->choices();
    return thread;
  }
  /// In this order each task on the thread that has least to do so far; what is pinned counts.
  std::vector<number> greedy(const std::vector<number>& order) const {
    std::vector<number> thread = pinned_;
    std::vector<long long> busy(p_->threads, 0);
    const auto choices = busy.begin() + static_cast<std::ptrdiff_t>(p_->choices());
    for (number t = 0; t < p_->tasks.size(); ++t)
      if (thread[t] != no_number) busy[thread[t]] += p_->tasks[t].weight;
    for (const number t : order) {
      if (!p_->tasks[t].host || thread[t] != no_number) continue;
      thread[t] = static_cast<number>(std::min_element(busy.begin(), choices) - busy.begin());
      busy[thread[t]] += p_->tasks[t].weight;
    }
    return thread;
  }

 private:
  const problem* p_;
  std::vector<number> pinned_;
  std::vector<number> free_;
};

}  // namespace stretto::search::detail
