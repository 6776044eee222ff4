// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/rules/rule.hpp>

namespace stretto::planner::kind {
inline constexpr finding_kind multiple_writers = kind_of_rule(4, 1);
inline constexpr finding_kind name_multi_stream = kind_of_rule(4, 2);
inline constexpr finding_kind writers_of_two_rates = kind_of_rule(4, 3);
}  // namespace stretto::planner::kind

namespace stretto::planner::rules {

/// Rule 4: at most one writer per slot and offset, and all writers of a slot on one stream and for
/// the same batches.
constexpr void check_writers(const subject& s, findings& found) {
  const graph& g = s.resolved;
  const std::size_t most = found.size() + most_pairs;
  for (std::size_t slot = 0; slot < g.slot_list.size(); ++slot) {
    if (slot == g.source_slot) continue;  // rule 2 has those
    const range writers = g.writers_of[slot];
    for (std::size_t i = writers.first; i < writers.last; ++i) {
      const use& later = g.writers[i];
      const auto position = [&] {
        const range own = g.nodes[later.node].writes;
        for (std::size_t w = own.first; w < own.last; ++w)
          if (g.writes[w].slot == slot && g.writes[w].offset == later.offset) return w - own.first;
        return none;
      };
      bool other_stream = false;
      if (g.rated && !(g.nodes[later.node].runs == g.nodes[g.writers[writers.first].node].runs))
        found.push_back({kind::writers_of_two_rates, later.node, g.writers[writers.first].node,
                         field::writes, position()});
      for (std::size_t j = writers.first; j < i; ++j) {
        const use& earlier = g.writers[j];
        if (earlier.node == later.node) continue;
        if (found.size() >= most) return;
        if (!g.before(earlier, later) && !g.before(later, earlier))
          found.push_back(
              {kind::multiple_writers, later.node, earlier.node, field::writes, position()});
        if (!other_stream && g.nodes[earlier.node].stream != g.nodes[later.node].stream) {
          other_stream = true;
          found.push_back(
              {kind::name_multi_stream, later.node, earlier.node, field::writes, position()});
        }
      }
    }
  }
}

constexpr repair repair_of_writers(const declaration&, const finding& f) {
  if (f.what == kind::multiple_writers) return {remedy::own_slot, f.task};
  if (f.what == kind::writers_of_two_rates) return {remedy::one_rate, f.task};
  return {remedy::one_stream, f.task};
}

constexpr void sentence_on_writers(const statement& s, text_builder& to) {
  const task& t = s.at_fault();
  if (s.f.what == kind::multiple_writers)
    return s.say(to,
                 "$w and $o both write slot $s at lookahead $n; give one of them another slot or "
                 "another lookahead",
                 s.d.serial ? t.stage : t.lookahead);
  if (s.f.what == kind::writers_of_two_rates) {
    s.say(to, "$w writes slot $s ");
    say_when(t, to);
    s.say(to, ", but $o ");
    say_when(s.second(), to);
    return s.say(to, "; let both run for the same batches, or give each a slot");
  }
  s.say(to,
        "$w writes slot $s on $i, but $o writes it on $j; put both on one stream or give each a "
        "slot");
}

inline constexpr rule rule_4{
    .number = 4,
    .kinds =
        {
            {kind::multiple_writers, "multiple_writers"},
            {kind::name_multi_stream, "name_multi_stream"},
            {kind::writers_of_two_rates, "writers_of_two_rates"},
        },
    .check = check_writers,
    .fix = repair_of_writers,
    .sentence = sentence_on_writers,
};

}  // namespace stretto::planner::rules
