// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A thread is listed twice
//
// `thread_names` lists each thread of the schedule once.
//
// expect-error: a_thread_is_listed_twice<
// expect-text: thread `files` is listed twice; name it once
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
struct training : st::schedule<st::source<raw_batch>, st::result<loss>, load, train,
                               st::thread_names<"files">, st::place<load, st::thread<"files">>> {};
#else
struct training
    : st::schedule<st::source<raw_batch>, st::result<loss>, load, train,
                   st::thread_names<"files", "files">, st::place<load, st::thread<"files">>> {};
#endif

float sum(const std::vector<int>& batches) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
