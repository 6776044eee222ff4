// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Several tasks take what their plan was not found for
//
// The ranges that `search::as_replan` writes down are of one task, all others taking what they did.
// If the weights of several have changed, each within its range, the compiler has to prove that the
// plan is the best still, as `is_optimal` does. Where it cannot, another plan may be faster: look
// again.
//
// expect-error: a_plan_was_found_for_other_costs_of_several_tasks<parted_rating, scenes, faces>
// expect-text: tasks .scenes. and .faces. take other than what plan .parted_rating. was found for, each within its range, but it is proved to be the best for one of them alone; look for a plan again
// expect-lines: 18
#include <ranges>
#include <stretto/certificate.hpp>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct file : st::slot<int> {};
struct score : st::slot<int> {};

struct scenes {
#ifndef FIXED
  static constexpr int weight = 98;
#else
  static constexpr int weight = 90;
#endif
  void operator()(st::in<file>) const {}
};
struct faces {
  static constexpr int weight = 28;
  void operator()(st::in<file>) const {}
};
template <int Part>
struct text {
  static constexpr int weight = 40;
  void operator()(st::in<file>) const {}
};
struct plates {
  static constexpr int weight = 40;
  void operator()(st::in<file> in, st::out<score> out) const { out = *in; }
};
struct training
    : st::schedule<st::source<file>, st::result<score>, scenes, faces, text<0>, text<1>, plates> {};

struct parted_rating : st::replan<training, st::place<scenes, st::thread<"back">>,
                                  st::place<faces, st::thread<"back">>> {};
static_assert(st::costs_are<parted_rating, st::cost_within<"scenes", 90, 90, 100>,
                            st::cost_within<"faces", 20, 20, 30>>);

float mean(int scores) {
  st::pipeline<parted_rating> pipeline;
  float sum = 0;
  for (const int score : pipeline.run(std::views::iota(0, scores)))
    sum += static_cast<float>(score);
  return sum / static_cast<float>(scores);
}
