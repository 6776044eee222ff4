// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/derive/threads.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <string_view>

namespace stretto::planner {

/// How many characters to insert, drop, replace or swap with the next to get from one word to the
/// other, if no more than \p most, which is small; else more than \p most.
constexpr std::size_t distance(std::string_view a, std::string_view b, std::size_t most) {
  const std::size_t shorter = smaller(a.size(), b.size());
  const std::size_t longer = larger(a.size(), b.size());
  const char* const in_a = a.data();
  const char* const in_b = b.data();
  std::size_t same = 0;
  while (same < shorter && in_a[same] == in_b[same]) ++same;
  if (same == shorter || longer - shorter > most || most == 0) return longer - same;
  a.remove_prefix(same);
  b.remove_prefix(same);
  const std::size_t replaced = distance(a.substr(1), b.substr(1), most - 1);
  const std::size_t dropped = distance(a.substr(1), b, most - 1);
  const std::size_t inserted = distance(a, b.substr(1), most - 1);
  const std::size_t least = smaller(replaced, smaller(dropped, inserted));
  if (a.size() < 2 || b.size() < 2 || a.front() != b[1] || a[1] != b.front()) return 1 + least;
  return 1 + smaller(least, distance(a.substr(2), b.substr(2), most - 1));
}

/// Which of some names was probably meant by one that is none of them.
class nearest_name {
 public:
  constexpr explicit nearest_name(std::string_view text)
      : text_(text),
        least_(text.size() < 3   ? 0
               : text.size() < 6 ? 1
                                 : 2) {}

  /// Whether \p other is nearer than those before, and near enough.
  constexpr bool consider(std::string_view other) {
    constexpr std::size_t longest = 200;  // nobody mistypes such a name
    if (other.empty() || text_.size() > longest || other.size() > text_.size() + least_ ||
        text_.size() > other.size() + least_)
      return false;
    const std::size_t away = distance(text_, other, least_);
    if (away > least_ || (away == least_ && !nearest_.empty())) return false;
    nearest_ = other;
    least_ = away;
    return true;
  }
  /// The nearest; empty if none is near.
  constexpr std::string_view name() const { return nearest_; }

 private:
  std::string_view text_;
  std::string_view nearest_;
  std::size_t least_;
};

/// The thread group that a name was probably meant for, which tasks or the source are in; empty if
/// there is none. Not the calling thread's.
constexpr std::string_view nearest_group(const declaration& d, std::string_view text) {
  nearest_name nearest(text);
  const auto consider = [&](std::string_view group) {
    if (group != caller) nearest.consider(group);
  };
  consider(d.from.thread);
  for (const task& t : d.tasks) consider(d.generated > 0 ? t.thread : thread_name(t));
  return nearest.name();
}

/// The thread that a name was probably meant for, of those that there are where `thread_names`
/// lists them; empty if there is none.
constexpr std::string_view nearest_thread(const declaration& d, std::string_view text) {
  nearest_name nearest(text);
  for (const std::string_view thread : d.thread_names) nearest.consider(thread);
  for (const std::string_view stream : d.streams) nearest.consider(stream);
  nearest.consider(caller);
  return nearest.name();
}

namespace detail {

/// The task that a name was probably meant for, or none.
constexpr std::size_t nearest_task(const declaration& d, std::size_t self, std::string_view text) {
  nearest_name nearest(text);
  std::size_t task = none;
  for (std::size_t t = 0; t < d.tasks.size(); ++t)
    if (t != self && nearest.consider(d.tasks[t].id.text)) task = t;
  return task;
}

}  // namespace detail
}  // namespace stretto::planner
