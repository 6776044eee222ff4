// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/dynamic/values/edit.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto::dynamic {

namespace detail {

inline void rename_in(std::vector<std::string>& names, std::string_view from, std::string_view to) {
  for (std::string& n : names)
    if (n == from) n = to;
}

inline bool drop_from(std::vector<std::string>& names, std::string_view dropped) {
  return std::erase(names, dropped) > 0;
}

}  // namespace detail

STRETTO_INLINE bool rename_task(schedule& s, std::string_view from, std::string_view to) {
  const std::string old(from);  // which may be a name that is about to change
  const std::string given(to);
  task* const found = s.find(old);
  if (found == nullptr) return false;
  found->name = given;
  for (task& t : s.tasks) {
    detail::rename_in(t.depends_on, old, given);
    detail::rename_in(t.same_progress_sync, old, given);
    for (ago& a : t.cross_iter_depends_on)
      if (a.task == old) a.task = given;
  }
  for (std::vector<std::string>& order : s.orders) detail::rename_in(order, old, given);
  return true;
}

STRETTO_INLINE std::size_t rename_slot(schedule& s, std::string_view from, std::string_view to) {
  const std::string old(from);
  const std::string given(to);
  std::size_t places = 0;
  const auto rename = [&](std::string& name) {
    if (name != old) return;
    name = given;
    ++places;
  };
  rename(s.source.slot);
  for (std::string& r : s.results) rename(r);
  for (task& t : s.tasks)
    for (std::vector<use>* uses : {&t.reads, &t.writes})
      for (use& u : *uses) rename(u.slot);
  for (slack& more : s.slacks) rename(more.slot);
  for (points_into& p : s.points) {
    rename(p.slot);
    rename(p.into);
  }
  for (typed_slot& t : s.types) rename(t.slot);
  return places;
}

STRETTO_INLINE std::vector<std::string> remove_task(schedule& s, std::string_view name) {
  const std::string gone(name);
  static_cast<void>(s.at(gone));  // a name that is misspelled is no task that nobody names
  std::vector<std::string> named_it;
  std::erase_if(s.tasks, [&](const task& t) { return t.name == gone; });
  for (task& t : s.tasks) {
    bool touched = detail::drop_from(t.depends_on, gone);
    touched = detail::drop_from(t.same_progress_sync, gone) || touched;
    touched =
        std::erase_if(t.cross_iter_depends_on, [&](const ago& a) { return a.task == gone; }) > 0 ||
        touched;
    if (touched) named_it.push_back(t.name);
  }
  for (std::vector<std::string>& order : s.orders) detail::drop_from(order, gone);
  std::erase_if(s.orders, [](const auto& order) { return order.empty(); });
  return named_it;
}

}  // namespace stretto::dynamic
