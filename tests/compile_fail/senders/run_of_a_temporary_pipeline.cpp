// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A run as a sender of a pipeline that is gone before it
//
// expect-error: a_run_is_of_a_temporary_pipeline_give_the_pipeline_a_name<.*>
// expect-text: .stretto::pipeline<job>. is a temporary here, gone before its run is over: give the pipeline a name, and run that
// expect-at: run_as_sender\(
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
  auto sender = st::run_as_sender(pipeline, numbers, add);
#else
  auto sender = st::run_as_sender(st::pipeline<job>(), numbers, add);
#endif
  stdexec::sync_wait(std::move(sender));
}
