// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # What is given to `run` besides the source is not a stop token
//
// A run is stopped by a `std::stop_token`, or by an object of your own that is asked whether a stop
// is requested. The value of a flag when the run begins says nothing of later.
//
// expect-error: a_run_is_stopped_by_an_object_with_stop_requested<int>
// expect-text: a run is stopped by a std::stop_token, or another object with `bool stop_requested\(\) const`; this has type `int`
// expect-at: pipeline.run
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
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward> {};

struct flag {
  const int& raised;
  bool stop_requested() const { return raised != 0; }
};

float sum(st::pipeline<training>& pipeline, const int& stop) {
  const int batches[3] = {};
#ifdef FIXED
  const flag token{stop};
#else
  const int token = stop;
#endif
  float total = 0;
  for (const float l : pipeline.run(batches, token)) total += l;
  return total;
}
