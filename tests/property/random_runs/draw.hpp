// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stretto/dynamic.hpp>
#include <string>
#include <vector>

/// A random schedule for every seed, as a value and without bodies.
namespace random_runs {

namespace st = stretto;
namespace dynamic = stretto::dynamic;

class dice {
 public:
  explicit dice(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15U) {}
  std::uint64_t next() {  // splitmix64
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }
  std::size_t below(std::size_t end) { return next() % end; }
  bool one_in(std::size_t n) { return below(n) == 0; }
  int number(std::size_t end) { return static_cast<int>(below(end)); }

 private:
  std::uint64_t state_;
};

inline std::string task_name(std::size_t n) { return "t" + std::to_string(n); }
inline std::string slot_name(std::size_t n) { return "s" + std::to_string(n); }

/// Draws a schedule; it may break rules. Each task writes a slot of its number, and may update that
/// of one that works further ahead on the same stream.
class drawing {
 public:
  explicit drawing(std::uint64_t seed) : d_(seed) {
    deepest_ = d_.below(4);
    dense_ = 2 + d_.below(3);
    result.streams = {"a", "b", "c"};
    const std::size_t tasks = 1 + d_.below(7);
    for (std::size_t n = 0; n < tasks; ++n) add(n);
    result.source.slot = "source";
    int most = 0;
    for (const dynamic::task& t : result.tasks) most = std::max(most, t.lookahead);
    if (d_.one_in(3)) result.source.lookahead = most + d_.number(d_.one_in(2) ? 3 : 12);
    if (d_.one_in(3)) result.source.thread = d_.one_in(2) ? "reader" : "x";
    for (std::size_t n = 0; n < tasks; ++n)
      if (d_.one_in(3)) result.results.push_back(slot_name(n));
    if (d_.one_in(4)) add_order();
    if (d_.one_in(2)) add_groups();
    if (d_.one_in(5)) result.slacks.push_back({slot_name(d_.below(tasks)), 1 + d_.number(2)});
    if (d_.one_in(8)) result.caller_runs = d_.one_in(2) ? "a" : "x";
    for (std::size_t i = tasks; i > 1; --i)
      std::swap(result.tasks[i - 1], result.tasks[d_.below(i)]);
    result.strict = d_.one_in(10);
    result.frugal = d_.one_in(3);
    result.slot<std::uint64_t>("source");
    for (std::size_t n = 0; n < tasks; ++n) result.slot<std::uint64_t>(slot_name(n));
  }

  dynamic::schedule result;

 private:
  void add(std::size_t n) {
    dynamic::task t;
    t.name = task_name(n);
    t.lookahead = d_.number(deepest_ + 1);
    if (!d_.one_in(3)) t.stream = std::string(1, static_cast<char>('a' + d_.number(3)));
    if (d_.one_in(3)) t.thread = d_.one_in(3) ? "caller" : d_.one_in(2) ? "x" : "y";
    t.collective = d_.one_in(6);
    t.writes.emplace_back(slot_name(n));
    if (d_.one_in(3)) t.reads.emplace_back("source");
    for (std::size_t o = 0; o < n; ++o) {
      const dynamic::task& other = result.tasks[o];
      const int room = other.lookahead - t.lookahead;
      if (d_.one_in(4) && room > 0 && other.stream == t.stream && t.writes.size() == 1 &&
          !updated(o, t.lookahead)) {
        t.writes.emplace_back(slot_name(o));
        continue;
      }
      if (!d_.one_in(dense_)) continue;
      switch (d_.below(6)) {
        case 0:
        case 1:
          if (room >= 0) t.reads.emplace_back(slot_name(o));
          break;
        case 2:
          if (room >= 0) t.depends_on.push_back(task_name(o));
          break;
        case 3:
        case 4: {
          const int ago = 1 + d_.number(2);
          if (room + ago >= 0) t.cross_iter_depends_on.emplace_back(task_name(o), ago);
          break;
        }
        default: t.same_progress_sync.push_back(task_name(o));
      }
    }
    const std::size_t how = d_.below(9);
    if (how < 2) t.mutates.emplace_back("r");
    if (how == 2) t.observes.emplace_back("r");
    result.tasks.push_back(std::move(t));
  }

  bool updated(std::size_t slot, int lookahead) const {
    for (const dynamic::task& t : result.tasks)
      for (const dynamic::use& u : t.writes)
        if (u.slot == slot_name(slot) && t.lookahead == lookahead) return true;
    return false;
  }

  void add_order() {
    result.orders.emplace_back();
    for (std::size_t n = 0; n < result.tasks.size(); ++n)
      if (d_.one_in(2)) result.orders.back().push_back(task_name(n));
  }

  void add_groups() {
    for (const char* thread : {"host", "x", "y", "a"}) {
      bool there = false;
      bool in_order = thread == result.source.thread;
      for (const dynamic::task& t : result.tasks) {
        const bool on_it = t.thread.empty()
                               ? (t.stream.empty() ? "host" : t.stream) == std::string_view(thread)
                               : t.thread == thread;
        there = there || on_it;
        in_order = in_order || (on_it && (t.collective || !t.stream.empty()));
      }
      if (there && d_.one_in(4)) result.groups.push_back({thread, 1 + d_.number(3), 1});
      if (there && !in_order && !d_.one_in(3)) {
        result.groups.push_back({thread, 0, 2 + d_.number(2)});
        if (d_.one_in(2)) result.source.lookahead = 4 + d_.number(12);
      }
    }
  }

  dice d_;
  std::size_t deepest_ = 0;
  std::size_t dense_ = 2;
};

/// Adds what the drawing leaves out: waits for tasks that come later in the list, a task's own
/// earlier runs, two fields that name one task, offsets, orders that are no order of the list, a
/// second resource, slots that three tasks and more update, results on a stream, generated thread
/// maps.
class enriching {
 public:
  enriching(std::uint64_t seed, dynamic::schedule& s) : d_(seed ^ 0x5ec0dU), s_(s) {
    for (std::size_t more = d_.below(2 * s_.tasks.size() + 1); more > 0; --more) add_link();
    if (d_.one_in(3)) add_updates();
    for (dynamic::task& t : s_.tasks) {
      for (std::vector<dynamic::use>* uses : {&t.reads, &t.writes})
        for (dynamic::use& u : *uses)
          if (d_.one_in(6)) u.offset = t.lookahead;
      if (d_.one_in(4)) t.mutates.emplace_back("q");
      if (d_.one_in(4)) t.observes.emplace_back("q");
    }
    for (std::size_t lists = d_.below(3); lists > 0; --lists) add_order();
    if (d_.one_in(4)) s_.results.emplace_back("source");
    if (d_.one_in(6)) s_.results_on = s_.streams[d_.below(3)];
    s_.source.collective = d_.one_in(6);
    if (d_.one_in(6)) {
      s_.generated = 4 + d_.number(3);
      s_.groups.clear();
    }
  }

 private:
  std::size_t some() { return d_.below(s_.tasks.size()); }

  void add_link() {
    dynamic::task& t = s_.tasks[some()];
    const dynamic::task& other = s_.tasks[some()];
    const int room = other.lookahead - t.lookahead;
    switch (d_.below(5)) {
      case 0:
      case 1: {
        const int ago = 1 + d_.number(3);
        if (room + ago >= 0) t.cross_iter_depends_on.emplace_back(other.name, ago);
        break;
      }
      case 2:
        if (room >= 0) t.depends_on.push_back(other.name);
        break;
      case 3: t.same_progress_sync.push_back(other.name); break;
      default:
        if (room >= 0 && &t != &other) t.reads.emplace_back(slot_name(number_of(other)));
    }
  }

  /// Moves several tasks to one stream, where they update a slot and read it in between.
  void add_updates() {
    const dynamic::task& first = s_.tasks[some()];
    const std::string slot = slot_name(number_of(first));
    std::vector<int> taken{first.lookahead};
    for (dynamic::task& t : s_.tasks) {
      if (&t == &first || t.lookahead > first.lookahead) continue;
      const bool free = std::find(taken.begin(), taken.end(), t.lookahead) == taken.end();
      if (free && !d_.one_in(3)) {
        taken.push_back(t.lookahead);
        t.stream = first.stream;
        t.writes.emplace_back(slot);
      } else if (d_.one_in(2)) {
        t.reads.emplace_back(slot);
      }
    }
  }

  void add_order() {
    std::vector<std::string>& order = s_.orders.emplace_back();
    for (const dynamic::task& t : s_.tasks)
      if (!d_.one_in(3)) order.push_back(t.name);
    for (std::size_t i = order.size(); i > 1 && d_.one_in(2); --i)
      std::swap(order[i - 1], order[d_.below(i)]);
  }

  static std::size_t number_of(const dynamic::task& t) { return std::stoul(t.name.substr(1)); }

  dice d_;
  dynamic::schedule& s_;
};

/// Lets tasks look back at slots, those that they write themselves among them.
class looking_back {
 public:
  looking_back(std::uint64_t seed, dynamic::schedule& s) : d_(seed ^ 0xbacc0U) {
    for (std::size_t more = d_.below(s.tasks.size() + 1); more > 0; --more) {
      dynamic::task& t = s.tasks[d_.below(s.tasks.size())];
      const std::string slot = d_.one_in(5) ? "source" : slot_name(d_.below(s.tasks.size()));
      t.reads.push_back(dynamic::use::previous(slot, 1 + d_.number(d_.one_in(4) ? 6 : 2)));
    }
  }

 private:
  dice d_;
};

/// Lets tasks run once per so many batches, and others read what they wrote last.
class rating {
 public:
  rating(std::uint64_t seed, dynamic::schedule& s) : d_(seed ^ 0x4a7eU) {
    for (dynamic::task& t : s.tasks) {
      if (!d_.one_in(2)) continue;
      t.every = 2 + d_.number(3);
      if (d_.one_in(2)) t.phase = d_.number(static_cast<std::size_t>(t.every));
    }
    // Who updates a slot runs when it is written.
    for (dynamic::task& t : s.tasks)
      for (const dynamic::task& other : s.tasks)
        if (t.writes.size() > 1 && d_.one_in(2) && writes(t, other)) {
          t.every = other.every;
          t.phase = other.phase;
        }
    for (dynamic::task& t : s.tasks)
      for (dynamic::use& u : t.reads)
        if (!u.offset && !d_.one_in(3)) u = dynamic::use::latest_of(u.slot, d_.number(3));
  }

 private:
  static bool writes(const dynamic::task& t, const dynamic::task& owner) {
    return std::any_of(t.writes.begin() + 1, t.writes.end(),
                       [&](const dynamic::use& u) { return u.slot == owner.writes.front().slot; });
  }

  dice d_;
};

/// How many slots of each kind a task uses.
struct item_uses {
  static constexpr std::size_t most = 2;  ///< of one kind, for what has a body of types
  std::size_t values = 0;                 ///< that it reads
  std::size_t earlier = 0;                ///< and those of earlier batches
  std::size_t consumed = 0;
  std::size_t written = 0;
  std::size_t produced = 0;

  explicit item_uses(const dynamic::task& t) {
    for (const dynamic::use& u : t.reads) ++(u.items > 0 ? consumed : u.ago > 0 ? earlier : values);
    for (const dynamic::use& u : t.writes) ++(u.items > 0 ? produced : written);
  }
  bool any() const { return consumed + produced > 0; }
  bool fits() const {
    return values <= most && earlier <= 1 && consumed <= most && written <= 1 && produced <= most;
  }
};

/// Makes some slots hold items, which whoever uses them consumes or produces, and has tasks whose
/// slots are all of that kind called several times per batch.
class itemizing {
 public:
  itemizing(std::uint64_t seed, dynamic::schedule& s) : d_(seed ^ 0x17e35U), s_(s) {
    std::vector<std::string> slots;
    for (std::size_t n = 0; n < s.tasks.size(); ++n)
      if (!d_.one_in(6) && may_have_items(slot_name(n))) slots.push_back(slot_name(n));
    const auto of_items = [&](const dynamic::use& u) {
      return std::find(slots.begin(), slots.end(), u.slot) != slots.end();
    };
    std::vector<int> calls;
    for (const dynamic::task& t : s.tasks)
      calls.push_back(std::all_of(t.writes.begin(), t.writes.end(), of_items) ? 1 + d_.number(4)
                                                                              : 1);
    for (const std::string& slot : slots) {
      int in_a_batch = 1 + d_.number(2);  // or a multiple
      for_uses_of(
          slot, [&](std::size_t t, dynamic::use&) { in_a_batch = std::lcm(in_a_batch, calls[t]); });
      for_uses_of(slot, [&](std::size_t t, dynamic::use& u) { u.items = in_a_batch / calls[t]; });
    }
    // As bodies of types take them: values, then those of earlier batches, then items.
    const auto last = [](const dynamic::use& u) { return u.items > 0 ? 2 : u.ago > 0 ? 1 : 0; };
    for (dynamic::task& t : s.tasks)
      for (std::vector<dynamic::use>* uses : {&t.reads, &t.writes})
        std::stable_sort(
            uses->begin(), uses->end(),
            [&](const dynamic::use& a, const dynamic::use& b) { return last(a) < last(b); });
    for (dynamic::task& t : s.tasks)
      while (item_uses(t).any() && !item_uses(t).fits() && !(t.reads.empty() && t.writes.empty()))
        drop_one(t);
  }

 private:
  template <class Do>
  void for_uses_of(const std::string& slot, Do what) {
    for (std::size_t t = 0; t < s_.tasks.size(); ++t)
      for (std::vector<dynamic::use>* uses : {&s_.tasks[t].reads, &s_.tasks[t].writes})
        for (dynamic::use& u : *uses)
          if (u.slot == slot) what(t, u);
  }
  void drop_one(dynamic::task& t) {
    std::vector<dynamic::use>& some = t.reads.empty() ? t.writes : t.reads;
    some.erase(some.begin() + static_cast<std::ptrdiff_t>(d_.below(some.size())));
  }
  bool may_have_items(const std::string& slot) {
    bool may = std::find(s_.results.begin(), s_.results.end(), slot) == s_.results.end();
    for_uses_of(slot, [&](std::size_t t, const dynamic::use& u) {
      may = may && u.ago == 0 && !s_.tasks[t].collective;
    });
    return may;
  }

  dice d_;
  dynamic::schedule& s_;
};

/// Drops entries that break rules, one after the other, until none is left.
class repairing {
 public:
  explicit repairing(dynamic::schedule& s) : s_(s) {
    for (int round = 0; round < 60; ++round) {
      const dynamic::diagnosis found = dynamic::diagnose(s_);
      if (found.ok()) return;
      if (!found.misuses.empty()) {
        s_.generated = 0;
        if (round > 0) s_.groups.clear();
        if (round > 1) s_.caller_runs = "caller";
      } else {
        drop(found.found.findings.front());
      }
    }
  }

 private:
  void drop(const st::planner::finding& f) {
    using st::planner::field;
    if (f.where == field::order || f.what == st::planner::kind::order_cycle) {
      s_.orders.pop_back();
    } else if (f.task >= s_.tasks.size()) {
      s_.results.clear();
    } else {
      drop(f, s_.tasks[f.task]);
    }
  }
  void drop(const st::planner::finding& f, dynamic::task& t) {
    using st::planner::field;
    const auto out_of = [&](auto& entries) {
      if (f.position < entries.size())
        entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(f.position));
    };
    if (f.position == st::planner::none) {
      t.same_progress_sync.clear();
      t.depends_on.clear();
      if (f.what == st::planner::kind::cycle && f.other < s_.tasks.size()) t.reads.clear();
      return;
    }
    switch (f.where) {
      case field::reads: return out_of(t.reads);
      case field::writes: return out_of(t.writes);
      case field::depends_on: return out_of(t.depends_on);
      case field::cross_iter_depends_on: return out_of(t.cross_iter_depends_on);
      case field::same_progress_sync: return out_of(t.same_progress_sync);
      case field::observes: return out_of(t.observes);
      case field::mutates: return out_of(t.mutates);
      case field::order: return;
    }
  }

  dynamic::schedule& s_;
};

/// What was drawn, with as little left out as makes it valid; no tasks: that did not help.
struct candidate {
  dynamic::schedule schedule;
  bool races = false;  ///< as it was drawn
  std::string wrong{};
};

inline bool races(const dynamic::diagnosis& d) {
  return !d.found.findings.empty() && d.found.findings.front().what == st::planner::kind::race;
}

/// \param items whether slots of some schedules hold items; on a device none may
inline candidate draw(std::uint64_t seed, bool items = false) {
  candidate c{drawing(seed).result};
  dynamic::schedule& s = c.schedule;
  if (seed % 4 == 1 && items) {
    const itemizing several(seed, s);
    const repairing valid(s);
  }
  if (seed % 2 == 0) {
    const enriching more(seed, s);
    const looking_back earlier(seed, s);
    if (seed % 4 == 0) const rating rates(seed, s);
    if (seed % 4 == 2 && items) const itemizing several(seed, s);
    const repairing valid(s);
  }
  dynamic::diagnosis found = dynamic::diagnose(s);
  if (races(found)) {
    c.races = true;
    for (const bool strict : {false, true}) {
      s.strict = strict;
      const dynamic::diagnosis judged = dynamic::diagnose(s);
      if (!races(judged) && (!strict || judged.ok()))
        c.wrong += strict ? "strict hides a race\n" : "a race only when strict\n";
    }
    for (dynamic::task& t : s.tasks) t.mutates.clear();
    found = dynamic::diagnose(s);
  }
  if (!found.ok()) s.orders.clear(), found = dynamic::diagnose(s);
  if (!found.ok()) {
    const auto groups = std::move(s.groups);
    s.groups.clear();
    for (const dynamic::thread_group& g : groups) {
      s.groups.push_back(g);
      if (!dynamic::diagnose(s).ok()) s.groups.pop_back();
    }
    found = dynamic::diagnose(s);
  }
  if (!found.ok()) s.strict = false, found = dynamic::diagnose(s);
  if (!found.ok()) s.tasks.clear();
  return c;
}

}  // namespace random_runs
