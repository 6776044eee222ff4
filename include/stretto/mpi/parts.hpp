// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>

namespace stretto::mpi::detail {

/// How the elements of an all-reduce are cut: each rank adds up one part, of which the ranks
/// exchange a piece in each round.
class parts {
 public:
  struct piece {
    std::size_t first = 0;
    std::size_t length = 0;
  };

  /// Elements have \p bytes each.
  constexpr parts(std::size_t elements, std::size_t bytes, std::size_t ranks)
      : elements_(elements), ranks_(ranks) {
    const std::size_t part = quotient(elements, ranks);
    rounds_ = quotient(part, (std::max<std::size_t>)(longest_bytes(ranks) / bytes, 1));
    longest_ = rounds_ == 0 ? 0 : quotient(part, rounds_);
  }

  /// Whether parts are long enough for it to be faster than small messages.
  static constexpr bool pay(std::size_t elements, std::size_t bytes, std::size_t ranks) {
    return ranks > 1 && elements / ranks >= least_part / bytes;
  }

  constexpr std::size_t ranks() const { return ranks_; }
  constexpr std::size_t rounds() const { return rounds_; }
  /// The longest piece.
  constexpr std::size_t longest() const { return longest_; }
  /// What is exchanged in \p round of the part that \p rank adds up.
  constexpr piece of(std::size_t rank, std::size_t round) const {
    const std::size_t end = begin(rank + 1);
    const std::size_t first = (std::min)(begin(rank) + round * longest_, end);
    return {first, (std::min)(longest_, end - first)};
  }

 private:
  static constexpr std::size_t least_part = std::size_t{1} << 15U;
  static constexpr std::size_t longest_piece = std::size_t{1} << 20U;
  static constexpr std::size_t shortest_piece = std::size_t{1} << 16U;

  /// Pieces of all other ranks arrive at once.
  static constexpr std::size_t longest_bytes(std::size_t ranks) {
    return (std::max)(longest_piece / (std::max<std::size_t>)(ranks - 1, 1), shortest_piece);
  }
  static constexpr std::size_t quotient(std::size_t n, std::size_t by) { return (n + by - 1) / by; }
  constexpr std::size_t begin(std::size_t rank) const { return elements_ * rank / ranks_; }

  std::size_t elements_;
  std::size_t ranks_;
  std::size_t rounds_ = 0;
  std::size_t longest_ = 0;
};

}  // namespace stretto::mpi::detail
