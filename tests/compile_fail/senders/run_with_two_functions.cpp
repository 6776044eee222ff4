// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A run as a sender with two functions
//
// expect-error: a_run_as_a_sender_is_given_a_function_a_beginning_and_cancel_on_stop_once<.*>
// expect-text: a run as a sender is given, along with its source, one function that is called with each result, one beginning such as .stretto::onwards., and .stretto::cancel_on_stop., each once or not at all; a stop token is the receiver's
// expect-at: (run_as_sender\(|const auto add)
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
  auto sender = st::run_as_sender(pipeline, numbers, add, add);
#endif
  stdexec::sync_wait(std::move(sender));
}
