// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <limits>
#include <stretto/plan/model/rate.hpp>
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
  const auto refuse = [this, &value](std::string_view why) {
    throw usage_error(runner::text_builder()
                          .add("a position before batch ")
                          .count(next_)
                          .add(" is told of slot ")
                          .name(value.slot())
                          .add(" for batch ")
                          .count(value.batch())
                          .add(why)
                          .text());
  };
  if (value.batch() >= next_ && value.dropped())
    refuse(" that it was dropped: let a task drop it, or leave the batch out");
  if (value.batch() < next_ && value.unread())
    refuse(" that nobody reads it: of batches before it, leave out what is not looked back at");
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
    if (there && kept.batch() >= where.batch()) continue;
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

STRETTO_INLINE void throw_not_given(const kept_value& value, std::string_view why) {
  throw usage_error(text_builder()
                        .add("slot ")
                        .name(value.slot())
                        .add(" cannot be seeded for batch ")
                        .count(value.batch())
                        .add(": ")
                        .add(why)
                        .text());
}

namespace detail {

/// What a position says of batches that begin half-processed, while it is looked through.
class given_search {
 public:
  given_search(const position& where, const position_question& asked, const planned_nodes& planned)
      : where_(where), asked_(asked), planned_(planned) {}

  std::vector<given_value> all() {
    for (const kept_value& v : where_.values())
      if (v.batch() >= where_.batch()) take(v);
    std::sort(found_.begin(), found_.end(), [](const given_value& a, const given_value& b) {
      return a.batch != b.batch ? a.batch < b.batch : a.node < b.node;
    });
    std::size_t next = 0;
    for (const kept_value& v : where_.values())
      if (v.batch() >= where_.batch()) check_readers(v, last_writers_[next++]);
    for (const given_value& g : found_) check_complete(g);
    return std::move(found_);
  }

 private:
  std::size_t pull() const { return asked_.declared.tasks.size(); }
  const planner::task& task_of(std::size_t n) const { return asked_.declared.tasks[n]; }
  std::string_view name_of_task(std::size_t n) const { return task_of(n).id.text; }
  /// `check_position` has seen to it that there is one.
  std::size_t slot_of(const kept_value& v) const {
    std::size_t number = 0;
    while (!v.is_of(asked_.slot_list[number])) ++number;
    return number;
  }

  /// Whether a node is called for a batch before another one is for that batch.
  bool before(std::size_t a, std::size_t b) const {
    if (planned_.lag[a] != planned_.lag[b]) return planned_.lag[a] < planned_.lag[b];
    for (const std::size_t n : planned_.order)
      if (n == a || n == b) return n == a && a != b;
    return false;
  }
  bool is_called(std::size_t n, std::size_t batch) const {
    const auto at = std::lower_bound(
        found_.begin(), found_.end(), std::pair(batch, n),
        [](const given_value& g, const std::pair<std::size_t, std::size_t>& asked) {
          return g.batch != asked.first ? g.batch < asked.first : g.node < asked.second;
        });
    return (at == found_.end() || at->batch != batch || at->node != n) &&
           planner::runs_for(planner::rate_of(task_of(n)), batch);
  }

  /// Adds those who write the slot. The last of them leaves the value there.
  void take(const kept_value& v) {
    const std::size_t number = slot_of(v);
    const name& slot = asked_.slot_list[number];
    for (const planner::pointing& p : asked_.declared.points)
      if (p.slot == slot || (v.unread() && p.into == slot))
        throw_not_given(v,
                        "its values point into another slot, or those of another one into it, "
                        "as only tasks of this pipeline can have them do");
    std::vector<std::size_t> writers;
    if (asked_.declared.from.slot == slot) writers.push_back(pull());
    const planner::task* out_of_turn = nullptr;
    bool items = false;
    for (std::size_t n = 0; n < pull(); ++n) {
      const planner::task& t = task_of(n);
      for (const planner::access& read : t.reads)
        items = items || (read.slot == slot && read.items > 0);
      for (const planner::access& write : t.writes) {
        if (!(write.slot == slot)) continue;
        items = items || write.items > 0;
        if (planner::runs_for(planner::rate_of(t), v.batch())) {
          writers.push_back(n);
        } else {
          out_of_turn = &t;
        }
      }
    }
    if (items)
      throw_not_given(v, "tasks consume or produce items of it, and what is seeded is one value");
    if (out_of_turn != nullptr)
      throw_not_given(v, text_builder()
                             .add("task ")
                             .name(out_of_turn->id.text)
                             .add(", which writes it, is called for one batch of ")
                             .count(static_cast<std::size_t>(out_of_turn->every))
                             .add(", and not for that one")
                             .text());
    std::size_t last = writers.front();
    for (const std::size_t n : writers)
      if (before(last, n)) last = n;
    for (const std::size_t n : writers)
      found_.push_back(n == last && !v.unread()
                           ? given_value{n, v.batch(), number, &v}
                           : given_value{n, v.batch(), planner::none, nullptr});
    last_writers_.push_back(last);
  }

  /// Who is called finds what it would have found.
  void check_readers(const kept_value& v, std::size_t last_writer) const {
    const name& slot = asked_.slot_list[slot_of(v)];
    if (v.unread())
      for (const name& result : asked_.declared.results)
        if (result == slot) throw_not_given(v, "it is a result, which is handed out: seed a value");
    for (std::size_t n = 0; n < pull(); ++n)
      for (const planner::access& read : task_of(n).reads) {
        if (!(read.slot == slot)) continue;
        if (v.unread()) {
          check_unread(v, n, read);
        } else if (read.ago == 0 && is_called(n, v.batch()) && before(n, last_writer)) {
          throw_not_given(v, text_builder()
                                 .add("task ")
                                 .name(name_of_task(n))
                                 .add(" reads it before task ")
                                 .name(name_of_task(last_writer))
                                 .add(" writes it again, and what is seeded is what is there "
                                      "then: seed what the former writes, too")
                                 .text());
        }
      }
  }
  void check_unread(const kept_value& v, std::size_t reader, const planner::access& read) const {
    const planner::rate of_slot = planner::rate_of_slot(asked_.declared, read.slot);
    const planner::range readers = planner::readers_of_value(read, of_slot, v.batch());
    for (std::size_t b = planner::larger(readers.first, where_.batch()); b < readers.last; ++b)
      if (is_called(reader, b))
        throw usage_error(text_builder()
                              .add("the position says that nobody reads slot ")
                              .name(v.slot())
                              .add(" of batch ")
                              .count(v.batch())
                              .add(", but task ")
                              .name(name_of_task(reader))
                              .add(" does, for batch ")
                              .count(b)
                              .add(": seed a value")
                              .text());
  }

  /// Who is not called would have written nothing else.
  void check_complete(const given_value& g) const {
    if (g.node == pull()) return;
    for (const planner::access& write : task_of(g.node).writes) {
      bool said = false;
      for (const kept_value& v : where_.values())
        said = said || (v.batch() == g.batch && v.is_of(write.slot));
      if (!said)
        throw usage_error(text_builder()
                              .add("the position has a value that task ")
                              .name(name_of_task(g.node))
                              .add(" writes for batch ")
                              .count(g.batch)
                              .add(", and none of slot ")
                              .name(write.slot.text)
                              .add(", which it writes, too: seed that, or say `seed_unread` if no "
                                   "task that is called reads it")
                              .text());
    }
  }

  const position& where_;
  const position_question& asked_;
  const planned_nodes& planned_;
  std::vector<given_value> found_;
  std::vector<std::size_t> last_writers_;  ///< by value that is of a batch from the next one on
};

}  // namespace detail

STRETTO_INLINE std::vector<given_value> find_given(const position& where,
                                                   const position_question& asked,
                                                   const planned_nodes& planned) {
  return detail::given_search(where, asked, planned).all();
}

}  // namespace runner
}  // namespace stretto
