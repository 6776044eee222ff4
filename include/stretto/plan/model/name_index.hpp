// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cstddef>
#include <stretto/declare/name.hpp>
#include <stretto/plan/model/crowded.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/list.hpp>

namespace stretto::planner {

/// Numbers names in order of first appearance, by open addressing: linear look-up per entry would
/// exceed the compilers' step limits at some hundred tasks. Names whose hashes were made to agree
/// take no longer.
class name_index {
  constexpr auto comparison(const name& n) const {
    return [this, &n = n](std::size_t number) {
      const name& known = *names_[number];
      const int order = n.key.compare(known.key);
      return order != 0 || known == n ? order : n.type < known.type ? -1 : 1;
    };
  }

 public:
  constexpr explicit name_index(std::size_t expected)
      : table_(std::bit_ceil(2 * expected + 2), none) {}

  /// The number of `n`, a new one if it has none yet. At most `expected` names; they stay with the
  /// caller.
  constexpr std::size_t number(const name& n) {
    const std::size_t at = probe(n);
    if (at == none) return number_crowded(n);
    std::size_t& place = table_[at];
    if (place == none) {
      place = names_.size();
      names_.push_back(&n);
    }
    return place;
  }

  /// The number of `n`, or `none`.
  constexpr std::size_t find(const name& n) const {
    const std::size_t at = probe(n);
    return at != none ? table_[at] : crowded_.find(comparison(n));
  }

  /// By number.
  constexpr const list<const name*>& names() const { return names_; }

 private:
  /// Where a name is or would be; none if all its places are others'.
  constexpr std::size_t probe(const name& n) const {
    const std::size_t mask = table_.size() - 1;
    std::size_t at = static_cast<std::size_t>(n.hash) & mask;
    const std::size_t* const table = table_.data();
    const name* const* const known = names_.data();
    std::size_t probes = 0;
    while (table[at] != none && !(*known[table[at]] == n)) {
      if (++probes == most_probes) return none;
      at = (at + 1) & mask;
    }
    return at;
  }

  constexpr std::size_t number_crowded(const name& n) {
    const std::size_t known = crowded_.find(comparison(n));
    if (known != none) return known;
    names_.push_back(&n);
    crowded_.add(names_.size() - 1, comparison(n));
    return names_.size() - 1;
  }

  list<std::size_t> table_;
  list<const name*> names_;
  crowded crowded_;
};

}  // namespace stretto::planner
