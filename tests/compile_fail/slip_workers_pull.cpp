// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Workers that would pull from the source
//
// A source hands out one batch after the other, so one thread pulls. Give the source a thread that
// has no workers; the calling thread is the default.
//
// expect-error: a_source_is_pulled_by_one_thread_not_by_workers<.*workers<.*> ?>
// expect-text: a source is pulled by one thread, and the workers of thread group `decoding` would be several
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct file : st::slot<int> {};
struct image : st::slot<int> {};
struct loss : st::slot<float> {};

struct decode {
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

#ifdef FIXED
using from = st::source<file, st::thread<"reading">>;
#else
using from = st::source<file, st::thread<"decoding">>;
#endif

struct training : st::schedule<from, st::result<loss>, decode, train, st::workers<"decoding", 4>> {
};

float sum(const int (&files)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(files)) total += l;
  return total;
}
