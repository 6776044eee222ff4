// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # More named threads than generated ones
//
// Threads that tasks or groups ask for by name count among those of `generated<N>`, and so does the
// calling thread.
//
// expect-error: a_generated_thread_map_has_fewer_threads_than_are_named<(st|stretto)::generated<2>, 3>
// expect-text: a thread map is generated for 2 threads, but 3 have a name, the calling thread.s counted; ask for at least as many
// expect-lines: 15
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
  using thread = st::thread<"front">;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

template <int Threads>
using map = st::threads<st::group<"io", h2d>, st::generated<Threads>>;
#ifdef FIXED
using chosen = map<3>;
#else
using chosen = map<2>;
#endif

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, chosen, h2d, forward> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
