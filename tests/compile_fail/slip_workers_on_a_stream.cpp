// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Workers for a task on a stream
//
// The runs of a task on a stream, or of a collective, are in order by nature; workers are there to
// break that order. Take the task off the stream, or move it to a thread of its own and keep the
// workers for others.
//
// expect-error: a_task_on_a_stream_or_a_collective_cannot_have_workers<decode>
// expect-text: task `decode` is on a stream or a collective, whose runs are in order, and so cannot have workers
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct file : st::slot<int> {};
struct image : st::slot<int> {};
struct loss : st::slot<float> {};

struct decode {
#ifndef FIXED
  using stream = st::stream<"copy">;
#endif
  using thread = st::thread<"decoding">;
  using reads = st::reads<file>;
  using writes = st::writes<image>;
  void operator()(int in, int& out) const { out = in; }
};

struct train {
  using thread = st::thread<"training">;
  using reads = st::reads<image>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct training : st::schedule<st::source<file>, st::result<loss>, st::streams<"copy">, decode,
                               train, st::workers<"decoding", 4>> {};

float sum(const int (&files)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(files)) total += l;
  return total;
}
