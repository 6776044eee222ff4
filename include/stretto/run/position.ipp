// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <limits>
#include <stretto/run/position.hpp>
#include <stretto/run/text_builder.hpp>

namespace stretto {

// What runs take for more batches than there will be is half of the greatest number.
STRETTO_INLINE void position::check_next() const {
  if (next_ < (std::numeric_limits<std::size_t>::max)() / 4) return;
  throw usage_error(runner::text_builder()
                        .add("a position is before batch ")
                        .count(next_)
                        .add(", and no run gets that far")
                        .text());
}

STRETTO_INLINE position& position::put_value(kept_value value) {
  if (value.batch() >= next_)
    throw usage_error(runner::text_builder()
                          .add("a position before batch ")
                          .count(next_)
                          .add(" has no value of slot ")
                          .name(value.slot())
                          .add(" for batch ")
                          .count(value.batch())
                          .add(": what it holds is of the batches before it")
                          .text());
  for (kept_value& v : values_)
    if (v.batch() == value.batch() && v.is_slot_of(value)) {
      v = std::move(value);
      return *this;
    }
  values_.push_back(std::move(value));
  return *this;
}

namespace runner {

STRETTO_INLINE void throw_other_type(std::string_view slot, const value_type& held,
                                     const value_type& asked) {
  throw usage_error(text_builder()
                        .add("slot ")
                        .name(slot)
                        .add(" holds `")
                        .add(held.name)
                        .add("`, not `")
                        .add(asked.name)
                        .add("`")
                        .text());
}

STRETTO_INLINE void throw_never_dropped(std::string_view slot, std::size_t batch) {
  throw usage_error(text_builder()
                        .add("the position says that batch ")
                        .count(batch)
                        .add(" was dropped before slot ")
                        .name(slot)
                        .add(" was written, but in this schedule no task drops batches before "
                             "that: seed a value")
                        .text());
}

STRETTO_INLINE void throw_made_by_device(std::string_view slot, std::size_t next) {
  throw usage_error(text_builder()
                        .add("batches from ")
                        .count(next)
                        .add(" on look back at slot ")
                        .name(slot)
                        .add(", whose values the device makes, so that a position has no copies of "
                             "them: let the pipeline go on by st::onwards, or look back at a slot "
                             "on the host into which a task copies what is needed")
                        .text());
}

STRETTO_INLINE void check_handed_over(const position_question& asked) {
  for (const planner::earlier_value& v : asked.needed)
    for (const planner::pointing& p : asked.declared.points)
      if (p.slot == asked.slot_list[v.slot])
        throw usage_error(text_builder()
                              .add("batches look back at slot ")
                              .name(p.slot.text)
                              .add(", whose values point into slot ")
                              .name(p.into.text)
                              .add(" of this pipeline: they cannot be handed over; let this "
                                   "pipeline go on by st::onwards")
                              .text());
}

STRETTO_INLINE void check_position(const position& where, const position_question& asked) {
  check_handed_over(asked);
  for (const planner::earlier_value& v : asked.needed)
    if (where.find(asked.slot_list[v.slot], v.batch) == nullptr)
      throw usage_error(text_builder()
                            .add("batches from ")
                            .count(where.batch())
                            .add(" on look back at slot ")
                            .name(asked.slot_list[v.slot].text)
                            .add(" of batch ")
                            .count(v.batch)
                            .add(", of which the position has no value: seed it")
                            .text());
  for (const kept_value& kept : where.values()) {
    bool needed = false;
    bool there = false;
    for (const name& slot : asked.slot_list) there = there || kept.is_of(slot);
    for (const planner::earlier_value& v : asked.needed)
      needed = needed || (v.batch == kept.batch() && kept.is_of(asked.slot_list[v.slot]));
    if (needed) continue;
    text_builder why;
    why.add("the position has a value of slot ").name(kept.slot());
    if (!there) throw usage_error(why.add(", which this schedule does not have").text());
    throw usage_error(why.add(" of batch ")
                          .count(kept.batch())
                          .add(", at which no batch from ")
                          .count(where.batch())
                          .add(" on looks back: leave it out, or number batches as the run did "
                               "that it is from")
                          .text());
  }
}

}  // namespace runner
}  // namespace stretto
