// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task takes what its plan was not found for
//
// What `search::as_replan` made says for each task that goes by its weight for what weight the plan
// was found, and from what to what the plan stays the best, all others taking what they did. Beyond
// that another plan may be faster: look again.
//
// expect-error: a_plan_was_found_for_another_cost_of_a_task<fast_rating, infer, stretto::weight<320L*>, stretto::cost_within<.*, 250, 0, 300>>
// expect-error-nvcc: a_plan_was_found_for_another_cost_of_a_task<fast_rating, infer, stretto::weight<320L*>, stretto::cost_within<.*250L+, 0L+, 300L+>>
// expect-text: task .infer. takes 320, but plan .fast_rating. was found for 250 and is the best from 0 to 300; look for a plan again
// expect-lines: 18
#include <ranges>
#include <stretto/certificate.hpp>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct file : st::slot<int> {};
struct image : st::slot<int> {};
struct score : st::slot<int> {};

struct decode {
  static constexpr int weight = 300;
  void operator()(st::in<file> in, st::out<image> out) const { out = *in; }
};
struct infer {
#ifndef FIXED
  static constexpr int weight = 320;
#else
  static constexpr int weight = 280;
#endif
  void operator()(st::in<image> in, st::out<score> out) const { out = *in; }
};
struct rating : st::schedule<st::source<file>, st::result<score>, decode, infer> {};

struct fast_rating : st::replan<rating, st::place<decode, st::lookahead<1>, st::thread<"back">>> {};
static_assert(st::costs_are<fast_rating, st::cost_within<"decode", 300, 250>,
                            st::cost_within<"infer", 250, 0, 300>>);

float mean(int scores) {
  st::pipeline<fast_rating> pipeline;
  float sum = 0;
  for (const int score : pipeline.run(std::views::iota(0, scores)))
    sum += static_cast<float>(score);
  return sum / static_cast<float>(scores);
}
