// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `observes` names what is not a resource
//
// Slots travel with a batch and are ordered by `reads` and `writes`. A resource is shared by all
// batches, and only `observes` and `mutates` speak of it.
//
// expect-error: a_task_observes_what_is_not_a_resource<optimizer, loss>
// expect-text: task `optimizer` observes `loss`, which is not a resource
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct weights : st::resource<> {};

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

struct optimizer {
  using stream = st::stream<"compute">;
  using depends_on = st::depends_on<forward>;
#ifdef FIXED
  using observes = st::observes<weights>;
#else
  using observes = st::observes<loss>;
#endif
  void operator()() const {}
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward, optimizer> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
