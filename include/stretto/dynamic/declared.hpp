// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stretto/dynamic/schedule.hpp>
#include <stretto/plan/declaration.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto::dynamic {

/// A schedule as the planner takes it. Refers to the strings of the schedule, which must outlive it
/// unchanged.
class declared {
 public:
  explicit declared(const schedule& s) {
    for (const std::string& stream : s.streams) streams_.emplace_back(stream);
    for (const std::string& slot : s.results) results_.emplace_back(slot);
    reserve(s.tasks);
    for (const task& t : s.tasks) tasks_.push_back(row(t));
    for (std::size_t list = 0; list < s.orders.size(); ++list)
      for (const std::string& t : s.orders[list]) turns_.push_back({name(t), list});
    for (const slack& more : s.slacks)
      slacks_.push_back({name(more.slot), static_cast<std::size_t>(std::max(more.copies, 0))});
    for (const thread_group& g : s.groups) add(g);

    value_.tasks = tasks_;
    value_.streams = streams_;
    value_.from.slot = name(s.source.slot);
    value_.from.lookahead = s.source.lookahead.value_or(plan::deepest);
    value_.from.thread = s.source.thread;
    value_.from.weight = s.source.weight;
    value_.from.collective = s.source.collective;
    value_.results = results_;
    value_.slacks = slacks_;
    value_.turns = turns_;
    value_.groups = groups_;
    value_.caller_runs = s.caller_runs;
    value_.results_on = s.results_on;
    value_.strict = s.strict;
    value_.generated = static_cast<std::size_t>(std::max(s.generated, 0));
  }
  // Views point into the vectors' items, which stay where they are when a vector is moved.
  declared(declared&&) = default;
  declared& operator=(declared&&) = default;
  declared(const declared&) = delete;
  declared& operator=(const declared&) = delete;
  ~declared() = default;

  const plan::declaration& value() const { return value_; }

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

  plan::task row(const task& t) {
    plan::task row;
    row.id = name(t.name);
    row.stream = t.stream;
    row.thread = t.thread;
    row.lookahead = t.lookahead;
    row.collective = t.collective;
    row.weight = t.weight;
    row.reads = add(accesses_, t.reads, [&](const use& u) -> plan::access {
      return {name(u.slot), u.offset.value_or(t.lookahead)};
    });
    row.writes = add(accesses_, t.writes, [&](const use& u) -> plan::access {
      return {name(u.slot), u.offset.value_or(t.lookahead)};
    });
    const auto by_name = [](const std::string& n) -> plan::dependency { return {name(n), 0}; };
    row.depends_on = add(dependencies_, t.depends_on, by_name);
    row.cross_iter_depends_on =
        add(dependencies_, t.cross_iter_depends_on, [](const ago& a) -> plan::dependency {
          return {name(a.task), a.batches};
        });
    row.same_progress_sync = add(dependencies_, t.same_progress_sync, by_name);
    const auto same = [](const std::string& n) { return name(n); };
    row.observes = add(names_, t.observes, same);
    row.mutates = add(names_, t.mutates, same);
    return row;
  }

  /// Appends to a table that has room.
  template <class Item, class Entries, class Make>
  static plan::view<Item> add(std::vector<Item>& table, const Entries& entries, Make make) {
    const std::size_t first = table.size();
    for (const auto& e : entries) table.push_back(make(e));
    return {table.data() + first, entries.size()};
  }

  /// Each group once; the first entry that says something goes.
  void add(const thread_group& one) {
    auto at = std::find_if(groups_.begin(), groups_.end(),
                           [&](const plan::thread_group& g) { return g.thread == one.thread; });
    if (at == groups_.end()) {
      groups_.push_back({one.thread, 0, 1});
      at = groups_.end() - 1;
    }
    if (at->queue == 0) at->queue = one.queue;
    if (at->workers == 1) at->workers = one.workers;
  }

  std::vector<plan::task> tasks_;
  std::vector<plan::access> accesses_;
  std::vector<plan::dependency> dependencies_;
  std::vector<name> names_;
  std::vector<std::string_view> streams_;
  std::vector<name> results_;
  std::vector<plan::slack> slacks_;
  std::vector<plan::turn> turns_;
  std::vector<plan::thread_group> groups_;
  plan::declaration value_;
};

}  // namespace stretto::dynamic
