// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stretto/dynamic/joined.hpp>
#include <stretto/dynamic/schedule.hpp>
#include <stretto/plan/declaration.hpp>
#include <stretto/plan/generate.hpp>
#include <stretto/plan/sentence.hpp>
#include <stretto/plan/threads.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

/// What can be wrong with a schedule beyond the rules. In a schedule of types the compiler sees to
/// it, or it cannot be written at all.
namespace stretto::dynamic {

/// How far ahead, or how long ago, a schedule can reach, in batches. Every slot may need as many
/// copies.
inline constexpr int most_batches = 100'000;

/// How many threads a group of workers can have, and a generated thread map.
inline constexpr int most_workers = 99;
inline constexpr int most_generated = 1'000;

/// How many workers all groups can have together, and how many pairs of a writer and another user
/// slots can have: plans have an edge for each.
inline constexpr std::int64_t most_workers_in_all = 1'000;
inline constexpr std::int64_t most_pairs = 1'000'000;

namespace detail {

class misuse_finder {
 public:
  misuse_finder(const schedule& s, const plan::declaration& d) : s_(s), d_(d) {}

  std::vector<std::string> find() {
    for (const task& t : s_.tasks) check(t);
    check_source();
    for (const slack& more : s_.slacks) check(more);
    if (s_.generated < 0 || s_.generated > most_generated)
      say(joined("a thread map is generated for 1 to ", most_generated,
                 " threads (0: none is), not for ", s_.generated));
    for (const thread_group& g : s_.groups) check_numbers(g);
    if (!s_.results_on.empty() &&
        std::find(s_.streams.begin(), s_.streams.end(), s_.results_on) == s_.streams.end())
      say(joined("results are to be handed out on stream ", quoted(s_.results_on),
                 ", which the schedule does not declare"));
    if (!said_.empty()) return said_;  // the rest counts on the numbers
    check_times();
    check_pairs();
    if (s_.generated > 0) check_generated();
    if (!s_.groups.empty()) {
      list_groups();
      for (const thread_group& g : s_.groups) check(g);
    }
    return said_;
  }

 private:
  using text = std::string;
  static text quoted(std::string_view n) { return plan::detail::quoted(n); }
  void say(text sentence) { said_.push_back(std::move(sentence)); }

  static bool in_reach(int batches) { return batches >= -most_batches && batches <= most_batches; }
  void reach(const text& who, const text& what, int batches) {
    if (!in_reach(batches)) say(joined(who, what, batches, "; the most is ", most_batches));
  }

  void check(const task& t) {
    const text who = joined("task ", quoted(t.name));
    reach(who, " has lookahead ", t.lookahead);
    if (t.weight < 0) say(joined(who, " has weight ", t.weight, "; a weight is a time, 0 or more"));
    for (const std::vector<use>* uses : {&t.reads, &t.writes})
      for (const use& u : *uses)
        if (u.offset) reach(who, joined(" uses slot ", quoted(u.slot), " at offset "), *u.offset);
    for (const ago& a : t.cross_iter_depends_on)
      reach(who, joined(" waits for ", quoted(a.task), " of so many batches ago: "), a.batches);
  }

  void check_source() {
    if (s_.source.lookahead) reach("the source", " has lookahead ", *s_.source.lookahead);
    if (s_.source.weight < 0)
      say(joined("the source has weight ", s_.source.weight, "; a weight is a time, 0 or more"));
  }

  void check(const slack& more) {
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

  /// Modelled times are exact quotients: weights around a circle of waits, over its progresses.
  void check_times() {
    constexpr std::int64_t furthest = 1'000'000'000;
    constexpr std::int64_t most = std::int64_t{1} << 60U;
    std::int64_t weights = 1 + s_.source.weight;
    std::int64_t ahead = std::abs(std::int64_t{s_.source.lookahead.value_or(0)});
    std::int64_t agos = 0;
    for (const task& t : s_.tasks) {
      weights += t.weight;
      ahead = std::max(ahead, std::abs(std::int64_t{t.lookahead}));
      std::int64_t ago = 0;
      for (const dynamic::ago& a : t.cross_iter_depends_on)
        ago = std::max(ago, std::abs(std::int64_t{a.batches}));
      agos += ago;
    }
    std::int64_t reach = 1 + 2 * ahead;  // of one wait, but for what it says itself
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
    std::unordered_map<std::string_view, uses> by_slot;
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
  }

  void check_generated() {
    const plan::crew_list crew = plan::threads_of(d_);
    if (crew.named > static_cast<std::size_t>(s_.generated))
      say(joined("a thread map is generated for ", s_.generated,
                 " threads, but the schedule names ", crew.named,
                 ", the caller's counted; ask for at least as many"));
  }

  void list_groups() {
    inhabited_.insert(d_.from.thread);
    for (const plan::task& t : d_.tasks) {
      inhabited_.insert(plan::thread_name(t));
      if (!t.stream.empty() || t.collective) in_order_.insert(plan::thread_name(t));
    }
  }

  void check(const thread_group& g) {
    const text who = joined("thread group ", quoted(g.thread));
    if (g.queue == 0 && g.workers == 1) return;
    if (s_.generated > 0) {
      say(joined(
          who,
          " has a queue or workers, but the thread map is generated: name the threads of its "
          "tasks instead"));
    } else if (g.thread == plan::caller || g.thread == s_.caller_runs) {
      say(joined(who, " has a queue or workers, but the calling thread runs it"));
    } else if (!inhabited_.contains(g.thread)) {
      say(joined(who, " has a queue or workers, but no task is in it"));
    } else if (g.workers > 1 && g.thread == d_.from.thread) {
      say(joined(who, " has workers, but pulls batches from the source, which one thread does"));
    } else if (g.workers > 1 && in_order_.contains(g.thread)) {
      say(joined(
          who,
          " has workers, but a task of it is on a stream or a collective, which are in order"));
    }
  }

  const schedule& s_;
  const plan::declaration& d_;
  std::unordered_set<std::string_view> inhabited_;
  std::unordered_set<std::string_view> in_order_;
  std::vector<std::string> said_;
};

}  // namespace detail

}  // namespace stretto::dynamic
