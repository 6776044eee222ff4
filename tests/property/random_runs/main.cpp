// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random schedules as values, each run and disturbed in several ways, as it was drawn, as its
// serial plan and pipelined, and cut and gone on with from plan to plan: what comes out, in what
// order tasks run and what reports say must be what a model that knows nothing of plans says.
// Prints what is wrong with which seed, and how many.
//
//   random_runs [--schedules N] [--seed FIRST] [--runs N] [--stop-after N]

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stretto/plan/layout/modelled_period.hpp>
#include <stretto/plan/rules/pipelined_choice.hpp>
#include <string>
#include <string_view>
#include <vector>
#include "../../behaviour/execute/deadline.hpp"
#include "../../support/seed.hpp"
#include "cuts.hpp"
#include "runs.hpp"

namespace random_runs {
namespace {

struct arguments {
  std::uint64_t schedules = 400;
  std::uint64_t seed = seeds::first(1);
  std::uint64_t runs = 6;
  std::uint64_t stop_after = 1;  ///< seeds that show something wrong
};

template <class Pipeline>
bool exercise(const dynamic::schedule& s, std::uint64_t seed, const char* which, std::uint64_t runs,
              std::uint64_t suspended = 0) {
  const model m(s);
  const dynamic::schedule with_bodies = bodied(s, suspended);
  Pipeline pipeline(with_bodies);
  for (std::uint64_t i = 0; i < runs; ++i) {
    run_plan p = draw_run((seed << 8U) + i, m.tasks.size(), !s.groups.empty());
    if (i + 1 == runs) p.what = fault::none;
    const std::string wrong = trial(s, m, p).run(pipeline);
    if (wrong.empty()) continue;
    std::printf("seed %llu (%s), run %llu, %s:\n%s", static_cast<unsigned long long>(seed), which,
                static_cast<unsigned long long>(i), p.text().c_str(), wrong.c_str());
    return false;
  }
  return true;
}

using running_ahead = dynamic::pipeline<st::run_ahead, st::block, watcher>;
using in_step = dynamic::pipeline<st::barrier, st::spin_then_sleep<64, 16>, watcher>;

/// False, having said why, if raising lookaheads breaks a rule, or makes the plan take longer.
bool judge_pipelined(const dynamic::schedule& s, std::uint64_t seed) {
  const dynamic::schedule pipelined = dynamic::pipelined(s);
  const dynamic::diagnosis found = dynamic::diagnose(pipelined);
  if (!found.ok()) {
    std::printf("seed %llu: the pipelined plan is refused: %s\n",
                static_cast<unsigned long long>(seed), found.sentences(pipelined).front().c_str());
    return false;
  }
  // By the measure that lookaheads are chosen by: without a map to generate, threads and streams
  // whose tasks have no weights are equally busy.
  const auto cost = [](const dynamic::schedule& of) {
    const dynamic::planned_schedule p(of);
    if (of.generated == 0) return st::planner::cost_of(p.declaration());
    const st::planner::ratio period = st::planner::make_modelled(p.declaration(), p.plan()).period;
    return st::planner::overlap_cost{true, period, period};
  };
  if (cost(pipelined).suffices(cost(s))) return true;
  std::printf("seed %llu: the pipelined plan takes longer\n",
              static_cast<unsigned long long>(seed));
  return false;
}

/// The schedule, pipelined within a bound that what is declared keeps.
dynamic::schedule within_a_bound(const dynamic::schedule& s, std::uint64_t seed) {
  dynamic::schedule bounded = s;
  bounded.max_in_flight =
      static_cast<int>(dynamic::planned_schedule(s).in_flight()) + dice(seed + 9).number(3);
  if (dice(seed + 10).one_in(2)) {
    bounded.max_bytes = 1;
    const dynamic::declared counted(bounded);
    const std::size_t bytes = st::planner::size_of_plan(counted.value()).bytes;
    bounded.max_bytes = static_cast<std::int64_t>(bytes) + 64 * dice(seed + 11).number(4);
  }
  return dynamic::pipelined(bounded);
}

/// False, having said why, if a plan is not within its bounds.
bool judge_bounds(const dynamic::schedule& s, std::uint64_t seed) {
  const dynamic::schedule bounded = within_a_bound(s, seed);
  const dynamic::diagnosis found = dynamic::diagnose(bounded);
  if (!found.ok()) {
    std::printf("seed %llu: the bounded plan is refused: %s\n",
                static_cast<unsigned long long>(seed), found.sentences(bounded).front().c_str());
    return false;
  }
  const dynamic::planned_schedule p(bounded);
  if (!st::planner::exceeded_bounds_of(p.declaration()).any()) return true;
  std::printf("seed %llu: the plan exceeds its bounds\n", static_cast<unsigned long long>(seed));
  return false;
}

/// False, having said why, if runs that are cut and gone on with by these plans come to something
/// else.
bool try_cuts(const dynamic::schedule& s, const std::vector<dynamic::schedule>& plans,
              std::uint64_t seed, std::uint64_t runs, std::uint64_t suspended = 0) {
  for (std::uint64_t i = 0; i < runs; ++i) {
    cut_trial trial(s, (seed << 8U) + i, suspended);
    for (const dynamic::schedule& plan : plans) trial.add<running_ahead>(plan);
    if (suspended == 0) trial.add<in_step>(s);
    const std::string wrong = trial.run();
    if (wrong.empty()) continue;
    std::printf("seed %llu (cut), run %llu:\n%s", static_cast<unsigned long long>(seed),
                static_cast<unsigned long long>(i), wrong.c_str());
    return false;
  }
  return true;
}

struct counts {
  std::uint64_t tried = 0;
  std::uint64_t raced = 0;      ///< as they were drawn
  std::uint64_t repeated = 0;   ///< with tasks that are called several times per batch
  std::uint64_t suspended = 0;  ///< with tasks that are coroutines
};

/// False, having said why, if anything is wrong once some tasks are coroutines.
bool try_coroutines(const std::vector<dynamic::schedule>& plans, std::uint64_t seed,
                    std::uint64_t runs, counts& seen) {
  const std::uint64_t suspended = coroutines::drawn(plans.front(), seed + 12);
  // On threads of their own they may race for what they shared a thread for.
  if (suspended == 0 || !dynamic::diagnose(bodied(plans.front(), suspended)).ok()) return true;
  ++seen.suspended;
  for (const dynamic::schedule& plan : plans)
    if (!exercise<running_ahead>(plan, seed, "coroutines", runs, suspended)) return false;
  return try_cuts(plans.front(), plans, seed, 1, suspended);
}

/// False, having said why, if anything is wrong with a seed; not counted if it is of no use.
bool try_seed(std::uint64_t seed, std::uint64_t runs, counts& seen) {
  const candidate c = draw(seed, true);
  seen.raced += c.races;
  if (!c.wrong.empty()) {
    std::printf("seed %llu: %s", static_cast<unsigned long long>(seed), c.wrong.c_str());
    return false;
  }
  if (c.schedule.tasks.empty()) return true;
  ++seen.tried;
  const model asked(c.schedule);
  seen.repeated += std::any_of(asked.tasks.begin(), asked.tasks.end(),
                               [](const model::task& t) { return t.calls > 1; });
  const bool as_drawn = dice(seed).one_in(3)
                            ? exercise<in_step>(c.schedule, seed, "barrier", runs)
                            : exercise<running_ahead>(c.schedule, seed, "running ahead", runs);
  const dynamic::schedule serial = dynamic::serial(c.schedule);
  const dynamic::diagnosis found = dynamic::diagnose(serial);
  if (!found.ok()) {
    std::printf("seed %llu: the serial plan is refused: %s\n",
                static_cast<unsigned long long>(seed), found.sentences(serial).front().c_str());
    return false;
  }
  dynamic::schedule mapped = c.schedule;  // sometimes without threads, which are looked for
  if (mapped.groups.empty() && dice(seed + 7).one_in(3)) {
    mapped.generated = 1 + dice(seed).number(3);
    if (dice(seed + 8).one_in(2))
      for (dynamic::task& t : mapped.tasks) t.thread.clear();
    if (!dynamic::diagnose(mapped).ok()) mapped = c.schedule;
  }
  const std::vector<dynamic::schedule> plans{c.schedule, serial, dynamic::pipelined(mapped)};
  return try_cuts(c.schedule, plans, seed, 2) && try_coroutines(plans, seed, 2, seen) &&
         exercise<running_ahead>(serial, seed, "serial", 2) && judge_pipelined(mapped, seed) &&
         judge_bounds(mapped, seed) &&
         exercise<running_ahead>(dynamic::pipelined(mapped), seed, "pipelined", 2) && as_drawn;
}

/// Seeds that once showed something wrong.
constexpr std::uint64_t once_wrong[] = {20029};

int run(const arguments& a) {
  counts seen;
  std::uint64_t wrong = 0;
  const auto attempt = [&](std::uint64_t seed) {
    const deadline limit("the runs of a random schedule", std::chrono::seconds(60));
    if (!try_seed(seed, a.runs, seen)) ++wrong;
  };
  for (const std::uint64_t kept : once_wrong) attempt(kept);
  seen = {};
  std::uint64_t seed = a.seed;
  for (; seen.tried < a.schedules && wrong < a.stop_after; ++seed) attempt(seed);
  std::printf(
      "%llu schedules of %llu seeds (%llu with a race, %llu with several calls per batch, %llu "
      "with "
      "coroutines): %llu wrong\n",
      static_cast<unsigned long long>(seen.tried), static_cast<unsigned long long>(seed - a.seed),
      static_cast<unsigned long long>(seen.raced), static_cast<unsigned long long>(seen.repeated),
      static_cast<unsigned long long>(seen.suspended), static_cast<unsigned long long>(wrong));
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace random_runs

int main(int argc, char** argv) {
  random_runs::arguments a;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const std::uint64_t number = std::strtoull(argv[i + 1], nullptr, 10);
    if (name == "--schedules") a.schedules = number;
    if (name == "--seed") a.seed = number;
    if (name == "--runs") a.runs = number;
    if (name == "--stop-after") a.stop_after = number;
  }
  seeds::print(a.seed, a.schedules, "schedules", argc, argv);
  return random_runs::run(a);
}
