// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # What is asked would make a container of that size
//
// The slot of the source holds a vector of requests, and the server was not told to batch: a number
// would make a vector of as many zeros. What turns into a request only where that is spelled out is
// no request.
//
// expect-error: what_is_asked_is_no_request_of_the_server<int, std::.*vector<int.*>>
// expect-text: what is asked has type `int`, which does not turn into a `std::vector<int.*>`, the type of the slot of the source, by itself; .* a server of batches is made with a `stretto::batching`
// expect-at: ask\(
// expect-lines: 18
// expect-compilers: each
#include <stretto/serve.hpp>
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;

struct numbers : st::slot<std::vector<int>> {};
struct squares : st::slot<std::vector<int>> {};

struct multiply {
  using reads = st::reads<numbers>;
  using writes = st::writes<squares>;
  void operator()(const std::vector<int>& in, std::vector<int>& out) const {
    out.clear();
    for (const int n : in) out.push_back(n * n);
  }
};

struct training : st::schedule<st::source<numbers>, st::result<squares>, multiply> {};

int train(int number) {
  st::pipeline<training> pipeline;
#ifdef FIXED
  st::server server(pipeline, st::batching{.most = 8});
  return server.ask(number).get();
#else
  st::server server(pipeline);
  return server.ask(number).get().front();
#endif
}
