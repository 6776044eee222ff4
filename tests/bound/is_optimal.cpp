// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What `certificate.hpp` asks compilers, next to what `bound_of` and `least_of` say in full: of
// schedules of types as constants, and of random plans.

#include <doctest/doctest.h>
#include <cstddef>
#include <stretto/bound/bound_of.hpp>
#include <stretto/bound/keeps_to.hpp>
#include <stretto/bound/plan_least.hpp>
#include <stretto/certificate.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/stretto.hpp>
#include "learning.hpp"
#include "timed_plans.hpp"

namespace {

namespace st = stretto;
using st::planner::ratio;

using namespace of_three_threads;

struct roomy : st::replan<learning, st::slack<image>> {};

// It takes 500, and no plan less than 450: `roomy` takes that.
static_assert(st::period_is<learning>({500, 1}, {}));
static_assert(st::period_is<learning>({1000, 2}, {}));
static_assert(!st::period_is<learning>({450, 1}, {}));
static_assert(!st::period_is<learning>({501, 1}, {}));
static_assert(!st::is_optimal_at<learning>({500, 1}, {}));
static_assert(!st::is_optimal_at<learning>({450, 1}, {}));
static_assert(st::is_optimal_at<roomy>({450, 1}, {}));
static_assert(st::is_optimal_at<roomy>({900, 2}, {}));
static_assert(!st::is_optimal_at<roomy>({451, 1}, {}));
static_assert(!st::is_optimal_at<roomy>({449, 1}, {}));
// Below what one task takes, which ends the look at what no plan is below.
static_assert(!st::is_optimal_at<roomy>({300, 1}, {}));
// By costs, in any order; `pull` is the source, which the thread of `train` has as well.
static_assert(st::is_optimal_at<roomy>({1500, 1}, {{"train", 0}, {"pull", 1500}}));
static_assert(st::period_is<roomy>({1850, 1}, {{"pull", 1500}, {"crop", 2}, {"decode", 1}}));
static_assert(!st::is_optimal_at<roomy>({1850, 1}, {{"pull", 1500}}));
static_assert(!st::is_optimal_at<roomy>({450, 1}, {{"pull", 1500}}));

struct rated {  // of every fourth batch: a quarter of it counts for each
  static constexpr int weight = 800;
  static constexpr int every = 4;
  void operator()(st::window<file, 4>, st::out<image> out) const { out = 0; }
};
struct per_batch {
  static constexpr int weight = 90;
  using thread = st::thread<"other">;
  void operator()(st::in<file> in, st::latest<image, 1>, st::out<loss> out) const { out = *in; }
};
struct rates : st::schedule<st::source<file>, st::result<loss>, rated, per_batch> {};
static_assert(st::is_optimal_at<rates>({200, 1}, {}));
static_assert(st::is_optimal_at<rates>({300, 1}, {{"rated", 1200}}));
static_assert(!st::is_optimal_at<rates>({800, 1}, {}));

struct shared  // two threads take turns at `decode`
    : st::replan<roomy, st::place<decode, st::lookahead<3>>, st::place<crop, st::lookahead<2>>,
                 st::workers<"decoder", 2>> {};
static_assert(st::bound_of<shared>({{"decode", 1000}}).period() <
              st::bound_of<roomy>({{"decode", 1000}}).period());
static_assert(st::period_is<shared>(st::bound_of<shared>({{"decode", 1000}}).period(),
                                    {{"decode", 1000}}));

/// Two threads take turns at it, but each run waits for the one before.
struct fold {
  using thread = st::thread<"folding">;
  void operator()(st::in<file> in, st::previous<loss> before, st::out<loss> sum) const {
    sum = *in + before.value_or(0);
  }
};
struct folded : st::schedule<st::source<file>, st::result<loss>, fold, st::workers<"folding", 2>> {
};
static_assert(st::is_optimal_at<folded>({10, 1}, {{"fold", 10}}));
static_assert(st::period_is<folded>({10, 1}, {{"fold", 10}}));

/// Collectives on threads of their own, which are done one after the other.
struct sum {
  static constexpr bool collective = true;
  using thread = st::thread<"x">;
  void operator()(st::in<file>) const {}
};
struct count {
  static constexpr bool collective = true;
  using thread = st::thread<"y">;
  void operator()(st::in<file>) const {}
};
struct agreeing : st::schedule<st::source<file>, sum, count> {};
static_assert(st::is_optimal_at<agreeing>({12, 1}, {{"sum", 5}, {"count", 7}}));
static_assert(!st::is_optimal_at<agreeing>({7, 1}, {{"sum", 5}, {"count", 7}}));

/// Of three tasks, one of two threads has two.
struct first {
  void operator()(st::in<file>) const {}
};
struct second {
  void operator()(st::in<file>) const {}
};
struct third {
  using thread = st::thread<"y">;
  void operator()(st::in<file>) const {}
};
struct crowd : st::schedule<st::source<file>, first, second, third> {};
static_assert(st::is_optimal_at<crowd>({14, 1}, {{"first", 7}, {"second", 7}, {"third", 9}}));
static_assert(!st::is_optimal_at<crowd>({16, 1}, {{"first", 7}, {"second", 9}, {"third", 7}}));

}  // namespace

TEST_CASE("threads keep to the period of a plan, and to none that is shorter") {
  for (const bool grouped : {false, true})
    timed_plan::for_each(300, grouped, 17, [&](const timed_plan& p) {
      const st::planner::plan& made = p.plan;
      const st::bound::shared::node_times times(p.declared, made.resolved, {});
      const auto waits = st::bound::shared::waits_of(made.resolved, made.edges, times.all);
      const auto keeps_to = [&](ratio period) {
        return st::bound::shared::keeps_to(period, waits, made.order, made.threads.thread_of,
                                           made.threads.workers);
      };
      const ratio period = p.bound().period();
      CHECK(keeps_to(period));
      CHECK(keeps_to({period.time + 1, period.progresses}));
      if (period.time > 0) CHECK_FALSE(keeps_to({2 * period.time - 1, 2 * period.progresses}));
    });
}

TEST_CASE("what is enough ends the look at what no plan is below, and never says more") {
  std::size_t ended = 0;
  for (const bool grouped : {false, true})
    timed_plan::for_each(300, grouped, 29, [&](const timed_plan& p) {
      const st::planner::plan& made = p.plan;
      const st::bound::shared::node_times times(p.declared, made.resolved, {});
      const auto least = [&](ratio enough) {
        return st::plan_least(made.resolved, times, made.edges, made.threads.thread_of,
                              made.threads.workers, enough)
            .period();
      };
      const ratio whole = least({0, 0});
      for (const ratio enough : {ratio{whole.time / 2, whole.progresses}, whole,
                                 ratio{whole.time + 1, whole.progresses}}) {
        const ratio known = least(enough);
        CHECK_FALSE(whole < known);
        CHECK((known < enough) == (whole < enough));
        ended += known < whole ? 1 : 0;
      }
    });
  CHECK(ended > 20);
}
