// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stretto/dynamic/query/declared.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/derive/repetitions.hpp>
#include <stretto/plan/model/copy_size.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace stretto::dynamic {

namespace detail {

class declaration_filler {
 public:
  /// Fills all of \p to from \p s.
  declaration_filler(const schedule& s, declared& to)
      : to_(to), serial_(s.serial), pipelined_(s.pipelined && !s.serial) {
    if (serial_) {
      to_.streams_.emplace_back(serial_stream);
      for (const task& t : s.tasks) lookaheads_.emplace(t.name, t.lookahead);
    } else {
      for (const std::string& stream : s.streams) to_.streams_.emplace_back(stream);
      for (const std::string& thread : s.thread_names) to_.thread_names_.emplace_back(thread);
    }
    for (const std::string& slot : s.results) to_.results_.emplace_back(slot);
    reserve(s.tasks);
    for (const task& t : s.tasks) to_.tasks_.push_back(row(t));
    planner::repeat_calls(to_.tasks_);
    for (const std::vector<std::string>& order : s.orders) add(order);
    for (const points_into& p : s.points) to_.points_.push_back({name(p.slot), name(p.into)});
    if (!serial_) {
      for (const dynamic::slack& more : s.slacks)
        to_.slacks_.push_back(
            {name(more.slot), static_cast<std::size_t>((std::max)(more.copies, 0))});
      std::map<std::string_view, std::size_t> known;
      for (const dynamic::thread_group& g : s.groups) add(g, known);
    }

    to_.value_.tasks = to_.tasks_;
    to_.value_.streams = to_.streams_;
    to_.value_.thread_names = to_.thread_names_;
    to_.value_.from.slot = name(s.source.slot);
    if (!serial_) {
      to_.value_.from.lookahead = s.source.lookahead.value_or(planner::deepest);
      to_.value_.from.thread = s.source.thread;
    }
    to_.value_.from.weight = s.source.weight;
    to_.value_.from.collective = s.source.collective;
    to_.value_.from.on_failure = s.source.on_failure;
    to_.value_.from.max_failures = s.source.max_failures;
    to_.value_.results = to_.results_;
    to_.value_.slacks = to_.slacks_;
    to_.value_.turns = to_.turns_;
    to_.value_.points = to_.points_;
    to_.value_.groups = to_.groups_;
    to_.value_.strict = s.strict;
    to_.value_.frugal = s.frugal;
    to_.value_.serial = serial_;
    to_.value_.pipelined = pipelined_;
    if (!serial_) {
      to_.value_.caller_runs = s.caller_runs;
      to_.value_.results_on = s.results_on;
      to_.value_.generated = static_cast<std::size_t>((std::max)(s.generated, 0));
    }
    if (!serial_) bound(s);
    if (pipelined_) {
      to_.choice_ = planner::choose_pipelined(to_.value_);
      to_.value_ = planner::with_choice(to_.value_, to_.choice_);
    }
  }

 private:
  void bound(const schedule& s) {
    planner::plan_bounds& within = to_.value_.within;
    within.in_flight = (std::max)(s.max_in_flight, 0);
    within.bytes = static_cast<std::size_t>((std::max)(s.max_bytes, std::int64_t{0}));
    if (within.bytes == 0) return;
    const planner::slot_items items(to_.tasks_);
    const auto add = [&](const std::string& slot, const slot_type* type) {
      if (type != nullptr)
        to_.sizes_.push_back(
            {name(slot), planner::copy_size(type->size * items[name(slot)], type->alignment)});
    };
    for (const typed_slot& t : s.types) add(t.slot, t.type);
    for (const task& t : s.tasks) {
      const std::vector<parameter>& takes = t.body.parameters();
      if (takes.size() != t.reads.size() + t.writes.size()) continue;  // or it asks by name
      for (std::size_t i = 0; i < takes.size(); ++i)
        add((i < t.reads.size() ? t.reads[i] : t.writes[i - t.reads.size()]).slot, takes[i].type);
    }
    within.sizes = to_.sizes_;
  }

  void reserve(const std::vector<task>& tasks) {
    std::size_t accesses = 0;
    std::size_t dependencies = 0;
    std::size_t names = 0;
    std::size_t roles = 0;
    for (const task& t : tasks) {
      accesses += t.reads.size() + t.writes.size();
      dependencies +=
          t.depends_on.size() + t.cross_iter_depends_on.size() + t.same_progress_sync.size();
      names += t.observes.size() + t.mutates.size();
      roles += t.to.size();
    }
    to_.tasks_.reserve(tasks.size());
    to_.accesses_.reserve(accesses);
    to_.dependencies_.reserve(dependencies);
    to_.names_.reserve(names);
    to_.roles_.reserve(roles);
  }

  planner::task row(const task& t) {
    planner::task row;
    row.id = name(t.name);
    detail::with_scalars([&](const auto&... field) { ((row.*field.planned = t.*field.own), ...); });
    row.drops = t.body.drops();
    row.suspends = t.body.suspends();
    row.collective = row.collective || is_transfer(t);
    row.to = add(to_.roles_, t.to, [](const std::string& r) { return std::string_view(r); });
    if (serial_) {
      row.stream = serial_stream;
      row.thread = planner::caller;
      row.stage = std::exchange(row.lookahead, 0);
    }
    const auto access = [&](const use& u) -> planner::access {
      return {name(u.slot),
              serial_ ? 0 : u.offset.value_or(t.lookahead),
              u.offset.has_value(),
              u.ago,
              u.takes,
              u.latest,
              false,
              u.items};
    };
    row.reads = add(to_.accesses_, t.reads, access);
    row.writes = add(to_.accesses_, t.writes, access);
    const auto by_name = [](const std::string& n) -> planner::dependency { return {name(n), 0}; };
    row.depends_on = add(to_.dependencies_, t.depends_on, by_name);
    row.cross_iter_depends_on =
        add(to_.dependencies_, t.cross_iter_depends_on, [](const ago& a) -> planner::dependency {
          return {name(a.task), a.batches};
        });
    row.same_progress_sync =
        add(to_.dependencies_, t.same_progress_sync, by_name,
            [&](const std::string& other) { return worked_on_together(t.lookahead, other); });
    const auto same = [](const std::string& n) { return name(n); };
    row.observes = add(to_.names_, t.observes, same);
    row.mutates = add(to_.names_, t.mutates, same);
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
      to_.turns_.push_back({name(t), list->second});
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
  void add(const dynamic::thread_group& one, std::map<std::string_view, std::size_t>& known) {
    const auto [at, is_new] = known.try_emplace(one.thread, to_.groups_.size());
    if (is_new) to_.groups_.push_back({one.thread, 0, 1});
    planner::thread_group& group = to_.groups_[at->second];
    if (group.queue == 0) group.queue = one.queue;
    if (group.workers == 1) group.workers = one.workers;
  }

  static constexpr std::string_view serial_stream = "serial";

  declared& to_;
  bool serial_;
  bool pipelined_;
  std::unordered_map<std::string_view, int> lookaheads_;  ///< by task, if serial
  std::size_t lists_ = 0;
};

}  // namespace detail

STRETTO_INLINE declared::declared(const schedule& s) {
  const detail::declaration_filler filled(s, *this);
}

}  // namespace stretto::dynamic
