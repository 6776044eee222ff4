// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # The type of batches named for a pipeline of types
//
// expect-error: a_run_as_a_sender_names_the_type_of_batches_of_a_pipeline_of_values_only<int
// expect-text: .run_as_sender\.of<int>. names the type of batches, which it does for a pipeline of values: the schedule of a pipeline of types tells it, so leave it out
// expect-at: of<int>
// expect-lines: 20
// expect-compilers: each, not nvcc
#include <stdexec/execution.hpp>
#include <stretto/senders.hpp>
#include <stretto/serve.hpp>
#include <stretto/stretto.hpp>
#include <utility>
#include <vector>

namespace st = stretto;

struct number : st::slot<int> {};
struct square : st::slot<int> {};
struct multiply {
  void operator()(st::in<number> in, st::out<square> out) const { *out = *in * *in; }
};
struct job : st::schedule<st::source<number>, st::result<square>, multiply> {};

void run(const std::vector<int>& numbers) {
  st::pipeline<job> pipeline;
  int sum = 0;
  const auto add = [&](int square) { sum += square; };
#ifdef FIXED
  auto sender = st::run_as_sender(pipeline, numbers, add, st::cancel_on_stop);
#else
  auto sender = st::run_as_sender.of<int>(pipeline, numbers, add);
#endif
  stdexec::sync_wait(std::move(sender));
}
