// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/plan/rules/subject.hpp>
#include <stretto/plan/view.hpp>

namespace stretto::plan::rules {

namespace detail {

/// Whether the consumer reads a slot that the producer wrote `progresses` earlier.
constexpr bool restates_data_edge(const graph& g, const node& consumer, const node& producer,
                                  int progresses) {
  for (std::size_t r = consumer.reads.first; r < consumer.reads.last; ++r)
    for (std::size_t w = producer.writes.first; w < producer.writes.last; ++w)
      if (g.reads[r].slot == g.writes[w].slot &&
          g.writes[w].offset - g.reads[r].offset == progresses)
        return true;
  return false;
}

constexpr void check_link_reach(const subject& s, std::size_t t, const link& l, findings& found) {
  const node& consumer = s.resolved.nodes[t];
  const node& producer = s.resolved.nodes[l.producer];
  const auto report = [&](kind k) { found.push_back({k, t, l.producer, l.where, l.position}); };
  if (l.where == field::depends_on && producer.lookahead < consumer.lookahead)
    report(kind::depends_future_read);
  if (l.where != field::cross_iter_depends_on) return;
  if (l.ago < 1) return report(kind::cross_offset_not_negative);
  const int delta = producer.lookahead + l.ago - consumer.lookahead;
  if (delta < 0) return report(kind::cross_iter_future_read);
  if (delta == 0) return;
  if (s.declared.strict && producer.stream != consumer.stream && consumer.lookahead - l.ago < 0)
    report(kind::cross_iter_rotated_out);
  if (restates_data_edge(s.resolved, consumer, producer, l.ago)) report(kind::redundant_cross_iter);
}

/// The fields list few tasks each, so pairs are compared directly.
constexpr void check_repeats(const graph& g, std::size_t t, findings& found) {
  const range links = g.nodes[t].links;
  for (std::size_t i = links.first; i < links.last; ++i) {
    const link& later = g.links[i];
    if (later.producer == none) continue;
    for (std::size_t j = links.first; j < i; ++j) {
      const link& earlier = g.links[j];
      if (earlier.producer != later.producer) continue;
      const bool same_field = earlier.where == later.where;
      if (same_field && earlier.ago != later.ago) continue;
      found.push_back({same_field ? kind::listed_twice : kind::field_overlap, t, later.producer,
                       later.where, later.position});
      break;
    }
  }
}

constexpr void check_repeated_uses(view<use> uses, range own, field where, findings& found) {
  for (std::size_t i = own.first; i < own.last; ++i) {
    for (std::size_t j = own.first; j < i; ++j) {
      if (uses[i].slot != uses[j].slot || uses[i].offset != uses[j].offset) continue;
      found.push_back({kind::listed_twice, uses[i].node, none, where, i - own.first});
      break;
    }
  }
}

}  // namespace detail

/// Rule 6: every name in the dependency fields and in the user's order is a task of the schedule,
/// listed once, and reachable in time.
constexpr void check_dependencies(const subject& s, findings& found) {
  const graph& g = s.resolved;
  for (std::size_t t = 0; t < g.tasks; ++t) {
    for (std::size_t i = g.nodes[t].links.first; i < g.nodes[t].links.last; ++i) {
      const link& l = g.links[i];
      if (l.producer == none) {
        found.push_back({kind::unknown_name, t, none, l.where, l.position});
      } else {
        detail::check_link_reach(s, t, l, found);
      }
    }
    detail::check_repeats(g, t, found);
    detail::check_repeated_uses(g.reads, g.nodes[t].reads, field::reads, found);
    detail::check_repeated_uses(g.writes, g.nodes[t].writes, field::writes, found);
  }
  for (std::size_t i = 0; i < g.turns.size(); ++i) {
    if (g.turns[i].node == none) found.push_back({kind::unknown_name, none, none, field::order, i});
    if (g.turns[i].repeated) found.push_back({kind::listed_twice, none, none, field::order, i});
  }
}

}  // namespace stretto::plan::rules
