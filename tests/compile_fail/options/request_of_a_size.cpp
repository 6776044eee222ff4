// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A number is asked of which a container is made
//
// A `std::vector` is made of a number, of so many elements, by somebody who says so.
//
// expect-error: what_is_asked_is_no_request_of_the_server<int, .*
// expect-text: what is asked has type `int`, of which no `std::vector<int>` can be made, the type of the slot of the source; .*
// expect-at: ask\(
// expect-lines: 18
#include <stretto/serve.hpp>
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;

struct number : st::slot<std::vector<int>> {};
struct square : st::slot<std::vector<int>> {};

struct multiply {
  void operator()(st::in<number> in, st::out<square> out) const { out = *in; }
};
struct training : st::schedule<st::source<number>, st::result<square>, multiply> {};

std::vector<int> ask(int n) {
  st::pipeline<training> pipeline;
  st::server server(pipeline);
#ifdef FIXED
  return server.ask(std::vector<int>{n}).get();
#else
  return server.ask(n).get();
#endif
}
