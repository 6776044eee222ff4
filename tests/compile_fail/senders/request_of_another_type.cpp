// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A request as a sender that is no request
//
// expect-error: what_is_asked_is_no_request_of_the_server<.*>
// expect-text: what is asked has type .char ?\[4\]., which does not turn into a .int.
// expect-at: ask_as_sender
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
  st::server server(pipeline);
  auto sender = st::ask_as_sender(server, 1);
#else
  st::server server(pipeline);
  auto sender = st::ask_as_sender(server, "one");
#endif
  stdexec::sync_wait(std::move(sender));
}
