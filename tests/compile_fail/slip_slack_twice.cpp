// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A slot is given slack twice
//
// `slack` says how many copies a slot has beyond those that it needs. Said twice, one of the two
// would not count.
//
// expect-error: a_slot_is_given_slack_twice<(stretto::)?slack<batch, 2> *>
// expect-text: slot `batch` is given slack twice; say once how many copies
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

#ifdef FIXED
struct training
    : st::schedule<st::source<raw_batch>, st::result<loss>, load, train, st::slack<batch, 3>> {};
#else
struct training : st::schedule<st::source<raw_batch>, st::result<loss>, load, train,
                               st::slack<batch>, st::slack<batch, 2>> {};
#endif

float sum(const std::vector<int>& batches) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
