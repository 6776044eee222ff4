// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/derive/plan_size.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <string>

/// \file
/// Bounds that what a schedule declares exceeds, before `pipelined` raises anything: in the
/// sentences of both versions. No rule is about them.
namespace stretto::planner {

/// A declaration as it is without what `pipelined` raises.
constexpr declaration without_raised(declaration d) {
  d.raised = {};
  return d;
}

/// Adds that what is declared needs more batches in flight, or bytes, than there may be.
[[gnu::cold]] constexpr void add_on_in_flight(text_builder& text, int needed, int most) {
  text.add("the declared lookaheads alone need ").number(needed);
  text.add(" batches in flight, and `max_in_flight` is ").number(most);
  text.add("; raise it to ").number(needed).add(", or lower lookaheads, queues or workers");
}
[[gnu::cold]] constexpr void add_on_bytes(text_builder& text, std::size_t needed,
                                          std::size_t most) {
  text.add("the declared lookaheads alone need ").number(static_cast<long long>(needed));
  text.add(" bytes for the copies of slots, and `max_bytes` is ");
  text.number(static_cast<long long>(most)).add("; raise it to ");
  text.number(static_cast<long long>(needed))
      .add(", or lower lookaheads, queues, workers or slack");
}
[[gnu::cold]] constexpr std::string sentence_on_in_flight(int needed, int most) {
  text_builder text;
  add_on_in_flight(text, needed, most);
  return text.text();
}
[[gnu::cold]] constexpr std::string sentence_on_bytes(std::size_t needed, std::size_t most) {
  text_builder text;
  add_on_bytes(text, needed, most);
  return text.text();
}

}  // namespace stretto::planner
