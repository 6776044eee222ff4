// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <set>
#include <stretto/declare/tag.hpp>
#include <stretto/dynamic/values/concat.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/derive/threads.hpp>
#include <stretto/plan/layout/generate.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/text/misused_groups.hpp>
#include <stretto/plan/text/sentence.hpp>
#include <stretto/plan/text/unused.hpp>
#include <string>
#include <string_view>
#include <vector>

/// What can be wrong with a schedule beyond the rules. In a schedule of types the compiler sees to
/// it, or it cannot be written at all.
namespace stretto::dynamic {

using stretto::most_batches;

/// How many threads a group of workers can have.
inline constexpr int most_workers = 99;
/// How many threads a generated thread map can have.
inline constexpr int most_generated = 1'000;

/// How many workers all groups can have together.
inline constexpr std::int64_t most_workers_in_all = 1'000;
/// How many tasks times workers there can be: each is looked at for itself.
inline constexpr std::int64_t most_worker_tasks = 20'000;
/// How many pairs of a writer and another user slots can have: each is looked at for itself.
inline constexpr std::int64_t most_pairs = 50'000;

namespace detail {

class misuse_finder {
 public:
  misuse_finder(const schedule& s, const planner::declaration& d) : s_(s), d_(d) {}

  std::vector<std::string> find() {
    for (const task& t : s_.tasks) examine(t);
    check_source();
    for (const slack& more : s_.slacks) examine(more);
    if (s_.generated < 0 || s_.generated > most_generated)
      say(joined("a thread map is generated for 1 to ", most_generated,
                 " threads (0: none is), not for ", s_.generated));
    for (const thread_group& g : s_.groups) check_numbers(g);
    if (!s_.results_on.empty() &&
        std::find(s_.streams.begin(), s_.streams.end(), s_.results_on) == s_.streams.end())
      say(planner::sentence_on_result_stream(s_.results_on));
    if (!said_.empty()) return said_;  // the rest counts on the numbers
    check_times();
    check_pairs();
    check_unused();
    if (const std::size_t named = planner::crowded_by(d_); named > 0)
      say(planner::sentence_on_too_few(d_.generated, named));
    if (!s_.groups.empty() && !s_.serial) {
      const planner::group_judge judge(d_);
      for (const thread_group& g : s_.groups) {
        const planner::thread_group given{g.thread, g.queue, g.workers};
        const planner::misused_group found = judge.misuse_of(given);
        if (found.what == planner::group_misuse::sound) continue;
        const bool of_task = found.task != planner::none;
        say(planner::sentence(found.what, given, of_task ? d_.tasks[found.task].id.text : ""));
      }
    }
    return said_;
  }

 private:
  using text = std::string;
  static text quoted(std::string_view n) { return planner::quoted(n); }
  void say(text sentence) { said_.push_back(std::move(sentence)); }

  static bool in_reach(int batches) { return batches >= -most_batches && batches <= most_batches; }
  void reach(const text& who, const text& what, int batches) {
    if (!in_reach(batches)) say(joined(who, what, batches, "; the most is ", most_batches));
  }

  void examine(const task& t) {
    const text who = joined("task ", quoted(t.name));
    reach(who, " has lookahead ", t.lookahead);
    if (t.weight < 0) say(joined(who, " has weight ", t.weight, "; a weight is a time, 0 or more"));
    for (const std::vector<use>* uses : {&t.reads, &t.writes})
      for (const use& u : *uses)
        if (u.offset) reach(who, joined(" uses slot ", quoted(u.slot), " at offset "), *u.offset);
    for (const ago& a : t.cross_iter_depends_on)
      reach(who, joined(" waits for ", quoted(a.task), " of a batch this far back: "), a.batches);
  }

  void check_source() {
    if (s_.source.lookahead) reach("the source", " has lookahead ", *s_.source.lookahead);
    if (s_.source.weight < 0)
      say(joined("the source has weight ", s_.source.weight, "; a weight is a time, 0 or more"));
  }

  void examine(const slack& more) {
    if (more.copies < 1 || more.copies > most_batches)
      say(joined("the slack of slot ", quoted(more.slot), " adds ", more.copies,
                 " copies; it adds 1 to ", most_batches));
  }

  void check_numbers(const thread_group& g) {
    const text who = joined("thread group ", quoted(g.thread));
    if (g.queue < 0 || g.queue > most_batches)
      say(joined(who, " has a queue of ", g.queue, " batches; a queue has room for 1 to ",
                 most_batches, " (0: no queue)"));
    if (g.workers < 1 || g.workers > most_workers)
      say(joined(who, " has ", g.workers, " workers; a group has 1 to ", most_workers));
  }

  /// Modelled times are exact quotients: weights around a cycle of waits, over its progresses.
  void check_times() {
    constexpr std::int64_t furthest = 1'000'000'000;
    constexpr std::int64_t most = std::int64_t{1} << 60U;
    std::int64_t weights = 1 + s_.source.weight;
    std::int64_t ahead = std::abs(std::int64_t{s_.source.lookahead.value_or(0)});
    std::int64_t agos = 0;
    for (const task& t : s_.tasks) {
      weights += t.weight;
      ahead = (std::max)(ahead, std::abs(std::int64_t{t.lookahead}));
      std::int64_t ago = 0;
      for (const dynamic::ago& a : t.cross_iter_depends_on)
        ago = (std::max)(ago, std::abs(std::int64_t{a.batches}));
      agos += ago;
    }
    std::int64_t reach = 1 + 2 * ahead;  // of one wait, without what it says itself
    for (const thread_group& g : s_.groups) reach += g.queue + g.workers;
    for (const slack& more : s_.slacks) reach += more.copies;
    if (reach > furthest)
      return say("queues, workers and slack add up to more than " + std::to_string(furthest) +
                 " batches; ask for fewer");
    const std::int64_t around = (static_cast<std::int64_t>(s_.tasks.size()) + 2) * reach + agos;
    if (weights > most / around)
      say("the tasks' weights add up to " + std::to_string(weights) +
          ", too much to model times with where waits reach back " + std::to_string(around) +
          " progresses in all; count weights in a longer unit of time");
  }

  void check_pairs() {
    struct uses {
      std::int64_t writers = 0;
      std::int64_t all = 0;
    };
    std::map<std::string_view, uses> by_slot;
    for (const task& t : s_.tasks) {
      for (const use& u : t.reads) ++by_slot[u.slot].all;
      for (const use& u : t.writes) ++by_slot[u.slot].all;
      for (const use& u : t.writes) ++by_slot[u.slot].writers;
    }
    std::int64_t pairs = 0;
    for (const auto& [slot, u] : by_slot) pairs += u.writers > 1 ? u.writers * u.all : 0;
    if (pairs > most_pairs)
      say("slots with several writers have " + std::to_string(pairs) +
          " pairs of a writer and another user, of which each is ordered; the most is " +
          std::to_string(most_pairs) + ", so write fewer slots in several tasks");
    std::int64_t workers = 0;
    for (const thread_group& g : s_.groups) workers += g.workers > 1 ? g.workers : 0;
    if (workers > most_workers_in_all)
      say("thread groups have " + std::to_string(workers) + " workers in all; the most is " +
          std::to_string(most_workers_in_all));
    if (workers > 0) check_worker_tasks();
  }

  void check_worker_tasks() {
    std::map<std::string_view, std::int64_t> workers;
    for (const planner::thread_group& g : d_.groups)
      if (g.workers > 1) workers[g.thread] = g.workers;
    std::int64_t all = 0;
    for (const planner::task& t : d_.tasks)
      if (const auto at = workers.find(planner::thread_name(t)); at != workers.end())
        all += at->second;
    if (all > most_worker_tasks)
      say("groups with workers have " + std::to_string(all) +
          " tasks times workers in all; the most is " + std::to_string(most_worker_tasks) +
          ", so ask for fewer workers, or make one task of several");
  }

  /// What is declared twice, or for what is not there.
  void check_unused() {
    using planner::waste;
    for (const planner::unused& u : planner::unused_parts(d_, d_.caller_runs)) {
      const text& of = u.what == waste::stream_twice         ? s_.streams[u.position]
                       : u.what == waste::caller_runs_nobody ? s_.caller_runs
                                                             : s_.slacks[u.position].slot;
      say(planner::sentence(u.what, of));
    }
    std::set<std::string_view> queued;
    std::set<std::string_view> shared;
    for (const thread_group& g : s_.groups) {
      if (g.queue > 0 && !queued.insert(g.thread).second)
        say(planner::sentence(waste::queue_twice, g.thread));
      if (g.workers > 1 && !shared.insert(g.thread).second)
        say(planner::sentence(waste::workers_twice, g.thread));
    }
    check_types();
  }

  void check_types() {
    if (s_.types.empty()) return;
    std::set<std::string_view> known{s_.source.slot};
    for (const std::string& r : s_.results) known.insert(r);
    for (const task& t : s_.tasks) {
      for (const use& u : t.reads) known.insert(u.slot);
      for (const use& u : t.writes) known.insert(u.slot);
    }
    std::set<std::string_view> typed;
    for (const typed_slot& t : s_.types) {
      if (!known.contains(t.slot)) {
        say(joined("a type is given for slot ", quoted(t.slot),
                   ", which no task of the schedule reads or writes; name a slot of the schedule, "
                   "or drop the type"));
      } else if (!typed.insert(t.slot).second) {
        say(joined("slot ", quoted(t.slot), " is given a type twice; keep one"));
      }
    }
  }

  const schedule& s_;
  const planner::declaration& d_;
  std::vector<std::string> said_;
};

}  // namespace detail
}  // namespace stretto::dynamic
