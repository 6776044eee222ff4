// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <any>
#include <chrono>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <stretto/collective/local.hpp>
#include <stretto/run/error.hpp>
#include <string>
#include <utility>
#include <vector>

namespace stretto::local {

namespace detail {

/// A value on its way.
struct letter {
  std::size_t from = 0;
  std::size_t task = 0;  ///< by its number in the schedule of all ranks
  std::any value;
};

class core;

}  // namespace detail

/// The ranks of a process that run one schedule together: `local::ranks all(3);`, or with how long
/// each waits for others before it takes one of them for stuck or gone: `all(3, 30s)`. Outlives
/// their pipelines. After a run that failed or was left, what was sent may still lie there: no
/// pipeline can be made for these ranks any more.
class ranks {
 public:
  explicit ranks(std::size_t size, std::chrono::milliseconds timeout = std::chrono::minutes(10))
      : channels_(size), boxes_(size), taken_(size, false), timeout_(timeout) {}

  std::size_t size() const { return boxes_.size(); }
  std::chrono::milliseconds timeout() const { return timeout_; }

 private:
  friend class detail::core;

  /// For the pipeline of a rank. Throws `usage_error` if there is no such rank, if it has a
  /// pipeline, or if a run failed.
  void take(std::size_t rank) {
    const std::lock_guard lock(mutex_);
    const std::string text = std::string("rank ").append(std::to_string(rank));
    if (rank >= taken_.size())
      throw usage_error(std::string("local::ranks has ")
                            .append(std::to_string(taken_.size()))
                            .append(" ranks, counted from 0, and no ")
                            .append(text));
    if (broken_)
      throw usage_error(
          "a run of these local::ranks failed or was left, and what was sent in it may still be "
          "there: make new local::ranks for the pipelines of all ranks");
    if (taken_[rank])
      throw usage_error(
          std::string(text).append(" of local::ranks has a pipeline: each rank has one at a time"));
    taken_[rank] = true;
  }
  void give_back(std::size_t rank, bool broken) {
    const std::lock_guard lock(mutex_);
    taken_[rank] = false;
    broken_ = broken_ || broken;
  }

  void put(std::size_t to, detail::letter&& sent) {
    const std::lock_guard lock(mutex_);
    boxes_[to].push_back(std::move(sent));
  }
  std::optional<std::any> find(std::size_t rank, std::size_t from, std::size_t task) {
    const std::lock_guard lock(mutex_);
    std::deque<detail::letter>& box = boxes_[rank];
    for (auto l = box.begin(); l != box.end(); ++l) {
      if (l->from != from || l->task != task) continue;
      std::any value = std::move(l->value);
      box.erase(l);
      return value;
    }
    return std::nullopt;
  }

  collective::local_ranks channels_;
  std::mutex mutex_;
  std::vector<std::deque<detail::letter>> boxes_;  ///< by receiver
  std::vector<bool> taken_;
  std::chrono::milliseconds timeout_;
  bool broken_ = false;
};

/// Which of them a pipeline is: `local::rank(all, 0)`. \p timeout is how long it waits for others,
/// in place of what all do.
class rank {
 public:
  rank(ranks& all, std::size_t number) : rank(all, number, all.timeout()) {}
  rank(ranks& all, std::size_t number, std::chrono::milliseconds timeout)
      : all_(&all), number_(number), timeout_(timeout) {}

  ranks& all() const { return *all_; }
  std::size_t number() const { return number_; }
  std::chrono::milliseconds timeout() const { return timeout_; }

 private:
  ranks* all_;
  std::size_t number_;
  std::chrono::milliseconds timeout_;
};

}  // namespace stretto::local
