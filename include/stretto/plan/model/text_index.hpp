// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <stretto/declare/name.hpp>
#include <stretto/plan/model/crowded.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/list.hpp>
#include <string_view>

namespace stretto::planner {

/// Numbers texts in order of first appearance: streams and threads. The first few are compared one
/// by one, which costs a compiler less than to hash them.
class text_index {
  constexpr auto comparison(std::string_view text) const {
    return [this, text](std::size_t number) { return text.compare(texts_[number]); };
  }

 public:
  constexpr text_index() = default;
  constexpr explicit text_index(view<std::string_view> texts) {
    for (const std::string_view t : texts) add(t);
  }

  /// Gives \p text the next number. One that has a number already is found by its first.
  constexpr void add(std::string_view text) {
    texts_.push_back(text);
    if (texts_.size() <= few) return;
    if (2 * texts_.size() > table_.size()) {
      table_.assign(table_.empty() ? 4 * few : 4 * table_.size(), none);
      table_hashes_.assign(table_.size(), 0);
      crowded_ = {};
      for (std::size_t i = 0; i < texts_.size(); ++i) place(i);
    } else {
      place(texts_.size() - 1);
    }
  }

  /// The number of \p text; \c none if it has none.
  constexpr std::size_t find(std::string_view text) const {
    if (texts_.size() > few) {
      const std::size_t at = probe(text, name(text).hash);
      return at != none ? table_[at] : crowded_.find(comparison(text));
    }
    for (std::size_t i = 0; i < texts_.size(); ++i)
      if (texts_[i] == text) return i;
    return none;
  }

  /// The number of \p text, a new one if it has none yet.
  constexpr std::size_t number(std::string_view text) {
    const std::size_t known = find(text);
    if (known != none) return known;
    add(text);
    return texts_.size() - 1;
  }

  /// By number.
  constexpr const list<std::string_view>& texts() const { return texts_; }

 private:
  static constexpr std::size_t few = 16;

  constexpr void place(std::size_t number) {
    const std::uint64_t hash = name(texts_[number]).hash;
    const std::size_t at = probe(texts_[number], hash);
    if (at == none) {
      if (crowded_.find(comparison(texts_[number])) == none)
        crowded_.add(number, comparison(texts_[number]));
      return;
    }
    if (table_[at] != none) return;
    table_[at] = number;
    table_hashes_[at] = hash;
  }

  /// Where a text is or would be; none if all its places are others'.
  constexpr std::size_t probe(std::string_view text, std::uint64_t hash) const {
    const std::size_t mask = table_.size() - 1;
    std::size_t at = static_cast<std::size_t>(hash) & mask;
    std::size_t probes = 0;
    while (table_[at] != none && (table_hashes_[at] != hash || texts_[table_[at]] != text)) {
      if (++probes == most_probes) return none;
      at = (at + 1) & mask;
    }
    return at;
  }

  list<std::string_view> texts_;
  list<std::size_t> table_;  // empty while there are few
  list<std::uint64_t> table_hashes_;
  crowded crowded_;
};

}  // namespace stretto::planner
