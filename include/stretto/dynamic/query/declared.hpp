// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace stretto::dynamic {

/// A schedule as the planner takes it. Refers to the strings of the schedule, which must outlive it
/// unchanged. What `serial` says is applied.
class declared {
 public:
  explicit declared(const schedule& s) : serial_(s.serial) {
    if (serial_) {
      streams_.emplace_back(serial_stream);
      for (const task& t : s.tasks) lookaheads_.emplace(t.name, t.lookahead);
    } else {
      for (const std::string& stream : s.streams) streams_.emplace_back(stream);
    }
    for (const std::string& slot : s.results) results_.emplace_back(slot);
    reserve(s.tasks);
    for (const task& t : s.tasks) tasks_.push_back(row(t));
    for (const std::vector<std::string>& order : s.orders) add(order);
    if (!serial_) {
      for (const slack& more : s.slacks)
        slacks_.push_back({name(more.slot), static_cast<std::size_t>((std::max)(more.copies, 0))});
      std::map<std::string_view, std::size_t> known;
      for (const thread_group& g : s.groups) add(g, known);
    }

    value_.tasks = tasks_;
    value_.streams = streams_;
    value_.from.slot = name(s.source.slot);
    if (!serial_) {
      value_.from.lookahead = s.source.lookahead.value_or(planner::deepest);
      value_.from.thread = s.source.thread;
    }
    value_.from.weight = s.source.weight;
    value_.from.collective = s.source.collective;
    value_.results = results_;
    value_.slacks = slacks_;
    value_.turns = turns_;
    value_.groups = groups_;
    value_.strict = s.strict;
    value_.serial = serial_;
    if (!serial_) {
      value_.caller_runs = s.caller_runs;
      value_.results_on = s.results_on;
      value_.generated = static_cast<std::size_t>((std::max)(s.generated, 0));
    }
  }
  // Views point into the vectors' items, which stay where they are when a vector is moved.
  declared(declared&&) = default;
  declared& operator=(declared&&) = default;
  declared(const declared&) = delete;
  declared& operator=(const declared&) = delete;
  ~declared() = default;

  const planner::declaration& value() const { return value_; }

 private:
  void reserve(const std::vector<task>& tasks) {
    std::size_t accesses = 0;
    std::size_t dependencies = 0;
    std::size_t names = 0;
    for (const task& t : tasks) {
      accesses += t.reads.size() + t.writes.size();
      dependencies +=
          t.depends_on.size() + t.cross_iter_depends_on.size() + t.same_progress_sync.size();
      names += t.observes.size() + t.mutates.size();
    }
    tasks_.reserve(tasks.size());
    accesses_.reserve(accesses);
    dependencies_.reserve(dependencies);
    names_.reserve(names);
  }

  planner::task row(const task& t) {
    planner::task row;
    row.id = name(t.name);
    detail::with_scalars([&](const auto&... field) { ((row.*field.planned = t.*field.own), ...); });
    if (serial_) {
      row.stream = serial_stream;
      row.thread = planner::caller;
      row.stage = std::exchange(row.lookahead, 0);
    }
    const auto access = [&](const use& u) -> planner::access {
      return {name(u.slot), serial_ ? 0 : u.offset.value_or(t.lookahead)};
    };
    row.reads = add(accesses_, t.reads, access);
    row.writes = add(accesses_, t.writes, access);
    const auto by_name = [](const std::string& n) -> planner::dependency { return {name(n), 0}; };
    row.depends_on = add(dependencies_, t.depends_on, by_name);
    row.cross_iter_depends_on =
        add(dependencies_, t.cross_iter_depends_on, [](const ago& a) -> planner::dependency {
          return {name(a.task), a.batches};
        });
    row.same_progress_sync =
        add(dependencies_, t.same_progress_sync, by_name,
            [&](const std::string& other) { return worked_on_together(t.lookahead, other); });
    const auto same = [](const std::string& n) { return name(n); };
    row.observes = add(names_, t.observes, same);
    row.mutates = add(names_, t.mutates, same);
    return row;
  }

  /// Whether another task works on the same batch. One at a time, there is no other batch in flight
  /// to wait for. Unknown tasks are left to the rules.
  bool worked_on_together(int lookahead, std::string_view other) const {
    if (!serial_) return true;
    const auto found = lookaheads_.find(other);
    return found == lookaheads_.end() || found->second == lookahead;
  }

  /// One at a time, an order holds among tasks of the same lookahead: it is a list for each.
  void add(const std::vector<std::string>& order) {
    std::unordered_map<int, std::size_t> list_of;
    for (const std::string& t : order) {
      const auto known = serial_ ? lookaheads_.find(t) : lookaheads_.end();
      const int among = known == lookaheads_.end() ? 0 : known->second;
      const auto [list, fresh] = list_of.emplace(among, lists_);
      if (fresh) ++lists_;
      turns_.push_back({name(t), list->second});
    }
  }

  static constexpr auto any = [](const auto&) { return true; };

  /// Appends to a table that has room.
  template <class Item, class Entries, class Make, class Kept = decltype(any)>
  static planner::view<Item> add(std::vector<Item>& table, const Entries& entries, Make make,
                                 Kept kept = any) {
    const std::size_t first = table.size();
    for (const auto& e : entries)
      if (kept(e)) table.push_back(make(e));
    return {table.data() + first, table.size() - first};
  }

  /// Each group once; the first entry that says something goes.
  void add(const thread_group& one, std::map<std::string_view, std::size_t>& known) {
    const auto [at, is_new] = known.try_emplace(one.thread, groups_.size());
    if (is_new) groups_.push_back({one.thread, 0, 1});
    planner::thread_group& group = groups_[at->second];
    if (group.queue == 0) group.queue = one.queue;
    if (group.workers == 1) group.workers = one.workers;
  }

  static constexpr std::string_view serial_stream = "serial";

  bool serial_;
  std::unordered_map<std::string_view, int> lookaheads_;  ///< by task, if serial
  std::size_t lists_ = 0;
  std::vector<planner::task> tasks_;
  std::vector<planner::access> accesses_;
  std::vector<planner::dependency> dependencies_;
  std::vector<name> names_;
  std::vector<std::string_view> streams_;
  std::vector<name> results_;
  std::vector<planner::slack> slacks_;
  std::vector<planner::turn> turns_;
  std::vector<planner::thread_group> groups_;
  planner::declaration value_;
};

}  // namespace stretto::dynamic
