// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task that can be neither moved nor copied
//
// The pipeline holds its tasks by value. A task that owns something that stays where it is, such as
// a mutex, refers to it or holds it in a `std::unique_ptr`.
//
// expect-error: a_task_can_be_neither_moved_nor_copied_into_the_pipeline<forward>
// expect-text: task `forward` can be neither moved nor copied into the pipeline
// expect-lines: 15
#include <atomic>
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

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
#ifdef FIXED
  std::atomic<int>* calls = nullptr;
  void operator()(int in, float& out) const { out = static_cast<float>(in + calls->load()); }
#else
  std::atomic<int> calls = 0;
  void operator()(int in, float& out) { out = static_cast<float>(in + calls++); }
#endif
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
