// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cstdint>

namespace stretto::watch::detail {

/// Tells when nothing has moved for longer than there is patience, by looks at a number that
/// changes with every move.
class stillness {
 public:
  using clock = std::chrono::steady_clock;

  explicit stillness(clock::duration patience) : patience_(patience) {}

  /// Whether this look is the first one at which nothing has moved for too long. \p at_rest:
  /// nothing has to.
  bool too_long(std::uint64_t moves, bool at_rest, clock::time_point now) {
    if (at_rest || !looked_ || moves != moves_) {
      looked_ = true;
      told_ = false;
      moves_ = moves;
      since_ = now;
      return false;
    }
    if (told_ || now - since_ < patience_) return false;
    return told_ = true;
  }

 private:
  clock::duration patience_;
  bool looked_ = false;
  bool told_ = false;
  std::uint64_t moves_ = 0;
  clock::time_point since_{};
};

}  // namespace stretto::watch::detail
