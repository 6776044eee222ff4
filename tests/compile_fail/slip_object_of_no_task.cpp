// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # An object is passed that is no task
//
// The pipeline takes the objects of its tasks, in any order, and tells them apart by type. What is
// none of them would be dropped silently: pass it to the task that needs it.
//
// expect-error: an_object_was_passed_that_is_no_task_of_the_schedule<(model|std::remove_cvref_t<model ?&>), training>
// expect-text: an object of type `model` was passed, which is no task of schedule `training`
// expect-at: pipeline{trained
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct h2d {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw_batch>;
  using writes = st::writes<batch>;
  void operator()(int in, int& out) const { out = in; }
};

struct model {
  float weight = 1;
};

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  model& parameters;
  void operator()(int in, float& out) const { out = static_cast<float>(in) * parameters.weight; }
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward> {};

float sum(model& trained, const int (&batches)[3]) {
#ifdef FIXED
  st::pipeline<training> pipeline{forward{trained}};
#else
  st::pipeline<training> pipeline{trained, forward{trained}};
#endif
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
