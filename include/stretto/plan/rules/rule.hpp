// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/rules/finding.hpp>
#include <stretto/plan/rules/subject.hpp>
#include <stretto/plan/rules/wording.hpp>
#include <string_view>

namespace stretto::planner {

/// What to do about a finding. (How it is said: in the sentence of its rule.)
enum class remedy {
  unknown,        ///< only the author knows
  rename,         ///< give the task a name of its own
  declare,        ///< add the task's stream to the schedule's
  one_stream,     ///< put the task on the stream of the other
  own_slot,       ///< write another slot
  set_lookahead,  ///< let the task work `value` batches ahead, or more
  set_offset,     ///< touch the slot at offset `value`
  set_ago,        ///< name the entry `value` batches ago, or more
  replace_entry,  ///< name the task instead
  drop_entry,     ///< of the field
  only_read,      ///< the slot, instead of taking its value
  no_view,        ///< let the slot no longer point into another
  set_every,      ///< let the task run for one of `value` batches
  set_phase,      ///< let `value` batches of a group come before the one that the task runs for
  full_groups,    ///< let the task run for full groups only
  at_end,         ///< let the other task run for what is left of a group at the end, too
  set_items,    ///< let `value` items of the slot be consumed, or produced, per call; 0: one value
  no_items,     ///< let the task use each of its slots as one value
  one_rate,     ///< let the task run for the batches that the other runs for
  read_latest,  ///< the value of the slot that was written last
  keep_all      ///< let the task drop no batches
};

/// What makes a finding go away; others may come to light.
struct repair {
  remedy how = remedy::unknown;
  std::size_t task = none;  ///< the task that changes, or is meant
  int value = 0;
};

/// The entry of a dependency field that a finding is about.
constexpr const dependency& entry_of(const declaration& d, const finding& f) {
  const task& t = d.tasks[f.task];
  switch (f.where) {
    case field::depends_on: return t.depends_on[f.position];
    case field::cross_iter_depends_on: return t.cross_iter_depends_on[f.position];
    default: return t.same_progress_sync[f.position];
  }
}

namespace rules {

constexpr int lookahead_of(const declaration& d, std::size_t t) {
  return t < d.tasks.size() ? d.tasks[t].lookahead : 0;
}

inline constexpr task nobody{};

/// What the sentence of a finding speaks of.
struct statement {
  const declaration& d;
  const finding& f;
  view<std::size_t> cycle;  ///< the diagnosis's, for findings of rule 7
  repair fix;

  constexpr const task& at_fault() const {
    return f.task < d.tasks.size() ? d.tasks[f.task] : nobody;
  }
  constexpr const task& second() const {
    return f.other < d.tasks.size() ? d.tasks[f.other] : nobody;
  }

  /// Adds a sentence, a pattern in which letters after `$` stand for what the finding is about:
  ///
  /// | letter | what stands there |
  /// | --- | --- |
  /// | `w` | who is at fault: the task with its name, or the schedule |
  /// | `o` | the name of the other task |
  /// | `s` | the name of the slot, or resource, that the culprit names |
  /// | `f` | the field that names it |
  /// | `i` `j` | which stream the task is on, and the other |
  /// | `c` | of a task that drops batches, the other: in which case, if it only does if it fails |
  /// | `v` | the number of the repair |
  /// | `n` `m` | numbers |
  /// | `a` `b` | those as batches ago |
  [[gnu::cold, gnu::noinline]] constexpr void say(text_builder& to, const char* pattern, int n = 0,
                                                  int m = 0) const {
    for (; *pattern != '\0'; ++pattern) {
      if (*pattern == '$') {
        ++pattern;
        add(to, *pattern, *pattern == 'm' || *pattern == 'b' ? m : n);
      } else {
        to.push_back(*pattern);
      }
    }
  }

 private:
  [[gnu::cold, gnu::noinline]] constexpr void add(text_builder& to, char letter, int n) const {
    switch (letter) {
      case 'w':
        if (f.task >= d.tasks.size()) {
          to.add("the schedule");
        } else {
          to.add("task ").quoted(d.tasks[f.task].id.text);
        }
        break;
      case 'o':
        if (f.other != none) to.quoted(node_name(d, f.other));
        break;
      case 's': to.quoted(slot_name()); break;
      case 'f': to.add(field_name(f.where)); break;
      case 'i':
      case 'j': add_stream(to, letter == 'i' ? at_fault() : second()); break;
      case 'c':
        if (only_drops_failures(second())) to.add(" if it fails (its `on_failure`)");
        break;
      case 'v': to.number(fix.value); break;
      default:
        to.number(n);
        if (letter == 'a' || letter == 'b') to.add(n == 1 ? " batch ago" : " batches ago");
    }
  }

  static constexpr void add_stream(text_builder& to, const task& t) {
    if (t.stream.empty()) {
      to.add("no stream");
    } else {
      to.add("stream ").quoted(t.stream);
    }
  }

  constexpr std::string_view slot_name() const {
    if (f.task >= d.tasks.size()) return d.results[f.position].text;
    const task& t = d.tasks[f.task];
    if (f.where == field::observes) return t.observes[f.position].text;
    if (f.where == field::mutates) return t.mutates[f.position].text;
    return (f.where == field::reads ? t.reads : t.writes)[f.position].slot.text;
  }
};

/// A kind of a rule.
struct kind_row {
  finding_kind what{};
  std::string_view name{};
  /// The field of the task that is the culprit, where it is none of its lists; such as "stream".
  std::string_view culprit{};
};

/// A rule: what its file holds of it. table.hpp lists them all.
struct rule {
  int number = 0;
  kind_row kinds[16]{};  ///< those that are left have no name
  /// Whether what breaks it can be found only of a plan. (With -fsanitize=undefined, GCC compares
  /// no function with a null pointer in a constant; nvcc with Clang knows no default here but
  /// zeros.)
  bool needs_plan = false;
  void (*check)(const subject&, findings&) = nullptr;  ///< finds it, if it can before
  repair (*fix)(const declaration&, const finding&) = nullptr;
  /// Says what is wrong, with which task and, where there is one, the repair.
  void (*sentence)(const statement&, text_builder&) = nullptr;
};

}  // namespace rules
}  // namespace stretto::planner
