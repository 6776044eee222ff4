// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A run as a sender with a function that takes no result
//
// expect-error: for_each_calls_a_function_that_takes_the_result<.*>
// expect-text: for_each calls a function with each result, here .int ?&., or with that and the number of its batch: this one takes neither
// expect-at: run_as_sender
// expect-lines: 40
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
  auto sender = st::run_as_sender(pipeline, numbers, [](const char*) {});
#endif
  stdexec::sync_wait(std::move(sender));
}
