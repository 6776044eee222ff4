// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # What was asserted of a found plan whose schedule is none any more
//
// A name that the compiler misses, such as that of a task with another name now, leaves it without
// a base: each assertion says no more than that.
//
// expect-error: what_was_given_as_a_schedule_is_none_or_is_not_defined_here<fast_rating>
// expect-text: .fast_rating. is not a schedule, or not defined here
// expect-lines: 20
#include <stretto/bound.hpp>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct file : st::slot<int> {};
struct score : st::slot<int> {};

struct infer {
  static constexpr int weight = 250;
  void operator()(st::in<file> in, st::out<score> out) const { out = *in; }
};
struct rating : st::schedule<st::source<file>, st::result<score>, infer> {};

#ifndef FIXED
struct fast_rating {};
#else
struct fast_rating : st::replan<rating, st::place<infer, st::thread<"b">>> {};
#endif
static_assert(st::tasks_are<fast_rating, "infer">);
static_assert(st::costs_are<fast_rating, st::cost_within<"infer", 250, 0, 300>>);
static_assert(st::is_optimal_at<fast_rating>({250, 1}, {{"infer", 250}}));
static_assert(st::period_is<fast_rating>({250, 1}, {{"infer", 250}}));
