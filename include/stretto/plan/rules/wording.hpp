// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/text/visible.hpp>
#include <string>
#include <string_view>

/// \file
/// What sentences are put together from.
namespace stretto::planner {

constexpr std::string_view field_name(field f) {
  switch (f) {
    case field::reads: return "reads";
    case field::writes: return "writes";
    case field::depends_on: return "depends_on";
    case field::cross_iter_depends_on: return "cross_iter_depends_on";
    case field::same_progress_sync: return "same_progress_sync";
    case field::observes: return "observes";
    case field::mutates: return "mutates";
    case field::order: return "order";
  }
  return "";
}

constexpr std::string number(int value) {
  std::string digits;
  const bool negative = value < 0;
  unsigned rest = negative ? 0U - static_cast<unsigned>(value) : static_cast<unsigned>(value);
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + rest % 10));
    rest /= 10;
  } while (rest != 0);
  if (negative) digits.insert(digits.begin(), '-');
  return digits;
}

constexpr std::string quoted(std::string_view name) {
  std::string result = "`";
  text::add_visible_name(result, name);
  result += '`';
  return result;
}

namespace detail {

constexpr std::string stream_of(const task& t) {
  return t.stream.empty() ? std::string("no stream") : "stream " + quoted(t.stream);
}

constexpr std::string batches_ago(int ago) {
  return number(ago) + (ago == 1 ? " batch ago" : " batches ago");
}

}  // namespace detail
}  // namespace stretto::planner
