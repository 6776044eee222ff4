// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # The source is pulled by a thread that is not listed
//
// Where a schedule lists its threads by `thread_names`, its source is pulled by one of them or by
// the calling thread.
//
// expect-error: a_source_is_pulled_by_a_thread_that_thread_names_does_not_list<
// expect-text: the source is pulled by thread `reader`, which `thread_names` does not list; add it there, or name one that it lists
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
struct training : st::schedule<st::source<raw_batch, st::thread<"files">>, st::result<loss>, load,
                               train, st::thread_names<"files">> {};
#else
struct training : st::schedule<st::source<raw_batch, st::thread<"reader">>, st::result<loss>, load,
                               train, st::thread_names<"files">> {};
#endif

float sum(const std::vector<int>& batches) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
