// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # What is asked is no request
//
// A request is what the slot of the source holds, or what turns into that by itself.
//
// expect-error: what_is_asked_is_no_request_of_the_server<std::.*string.*, int>
// expect-text: what is asked has type `std::.*string.*`, which does not turn into a `int`, the type of the slot of the source, by itself; what can only be moved is given away, `ask\(std::move\(request\)\)`, and a server of batches is made with a `stretto::batching`
// expect-at: ask\(
// expect-lines: 18
// expect-compilers: each
#include <stretto/serve.hpp>
#include <stretto/stretto.hpp>
#include <string>

namespace st = stretto;

struct number : st::slot<int> {};
struct square : st::slot<int> {};

struct multiply {
  using reads = st::reads<number>;
  using writes = st::writes<square>;
  void operator()(int in, int& out) const { out = in * in; }
};

struct training : st::schedule<st::source<number>, st::result<square>, multiply> {};

int train(const std::string& text) {
  st::pipeline<training> pipeline;
  st::server squares(pipeline);
#ifdef FIXED
  return squares.ask(std::stoi(text)).get();
#else
  return squares.ask(text).get();
#endif
}
