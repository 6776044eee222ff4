// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/compiled/linkage.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/text/plan_view.hpp>
#include <string_view>

namespace stretto::planner {

/// Writes texts about a plan by patterns, in which a letter after `$` stands for what its number
/// or name is at the time. A pattern is data, which a compiler has no work with; a sentence that
/// calls put together would be code.
///
/// | letters | what stands there |
/// | --- | --- |
/// | `f` `t` | the names of the nodes of `at`, producer and consumer |
/// | `F` `T` | their numbers |
/// | `k` `e` | how many batches ahead the producer works; its rate, calls and role, if any |
/// | `d` `A` `L` | how many progresses lie between: a number, in words, in words if there are any |
/// | `l` `w` | the name of the slot of `at`; why its consumer comes after its producer |
/// | `g` `G` `q` | `thread`: its name, its number, what the schedule says of its group |
/// | `s` `S` | `stream`: its name and number |
/// | `n` `N` `K` `c` `m` | `name`, `number`, `kind`, `colour`, `meaning` |
/// | `\|` `_` `.` | a column begins; spaces until it is `width` wide, or 10 |
class plan_writer {
 public:
  /// Adds a name as the text's language can show it.
  using name_writer = void (*)(text_builder& to, std::string_view name);

  plan_writer(const plan_view& p, name_writer add_name) : plan(p), add_name_(add_name) {}

  [[gnu::cold, gnu::noinline]] STRETTO_INLINE void write(const char* pattern);

  const plan_view& plan;
  text_builder text{};
  edge at{};
  std::size_t thread = 0;
  std::size_t stream = 0;
  std::size_t number = 0;
  std::size_t kind = 0;
  std::size_t width = 8;
  std::string_view name{};
  const char* colour = "";
  const char* meaning = "";

 private:
  [[gnu::cold]] STRETTO_INLINE void write_item(char letter);
  /// Of a read of an earlier batch, which one that is.
  [[gnu::cold]] STRETTO_INLINE void add_notes();
  [[gnu::cold]] STRETTO_INLINE void add_batches_ago();

  name_writer add_name_;
  std::size_t column_ = 0;
};

/// Adds a name as tables and sentences for a person show it.
STRETTO_INLINE void add_for_person(text_builder& to, std::string_view name);

}  // namespace stretto::planner

#if !defined(STRETTO_COMPILED)
#  include <stretto/plan/text/plan_writer.ipp>
#endif
