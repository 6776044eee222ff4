// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Warnings are errors, and a loop takes results apart
//
// compile-with: -Wall -Wextra -Werror
// compile-with-nvcc: -Xcompiler -Wall,-Wextra,-Werror
// expect-error: the_calling_thread_runs_a_thread_group_without_tasks
// expect-text: thread group `hosts`, but no task is in it; did you mean `host`
// expect-lines: 20
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;

namespace {

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct load {
  void operator()(st::in<raw_batch> in, st::out<batch> out) const { out = *in; }
};
struct train {
  void operator()(st::in<batch> in, st::out<loss> out) const { out = static_cast<float>(*in); }
};

#ifdef FIXED
struct training : st::schedule<st::source<raw_batch>, st::result<loss, batch>,
                               st::caller_runs<"host">, load, train> {};
#else
struct training : st::schedule<st::source<raw_batch>, st::result<loss, batch>,
                               st::caller_runs<"hosts">, load, train> {};
#endif

}  // namespace

float sum(const std::vector<int>& batches) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const auto& [l, number] : pipeline.run(batches)) total += number > 0 ? l : 0;
  return total;
}
