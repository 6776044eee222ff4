// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// When tasks begin if progresses are one period apart.

#include <doctest/doctest.h>
#include <algorithm>
#include <cstddef>
#include <stretto/bound.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <vector>
#include "learning.hpp"
#include "timed_plans.hpp"

namespace {

namespace st = stretto;
namespace planner = stretto::planner;

struct planned_in_time {
  const timed_plan* made;

  const planner::declaration& declaration() const { return made->declared; }
  const planner::plan& plan() const { return made->plan; }
};

/// By node, in units of the cost's unit by `period.progresses`; `deliver`, which takes no time and
/// is not told, not before any of its batch.
std::vector<long long> starts(const timed_plan& p, planner::ratio period) {
  std::vector<long long> all(p.times.size(), 0);
  const planned_in_time planned{&p};
  for (const st::task_begin& b : st::begins_of(planned, {})) {
    CHECK(b.at.progresses == period.progresses);
    CHECK(b.at.time >= 0);
    CHECK(b.at.time < std::max(period.time, 1LL));
    for (std::size_t n = 0; n + 1 < all.size(); ++n)
      if (planner::node_name(p.declared, n) == b.task) all[n] = b.periods * period.time + b.at.time;
  }
  return all;
}

}  // namespace

TEST_CASE("tasks begin as early as what they wait for lets them") {
  const st::dynamic::planned_schedule planned(st::dynamic::outline<of_three_threads::learning>());
  REQUIRE(st::bound_of(planned).period() == planner::ratio{500, 1});
  const std::vector<st::task_begin> begins = st::begins_of(planned);
  const auto of = [&](std::string_view task) {
    return *std::find_if(begins.begin(), begins.end(),
                         [&](const st::task_begin& b) { return b.task == task; });
  };
  REQUIRE(begins.size() == 4);
  CHECK(begins.front().task == "pull");
  // `decode` waits for the pull of a progress; `crop` for `decode`, in 200 of the 500; and `train`
  // for the batch of the progress before.
  CHECK(of("pull") == st::task_begin{"pull", "caller", 0, {0, 1}});
  CHECK(of("decode") == st::task_begin{"decode", "decoder", 0, {50, 1}});
  CHECK(of("crop") == st::task_begin{"crop", "cropper", 0, {350, 1}});
  CHECK(of("train") == st::task_begin{"train", "caller", 0, {50, 1}});
  // 700 of `train` and 50 of the source: `crop` has time left.
  CHECK(st::begins_of(planned, {{"train", 700}}).back().at.progresses == 1);
  CHECK_THROWS_AS(st::begins_of(planned, {{"no task", 1}}), st::usage_error);
}

TEST_CASE("a period with a remainder is told in parts of a unit") {
  struct roomy : st::replan<of_three_threads::learning, st::slack<of_three_threads::image>> {};
  const st::dynamic::planned_schedule planned(st::dynamic::outline<roomy>());
  REQUIRE(st::bound_of(planned, {{"train", 351}}).period() == planner::ratio{901, 2});
  for (const st::task_begin& b : st::begins_of(planned, {{"train", 351}}))
    CHECK(b.at.progresses == 2);
}

TEST_CASE("begins of random plans keep each wait, and none could be earlier") {
  std::size_t later = 0;
  timed_plan::for_each(300, true, 5, [&](const timed_plan& p) {
    const planner::ratio period = p.bound().period();
    if (period.time == 0) return;
    const std::vector<long long> start = starts(p, period);
    const auto end = [&](std::size_t n) { return start[n] + p.times[n] * period.progresses; };
    std::vector<char> held(start.size(), 0);  // begins when something that it waits for has ended
    const auto keeps = [&](std::size_t from, std::size_t to, long long delta) {
      if (to == p.plan.resolved.deliver() || from == p.plan.resolved.deliver()) return;
      const long long free = end(from) - delta * period.time;
      CHECK(start[to] >= free);
      if (start[to] == free) held[to] = 1;
    };
    for (const planner::edge& e : p.plan.edges) {
      if (e.producer == e.consumer && p.plan.resolved.nodes[e.producer].workers != 1) continue;
      keeps(e.producer, e.consumer, e.delta);
    }
    const planner::thread_map& threads = p.plan.threads;
    for (std::size_t t = 0; t < threads.chains.size(); ++t) {
      const planner::range chain = threads.chains[t];
      for (std::size_t i = chain.first; i + 1 < chain.last; ++i)
        keeps(threads.chained[i], threads.chained[i + 1], 0);
      if (chain.first != chain.last)
        keeps(threads.chained[chain.last - 1], threads.chained[chain.first],
              static_cast<long long>(threads.workers[t]));
    }
    for (std::size_t n = 0; n < start.size(); ++n)
      if (start[n] > 0) {
        ++later;
        // Or for the delivery of an earlier batch, which is not told.
        if (held[n] == 0) CHECK(n == p.plan.resolved.pull());
      }
  });
  CHECK(later > 300);
}
