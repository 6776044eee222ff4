// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stretto/advice/change.hpp>
#include <string>
#include <utility>
#include <vector>

namespace stretto::advising {

namespace detail {

inline void change(dynamic::schedule& s, const plan_change& c) {
  using kind = plan_change::kind;
  switch (c.what) {
    case kind::copies: {
      const auto known = std::find_if(s.slacks.begin(), s.slacks.end(),
                                      [&](const auto& more) { return more.slot == c.subject; });
      if (known == s.slacks.end()) {
        s.slacks.push_back({c.subject, c.number});
      } else {
        known->copies = c.number;
      }
      break;
    }
    case kind::lookahead: s.at(c.subject).lookahead = c.number; break;
    case kind::thread: s.at(c.subject).thread = c.where; break;
    case kind::stream: s.at(c.subject).stream = c.where; break;
    case kind::workers: {
      const auto known = std::find_if(s.groups.begin(), s.groups.end(),
                                      [&](const auto& g) { return g.thread == c.subject; });
      if (known == s.groups.end()) {
        s.groups.push_back({c.subject, 0, c.number});
      } else {
        known->workers = c.number;
      }
      break;
    }
    case kind::source_lookahead: s.source.lookahead = c.number; break;
    case kind::source_thread: s.source.thread = c.where; break;
    case kind::generated: s.generated = c.number; break;
    case kind::pipelined: s.pipelined = true; break;
  }
}

/// Whether two tasks are changed in the same way.
inline bool alike(const plan_change& a, const plan_change& b) {
  using kind = plan_change::kind;
  const bool of_task =
      a.what == kind::lookahead || a.what == kind::thread || a.what == kind::stream;
  return of_task && a.what == b.what && a.where == b.where && a.number == b.number;
}

inline void add_words(planner::text_builder& out, const plan_change& c) {
  using kind = plan_change::kind;
  switch (c.what) {
    case kind::copies:
      out.count(static_cast<std::size_t>(c.number), " copy of ", " copies of ");
      out.quoted(c.subject).add(" to spare");
      break;
    case kind::lookahead: out.quoted(c.subject).add(" at lookahead ").number(c.number); break;
    case kind::thread: out.quoted(c.subject).add(" on thread ").quoted(c.where); break;
    case kind::stream: out.quoted(c.subject).add(" on stream ").quoted(c.where); break;
    case kind::workers: out.number(c.number).add(" workers on thread ").quoted(c.subject); break;
    case kind::source_lookahead: out.add("the source at lookahead ").number(c.number); break;
    case kind::source_thread: out.add("the source on thread ").quoted(c.where); break;
    case kind::generated: out.add("tasks laid out over ").number(c.number).add(" threads"); break;
    case kind::pipelined: out.add("lookaheads as `pipelined` raises them"); break;
  }
}

}  // namespace detail

STRETTO_INLINE void add_change(changes& to, const plan_change& one) {
  for (plan_change& known : to) {
    if (known.what != one.what || known.subject != one.subject) continue;
    known = one;
    return;
  }
  to.push_back(one);
}

STRETTO_INLINE dynamic::schedule changed(dynamic::schedule s, const changes& all) {
  for (const plan_change& c : all) detail::change(s, c);
  return s;
}

STRETTO_INLINE std::string in_words(const changes& all) {
  planner::text_builder out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0) out.add(", ");
    // Of tasks that go to one place, or work as far ahead, the last says where.
    if (i + 1 < all.size() && detail::alike(all[i], all[i + 1])) {
      out.quoted(all[i].subject);
    } else {
      detail::add_words(out, all[i]);
    }
  }
  return out.text();
}

}  // namespace stretto::advising
