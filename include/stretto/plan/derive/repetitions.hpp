// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <limits>
#include <stretto/declare/items.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/name_index.hpp>
#include <stretto/plan/model/view.hpp>

/// How often tasks are called for a batch that consume and produce items of slots.
namespace stretto::planner {

/// A number of calls, or items, for one call of another task.
struct fraction {
  long long over = 1;
  long long under = 1;
};

/// A fraction in lowest terms.
constexpr fraction reduced(long long over, long long under) {
  const long long by = common_divisor(over, under);
  return {over / by, under / by};
}

/// Where a declaration asks for items.
struct items_use {
  std::size_t task = none;
  field where = field::reads;
  std::size_t position = none;
  int items = 1;
};

/// The least numbers of calls that solve the balance equations: whoever consumes or produces n
/// items of a slot per call is called so often that the items of a batch are those of everybody
/// else who does. The numbers are found as fractions of those of a first task, along the slots that
/// tasks share, and multiplied by what makes all of them whole; what shares no slot, however
/// indirectly, is independent. (Lee and Messerschmitt, "Static scheduling of synchronous data flow
/// programs for digital signal processing", IEEE Transactions on Computers C-36, 1987.)
struct repetitions {
  list<int> calls;  ///< by task; 1 where there is no solution
  enum class failure { nothing, inconsistent, too_many };
  failure what = failure::nothing;
  /// What has another rate than what is known of the slot by \c other, or more items than there may
  /// be.
  items_use at{};
  items_use other{};
  /// How often the tasks of both are called, by other slots, for the same other task.
  fraction at_calls{};
  fraction other_calls{};
};

/// Whether any task of a declaration consumes or produces items.
constexpr bool has_items(view<task> tasks) {
  for (const task& t : tasks)
    for (const view<access> uses : {t.reads, t.writes})
      for (const access& a : uses)
        if (a.items != 0) return true;
  return false;
}

namespace detail {

/// Solves the balance equations of tasks. (Of lists of numbers, which are there for others as well:
/// every user's file has this.)
class balance {
 public:
  constexpr explicit balance(view<task> tasks)
      : tasks_(tasks), over_(tasks.size(), 0), under_(tasks.size(), 1) {
    result_.calls.assign(tasks.size(), 1);
    std::size_t count = 0;
    for (const task& t : tasks) count += t.reads.size() + t.writes.size();
    name_index numbers(count);
    list<std::size_t> last;
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      first_use_.push_back(task_of_.size());
      for (std::size_t place = 0; place < places_of(t); ++place)
        if (access_at(t, place).items > 0) add(numbers, last, t, place);
    }
    first_use_.push_back(task_of_.size());
    teller_.assign(first_of_.size(), none);
  }

  constexpr repetitions solve() {
    for (std::size_t t = 0; t < tasks_.size(); ++t)
      if (over_[t] == 0 && first_use_[t] != first_use_[t + 1] && !solve_from(t)) {
        result_.calls.assign(tasks_.size(), 1);
        break;
      }
    return result_;
  }

 private:
  constexpr std::size_t places_of(std::size_t t) const {
    return tasks_[t].reads.size() + tasks_[t].writes.size();
  }
  /// Those that a task reads, then those that it writes.
  constexpr const access& access_at(std::size_t t, std::size_t place) const {
    const std::size_t reads = tasks_[t].reads.size();
    return place < reads ? tasks_[t].reads[place] : tasks_[t].writes[place - reads];
  }
  constexpr long long items(std::size_t use) const {
    return access_at(task_of_[use], place_of_[use]).items;
  }
  constexpr items_use told(std::size_t use) const {
    const std::size_t t = task_of_[use];
    const std::size_t reads = tasks_[t].reads.size();
    const bool read = place_of_[use] < reads;
    return {t, read ? field::reads : field::writes, read ? place_of_[use] : place_of_[use] - reads,
            static_cast<int>(items(use))};
  }

  constexpr void add(name_index& numbers, list<std::size_t>& last, std::size_t t,
                     std::size_t place) {
    const std::size_t use = task_of_.size();
    const std::size_t slot = numbers.number(access_at(t, place).slot);
    if (slot == first_of_.size()) {
      first_of_.push_back(use);
      last.push_back(use);
    } else {
      next_[replace(last[slot], use)] = use;
    }
    task_of_.push_back(t);
    place_of_.push_back(place);
    slot_of_.push_back(slot);
    next_.push_back(none);
  }

  /// Solves the equations of the tasks that share slots with a first one.
  constexpr bool solve_from(std::size_t first) {
    list<std::size_t> reached;
    reached.push_back(first);
    over_[first] = 1;
    long long common = 1;  // what the numbers of calls are multiples of an n-th of
    for (std::size_t next = 0; next < reached.size(); ++next) {
      const std::size_t t = reached[next];
      for (std::size_t u = first_use_[t]; u < first_use_[t + 1]; ++u)
        if (teller_[slot_of_[u]] == none && !balance_slot(u, reached)) return false;
      const long long by = under_[t] / common_divisor(common, under_[t]);
      if (common * by > most_items) return fail_at(first_use_[t]);
      common *= by;
    }
    for (const std::size_t t : reached) {
      const long long calls = over_[t] * (common / under_[t]);
      for (std::size_t u = first_use_[t]; u < first_use_[t + 1]; ++u)
        if (calls > most_items || calls * items(u) > most_items) return fail_at(u);
      result_.calls[t] = static_cast<int>(calls);
    }
    return true;
  }

  /// Finds the numbers of calls of all who use a slot, by what one of them does.
  constexpr bool balance_slot(std::size_t by, list<std::size_t>& reached) {
    const std::size_t known = task_of_[by];
    teller_[slot_of_[by]] = by;
    for (std::size_t u = first_of_[slot_of_[by]]; u != none; u = next_[u]) {
      const std::size_t t = task_of_[u];
      const fraction calls = reduced(over_[known] * items(by), under_[known] * items(u));
      // Then this task, or the first one, is called that often at least.
      if (calls.over > most_items || calls.under > most_items) return fail_at(u);
      if (over_[t] == 0) {
        over_[t] = calls.over;
        under_[t] = calls.under;
        reached.push_back(t);
      } else if (over_[t] != calls.over || under_[t] != calls.under) {
        result_.what = repetitions::failure::inconsistent;
        result_.at = told(u);
        result_.other = told(by);
        result_.at_calls = {over_[t], under_[t]};
        result_.other_calls = {over_[known], under_[known]};
        return false;
      }
    }
    return true;
  }

  constexpr bool fail_at(std::size_t use) {
    result_.what = repetitions::failure::too_many;
    result_.at = told(use);
    return false;
  }

  view<task> tasks_;
  repetitions result_;
  list<long long> over_;  ///< by task: its calls, of those of a first one; 0: not known yet
  list<long long> under_;
  list<std::size_t> first_use_;  ///< by task
  list<std::size_t> task_of_;    ///< by use, as the following
  list<std::size_t> place_of_;
  list<std::size_t> slot_of_;
  list<std::size_t> next_;      ///< of the slot
  list<std::size_t> first_of_;  ///< by slot
  list<std::size_t> teller_;    ///< by slot: the use by which it is balanced; none: not yet
};

}  // namespace detail

/// How often each task is called for a batch. Total: of tasks of which some are wrong as well.
constexpr repetitions find_repetitions(view<task> tasks) { return detail::balance(tasks).solve(); }

/// Has tasks know how often they are called, and take as long for a batch as all these calls.
template <class Tasks>
constexpr void repeat_calls(Tasks& tasks) {
  if (!has_items(tasks)) return;
  const repetitions found = find_repetitions(tasks);
  constexpr int longest = (std::numeric_limits<int>::max)();
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    tasks[t].calls = found.calls[t];
    const long long weight = static_cast<long long>(tasks[t].weight) * found.calls[t];
    tasks[t].weight = weight < longest ? static_cast<int>(weight) : longest;
  }
}

/// How many items a batch has of each slot; 1: there is one value.
class slot_items {
 public:
  /// Of tasks that know how often they are called.
  constexpr explicit slot_items(view<task> tasks) : numbers_(uses_in(tasks)) {
    for (const task& t : tasks)
      for (const view<access> uses : {t.reads, t.writes})
        for (const access& a : uses)
          if (a.items > 0 && numbers_.number(a.slot) == counts_.size())
            counts_.push_back(static_cast<std::size_t>(a.items) *
                              static_cast<std::size_t>(t.calls));
  }

  constexpr std::size_t operator[](const name& slot) const {
    const std::size_t known = numbers_.find(slot);
    return known == none ? 1 : counts_[known];
  }

 private:
  static constexpr std::size_t uses_in(view<task> tasks) {
    std::size_t count = 0;
    for (const task& t : tasks)
      for (const view<access> uses : {t.reads, t.writes})
        for (const access& a : uses) count += a.items > 0 ? 1 : 0;
    return count;
  }

  name_index numbers_;
  list<std::size_t> counts_;
};

}  // namespace stretto::planner
