// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A source is put on a stream
//
// Batches are pulled by a host thread: the source may have a thread of its own, but no stream. What
// goes on with a batch on a stream is a task.
//
// expect-error: a_source_is_placed_by_a_lookahead_a_thread_or_a_weight<
// expect-text: a source is placed by a lookahead, a thread or a weight, not by `stream<"reading">`
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
    : st::schedule<st::source<raw_batch, st::thread<"reading">>, st::result<loss>, load, train> {};
#else
struct training
    : st::schedule<st::source<raw_batch, st::stream<"reading">>, st::result<loss>, load, train> {};
#endif

float sum(const std::vector<int>& batches) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
