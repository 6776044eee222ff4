// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random schedules whose tasks drop batches at random, by their verdicts or because they throw,
// next to a loop by hand that does one batch after the other: which tasks run for which batches,
// what they read, which results come out.

#include <doctest/doctest.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <random>
#include <stretto/dynamic.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

namespace st = stretto;
namespace dynamic = stretto::dynamic;
using number = std::uint64_t;

constexpr int batches = 40;
constexpr number nothing = 12345;

struct read {
  std::size_t slot;  ///< that of the task of this number; the source's: no_task
  int ago;
};
constexpr auto no_task = static_cast<std::size_t>(-1);

/// A task writes a slot of its own, and perhaps updates that of an earlier one, further ahead.
struct plan_of_task {
  int lookahead = 0;
  std::vector<read> reads;
  std::size_t updates = no_task;
  std::size_t after = no_task;  ///< in `depends_on`
  number drops_one_in = 0;      ///< 0: none
  number fails_one_in = 0;      ///< 0: none; else its failures are dropped
};
struct plan_of_all {
  std::vector<plan_of_task> tasks;
  std::size_t result = no_task;
};

number mixed(number a, number b) { return (a ^ (b + 0x9E3779B97F4A7C15U + (a << 6U))) * 31U; }
bool fails(const plan_of_task& t, number value) {
  return t.fails_one_in != 0 && value / 5 % t.fails_one_in == 0;
}
bool says_drop(const plan_of_task& t, number value) {
  return t.drops_one_in != 0 && value / 7 % t.drops_one_in == 0;
}
bool drops(const plan_of_task& t, number value) { return fails(t, value) || says_drop(t, value); }

plan_of_all draw(std::mt19937& random) {
  const auto upto = [&](int n) {
    return static_cast<int>(random() % static_cast<unsigned>(n + 1));
  };
  plan_of_all p;
  const int count = 2 + upto(6);
  int lookahead = upto(3);
  std::vector<char> updated(static_cast<std::size_t>(count), 0);
  for (int i = 0; i < count; ++i) {
    plan_of_task t;
    lookahead = std::max(0, lookahead - upto(1));
    t.lookahead = lookahead;
    const auto earlier = [&] { return static_cast<std::size_t>(upto(i - 1)); };
    for (int k = upto(2); i > 0 && k >= 0; --k) {
      read r{upto(3) == 0 ? no_task : earlier(), upto(2) == 0 ? 1 + upto(2) : 0};
      if (r.slot == no_task) r.ago = 0;
      const bool known =
          std::ranges::any_of(t.reads, [&](const read& o) { return o.slot == r.slot; });
      if (!known) t.reads.push_back(r);
    }
    if (t.reads.empty()) t.reads.push_back({no_task, 0});
    // An update comes after all other uses: later tasks do not read the slot, and none looks back.
    if (i > 0 && upto(3) == 0) {
      const std::size_t slot = earlier();
      const bool free =
          updated[slot] == 0 && p.tasks[slot].lookahead > t.lookahead &&
          std::ranges::none_of(t.reads, [&](const read& r) { return r.slot == slot; }) &&
          std::ranges::none_of(p.tasks, [&](const plan_of_task& o) {
            return std::ranges::any_of(o.reads, [&](const read& r) {
              return r.slot == slot && (r.ago > 0 || o.lookahead <= t.lookahead);
            });
          });
      if (free) {
        t.updates = slot;
        updated[slot] = 1;
      }
    }
    std::erase_if(t.reads, [&](const read& r) {
      return r.slot != no_task && updated[r.slot] != 0;  // of those before, too
    });
    if (i > 0 && upto(5) == 0) t.after = earlier();
    if (upto(2) == 0) t.drops_one_in = static_cast<number>(2 + upto(3));
    if (upto(3) == 0) t.fails_one_in = static_cast<number>(2 + upto(3));
    p.tasks.push_back(t);
  }
  p.result = static_cast<std::size_t>(count - 1);
  return p;
}

struct outcome {
  std::vector<std::pair<std::size_t, number>> results;
  std::vector<long> ran;
  std::size_t withheld = 0;
  std::size_t failed = 0;
  friend bool operator==(const outcome&, const outcome&) = default;
};

/// One batch after the other, by hand.
outcome by_hand(const plan_of_all& p) {
  outcome o;
  o.ran.resize(p.tasks.size());
  std::vector<std::vector<number>> values;  // by batch and slot
  std::vector<std::vector<char>> there;
  for (int b = 0; b < batches; ++b) {
    values.emplace_back(p.tasks.size());
    there.emplace_back(p.tasks.size(), 0);
    std::vector<char> kept(p.tasks.size(), 0);
    for (std::size_t n = 0; n < p.tasks.size(); ++n) {
      const plan_of_task& t = p.tasks[n];
      bool runs = t.after == no_task || kept[t.after] != 0;
      if (t.updates != no_task) runs = runs && kept[t.updates] != 0;
      number value = n;
      for (const read& r : t.reads) {
        if (r.slot == no_task) {
          value = mixed(value, static_cast<number>(b));
        } else if (r.ago == 0) {
          runs = runs && kept[r.slot] != 0;
          value = mixed(value, values.back()[r.slot]);
        } else {
          const int at = b - r.ago;
          const auto of = static_cast<std::size_t>(at);
          value = mixed(value, at >= 0 && there[of][r.slot] != 0 ? values[of][r.slot] : nothing);
        }
      }
      if (!runs) continue;
      ++o.ran[n];
      values.back()[n] = value;
      if (t.updates != no_task) values.back()[t.updates] += value;
      kept[n] = drops(t, value) ? 0 : 1;
      o.failed += fails(t, value) ? 1 : 0;
      there.back()[n] = kept[n];
      if (t.updates != no_task && kept[n] == 0) there.back()[t.updates] = 0;
    }
    // A slot that was not updated to its end has no value, either.
    for (std::size_t n = 0; n < p.tasks.size(); ++n)
      if (p.tasks[n].updates != no_task && kept[n] == 0) there.back()[p.tasks[n].updates] = 0;
    bool handed_out = kept[p.result] != 0;
    if (handed_out)
      o.results.emplace_back(static_cast<std::size_t>(b), values.back()[p.result]);
    else
      ++o.withheld;
  }
  return o;
}

std::string slot_name(std::size_t n) { return n == no_task ? "source" : "s" + std::to_string(n); }

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
    for (const read& r : t.reads)
      made.reads.push_back(r.ago == 0 ? dynamic::use(slot_name(r.slot))
                                      : dynamic::use::previous(slot_name(r.slot), r.ago));
    made.writes.push_back(slot_name(n));
    if (t.updates != no_task) made.writes.push_back(slot_name(t.updates));
    if (t.after != no_task) made.depends_on.push_back("t" + std::to_string(t.after));
    const auto work = [t, n, &count = ran[n]](dynamic::slot_access& slots) {
      number value = n;
      for (const read& r : t.reads) {
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
  for (unsigned seed = 0; seed < 300; ++seed) {
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
