// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cstddef>
#include <stretto/declare/name.hpp>
#include <stretto/plan/declaration.hpp>
#include <stretto/plan/list.hpp>

namespace stretto::plan {

/// Numbers names in order of first appearance, by open addressing: linear look-up per entry would
/// exceed the compilers' step limits at some hundred tasks.
class name_index {
 public:
  constexpr explicit name_index(std::size_t expected)
      : table_(std::bit_ceil(2 * expected + 2), none) {}

  /// The number of `n`, a new one if it has none yet. At most `expected` names; they stay with the
  /// caller.
  constexpr std::size_t number(const name& n) {
    std::size_t& place = table_[probe(n)];
    if (place == none) {
      place = names_.size();
      names_.push_back(&n);
    }
    return place;
  }

  /// The number of `n`, or `none`.
  constexpr std::size_t find(const name& n) const { return table_[probe(n)]; }

  /// By number.
  constexpr const list<const name*>& names() const { return names_; }

 private:
  constexpr std::size_t probe(const name& n) const {
    const std::size_t mask = table_.size() - 1;
    std::size_t at = static_cast<std::size_t>(n.hash) & mask;
    const std::size_t* const table = table_.data();
    const name* const* const known = names_.data();
    while (table[at] != none && !(*known[table[at]] == n)) at = (at + 1) & mask;
    return at;
  }

  list<std::size_t> table_;
  list<const name*> names_;
};

}  // namespace stretto::plan
