// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A setting is passed to a pipeline twice
//
// `cores` and `attached_threads` are passed once, with all thread groups in one. Of two, one would
// not be looked at.
//
// expect-error: a_setting_was_passed_to_the_pipeline_twice<(stretto::)?attached_threads>
// expect-text: `attached_threads` was passed to the pipeline twice; pass one that says it all
// expect-at: attached_threads
// expect-lines: 15
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct load {
  using reads = st::reads<raw_batch>;
  using writes = st::writes<batch>;
  void operator()(int in, int& out) const { out = in; }
};
struct train {
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>, load, train,
                               st::place<load, st::thread<"loading">>,
                               st::place<train, st::thread<"training">>> {};

float sum(const std::vector<int>& batches) {
#ifdef FIXED
  st::pipeline<training> pipeline{st::attached_threads{"loading", "training"}};
#else
  st::pipeline<training> pipeline{st::attached_threads{"loading"},
                                  st::attached_threads{"training"}};
#endif
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
