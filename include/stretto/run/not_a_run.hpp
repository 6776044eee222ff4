// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <span>  // what iterators are, without the streams of <iterator>
#include <type_traits>

/// What a run becomes after a compile error, so that no other error follows: the same members, none
/// of which is ever called.
namespace stretto::runner {

/// A result of which the type is not known.
struct any_result {
  template <class Type>
  operator Type() const;
};

/// `Result` is what its batches yield.
template <class Result = any_result>
class not_a_run {
 public:
  using reference = Result;

  bool next();
  template <class Told>
  bool next(Told&&) {
    return false;
  }
  bool progress();
  bool has_more() const;
  reference result();
  std::size_t batch() const;
  template <class Use>
  void for_each(Use&&) {}

  class iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = std::remove_cvref_t<reference>;
    using iterator_concept = std::input_iterator_tag;

    reference operator*() const;
    iterator& operator++();
    void operator++(int);
    bool operator==(std::default_sentinel_t) const;
  };

  iterator begin();
  static std::default_sentinel_t end() { return {}; }
};

}  // namespace stretto::runner
