// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A run as a sender over a source of another type
//
// expect-error: the_source_yields_what_its_slot_does_not_take<.*>
// expect-text: the source yields .const char ?\*., which cannot be assigned to slot .number. of type .int.; give the slot a type that takes it, or convert the elements
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
  auto sender = st::run_as_sender(pipeline, std::vector<const char*>{"one"}, add);
#endif
  stdexec::sync_wait(std::move(sender));
}
