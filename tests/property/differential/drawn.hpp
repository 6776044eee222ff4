// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stretto/plan/derive/repetitions.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <string_view>

/// Random schedules that a compiler can draw, too: of small arrays, without a string of their own.
namespace differential {

namespace planner = stretto::planner;

class dice {
 public:
  constexpr explicit dice(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15U) {}
  constexpr int below(int end) {  // splitmix64
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return static_cast<int>((z ^ (z >> 31U)) % static_cast<std::uint64_t>(end));
  }
  constexpr bool one_in(int n) { return below(n) == 0; }

 private:
  std::uint64_t state_;
};

template <class T, std::size_t Most>
struct few {
  std::array<T, Most> items{};
  std::size_t size = 0;

  constexpr few() : items() {}  // GCC 12 loses what is in arrays of these otherwise
  constexpr void add(const T& item) {
    if (size < Most) items[size++] = item;
  }
  constexpr planner::view<T> all() const { return {items.data(), size}; }
};

inline constexpr int most_tasks = 8;
inline constexpr std::array<std::string_view, 9> task_names{"t0", "t1", "t2", "t3",    "t4",
                                                            "t5", "t6", "t7", "nobody"};
inline constexpr std::array<std::string_view, 10> slot_names{"s0", "s1", "s2", "s3",   "s4",
                                                             "s5", "s6", "s7", "none", "source"};
inline constexpr std::array<std::string_view, 4> stream_names{"a", "b", "c", "undeclared"};
inline constexpr std::array<std::string_view, 4> thread_names{"x", "y", "caller", "host"};
inline constexpr std::array<std::string_view, 2> resource_names{"weights", "cache"};

/// A task by numbers into the tables above.
struct drawn_task {
  struct link {
    int task = 0;
    int ago = 0;
  };
  int lookahead = 0;
  int stream = -1;
  int thread = -1;
  bool collective = false;
  int calls = 1;  ///< for a batch, as drawn: the least numbers may be less
  int every = 1;
  int phase = stretto::last_of_group;
  few<int, 3> reads;
  few<int, 2> writes;
  int offset = 0;  ///< of what it reads and writes, beyond its lookahead
  struct past {
    int slot = 0;
    int ago = 1;
    bool latest = false;
  };
  few<past, 2> earlier;  ///< what it reads of earlier batches, or as written last
  few<link, 3> depends_on;
  few<link, 3> cross_iter;
  few<link, 3> sync;
  few<int, 2> observes;
  few<int, 2> mutates;
};

struct drawn {
  struct group {
    int thread = 0;
    int queue = 0;
    int workers = 1;
  };
  int tasks = 0;
  std::array<drawn_task, most_tasks> all{};
  few<int, 2> results;
  few<int, 4> turns;  ///< one list
  few<group, 2> groups;
  few<int, 2> slack_of;                 ///< slots that get two more copies each
  std::array<int, most_tasks> items{};  ///< by slot, of a batch; 0: it has one value
  int source_ahead = -1;                ///< beyond the deepest task; none: not said
  int source_thread = 2;
  int caller_runs = 2;
  bool strict = false;
  bool frugal = false;

  /// How many items of a slot a call of a task consumes or produces; 0: it has one value.
  constexpr int per_call(int slot, const drawn_task& t) const {
    return slot < most_tasks ? items[static_cast<std::size_t>(slot)] / t.calls : 0;
  }
};

/// Whether a slot may hold items, as far as its users and its place in the schedule go.
constexpr bool may_have_items(const drawn& s, int slot) {
  const auto names = [slot](planner::view<int> slots) {
    for (const int other : slots)
      if (other == slot) return true;
    return false;
  };
  if (names(s.results.all())) return false;
  for (int n = 0; n < s.tasks; ++n) {
    const drawn_task& t = s.all[static_cast<std::size_t>(n)];
    for (const auto& e : t.earlier.all())
      if (e.slot == slot) return false;
    if (t.collective && (names(t.reads.all()) || names(t.writes.all()))) return false;
  }
  return true;
}

/// The schedule of a seed. Most keep the rules; some do not.
constexpr drawn draw(std::uint64_t seed) {
  dice d(seed);
  drawn s;
  s.tasks = 1 + d.below(most_tasks);
  const int deepest = d.below(4);
  const int dense = 2 + d.below(3);
  int most_ahead = 0;
  for (int n = 0; n < s.tasks; ++n) {
    drawn_task& t = s.all[static_cast<std::size_t>(n)];
    t.lookahead = d.below(deepest + 1);
    most_ahead = most_ahead < t.lookahead ? t.lookahead : most_ahead;
    if (!d.one_in(3)) t.stream = d.one_in(60) ? 3 : d.below(3);
    if (d.one_in(2)) t.thread = d.below(4);
    t.collective = d.one_in(4);
    t.writes.add(n);
    if (d.one_in(12)) t.writes.add(d.below(s.tasks));  // may update, or be in somebody's way
    if (d.one_in(3)) t.reads.add(9);
    if (d.one_in(80)) t.offset = 1;
    for (int o = 0; o < n; ++o) {
      if (!d.one_in(dense)) continue;
      const int room = s.all[static_cast<std::size_t>(o)].lookahead - t.lookahead;
      const bool ahead = room >= 0 || d.one_in(30);
      switch (d.below(6)) {
        case 0:
        case 1:
          if (ahead) t.reads.add(o);
          break;
        case 2:
          if (ahead) t.depends_on.add({o, 0});
          break;
        case 3:
        case 4: {
          const int ago = 1 + d.below(2);
          if (room + ago >= 0 || d.one_in(30)) t.cross_iter.add({o, ago});
          break;
        }
        default: t.sync.add({d.one_in(60) ? 8 : o, 0});
      }
    }
    if (d.one_in(50) && n > 0) s.all[0].sync.add({n, 0});  // mostly a cycle
    for (int r = 0; r < 2; ++r) {
      const int how = d.below(7);
      if (how == 0) t.mutates.add(r);
      if (how == 1) t.observes.add(r);
    }
  }
  dice past(seed ^ 0xbacc0U);  // of its own: the rest is as it was
  for (int n = 0; n < s.tasks; ++n)
    if (drawn_task& t = s.all[static_cast<std::size_t>(n)]; t.offset == 0 && past.one_in(3))
      t.earlier.add({past.one_in(5) ? 9 : past.below(s.tasks), 1 + past.below(3)});
  if (d.one_in(2)) s.results.add(d.below(s.tasks));
  if (d.one_in(4))
    for (int n = 0; n < s.tasks; n += 1 + d.below(3)) s.turns.add(n);
  if (d.one_in(3)) s.groups.add({d.below(2), d.below(3), 1});
  if (d.one_in(5)) s.groups.add({3, d.below(2), 1 + d.below(3)});
  if (d.one_in(4)) s.slack_of.add(d.below(s.tasks));
  if (d.one_in(4)) s.source_ahead = most_ahead + d.below(3);
  s.source_thread = d.below(4);
  s.caller_runs = d.one_in(3) ? d.below(4) : 2;
  s.strict = d.one_in(8);
  s.frugal = past.one_in(3);
  dice several(seed ^ 0x17e35U);
  if (several.one_in(3)) {
    for (int n = 0; n < s.tasks; ++n)
      if (may_have_items(s, n) || several.one_in(20))
        s.items[static_cast<std::size_t>(n)] = 12 * (1 + several.below(2));
    for (int n = 0; n < s.tasks; ++n) {
      drawn_task& t = s.all[static_cast<std::size_t>(n)];
      bool all = true;
      for (const int slot : t.writes.all())
        all = all && s.items[static_cast<std::size_t>(slot)] > 0;
      if (all || several.one_in(20)) t.calls = several.one_in(3) ? 6 : 2 + several.below(3);
    }
    return s;
  }
  dice rates(seed ^ 0x4a7e5U);
  if (!rates.one_in(3)) return s;
  for (int n = 0; n < s.tasks; ++n) {
    drawn_task& t = s.all[static_cast<std::size_t>(n)];
    if (rates.one_in(3)) t.every = rates.one_in(40) ? 0 : 2 + rates.below(3);
    if (t.every > 1 && rates.one_in(2)) t.phase = rates.below(t.every + (rates.one_in(20) ? 1 : 0));
    // Most of what is written now and then is read as written last.
    few<int, 3> still;
    for (const int slot : t.reads.all())
      if (t.offset != 0 || rates.one_in(3))
        still.add(slot);
      else
        t.earlier.add({slot, rates.below(3), true});
    t.reads = still;
  }
  return s;
}

/// Its declaration as the planner takes it. Stays where it is made.
class packed {
 public:
  constexpr explicit packed(const drawn& s) {
    for (int n = 0; n < s.tasks; ++n) add(s, n);
    std::span<planner::task> tasks(tasks_.items.data(), tasks_.size);
    planner::repeat_calls(tasks);
    for (const int r : s.results.all()) results_.add(slot(r));
    for (const int t : s.turns.all()) turns_.add({task(t), 0});
    for (const drawn::group& g : s.groups.all())
      groups_.add({named(thread_names, g.thread), g.queue, g.workers});
    for (const int more : s.slack_of.all()) slacks_.add({slot(more), 2});
    value_.tasks = tasks_.all();
    value_.streams = {stream_names.data(), 3};
    value_.from.slot = slot(9);
    if (s.source_ahead >= 0) value_.from.lookahead = s.source_ahead;
    value_.from.thread = named(thread_names, s.source_thread);
    value_.results = results_.all();
    value_.turns = turns_.all();
    value_.groups = groups_.all();
    value_.slacks = slacks_.all();
    value_.caller_runs = named(thread_names, s.caller_runs);
    value_.strict = s.strict;
    value_.frugal = s.frugal;
  }
  packed(const packed&) = delete;
  packed& operator=(const packed&) = delete;

  constexpr const planner::declaration& value() const { return value_; }

 private:
  struct fields {
    few<planner::access, 5> reads;
    few<planner::access, 2> writes;
    few<planner::dependency, 3> depends_on, cross_iter, sync;
    few<stretto::name, 2> observes, mutates;
    constexpr fields() : reads() {}
  };

  template <std::size_t N>
  static constexpr std::string_view named(const std::array<std::string_view, N>& names,
                                          int number) {
    return names[static_cast<std::size_t>(number)];
  }
  static constexpr stretto::name slot(int number) { return {named(slot_names, number)}; }
  static constexpr stretto::name task(int number) { return {named(task_names, number)}; }

  static constexpr planner::access of_items(int per_call, planner::access a) {
    a.items = per_call;
    return a;
  }
  constexpr void add(const drawn& all, int number) {
    const drawn_task& t = all.all[static_cast<std::size_t>(number)];
    fields& f = fields_[static_cast<std::size_t>(number)];
    for (const int s : t.reads.all())
      f.reads.add(of_items(all.per_call(s, t), {slot(s), t.lookahead + t.offset}));
    for (const auto& e : t.earlier.all())
      f.reads.add({slot(e.slot), t.lookahead + t.offset, false, e.ago, false, e.latest});
    for (const int s : t.writes.all())
      f.writes.add(of_items(all.per_call(s, t), {slot(s), t.lookahead + t.offset}));
    for (const auto& l : t.depends_on.all()) f.depends_on.add({task(l.task), 0});
    for (const auto& l : t.cross_iter.all()) f.cross_iter.add({task(l.task), l.ago});
    for (const auto& l : t.sync.all()) f.sync.add({task(l.task), 0});
    for (const int r : t.observes.all()) f.observes.add({named(resource_names, r)});
    for (const int r : t.mutates.all()) f.mutates.add({named(resource_names, r)});
    planner::task row;
    row.id = task(number);
    if (t.stream >= 0) row.stream = named(stream_names, t.stream);
    if (t.thread >= 0) row.thread = named(thread_names, t.thread);
    row.lookahead = t.lookahead;
    row.collective = t.collective;
    row.every = t.every;
    row.phase = t.phase;
    row.reads = f.reads.all();
    row.writes = f.writes.all();
    row.depends_on = f.depends_on.all();
    row.cross_iter_depends_on = f.cross_iter.all();
    row.same_progress_sync = f.sync.all();
    row.observes = f.observes.all();
    row.mutates = f.mutates.all();
    tasks_.add(row);
  }

  std::array<fields, most_tasks> fields_{};
  few<planner::task, most_tasks> tasks_;
  few<stretto::name, 2> results_;
  few<planner::turn, 4> turns_;
  few<planner::thread_group, 2> groups_;
  few<planner::slack, 2> slacks_;
  planner::declaration value_;
};

}  // namespace differential
