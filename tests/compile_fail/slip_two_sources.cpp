// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A schedule has two `source`s
//
// A batch enters through one slot. What comes from several places is put into one type, or read by
// tasks.
//
// expect-error: a_schedule_has_two_parts_of_one_kind<(stretto::)?source<raw_batch>, (stretto::)?source<label> *>
// expect-text: all of a batch comes in one slot: put what belongs together into one type
// expect-lines: 15
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};
struct label : st::slot<int> {};

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
struct training : st::schedule<st::source<raw_batch>, st::result<loss>, load, train> {};
#else
struct training
    : st::schedule<st::source<raw_batch>, st::result<loss>, load, train, st::source<label>> {};
#endif

float sum(const std::vector<int>& batches) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
