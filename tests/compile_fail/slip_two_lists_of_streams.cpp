// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A schedule has two lists of `streams`
//
// A schedule names all of its streams in one list, like the other parts that it has once. The
// sentence shows each list as it was written, not as compilers write a name in a type.
//
// expect-error: a_schedule_has_two_parts_of_one_kind<(stretto::)?streams<
// expect-text: schedule `training` has two parts of one kind, `streams<"memcpy">` and `streams<"compute">`; name all streams in one: `stretto::streams<"a", "b">`
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct load {
  using stream = st::stream<"memcpy">;
  using reads = st::reads<raw_batch>;
  using writes = st::writes<batch>;
  void operator()(int in, int& out) const { out = in; }
};
struct train {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

#ifdef FIXED
struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, load, train> {};
#else
struct training : st::schedule<st::source<raw_batch>, st::result<loss>, st::streams<"memcpy">,
                               st::streams<"compute">, load, train> {};
#endif

float sum(const std::vector<int>& batches) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
