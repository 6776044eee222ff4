// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random trees of tasks that consume and produce items, at random lookaheads and on random threads:
// each slot's items, batch after batch, are those that loops over queues come to.

#include <doctest/doctest.h>
#include <cstddef>
#include <random>
#include <span>
#include <stretto/dynamic.hpp>
#include <string>
#include <vector>
#include "../../support/seed.hpp"

namespace {

namespace dynamic = stretto::dynamic;
using dynamic::use;

/// A task: what it takes of whose items, and what it gives.
struct step {
  std::size_t of = 0;  ///< the task that produces what it consumes
  int consumes = 1;
  int produces = 1;
};

/// What a task does in a call, with what it keeps of the calls before.
class mixer {
 public:
  template <class Out>
  void call(std::span<const long> in, Out&& out) {
    for (const long x : in) state_ = (state_ * 31 + x) % 1'000'003;
    for (long& y : out) y = state_ = (state_ * 17 + 5) % 1'000'003;
  }

 private:
  long state_ = 1;
};

class dice {
 public:
  explicit dice(unsigned seed) : random_(seed) {}
  int from(int least, int most) { return std::uniform_int_distribution<int>(least, most)(random_); }

 private:
  std::mt19937 random_;
};

std::string slot_of(std::size_t task) { return "s" + std::to_string(task); }

}  // namespace

TEST_CASE("random trees of tasks with items come to what queues come to") {
  std::size_t ran = 0;
  for (const unsigned seed : seeds::from(0, 60)) {
    CAPTURE(seed);
    dice d(seed);
    // The first reads what the source has, and gives items; the others have those of an earlier
    // one.
    std::vector<step> steps(static_cast<std::size_t>(d.from(2, 6)));
    std::vector<int> lookaheads{d.from(0, 3)};
    steps[0].produces = d.from(1, 6);
    for (std::size_t t = 1; t < steps.size(); ++t) {
      steps[t] = {static_cast<std::size_t>(d.from(0, static_cast<int>(t) - 1)), d.from(1, 4),
                  d.from(1, 4)};
      lookaheads.push_back(d.from(0, lookaheads[steps[t].of]));
    }
    std::vector<mixer> mixers(steps.size());
    std::vector<std::vector<long>> given(steps.size());
    std::size_t first_calls = 0;
    dynamic::schedule s;
    s.source.slot = "in";
    for (std::size_t t = 0; t < steps.size(); ++t) {
      dynamic::task& task = s.tasks.emplace_back();
      task.name = "t" + std::to_string(t);
      task.lookahead = lookaheads[t];
      if (const int thread = d.from(0, 3); thread > 0) task.thread = std::to_string(thread);
      task.writes = {use::items_of(slot_of(t), steps[t].produces)};
      if (t == 0) {
        task.reads = {"in"};
        task.body = [&](long number, dynamic::produces<long> out) {
          ++first_calls;
          mixers[0].call(std::span<const long>(&number, 1), out);
          given[0].insert(given[0].end(), out.begin(), out.end());
        };
      } else {
        task.reads = {use::items_of(slot_of(steps[t].of), steps[t].consumes)};
        task.body = [&, t](dynamic::consumes<long> in, dynamic::produces<long> out) {
          CHECK(in.size() == static_cast<std::size_t>(steps[t].consumes));
          mixers[t].call(in, out);
          given[t].insert(given[t].end(), out.begin(), out.end());
        };
      }
    }
    if (!dynamic::diagnose(s).ok()) continue;  // a batch would be too large
    ++ran;
    std::vector<long> numbers(static_cast<std::size_t>(d.from(0, 5)));
    for (long& n : numbers) n = d.from(0, 1000);
    const dynamic::planned_schedule planned(s);
    const auto calls = static_cast<std::size_t>(planned.declaration().tasks[0].calls);
    dynamic::pipeline<> pipeline(s);
    pipeline.run(numbers).for_each([](const dynamic::result&) {});

    std::vector<mixer> again(steps.size());
    std::vector<std::vector<long>> expected(steps.size());
    const auto call = [&](std::size_t t, std::span<const long> in) {
      std::vector<long> out(static_cast<std::size_t>(steps[t].produces));
      again[t].call(in, out);
      expected[t].insert(expected[t].end(), out.begin(), out.end());
    };
    for (const long& n : numbers)
      for (std::size_t i = 0; i < calls; ++i) call(0, std::span<const long>(&n, 1));
    for (std::size_t t = 1; t < steps.size(); ++t) {
      const std::vector<long>& queue = expected[steps[t].of];
      const auto takes = static_cast<std::size_t>(steps[t].consumes);
      CHECK(queue.size() % takes == 0);  // nothing is left over
      for (std::size_t i = 0; i + takes <= queue.size(); i += takes)
        call(t, std::span(queue).subspan(i, takes));
    }
    CHECK(first_calls == calls * numbers.size());
    CHECK(given == expected);
  }
  CHECK(ran >= 50);
}
