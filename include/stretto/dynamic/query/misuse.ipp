// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <stretto/dynamic/query/misuse.hpp>
#include <stretto/dynamic/values/concat.hpp>
#include <stretto/plan/derive/plan_size.hpp>
#include <stretto/plan/derive/threads.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/text_index.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/rules/diagnose.hpp>
#include <stretto/plan/text/exceeded_bounds.hpp>
#include <stretto/plan/text/misused_groups.hpp>
#include <stretto/plan/text/unlisted_threads.hpp>
#include <stretto/plan/text/unused.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::dynamic::detail {

class misuse_finder : sentence_list {
 public:
  misuse_finder(const schedule& s, const planner::declaration& d)
      : sentence_list(static_cast<std::size_t>(-1)), s_(s), d_(d) {}

  [[gnu::cold]] std::vector<std::string> find() {
    check_projection();
    for (const task& t : s_.tasks) examine(t);
    check_source();
    for (const slack& more : s_.slacks) examine(more);
    if (s_.generated < 0 || s_.generated > most_generated)
      say("a thread map is generated for 1 to ", most_generated, " threads (0: none is), not for ",
          s_.generated);
    if (s_.max_in_flight < 0 || s_.max_in_flight > most_batches + 1)
      say("`max_in_flight` is 1 to ", most_batches + 1, " batches (0: no bound), not ",
          s_.max_in_flight);
    if (s_.max_bytes < 0) say("`max_bytes` is a number of bytes (0: no bound), not ", s_.max_bytes);
    for (const thread_group& g : s_.groups) check_numbers(g);
    if (!s_.results_on.empty() &&
        std::find(s_.streams.begin(), s_.streams.end(), s_.results_on) == s_.streams.end())
      say(planner::sentence_on_result_stream(s_.results_on));
    if (!empty()) return take();  // the rest counts on the numbers
    check_times();
    check_pairs();
    check_unused();
    if (!check_threads()) return take();  // those that are meant have the queues and workers
    if (const std::size_t named = planner::crowded_by(d_); named > 0)
      say(planner::sentence_on_too_few(d_.generated, named));
    if (!s_.groups.empty() && !s_.serial) {
      const planner::group_judge judge(d_);
      for (const thread_group& g : s_.groups) {
        const planner::thread_group given{g.thread, g.queue, g.workers};
        const planner::misused_group found = judge.misuse_of(given);
        if (found.what == planner::group_misuse::sound) continue;
        const bool of_task = found.task != planner::none;
        say(planner::sentence(found.what, given,
                              of_task ? d_.tasks[found.task].id.text : found.meant));
      }
    }
    check_bounds();
    return take();
  }

 private:
  using quoted = quoted_name;
  /// Whether a name was among \p seen; now it is.
  [[gnu::cold, gnu::noinline]] static bool is_again(planner::text_index& seen,
                                                    std::string_view name) {
    const bool known = seen.find(name) != planner::none;
    if (!known) seen.add(name);
    return known;
  }

  static bool in_reach(int batches) { return batches >= -most_batches && batches <= most_batches; }
  [[gnu::cold]] void examine(const task& t) {
    const quoted who{t.name};
    if (!in_reach(t.lookahead))
      say("task ", who, " has lookahead ", t.lookahead, "; the most is ", most_batches);
    if (t.weight < 0)
      say("task ", who, " has weight ", t.weight, "; a weight is a time, 0 or more");
    if (t.every == 1 && t.phase == 0)
      say("task ", who, " has phase 0 and runs for every batch: state an `every`, or no phase");
    if (!t.on_failure.empty() && t.on_failure != planner::drops_it)
      say("task ", who, " has the `on_failure` ", quoted{t.on_failure},
          "; it is `drop`, which drops the batch on which the task fails, or empty, and a failure "
          "ends the run");
    if (!t.on_failure.empty() && t.body.never_throws())
      say("task ", who,
          " drops batches on which it fails (`on_failure`), but its body is noexcept: what it "
          "throws would end the program; drop one of the two");
    if (t.max_failures < 0)
      say("task ", who, " has ", t.max_failures,
          " as `max_failures`; it is how many are dropped in a run, 1 or more (0: any number)");
    if (t.max_failures > 0 && t.on_failure.empty())
      say("task ", who,
          " has `max_failures` and no `on_failure`: its first failure ends the run; set its "
          "`on_failure` to `drop`, or leave out how many");
    if (!t.communicator.empty() && !t.collective && !is_transfer(t))
      say("task ", who,
          " names a communicator and is not collective: set its `collective`, or drop it");
    examine_transfer(t);
    for (const std::vector<use>* uses : {&t.reads, &t.writes})
      for (const use& u : *uses)
        if (u.offset && !in_reach(*u.offset))
          say("task ", who, " uses slot ", quoted{u.slot}, " at offset ", *u.offset,
              "; the most is ", most_batches);
    for (const std::vector<use>* uses : {&t.reads, &t.writes})
      for (const use& u : *uses) {
        if (u.items < 0 || u.items > most_items)
          say("task ", who, " has ", u.items == use::no_items ? 0 : u.items, " items of slot ",
              quoted{u.slot}, " per call; each call consumes or produces 1 to ", most_items,
              " items of a slot; without them it has one value");
        if (u.items != 0 && (u.ago != 0 || u.latest || u.takes))
          say("task ", who, " has slot ", quoted{u.slot},
              " as items, which are of the batch at hand and stay in the slot; drop its `ago`, "
              "`latest` or `takes`");
      }
    for (const use& u : t.reads) {
      if (u.ago < 0 || u.ago > most_batches)
        say("task ", who, " reads slot ", quoted{u.slot}, " of ", u.ago,
            " batches ago; it is one of 0 to ", most_batches);
      if ((u.ago != 0 || u.latest) && u.offset)
        say("task ", who, " reads slot ", quoted{u.slot},
            " of an earlier batch at an offset; say only how many batches ago");
      if ((u.ago != 0 || u.latest) && u.takes)
        say("task ", who, " takes the value that slot ", quoted{u.slot},
            " had of an earlier batch, which can only be read; take that of its own batch");
    }
    for (const use& u : t.writes) {
      if (u.ago != 0 || u.latest)
        say("task ", who, " writes slot ", quoted{u.slot},
            " of an earlier batch, which can only be read; list the slot itself in `writes`");
      if (u.takes)
        say("task ", who, " takes the value of slot ", quoted{u.slot},
            " in `writes`; list it in `reads`: what a task takes is a value that another has left "
            "in the slot");
    }
    for (const ago& a : t.cross_iter_depends_on)
      if (!in_reach(a.batches))
        say("task ", who, " waits for ", quoted{a.task}, " of a batch this far back: ", a.batches,
            "; the most is ", most_batches);
  }

  [[gnu::cold]] void check_projection() {
    if (s_.whole.empty() && !s_.role.empty())
      say("the schedule is said to be what a rank of role ", quoted{s_.role},
          " runs, and does not say of which schedule: make it by `stretto::dynamic::projection`");
    if (s_.whole.size() > 1 || (!s_.whole.empty() && !s_.whole.front().whole.empty()))
      say("a projection is of one schedule, that of all ranks: make it by "
          "`stretto::dynamic::projection`");
  }
  [[gnu::cold]] void examine_transfer(const task& t) {
    const quoted who{t.name};
    if (!is_transfer(t)) {
      if (t.body.sent() != nullptr)
        say("task ", who,
            " has the body of a transfer (`sent`) and names nobody who receives: list the roles in "
            "its `to`");
      return;
    }
    if (t.role.empty())
      say("task ", who,
          " sends to other roles (its `to`) and does not say who sends: set its `role`");
    const bool here = !s_.whole.empty();  // one end of it
    if (!here && (t.writes.size() != 1 || t.writes[0].offset || !t.reads.empty()))
      say("task ", who,
          " sends to other roles (its `to`), and so updates the one slot that is sent: list that "
          "in `writes`, without an offset, and nothing in `reads`");
    if (t.body && t.body.sent() == nullptr)
      say("task ", who,
          " sends to other roles (its `to`) and has a body of its own: a transfer's is "
          "`stretto::dynamic::sent<T>()`, T the type of its slot");
  }

  [[gnu::cold]] void check_source() {
    if (s_.source.lookahead && !in_reach(*s_.source.lookahead))
      say("the source has lookahead ", *s_.source.lookahead, "; the most is ", most_batches);
    if (s_.source.weight < 0)
      say("the source has weight ", s_.source.weight, "; a weight is a time, 0 or more");
    if (s_.source.thread.empty())
      say("the thread on which the source is pulled has no name; the calling one is `caller`");
    if (!s_.source.on_failure.empty() && s_.source.on_failure != planner::drops_it)
      say("the source has the `on_failure` ", quoted{s_.source.on_failure},
          "; it is `drop`, which drops the batch on which the source fails, or empty, and a "
          "failure "
          "ends the run");
    if (s_.source.max_failures < 0)
      say("the source has ", s_.source.max_failures,
          " as `max_failures`; it is how many are dropped in a run, 1 or more (0: any number)");
    if (s_.source.max_failures > 0 && s_.source.on_failure.empty())
      say("the source has `max_failures` and no `on_failure`: its first failure ends the run; set "
          "its `on_failure` to `drop`, or leave out how many");
  }

  [[gnu::cold]] void examine(const slack& more) {
    if (more.copies < 1 || more.copies > most_batches)
      say("the slack of slot ", quoted{more.slot}, " adds ", more.copies, " copies; it adds 1 to ",
          most_batches);
  }

  [[gnu::cold]] void check_numbers(const thread_group& g) {
    const quoted who{g.thread};
    if (g.queue < 0 || g.queue > most_batches)
      say("thread group ", who, " has a queue of ", g.queue, " batches; a queue has room for 1 to ",
          most_batches, " (0: no queue)");
    if (g.workers < 1 || g.workers > most_workers)
      say("thread group ", who, " has ", g.workers, " workers; a group has 1 to ", most_workers);
  }

  /// For a batch: of all calls, if there may be several.
  static std::int64_t most_time_of(const task& t) {
    const auto is_items = [](const use& u) { return u.items != 0; };
    if (std::none_of(t.reads.begin(), t.reads.end(), is_items) &&
        std::none_of(t.writes.begin(), t.writes.end(), is_items))
      return t.weight;
    return (std::min)(std::int64_t{t.weight} * most_items,
                      std::int64_t{(std::numeric_limits<int>::max)()});
  }

  /// Modelled times are exact quotients: weights around a cycle of waits, over its progresses.
  [[gnu::cold]] void check_times() {
    constexpr std::int64_t furthest = 1'000'000'000;
    constexpr std::int64_t most = std::int64_t{1} << 60U;
    std::int64_t weights = 1 + s_.source.weight;
    std::int64_t ahead = std::abs(std::int64_t{s_.source.lookahead.value_or(0)});
    std::int64_t agos = 0;
    for (const task& t : s_.tasks) {
      weights += most_time_of(t);
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
      return say("queues, workers and slack add up to more than ", furthest,
                 " batches; ask for fewer");
    const std::int64_t around = (static_cast<std::int64_t>(s_.tasks.size()) + 2) * reach + agos;
    if (weights > most / around)
      say("the tasks' weights add up to ", weights,
          ", too much to model times with where waits reach back ", around,
          " progresses in all; count weights in a longer unit of time");
  }

  [[gnu::cold]] void check_pairs() {
    planner::text_index named;
    planner::list<std::size_t> writers;  // by slot
    planner::list<std::size_t> users;
    const auto count = [&](const std::vector<use>& uses, std::size_t writes) {
      for (const use& u : uses) {
        const std::size_t slot = named.number(u.slot);
        if (slot == users.size()) {
          users.push_back(0);
          writers.push_back(0);
        }
        ++users[slot];
        writers[slot] += writes;
      }
    };
    for (const task& t : s_.tasks) {
      count(t.reads, 0);
      count(t.writes, 1);
    }
    std::int64_t pairs = 0;
    for (std::size_t slot = 0; slot < users.size(); ++slot)
      if (writers[slot] > 1) pairs += static_cast<std::int64_t>(writers[slot] * users[slot]);
    if (pairs > most_pairs)
      say("slots with several writers have ", pairs,
          " pairs of a writer and another user, of which each is ordered; the most is ", most_pairs,
          ", so write fewer slots in several tasks");
    std::int64_t workers = 0;
    for (const thread_group& g : s_.groups) workers += g.workers > 1 ? g.workers : 0;
    if (workers > most_workers_in_all)
      say("thread groups have ", workers, " workers in all; the most is ", most_workers_in_all);
    if (workers > 0) check_worker_tasks();
  }

  [[gnu::cold]] void check_worker_tasks() {
    planner::text_index groups;
    for (const planner::thread_group& g : d_.groups) groups.add(g.thread);
    std::int64_t all = 0;
    for (const planner::task& t : d_.tasks) {
      const std::size_t group = groups.find(planner::thread_name(t));
      if (group != planner::none && d_.groups[group].workers > 1) all += d_.groups[group].workers;
    }
    if (all > most_worker_tasks)
      say("groups with workers have ", all, " tasks times workers in all; the most is ",
          most_worker_tasks, ", so ask for fewer workers, or make one task of several");
  }

  /// What is declared twice, or for what is not there.
  [[gnu::cold]] void check_unused() {
    using planner::waste;
    for (const planner::unused& u : planner::unused_parts(d_, d_.caller_runs)) {
      const std::string& of = is_of_streams(u.what)                 ? s_.streams[u.position]
                              : is_of_threads(u.what)               ? s_.thread_names[u.position]
                              : u.what == waste::caller_runs_nobody ? s_.caller_runs
                              : u.what == waste::result_twice       ? s_.results[u.position]
                                                                    : s_.slacks[u.position].slot;
      say(planner::sentence(u.what, of, u.meant));
    }
    planner::text_index queued;
    planner::text_index shared;
    for (const thread_group& g : s_.groups) {
      if (g.queue > 0 && is_again(queued, g.thread))
        say(planner::sentence(waste::queue_twice, g.thread));
      if (g.workers > 1 && is_again(shared, g.thread))
        say(planner::sentence(waste::workers_twice, g.thread));
    }
    check_types();
    check_points();
  }

  [[gnu::cold]] void check_points() {
    if (s_.points.empty()) return;
    planner::text_index filled;
    filled.number(s_.source.slot);
    for (const task& t : s_.tasks)
      for (const use& u : t.writes) filled.number(u.slot);
    std::set<std::pair<std::string_view, std::string_view>> seen;
    for (const points_into& p : s_.points) {
      if (filled.find(p.slot) == planner::none) {
        say("slot ", quoted{p.slot}, " is said to point into ", quoted{p.into},
            ", but no task of the schedule writes it; name a slot that one writes, or drop the "
            "entry");
      } else if (!seen.emplace(p.slot, p.into).second) {
        say("slot ", quoted{p.slot}, " is said twice to point into ", quoted{p.into},
            "; say it once");
      }
    }
  }

  /// Of a schedule that keeps the rules.
  [[gnu::cold]] void check_bounds() {
    const planner::declaration declared = planner::without_raised(d_);
    if (!empty() || !planner::is_bounded(declared) ||
        !planner::check_rules(declared).findings.empty())
      return;
    const planner::plan_size size = planner::size_of_plan(declared);
    const planner::exceeded_bounds exceeded = planner::exceeded_by(declared, size);
    if (exceeded.in_flight)
      say(planner::sentence_on_in_flight(size.in_flight, declared.within.in_flight));
    if (exceeded.bytes) say(planner::sentence_on_bytes(size.bytes, declared.within.bytes));
  }

  [[gnu::cold]] bool check_threads() {
    const planner::list<planner::unlisted_thread> all = planner::unlisted_threads(d_);
    for (const planner::unlisted_thread& u : all)
      say(planner::sentence_on_unlisted(
          u.task == planner::none ? std::string_view() : d_.tasks[u.task].id.text, u.thread,
          u.meant));
    return all.empty();
  }

  [[gnu::cold]] void check_types() {
    if (s_.types.empty()) return;
    planner::text_index known;
    known.number(s_.source.slot);
    for (const std::string& r : s_.results) known.number(r);
    for (const task& t : s_.tasks) {
      for (const use& u : t.reads) known.number(u.slot);
      for (const use& u : t.writes) known.number(u.slot);
    }
    planner::text_index typed;
    for (const typed_slot& t : s_.types) {
      if (known.find(t.slot) == planner::none) {
        say("a type is given for slot ", quoted{t.slot},
            ", which no task of the schedule reads or writes; name a slot of the schedule, "
            "or drop the type");
      } else if (is_again(typed, t.slot)) {
        say("slot ", quoted{t.slot}, " is given a type twice; keep one");
      }
    }
  }

  const schedule& s_;
  const planner::declaration& d_;
};

[[gnu::cold]] STRETTO_INLINE std::vector<std::string> find_misuse(const schedule& s,
                                                                  const planner::declaration& d) {
  return misuse_finder(s, d).find();
}

}  // namespace stretto::dynamic::detail
