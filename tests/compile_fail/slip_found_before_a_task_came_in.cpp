// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task that came in after a plan was found
//
// What `search::as_replan` made names the tasks for which the plan was found. With one more,
// another plan may be faster: look again.
//
// expect-error: a_plan_was_found_before_a_task_came_in<fast_rating, infer>
// expect-text: task .infer. came in after plan .fast_rating. was found; look for a plan again
// expect-lines: 18
#include <ranges>
#include <stretto/bound.hpp>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct file : st::slot<int> {};
struct image : st::slot<int> {};
struct score : st::slot<int> {};

struct decode {
  void operator()(st::in<file> in, st::out<image> out) const { out = *in; }
};
struct infer {
  void operator()(st::in<image> in, st::out<score> out) const { out = *in; }
};
struct rating : st::schedule<st::source<file>, st::result<score>, decode, infer> {};

struct fast_rating : st::replan<rating, st::place<decode, st::lookahead<1>, st::thread<"back">>> {};
#ifndef FIXED
static_assert(st::tasks_are<fast_rating, "decode">);
#else
static_assert(st::tasks_are<fast_rating, "decode", "infer">);
#endif

float mean(int scores) {
  st::pipeline<fast_rating> pipeline;
  float sum = 0;
  for (const int score : pipeline.run(std::views::iota(0, scores)))
    sum += static_cast<float>(score);
  return sum / static_cast<float>(scores);
}
