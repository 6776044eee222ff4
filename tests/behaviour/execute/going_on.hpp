// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <doctest/doctest.h>
#include <chrono>
#include <cstddef>
#include <ranges>
#include <stdexcept>
#include <stretto/stretto.hpp>
#include <string>
#include <thread>
#include <vector>
#include "../../support/tested.hpp"

/// Schedules that look back, for runs that do not begin with batch 0.
namespace going_on {

namespace st = stretto;

/// Lets other threads go first, now and then.
inline void dawdle(long number) {
  if (number * 7919 % 11 < 3)
    std::this_thread::sleep_for(std::chrono::microseconds(number % 7 * 30));
}

// Tasks that work ahead, that look back, and that run once per N batches.
struct sample : st::slot<int> {};
struct rate_of_group : st::slot<int> {};  // set with the second batch of each five
struct scaled : st::slot<long> {};
struct gradient : st::slot<long> {};
struct weights : st::slot<long> {};  // set with the last batch of each three
struct loss : st::slot<long> {};

struct set_rate {
  using thread = st::thread<"rates">;
  static constexpr int lookahead = 2;
  static constexpr int every = 5;
  static constexpr int phase = 0;
  void operator()(st::in<sample> x, st::previous<rate_of_group> before,
                  st::out<rate_of_group> rate) const {
    dawdle(*x);
    rate = 100 + *x + before.value_or(0) % 13;
  }
};
struct scale {
  using thread = st::thread<"scale">;
  static constexpr int lookahead = 1;
  void operator()(const st::context auto& ctx, st::in<sample> x, st::in<rate_of_group> rate,
                  st::previous<sample, 2> older, st::out<scaled> out) {
    CHECK(older.has_value() == (ctx.batch() >= 2));
    out = -1;  // nobody is to see that
    dawdle(*x + 1);
    out = *x * *rate - older.value_or(5);
  }
};
struct backward {
  void operator()(const st::context auto& ctx, st::window<scaled, 4> last, st::latest<weights, 1> w,
                  st::out<gradient> g) {
    CHECK(last.size() == (ctx.batch() < 3 ? ctx.batch() + 1 : 4));
    long sum = w.value_or(7) % 97;
    for (const long s : last) sum = 3 * sum + s;
    g = sum;
  }
};
struct step {
  static constexpr int every = 3;
  using cross_iter_depends_on = st::cross_iter_depends_on<st::ago<set_rate, 3>>;
  void operator()(const st::context auto& ctx, st::window<gradient, 3> group,
                  st::previous<weights> before, st::out<weights> w) const {
    CHECK(ctx.batch() % 3 == 2);
    CHECK(before.has_value() == (ctx.batch() >= 3));
    w = before.value_or(1) % 1000;
    for (const long g : group) w = 3 * *w + g;
  }
};
struct tell {
  void operator()(const st::context auto& ctx, st::in<gradient> g, st::latest<weights> w,
                  st::out<loss> out) {
    if (ctx.batch() == fails_at) throw std::runtime_error("not this one");
    CHECK(ctx.batch() == next);
    ++next;
    out = *g + w.value_or(0);
  }
  std::size_t next = 0;
  std::size_t fails_at = static_cast<std::size_t>(-1);
};
struct training
    : st::schedule<st::source<sample>, st::result<loss>, set_rate, scale, backward, step, tell> {};
struct in_turn : st::serial<training> {};
struct pulled_elsewhere : st::schedule<st::source<sample, st::thread<"reader">>, st::result<loss>,
                                       set_rate, scale, backward, step, tell> {};
struct deeper : st::replan<training, st::place<scale, st::lookahead<2>>,
                           st::place<set_rate, st::lookahead<4>>, st::slack<scaled, 3>> {};
struct generated : st::replan<training, st::threads<st::generated<3>>> {};

/// Calls \p check for a pipeline of each plan, as `check.template operator()<Pipeline>()`.
template <class Check>
void in_each_plan(Check check) {
  check.template operator()<tested::pipeline<in_turn>>();
  check.template operator()<tested::pipeline<training>>();
  check.template operator()<tested::pipeline<training, st::barrier>>();
  check.template operator()<tested::pipeline<pulled_elsewhere>>();
  check.template operator()<tested::pipeline<deeper>>();
}

inline int sample_of(int batch) { return batch * 37 % 101; }
inline auto samples(std::size_t first, std::size_t last) {
  return std::views::iota(static_cast<int>(first), static_cast<int>(last)) |
         std::views::transform(sample_of);
}

inline constexpr std::size_t batches = 23;

inline const std::vector<long>& expected() {
  static const std::vector<long> all = [] {
    std::vector<long> of_one_run;
    tested::pipeline<in_turn> pipeline;
    for (const long l : pipeline.run(samples(0, batches))) of_one_run.push_back(l);
    return of_one_run;
  }();
  return all;
}

/// Takes what a run yields, which has to be what comes from batch \p first on.
template <class Run>
std::size_t check_results(Run&& run, std::size_t first) {
  std::size_t next = first;
  while (run.next()) {
    CHECK(run.batch() == next);
    CHECK(run.result() == expected()[next]);
    ++next;
  }
  return next;
}

// Workers, which share progresses among themselves.
namespace pooled {
struct number : st::slot<int> {};
struct twice : st::slot<long> {};
struct sum : st::slot<long> {};
struct doubles {
  using thread = st::thread<"pool">;
  static constexpr int lookahead = 1;
  void operator()(st::in<number> in, st::previous<number, 2> older, st::out<twice> out) const {
    dawdle(*in);
    *out = 2L * *in + older.value_or(0);
  }
};
struct total {
  void operator()(st::in<twice> in, st::previous<sum> before, st::out<sum> out) const {
    *out = before.value_or(0) + *in;
  }
};
struct counting
    : st::schedule<st::source<number>, st::result<sum>, doubles, total, st::workers<"pool", 3>> {};
struct in_turn : st::serial<counting> {};
}  // namespace pooled

namespace dropping {
struct number : st::slot<int> {};
struct parsed : st::slot<long> {};
struct sum : st::slot<long> {};
struct parse {
  using thread = st::thread<"parse">;
  static constexpr int lookahead = 1;
  st::verdict operator()(st::in<number> in, st::out<parsed> out) const {
    out = *in;
    return *in % 3 == 1 ? st::drop : st::keep;
  }
};
struct add {
  void operator()(st::in<parsed> now, st::previous<parsed> one, st::previous<parsed, 2> two,
                  st::out<sum> out) const {
    out = *now + (one ? 100 * *one : 7) + (two ? 10000 * *two : 3);
  }
};
struct counting : st::schedule<st::source<number>, st::result<sum>, parse, add> {};
struct in_turn : st::serial<counting> {};
}  // namespace dropping

std::string why_refused(auto&& doing) {
  try {
    doing();
  } catch (const st::usage_error& e) {
    return e.what();
  }
  return {};
}

}  // namespace going_on
