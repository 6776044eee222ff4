// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <optional>
#include <stretto/plan/model/rate.hpp>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::collective {

/// The collective tasks of a schedule in the order in which they are submitted, and how far a run
/// has come with them.
class ticket_row {
 public:
  struct ticket {
    std::string_view task;
    std::size_t lag = 0;   ///< the first progress in which it runs
    bool asks = false;     ///< it finds out whether the batch exists
    planner::rate runs{};  ///< for which batches it is
  };

  explicit ticket_row(std::vector<ticket> all) : all_(std::move(all)), next_(all_.size()) {
    restart();
  }

  std::size_t size() const { return all_.size(); }
  std::string_view name(std::size_t place) const { return all_[place].task; }
  bool asks(std::size_t place) const { return all_[place].asks; }
  std::size_t lag(std::size_t place) const { return all_[place].lag; }

  /// For a new run.
  void restart() {
    for (std::size_t i = 0; i < all_.size(); ++i)
      next_[i] = all_[i].lag + static_cast<std::size_t>(all_[i].runs.phase);
    end_.reset();
  }
  /// How many batches there are: to be told where tickets are not for every batch, as soon as it is
  /// known.
  void tell_end(std::size_t batches) { end_ = batches; }

  /// The ticket at a place is used in a progress. If one that should have been used before it was
  /// not, that one's batch does not exist: then this is the number of batches.
  std::optional<std::size_t> enter(std::size_t place, std::size_t progress) {
    next_[place] = progress + static_cast<std::size_t>(all_[place].runs.every);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const std::size_t due = i < place ? progress + 1 : progress;  // the first that is not due yet
      if (i == place || all_[i].asks || next_[i] >= due) continue;
      if (all_[i].runs.every == 1) return next_[i] - all_[i].lag;
      if (end_) return end_;  // it is due for the last batch of a group, which need not be the next
    }
    return std::nullopt;
  }

 private:
  std::vector<ticket> all_;
  std::vector<std::size_t> next_;  ///< by place: the progress in which it is used next
  std::optional<std::size_t> end_;
};

}  // namespace stretto::collective
