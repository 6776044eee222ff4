// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task that workers share changes itself
//
// Several workers call one object of the task at once, so its call operator must be const. What it
// needs to change goes into a slot: each batch has its own, and the memory is kept from batch to
// batch.
//
// expect-error: a_task_on_several_workers_is_not_callable_as_const<decode>
// expect-text: task `decode` is called by several workers at once, but not callable as const
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct file : st::slot<int> {};
struct image : st::slot<int> {};
struct loss : st::slot<float> {};
struct scratch : st::slot<int> {};

struct decode {
#ifdef FIXED
  using thread = st::thread<"decoding">;
  using reads = st::reads<file>;
  using writes = st::writes<image, scratch>;
  void operator()(int in, int& out, int& buffer) const {
    buffer = in;
    out = buffer;
  }
#else
  using thread = st::thread<"decoding">;
  using reads = st::reads<file>;
  using writes = st::writes<image>;
  int buffer = 0;
  void operator()(int in, int& out) {
    buffer = in;
    out = buffer;
  }
#endif
};

struct train {
  using thread = st::thread<"training">;
  using reads = st::reads<image>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct training
    : st::schedule<st::source<file>, st::result<loss>, decode, train, st::workers<"decoding", 4>> {
};

float sum(const int (&files)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(files)) total += l;
  return total;
}
