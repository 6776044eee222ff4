// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random schedules whose tasks drop batches at random, by their verdicts or because they throw,
// next to a loop by hand that does one batch after the other: which tasks run for which batches,
// what they read, which results come out.

#include <doctest/doctest.h>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <random>
#include <stretto/dynamic.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>
#include "../../support/drawn_drops.hpp"
#include "../../support/seed.hpp"

namespace {

namespace st = stretto;
namespace dynamic = stretto::dynamic;
using namespace drawn_drops;

dynamic::schedule schedule_of(const plan_of_all& p, std::mt19937& random,
                              std::vector<std::atomic<long>>& ran) {
  dynamic::schedule s;
  s.source.slot = "source";
  s.results = {slot_name(p.result)};
  s.slot<number>("source");
  for (std::size_t n = 0; n < p.tasks.size(); ++n) {
    const plan_of_task t = p.tasks[n];
    dynamic::task made;
    made.name = "t" + std::to_string(n);
    made.lookahead = t.lookahead;
    made.thread = "thread" + std::to_string(random() % 3);
    for (const slot_read& r : t.reads)
      made.reads.push_back(r.ago == 0 ? dynamic::use(slot_name(r.slot))
                                      : dynamic::use::previous(slot_name(r.slot), r.ago));
    made.writes.push_back(slot_name(n));
    if (t.updates != no_task) made.writes.push_back(slot_name(t.updates));
    if (t.after != no_task) made.depends_on.push_back("t" + std::to_string(t.after));
    const auto work = [t, n, &count = ran[n]](dynamic::slot_access& slots) {
      number value = n;
      for (const slot_read& r : t.reads) {
        if (r.ago == 0) {
          value = mixed(value, slots.read<number>(slot_name(r.slot)));
        } else {
          const auto* const before =
              slots.previous<number>(slot_name(r.slot), static_cast<std::size_t>(r.ago));
          value = mixed(value, before == nullptr ? nothing : *before);
        }
      }
      if (value % 11 == 3) std::this_thread::sleep_for(std::chrono::microseconds(value % 50));
      ++count;
      slots.write<number>(slot_name(n)) = value;
      if (t.updates != no_task) slots.write<number>(slot_name(t.updates)) += value;
      if (fails(t, value)) throw value;
      return says_drop(t, value) ? st::drop : st::keep;
    };
    if (t.fails_one_in != 0) made.on_failure = "drop";
    if (t.drops_one_in == 0) {
      made.body = [work](dynamic::slot_access& slots) { static_cast<void>(work(slots)); };
    } else {
      made.body = work;
    }
    s.slot<number>(slot_name(n));
    s.tasks.push_back(made);
  }
  return s;
}

/// Whether what is listed is what the task did.
bool is_of(const plan_of_all& p, const st::run_report::failure& drop) {
  const plan_of_task& t = p.tasks.at(std::stoul(drop.task.substr(1)));
  if (drop.error == nullptr) return t.drops_one_in != 0;
  try {
    std::rethrow_exception(drop.error);
  } catch (number value) {
    return fails(t, value);
  }
}

template <class... Options>
outcome run(const plan_of_all& p, std::mt19937& random, bool serial) {
  std::vector<std::atomic<long>> ran(p.tasks.size());
  dynamic::schedule s = schedule_of(p, random, ran);
  s.serial = serial;
  dynamic::pipeline<Options...> pipeline(std::move(s));
  outcome o;
  for (int again = 0; again < 2; ++again) {
    o = {};
    for (auto& n : ran) n = 0;
    for (const dynamic::result& r :
         pipeline.template run<number>([b = number{0}](number& into) mutable {
           into = b;
           return b++ < batches;
         }))
      o.results.emplace_back(r.batch(), r.template get<number>());
    for (const auto& n : ran) o.ran.push_back(n);
    o.withheld = pipeline.report().dropped;
    o.failed = pipeline.report().dropped_failures;
    for (const auto& drop : pipeline.report().drops) CHECK(is_of(p, drop));
    CHECK(pipeline.report().finished == batches);
    CHECK(pipeline.report().delivered == o.results.size());
  }
  return o;
}

}  // namespace

TEST_CASE("random drops are those of a loop by hand") {
  int dropped = 0;
  int tried = 0;
  int failed = 0;
  for (const unsigned seed : seeds::from(0, 300)) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const plan_of_all p = draw(random);
    std::vector<std::atomic<long>> unused(p.tasks.size());
    if (!dynamic::diagnose(schedule_of(p, random, unused)).ok()) continue;
    ++tried;
    const outcome wanted = by_hand(p);
    dropped += wanted.withheld > 0 ? 1 : 0;
    failed += wanted.failed > 0 ? 1 : 0;
    CHECK(run<>(p, random, false) == wanted);
    if (seed % 3 == 0) CHECK(run<st::barrier>(p, random, false) == wanted);
    if (seed % 3 == 1) CHECK(run<>(p, random, true) == wanted);
  }
  CHECK(tried > 100);
  CHECK(dropped > 40);
  CHECK(failed > 40);
}
