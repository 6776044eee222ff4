// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/items.hpp>
#include <stretto/plan/derive/repetitions.hpp>
#include <stretto/plan/model/rate.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/rules/rule.hpp>
#include <string_view>

namespace stretto::planner::kind {
inline constexpr finding_kind inconsistent_items = kind_of_rule(9, 1);
inline constexpr finding_kind too_many_items = kind_of_rule(9, 2);
inline constexpr finding_kind mixed_items = kind_of_rule(9, 3);
inline constexpr finding_kind repeated_use = kind_of_rule(9, 4);
inline constexpr finding_kind items_and_rate = kind_of_rule(9, 5);
}  // namespace stretto::planner::kind

namespace stretto::planner::rules {

/// By slot: a task that consumes or produces items of it, or none.
constexpr list<std::size_t> users_of_items(const subject& s) {
  const graph& g = s.resolved;
  list<std::size_t> users(g.slot_list.size(), none);
  for (std::size_t t = 0; t < g.tasks; ++t) {
    const auto note = [&users = users, t](const list<use>& uses, range own, view<access> all) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        std::size_t& user = users[uses[own.first + i].slot];
        if (all[i].items != 0 && user == none) user = t;
      }
    };
    note(g.reads, g.nodes[t].reads, s.declared.tasks[t].reads);
    note(g.writes, g.nodes[t].writes, s.declared.tasks[t].writes);
  }
  return users;
}
/// By slot: `pull` or `deliver`, if it is the source's or a result; or none.
constexpr list<std::size_t> users_of_one(const graph& g) {
  list<std::size_t> users(g.slot_list.size(), none);
  const range results = g.nodes[g.deliver()].reads;
  for (std::size_t i = results.first; i < results.last; ++i) users[g.reads[i].slot] = g.deliver();
  if (g.source_slot != none) users[g.source_slot] = g.pull();
  return users;
}

/// A slot of which some are items has no one value, for anybody.
constexpr void check_uses_of_items(const subject& s, findings& found) {
  const graph& g = s.resolved;
  const list<std::size_t> of_items = users_of_items(s);
  const list<std::size_t> of_one = users_of_one(g);
  for (std::size_t t = 0; t < g.tasks; ++t) {
    const bool repeated = s.declared.tasks[t].calls > 1;
    const auto look_at = [&of_items = of_items, &of_one = of_one, &found = found, t, repeated](
                             const list<use>& uses, range own, view<access> all, field where) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        const std::size_t slot = uses[own.first + i].slot;
        if (all[i].items != 0) {
          if (of_one[slot] != none) found.push_back({kind::mixed_items, t, of_one[slot], where, i});
        } else if (of_items[slot] != none && of_one[slot] == none) {
          found.push_back({kind::mixed_items, t, of_items[slot], where, i});
        } else if (repeated && (where == field::writes || all[i].takes)) {
          found.push_back({kind::repeated_use, t, none, where, i});
        }
      }
    };
    look_at(g.reads, g.nodes[t].reads, s.declared.tasks[t].reads, field::reads);
    look_at(g.writes, g.nodes[t].writes, s.declared.tasks[t].writes, field::writes);
  }
}

/// Rule 9: of a slot of which items are consumed or produced, the numbers of items are consistent:
/// there are numbers of calls for which all that is produced for a batch is consumed. Everybody who
/// uses the slot consumes or produces items of it. Who is called several times for a batch neither
/// writes a slot that has one value nor takes one; and who consumes or produces items runs for
/// every batch, drops none, and is no collective.
constexpr void check_items(const subject& s, findings& found) {
  if (!has_items(s.declared.tasks)) return;
  const repetitions calls = find_repetitions(s.declared.tasks);
  if (calls.what == repetitions::failure::inconsistent)
    found.push_back({kind::inconsistent_items, calls.at.task, calls.other.task, calls.at.where,
                     calls.at.position});
  if (calls.what == repetitions::failure::too_many)
    found.push_back({kind::too_many_items, calls.at.task, none, calls.at.where, calls.at.position});
  check_uses_of_items(s, found);
  for (std::size_t t = 0; t < s.resolved.tasks; ++t) {
    const task& declared = s.declared.tasks[t];
    if ((declared.every != 1 || may_drop(declared) || declared.collective) &&
        has_items({&declared, 1}))
      found.push_back({kind::items_and_rate, t});
  }
}

/// What the culprit of an inconsistency would have to consume or produce per call; 0: no number
/// will do.
constexpr int consistent_items(const repetitions& r) {
  // Both in long long: each number is 65,536 at most.
  const fraction calls =
      reduced(r.other_calls.over * r.at_calls.under, r.other_calls.under * r.at_calls.over);
  const fraction items = reduced(calls.over * r.other.items, calls.under);
  return items.under == 1 && items.over <= most_items ? static_cast<int>(items.over) : 0;
}

constexpr repair repair_of_items(const declaration& d, const finding& f) {
  if (f.what == kind::items_and_rate) return {remedy::no_items, f.task};
  if (f.what == kind::mixed_items)
    return {remedy::set_items, f.task, f.other < d.tasks.size() ? 1 : 0};
  if (f.what == kind::repeated_use && f.where == field::writes)
    return {remedy::set_items, f.task, 1};
  if (f.what == kind::repeated_use) return {remedy::only_read, f.task};
  if (f.what == kind::inconsistent_items && f.task != f.other)
    if (const int items = consistent_items(find_repetitions(d.tasks)); items > 0)
      return {remedy::set_items, f.task, items};
  return {remedy::drop_entry, f.task};
}

constexpr const char* does(field where) { return where == field::reads ? "consume" : "produce"; }

constexpr void say_inconsistent(const statement& s, text_builder& to) {
  const repetitions r = find_repetitions(s.d.tasks);
  s.say(to, "$w ");
  to.add(does(r.at.where)).add("s ").number(r.at.items);
  s.say(to, r.at.items == 1 ? " item of slot $s per call, " : " items of slot $s per call, ");
  if (r.at.task == r.other.task)
    return s.say(to,
                 r.at.where == r.other.where
                     ? "and names it with $n, too; name it once"
                     : "and the other way round $n; what it leaves or lacks would add up: "
                       "let the two numbers be equal",
                 r.other.items);
  s.say(to, "but $o ");
  to.add(does(r.other.where)).add("s ").number(r.other.items);
  const fraction calls =
      reduced(r.at_calls.over * r.other_calls.under, r.at_calls.under * r.other_calls.over);
  const std::string_view name = s.at_fault().id.text;
  to.add(", and by other slots ").quoted(name).add(" is called ").number(calls.over);
  to.add(calls.over == 1 ? " time per " : " times per ").number(calls.under);
  s.say(to, calls.under == 1 ? " call of $o; " : " calls of $o; ");
  if (s.fix.how != remedy::set_items)
    return to.add(
               "no number of items makes up for that: change what they, or tasks between them, "
               "consume or produce"),
           void();
  to.add("let ").quoted(name).add(" ").add(does(r.at.where)).add(" ").number(s.fix.value);
}

constexpr void sentence_on_items(const statement& s, text_builder& to) {
  const finding& f = s.f;
  const bool reads = f.where == field::reads;
  if (f.what == kind::inconsistent_items) return say_inconsistent(s, to);
  if (f.what == kind::too_many_items) {
    s.say(to, "$w ");
    to.add(does(f.where));
    return s.say(to,
                 "s items of slot $s, and with all the numbers of items of the schedule a batch "
                 "would have more than $n; let calls consume and produce more items, or numbers "
                 "that have more divisors in common",
                 most_items);
  }
  if (f.what == kind::mixed_items) {
    if (f.other >= s.d.tasks.size())
      return s.say(to, f.other == s.d.tasks.size()
                           ? "$w consumes items of slot $s, which the source fills with one value "
                             "per batch; let a task read that and produce items of another slot"
                           : "$w names items of slot $s, which is a result, one value per batch; "
                             "let a task consume the items and write a slot that is the result");
    return s.say(to, reads ? "$w reads slot $s as one value per batch, but $o has it as items; "
                             "consume them: `consumes<slot, number per call>`"
                           : "$w writes slot $s as one value per batch, but $o has it as items; "
                             "produce them: `produces<slot, number per call>`");
  }
  if (f.what == kind::repeated_use)
    return s.say(to,
                 reads ? "$w is called $n times per batch and takes the value of slot $s, of which "
                         "there is one per batch: the first call would leave none; only read it"
                       : "$w is called $n times per batch and writes slot $s, which has one value "
                         "per batch; produce items of it, or write it in a task that is called "
                         "once",
                 s.at_fault().calls);
  s.say(to, "$w consumes or produces items of slots, and ");
  if (s.at_fault().every != 1) {
    to.add("has an `every`");
  } else {
    to.add(s.at_fault().collective ? "is a collective" : "may drop batches");
  }
  to.add("; that is for tasks that are called once per batch: give it to one without items");
}

inline constexpr rule rule_9{
    .number = 9,
    .kinds =
        {
            {kind::inconsistent_items, "inconsistent_items"},
            {kind::too_many_items, "too_many_items"},
            {kind::mixed_items, "mixed_items"},
            {kind::repeated_use, "repeated_use"},
            {kind::items_and_rate, "items_and_rate"},
        },
    .check = check_items,
    .fix = repair_of_items,
    .sentence = sentence_on_items,
};

}  // namespace stretto::planner::rules
