// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <optional>
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
    std::size_t lag = 0;  ///< the first progress in which it runs
    bool asks = false;    ///< it finds out whether the batch exists
  };

  explicit ticket_row(std::vector<ticket> all) : all_(std::move(all)), next_(all_.size()) {
    restart();
  }

  std::size_t size() const { return all_.size(); }
  std::string_view name(std::size_t place) const { return all_[place].task; }
  bool asks(std::size_t place) const { return all_[place].asks; }

  /// For a new run.
  void restart() {
    for (std::size_t i = 0; i < all_.size(); ++i) next_[i] = all_[i].lag;
  }

  /// The ticket at a place is used in a progress. If one that should have been used before it was
  /// not, that one's batch does not exist: then this is the number of batches.
  std::optional<std::size_t> enter(std::size_t place, std::size_t progress) {
    next_[place] = progress + 1;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const std::size_t due = i < place ? progress + 1 : progress;  // the first that is not due yet
      if (i != place && !all_[i].asks && next_[i] < due) return next_[i] - all_[i].lag;
    }
    return std::nullopt;
  }

 private:
  std::vector<ticket> all_;
  std::vector<std::size_t> next_;  ///< by place: the progress in which it is used next
};

}  // namespace stretto::collective
