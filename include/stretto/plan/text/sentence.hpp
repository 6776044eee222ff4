// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/plan/rules/diagnose.hpp>
#include <stretto/plan/rules/repair.hpp>
#include <stretto/text/visible.hpp>
#include <string>
#include <string_view>

namespace stretto::planner {

constexpr std::string_view kind_name(kind k) {
  switch (k) {
    case kind::empty_schedule: return "empty_schedule";
    case kind::duplicate_name: return "duplicate_name";
    case kind::empty_name: return "empty_name";
    case kind::reserved_name: return "reserved_name";
    case kind::negative_lookahead: return "negative_lookahead";
    case kind::negative_slot_offset: return "negative_slot_offset";
    case kind::slot_offset_mismatch: return "slot_offset_mismatch";
    case kind::reserved_write: return "reserved_write";
    case kind::stream_not_declared: return "stream_not_declared";
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

constexpr std::string quoted(std::string_view name) {
  std::string result = "`";
  text::add_visible_name(result, name);
  result += '`';
  return result;
}

/// Or the resource.
constexpr std::string_view slot_of(const declaration& d, const finding& f) {
  if (f.task >= d.tasks.size()) return d.results[f.position].text;
  const task& t = d.tasks[f.task];
  if (f.where == field::observes) return t.observes[f.position].text;
  if (f.where == field::mutates) return t.mutates[f.position].text;
  return (f.where == field::reads ? t.reads : t.writes)[f.position].slot.text;
}

constexpr int offset_of(const task& t, const finding& f) {
  return (f.where == field::reads ? t.reads : t.writes)[f.position].offset;
}

constexpr std::string stream_of(const task& t) {
  return t.stream.empty() ? std::string("no stream") : "stream " + quoted(t.stream);
}

constexpr std::string batches_ago(int ago) {
  return number(ago) + (ago == 1 ? " batch ago" : " batches ago");
}

/// The dependency field in which a task named another before the entry that a finding is about.
constexpr field first_field_of(const declaration& d, const finding& f) {
  const task& t = d.tasks[f.task];
  for (const dependency& e : t.depends_on)
    if (e.task == entry_of(d, f).task) return field::depends_on;
  return field::cross_iter_depends_on;
}

/// How far ahead the slot that a finding is about is written, by the task that is not far enough.
constexpr int latest_write(const declaration& d, const finding& f) {
  if (f.other >= d.tasks.size()) return make_graph(d).max_lookahead;
  const task& t = d.tasks[f.other];
  if (d.serial) return t.stage;
  const name& slot =
      f.task < d.tasks.size() ? d.tasks[f.task].reads[f.position].slot : d.results[f.position];
  int latest = t.lookahead;
  for (const access& write : t.writes)
    if (write.slot == slot && write.offset < read_offset(d, f)) latest = write.offset;
  return latest;
}

/// A circle as a chain of waits; those that only the user's order asks for are marked.
constexpr std::string circle(const declaration& d, const finding& f, view<std::size_t> cycle) {
  if (cycle.empty())
    return quoted(node_name(d, f.task)) + " waits for " + quoted(node_name(d, f.other)) +
           " and so on";
  constexpr std::size_t shown_at_ends = 6;
  const graph g = planned_graph(d);
  list<std::size_t> producer_of(g.nodes.size(), none);
  for (std::size_t i = 0; i < cycle.size(); ++i)
    producer_of[cycle[i]] = cycle[i + 1 == cycle.size() ? 0 : i + 1];
  list<char> by_order(g.nodes.size(), 1);
  for (const edge& e : declared_edges(g))
    if (e.delta == 0 && producer_of[e.consumer] == e.producer) by_order[e.consumer] = 0;
  std::string text = quoted(node_name(d, cycle.front()));
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    // A step that only the order asks for is where the circle is mended.
    const bool middle = i >= shown_at_ends && i + shown_at_ends < cycle.size();
    if (middle && by_order[cycle[i]] == 0) {
      if (i == shown_at_ends || by_order[cycle[i - 1]] != 0) text += " waits for ...";
      continue;
    }
    text += " waits for " + quoted(node_name(d, producer_of[cycle[i]])) +
            (by_order[cycle[i]] != 0 ? " (`order`)" : "");
  }
  return text;
}

/// What to do about a name that no task has.
constexpr std::string list_or_drop(const declaration& d, const repair& mend) {
  return mend.how == remedy::replace_entry
             ? "; did you mean " + quoted(node_name(d, mend.task)) + "?"
             : std::string("; list it there, or drop the entry");
}

/// What is wrong with an entry of an authored order.
constexpr std::string order_entry(const declaration& d, const finding& f) {
  const std::string entry = quoted(d.turns[f.position].task.text);
  return f.what == kind::listed_twice
             ? "an `order` of the schedule lists " + entry + " twice; drop one"
             : "an `order` of the schedule names " + entry +
                   ", which is not a task of this schedule" + list_or_drop(d, repair_of(d, f));
}

constexpr std::string body(const declaration& d, const finding& f, view<std::size_t> cycle) {
  if (f.what == kind::empty_schedule) return "the schedule has no task; list one";
  if (f.where == field::order) return order_entry(d, f);
  const std::string who = f.task < d.tasks.size() ? "task " + quoted(node_name(d, f.task))
                                                  : std::string("the schedule");
  const std::string other = f.other == none ? std::string() : quoted(node_name(d, f.other));
  const std::string in_field{field_name(f.where)};
  const task blank{};
  const task& t = f.task < d.tasks.size() ? d.tasks[f.task] : blank;
  const task& o = f.other < d.tasks.size() ? d.tasks[f.other] : blank;
  const repair mend = repair_of(d, f);
  const auto raised = [&] {
    return "; raise the lookahead of " + other + " to at least " + number(mend.value);
  };
  switch (f.what) {
    case kind::empty_schedule: break;
    case kind::duplicate_name:
      return t.id == o.id ? "task " + quoted(t.id.text) +
                                " is listed twice; drop one, or give it a `name` of its own"
                          : "two tasks are named " + quoted(t.id.text) +
                                "; give one of them a `name` of its own";
    case kind::empty_name:
      return "task number " + number(static_cast<int>(f.task)) +
             " (from 0) has an empty name; give it a `name`";
    case kind::reserved_name:
      return who + " has the name of " +
             (t.id.text == pull_name ? "what takes batches from the source"
                                     : "what hands results out") +
             ", a task of every plan; give it a `name` of its own";
    case kind::negative_lookahead:
      return who + " has lookahead " + number(t.lookahead) + "; raise it to at least " +
             number(mend.value);
    case kind::negative_slot_offset:
      return who + " " + in_field + " slot " + quoted(slot_of(d, f)) + " at offset " +
             number(offset_of(t, f)) + "; the least is 0, and the task's own lookahead is " +
             number(mend.value) +
             (f.where == field::reads
                  ? "; what it needs of an earlier batch, a task keeps in itself"
                  : "");
    case kind::slot_offset_mismatch:
      return who + " " + in_field + " slot " + quoted(slot_of(d, f)) + " at offset " +
             number(offset_of(t, f)) + ", but works at lookahead " + number(mend.value) +
             "; the two must be equal";
    case kind::reserved_write:
      return who + " writes " + quoted(slot_of(d, f)) +
             ", the slot that the source fills; read it, and write a slot of its own (through a "
             "pointer in it, such as a std::unique_ptr, a reader can move out what it points to)";
    case kind::stream_not_declared:
      return who + " is on " + stream_of(t) +
             ", which the schedule does not declare; add it to `streams`";
    case kind::multiple_writers:
      return who + " and " + other + " both write slot " + quoted(slot_of(d, f)) +
             " at lookahead " + number(d.serial ? t.stage : t.lookahead) +
             "; give one of them another slot or another lookahead";
    case kind::name_multi_stream:
      return who + " writes slot " + quoted(slot_of(d, f)) + " on " + stream_of(t) + ", but " +
             other + " writes it on " + stream_of(o) +
             "; put both on one stream or give each a slot";
    case kind::unresolved_read:
      return f.task < d.tasks.size()
                 ? who + " reads slot " + quoted(slot_of(d, f)) +
                       (d.from.slot.text.empty()
                            ? ", which no task writes, and there is no source to fill it; make it "
                              "the source's slot, list a task that writes it, or drop the read"
                            : ", which no task writes; list the task that does, or drop the read")
                 : "the result " + quoted(slot_of(d, f)) +
                       " is written by no task; list the task that does, or drop it from `result`";
    case kind::slot_future_read: {
      const std::string late = who + " reads slot " + quoted(slot_of(d, f)) + " at lookahead " +
                               number(read_offset(d, f)) + ", but " + other +
                               " writes it only at lookahead " + number(latest_write(d, f));
      if (mend.how == remedy::set_lookahead) return late + raised();
      return late + "; read it at the task's own lookahead, " + number(mend.value);
    }
    case kind::reader_not_after_writer:
      return who + " reads slot " + quoted(slot_of(d, f)) +
             ", which it writes itself; drop the read: the body gets the written slot by reference";
    case kind::unknown_name:
      return who + " names " + quoted(entry_of(d, f).task.text) + " in " + in_field +
             ", which is not a task of this schedule" + list_or_drop(d, mend);
    case kind::field_overlap:
      return who + " names " + other + " in " + in_field + " and in " +
             std::string(field_name(first_field_of(d, f))) +
             " too; keep the one that says what is meant";
    case kind::listed_twice:
      return who + " lists " + (f.other == none ? quoted(slot_of(d, f)) : other) + " twice in " +
             in_field + "; drop one";
    case kind::cross_offset_not_negative:
      return who + " names " + other + " in cross_iter_depends_on " +
             batches_ago(entry_of(d, f).ago) + "; name it at least " + batches_ago(mend.value) +
             (entry_of(d, f).ago == 0 && f.other != f.task && o.lookahead >= t.lookahead
                  ? ", or in depends_on, which speaks of the same batch"
                  : "");
    case kind::depends_future_read:
      return who + " (lookahead " + number(t.lookahead) + ") depends_on " + other + " (lookahead " +
             number(o.lookahead) + "), which has not run on that batch yet" + raised();
    case kind::cross_iter_future_read: {
      const int ahead = planned_lookahead(d, f.task);
      return who + " (lookahead " + number(ahead) +
             (ahead != t.lookahead ? " with the schedule's queues and workers" : "") +
             ") waits for the run of " + other + " (lookahead " +
             number(planned_lookahead(d, f.other)) + ") " + batches_ago(entry_of(d, f).ago) +
             ", which is still to come; name it at least " + batches_ago(mend.value);
    }
    case kind::cross_iter_rotated_out:
      return who + " waits for " + other + " of " + batches_ago(entry_of(d, f).ago) +
             " on another stream, which has left the ring; put both on one stream, or drop "
             "`strict`, which keeps no history";
    case kind::redundant_cross_iter:
      return who + " names " + other + " in cross_iter_depends_on; drop the entry: the read of " +
             quoted(t.reads[ordering_read(d, f)].slot.text) + " already orders it";
    case kind::cycle: {
      const std::string waits =
          f.other == f.task ? who + " waits for itself; drop the entry"
                            : "tasks wait for each other in a circle: " + circle(d, f, cycle) +
                                  "; drop one of these waits";
      return waits + ", or make it one for an earlier batch (cross_iter_depends_on)";
    }
    case kind::order_cycle:
      return "the `order` of the schedule contradicts what its tasks declare: " +
             circle(d, f, cycle) + "; drop a step marked `order`";
    case kind::race: {
      const bool mutates = f.where == field::mutates;
      const name& resource = (mutates ? t.mutates : t.observes)[f.position];
      if (f.task == f.other)
        return who + " " + in_field + " " + quoted(resource.text) +
               " on several workers at once; let it wait for its own run on the batch before "
               "(cross_iter_depends_on), or move it to a thread without workers";
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
                               view<std::size_t> cycle = {}) {
  const std::string rule = f.what == kind::race ? "race" : "rule " + number(rule_of(f));
  return rule + ": " + detail::body(d, f, cycle);
}

}  // namespace stretto::planner
