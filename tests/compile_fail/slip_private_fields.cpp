// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task whose fields are private
//
// The members of a `class` are private until it says otherwise, and a task declares its fields for
// others to read.
//
// expect-error: a_member_of_a_task_is_private_and_nobody_else_can_see_it<h2d, (stretto::invalid::)?member::reads ?>
// expect-text: task `h2d` declares `reads` as private, so that nobody else can see it; make it public
// expect-lines: 15
// expect-compilers: each
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

class h2d {
#ifdef FIXED
 public:
#endif
  using reads = st::reads<raw_batch>;
  using writes = st::writes<batch>;

 public:
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

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
