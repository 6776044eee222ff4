// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Threads that run ahead of each other take a few events in turn: each wait must find the record it
// is for, however the threads are served. A simulation of the host threads of random plans.

#include <doctest/doctest.h>
#include <algorithm>
#include <cstddef>
#include <random>
#include <stretto/plan/make_plan.hpp>
#include <stretto/plan/order/events.hpp>
#include <stretto/plan/order/fewest_waits.hpp>
#include <utility>
#include <vector>
#include "../../support/random_pipeline.hpp"
#include "../../support/random_schedule.hpp"
#include "../../support/seed.hpp"

namespace {

namespace planner = stretto::planner;

/// The host threads of a plan, each at a place in its chain.
class threads_of {
 public:
  threads_of(const planner::plan& p, const planner::list<planner::edge>& streams,
             const planner::list<planner::edge>& blocking, std::vector<std::size_t> events)
      : plan_(p),
        waits_(planner::run_ahead_waits(p)),
        events_(std::move(events)),
        done_(p.order.size(), 0),
        records_(p.order.size()),
        at_(p.threads.names.size()) {
    for (const auto* list : {&streams, &blocking})
      awaited_.insert(awaited_.end(), list->begin(), list->end());
    for (std::size_t n = 0; n < records_.size(); ++n) records_[n].resize(events_[n], none);
  }

  /// Serves threads in an order that changes now and then until all have done a number of
  /// progresses. \return how many waits found the record of another progress.
  std::size_t run(std::size_t progresses, unsigned seed) {
    std::minstd_rand random(seed);
    std::vector<std::size_t> preferred(at_.size());
    for (std::size_t t = 0; t < preferred.size(); ++t) preferred[t] = t;
    for (bool idle = false; !idle;) {
      if ((random() >> 8) % 16 == 0) std::shuffle(preferred.begin(), preferred.end(), random);
      idle = true;
      for (const std::size_t t : preferred) {
        if (!step(t, progresses)) continue;
        idle = false;
        break;
      }
    }
    // Nobody is stuck.
    CHECK(std::all_of(at_.begin(), at_.end(),
                      [&](const place& p) { return p.progress == progresses; }));
    return wrong_;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  struct place {
    std::size_t progress = 0;
    std::size_t in_chain = 0;
    bool waited = false;
  };

  bool step(std::size_t thread, std::size_t progresses) {
    place& here = at_[thread];
    if (here.progress == progresses) return false;
    const planner::range chain = plan_.threads.chains[thread];
    const std::size_t node = plan_.threads.chained[chain.first + here.in_chain];
    if (!here.waited) {
      if (!may_start(node, here.progress)) return false;
      for (const planner::edge& w : awaited_)
        if (w.consumer == node && here.progress >= back(w) &&
            record(w.producer, here.progress - back(w)) != here.progress - back(w))
          ++wrong_;
      here.waited = true;
      return true;
    }
    if (events_[node] > 0) record(node, here.progress) = here.progress;
    done_[node] = here.progress + 1;
    here.waited = false;
    if (++here.in_chain == chain.last - chain.first) {
      here.in_chain = 0;
      ++here.progress;
    }
    return true;
  }
  bool may_start(std::size_t node, std::size_t progress) const {
    return std::all_of(waits_.begin(), waits_.end(), [&](const planner::edge& w) {
      return w.consumer != node || progress < back(w) || done_[w.producer] > progress - back(w);
    });
  }
  static std::size_t back(const planner::edge& w) { return static_cast<std::size_t>(w.delta); }
  std::size_t& record(std::size_t node, std::size_t progress) {
    return records_[node][progress % events_[node]];
  }

  const planner::plan& plan_;
  planner::list<planner::edge> waits_;
  std::vector<planner::edge> awaited_;
  std::vector<std::size_t> events_;
  std::vector<std::size_t> done_;  // progresses, by node
  std::vector<std::vector<std::size_t>> records_;
  std::vector<place> at_;
  std::size_t wrong_ = 0;
};

struct counted {
  std::size_t waits = 0;
  std::size_t in_turn = 0;  // nodes with more than one event
  std::size_t noticed = 0;  // of those, with one event less
};

void check(const planner::plan& p, counted& seen) {
  const auto streams = planner::minimal_stream_waits(p);
  const auto blocking = planner::blocking_waits(p);
  const auto counts = planner::event_counts(p, streams, blocking);
  const std::vector<std::size_t> events(counts.begin(), counts.end());
  seen.waits += streams.size() + blocking.size();
  for (unsigned seed = 1; seed <= 4; ++seed)
    CHECK(threads_of(p, streams, blocking, events).run(16, seed) == 0);
  for (std::size_t n = 0; n < events.size(); ++n) {
    if (events[n] < 2) continue;
    std::vector<std::size_t> fewer = events;
    --fewer[n];
    ++seen.in_turn;
    std::size_t wrong = 0;
    for (unsigned seed = 1; seed <= 40 && wrong == 0; ++seed)
      wrong = threads_of(p, streams, blocking, fewer).run(16, seed);
    seen.noticed += wrong > 0 ? 1 : 0;
  }
}

TEST_CASE("each wait finds the record it is for") {
  counted seen;
  const auto plan_and_check = [&](const planner::declaration& d, unsigned) {
    check(planner::make_plan(d), seen);
  };
  random_schedule::for_each_valid(1500, seeds::first(1), plan_and_check);
  for (const unsigned seed : seeds::from(0, 500)) {
    const random_pipeline s(seed, {.tasks = 10, .deepest = 3, .streams = 3, .heaviest = 10});
    check(planner::make_plan(s.on(0)), seen);
    check(planner::make_plan(s.on(3)), seen);
  }
  CHECK(seen.waits > 3000);
  CHECK(seen.in_turn > 1000);
  // Not one too many, as far as so few tries can tell.
  CHECK(seen.noticed > seen.in_turn / 10 * 9);
}

}  // namespace
