// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/list.hpp>

namespace stretto::planner {

/// How many places of a hash table a name may have. Where all of them are taken, which chance does
/// to few names and somebody who wants to can do to all, the name goes among the `crowded`.
inline constexpr std::size_t most_probes = 24;

/// The numbers of what found no place in a hash table: a search tree that keeps itself balanced
/// (Andersson's), so that whatever the names, each look-up takes a logarithm of their number.
class crowded {
 public:
  /// The number for which \p compare says 0, or `none`. It compares what is looked for with what
  /// has the number it is given: below 0 if it comes before that.
  template <class Compare>
  constexpr std::size_t find(Compare compare) const {
    std::size_t at = root_;
    while (at != 0) {
      const int order = compare(nodes_[at].number);
      if (order == 0) return nodes_[at].number;
      at = order < 0 ? nodes_[at].left : nodes_[at].right;
    }
    return none;
  }

  /// Adds a number that is not there.
  template <class Compare>
  constexpr void add(std::size_t number, Compare compare) {
    if (nodes_.empty()) nodes_.push_back({});  // 0: no node
    list<std::size_t> path;
    for (std::size_t at = root_; at != 0;) {
      path.push_back(at);
      at = compare(nodes_[at].number) < 0 ? nodes_[at].left : nodes_[at].right;
    }
    std::size_t below = nodes_.size();
    nodes_.push_back({number, 1, 0, 0});
    while (!path.empty()) {
      const std::size_t at = path.back();
      path.pop_back();
      if (compare(nodes_[at].number) < 0) {
        nodes_[at].left = below;
      } else {
        nodes_[at].right = below;
      }
      below = split(skew(at));
    }
    root_ = below;
  }

 private:
  struct node {
    std::size_t number;
    int level;
    std::size_t left;
    std::size_t right;
  };

  constexpr std::size_t skew(std::size_t at) {
    const std::size_t left = nodes_[at].left;
    if (left == 0 || nodes_[left].level != nodes_[at].level) return at;
    nodes_[at].left = nodes_[left].right;
    nodes_[left].right = at;
    return left;
  }
  constexpr std::size_t split(std::size_t at) {
    const std::size_t right = nodes_[at].right;
    if (right == 0) return at;
    const std::size_t beyond = nodes_[right].right;
    if (beyond == 0 || nodes_[beyond].level != nodes_[at].level) return at;
    nodes_[at].right = nodes_[right].left;
    nodes_[right].left = at;
    ++nodes_[right].level;
    return right;
  }

  list<node> nodes_;
  std::size_t root_ = 0;
};

}  // namespace stretto::planner
