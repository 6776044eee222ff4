// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/plan/diagnose.hpp>
#include <string>
#include <string_view>

namespace stretto::plan {

constexpr std::string_view kind_name(kind k) {
  switch (k) {
    case kind::empty_schedule: return "empty_schedule";
    case kind::duplicate_name: return "duplicate_name";
    case kind::empty_name: return "empty_name";
    case kind::negative_lookahead: return "negative_lookahead";
    case kind::negative_slot_offset: return "negative_slot_offset";
    case kind::slot_offset_mismatch: return "slot_offset_mismatch";
    case kind::reserved_write: return "reserved_write";
    case kind::stream_not_declared: return "stream_not_declared";
    case kind::stream_not_in_pool: return "stream_not_in_pool";
    case kind::multiple_writers: return "multiple_writers";
    case kind::name_multi_stream: return "name_multi_stream";
    case kind::unresolved_read: return "unresolved_read";
    case kind::slot_future_read: return "slot_future_read";
    case kind::reader_not_after_writer: return "reader_not_after_writer";
    case kind::unknown_name: return "unknown_name";
    case kind::field_overlap: return "field_overlap";
    case kind::listed_twice: return "listed_twice";
    case kind::cross_offset_not_negative: return "cross_offset_not_negative";
    case kind::depends_future_read: return "depends_future_read";
    case kind::cross_iter_future_read: return "cross_iter_future_read";
    case kind::cross_iter_rotated_out: return "cross_iter_rotated_out";
    case kind::redundant_cross_iter: return "redundant_cross_iter";
    case kind::cycle: return "cycle";
    case kind::order_cycle: return "order_cycle";
    case kind::race: return "race";
  }
  return "";
}

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

namespace detail {

constexpr std::string quoted(std::string_view text) {
  std::string result = "`";
  result += text;
  result += '`';
  return result;
}

constexpr const dependency& entry(const task& t, const finding& f) {
  switch (f.where) {
    case field::depends_on: return t.depends_on[f.position];
    case field::cross_iter_depends_on: return t.cross_iter_depends_on[f.position];
    default: return t.same_progress_sync[f.position];
  }
}

constexpr std::string_view slot_of(const declaration& d, const finding& f) {
  if (f.task >= d.tasks.size()) return d.results[f.position].text;
  const task& t = d.tasks[f.task];
  return (f.where == field::reads ? t.reads : t.writes)[f.position].slot.text;
}

constexpr int offset_of(const task& t, const finding& f) {
  return (f.where == field::reads ? t.reads : t.writes)[f.position].offset;
}

constexpr std::string stream_of(const task& t) {
  return t.stream.empty() ? std::string("no stream") : "stream " + quoted(t.stream);
}

/// A circle as a chain of waits; those that only the user's order asks for are marked.
constexpr std::string circle(const declaration& d, std::span<const std::size_t> cycle) {
  const list<edge> declared = declared_edges(make_graph(d));
  std::string text = quoted(node_name(d, cycle.front()));
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const std::size_t consumer = cycle[i];
    const std::size_t producer = cycle[i + 1 == cycle.size() ? 0 : i + 1];
    bool by_order = true;
    for (const edge& e : declared)
      if (e.producer == producer && e.consumer == consumer && e.delta == 0) by_order = false;
    text += " waits for " + quoted(node_name(d, producer)) + (by_order ? " (`order`)" : "");
  }
  return text;
}

/// What is wrong with an entry of the user's order.
constexpr std::string order_entry(const declaration& d, const finding& f) {
  const std::string entry = quoted(d.turns[f.position].task.text);
  return f.what == kind::listed_twice ? "an `order` of the schedule lists " + entry + " twice"
                                      : "an `order` of the schedule names " + entry +
                                            ", which is not a task of this schedule";
}

constexpr std::string body(const declaration& d, const finding& f,
                           std::span<const std::size_t> cycle) {
  if (f.what == kind::empty_schedule) return "the schedule has no task";
  if (f.where == field::order) return order_entry(d, f);
  const std::string who = f.task < d.tasks.size() ? "task " + quoted(node_name(d, f.task))
                                                  : std::string("the schedule");
  const std::string other = f.other == none ? std::string() : quoted(node_name(d, f.other));
  const std::string in_field{field_name(f.where)};
  const task blank{};
  const task& t = f.task < d.tasks.size() ? d.tasks[f.task] : blank;
  const task& o = f.other < d.tasks.size() ? d.tasks[f.other] : blank;
  switch (f.what) {
    case kind::empty_schedule: break;
    case kind::duplicate_name:
      return "two tasks are named " + quoted(t.id.text) + "; give one of them a `name` of its own";
    case kind::empty_name:
      return "task number " + number(static_cast<int>(f.task)) + " has an empty name";
    case kind::negative_lookahead:
      return who + " has lookahead " + number(t.lookahead) + "; the least is 0";
    case kind::negative_slot_offset:
      return who + " " + in_field + " slot " + quoted(slot_of(d, f)) + " at offset " +
             number(offset_of(t, f)) + "; the least is 0";
    case kind::slot_offset_mismatch:
      return who + " " + in_field + " slot " + quoted(slot_of(d, f)) + " at offset " +
             number(offset_of(t, f)) + ", but works at lookahead " + number(t.lookahead) +
             "; the two must be equal";
    case kind::reserved_write:
      return who + " writes " + quoted(slot_of(d, f)) +
             ", the slot that the source fills; write a slot of its own";
    case kind::stream_not_declared:
      return who + " is on " + stream_of(t) +
             ", which the schedule does not declare; add it to `streams`";
    case kind::stream_not_in_pool:
      return who + " is on " + stream_of(t) + ", which the backend does not have";
    case kind::multiple_writers:
      return who + " and " + other + " both write slot " + quoted(slot_of(d, f)) +
             " at lookahead " + number(t.lookahead) +
             "; a batch's slot has one writer per lookahead";
    case kind::name_multi_stream:
      return who + " writes slot " + quoted(slot_of(d, f)) + " on " + stream_of(t) + ", but " +
             other + " writes it on " + stream_of(o) +
             "; put both on one stream or give each a slot";
    case kind::unresolved_read:
      return f.task < d.tasks.size()
                 ? who + " reads slot " + quoted(slot_of(d, f)) + ", which no task writes"
                 : "the result " + quoted(slot_of(d, f)) + " is written by no task";
    case kind::slot_future_read:
      return who + " reads slot " + quoted(slot_of(d, f)) + " at lookahead " + number(t.lookahead) +
             ", but " + other + " writes it only at lookahead " + number(o.lookahead) +
             "; raise the lookahead of " + other + " to at least " + number(t.lookahead);
    case kind::reader_not_after_writer:
      return who + " reads slot " + quoted(slot_of(d, f)) +
             ", which it writes itself; drop the read: the body gets the written slot by reference";
    case kind::unknown_name:
      return who + " names " + quoted(entry(t, f).task.text) + " in " + in_field +
             ", which is not a task of this schedule";
    case kind::field_overlap:
      return who + " names " + other + " in " + in_field +
             " and in another dependency field; keep the one that says what is meant";
    case kind::listed_twice:
      return who + " lists " + (f.other == none ? quoted(slot_of(d, f)) : other) + " twice in " +
             in_field;
    case kind::cross_offset_not_negative:
      return who + " names " + other + " in cross_iter_depends_on " + number(entry(t, f).ago) +
             " batches ago; at least 1, or use depends_on (same batch) or same_progress_sync";
    case kind::depends_future_read:
      return who + " (lookahead " + number(t.lookahead) + ") depends_on " + other + " (lookahead " +
             number(o.lookahead) +
             "), which has not run on that batch yet; raise the lookahead of " + other +
             " to at least " + number(t.lookahead);
    case kind::cross_iter_future_read:
      return who + " (lookahead " + number(t.lookahead) + ") waits for " + other + " (lookahead " +
             number(o.lookahead) + ") of " + number(entry(t, f).ago) +
             " batches ago, which has not run by then; name it at least " +
             number(t.lookahead - o.lookahead) + " batches ago";
    case kind::cross_iter_rotated_out:
      return who + " waits for " + other + " of " + number(entry(t, f).ago) +
             " batches ago on another stream, which has left the ring (strict mode keeps no "
             "history)";
    case kind::redundant_cross_iter:
      return who + " names " + other + " in cross_iter_depends_on, but reads a slot that " + other +
             " writes, which orders them already; drop the entry";
    case kind::cycle: {
      if (f.other == f.task) return who + " waits for itself";
      std::string text = "tasks wait for each other in a circle: ";
      if (cycle.empty()) return text + quoted(t.id.text) + " waits for " + other + " and so on";
      for (const std::size_t n : cycle) text += quoted(node_name(d, n)) + " waits for ";
      return text + quoted(node_name(d, cycle.front()));
    }
    case kind::order_cycle:
      return "the `order` of the schedule contradicts what its tasks declare: " +
             (cycle.empty() ? quoted(t.id.text) + " waits for " + other + " and so on"
                            : circle(d, cycle));
    case kind::race: {
      const bool mutates = f.where == field::mutates;
      const name& resource = (mutates ? t.mutates : t.observes)[f.position];
      return who + " " + in_field + " " + quoted(resource.text) + ", which " + other +
             " uses too, and nothing orders the two on all batches; put both on one stream, or let "
             "each wait for the other's run before its own";
    }
  }
  return {};
}

}  // namespace detail

/// A finding in one line, for a person: rule, task, culprit and, where there is one, the repair.
/// \p cycle is the diagnosis's, for findings of rule 7.
constexpr std::string sentence(const declaration& d, const finding& f,
                               std::span<const std::size_t> cycle = {}) {
  const std::string rule = f.what == kind::race ? "race" : "rule " + number(rule_of(f));
  return rule + ": " + detail::body(d, f, cycle);
}

}  // namespace stretto::plan
