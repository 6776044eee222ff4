// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Batches of requests for a slot of one
//
// A server that gathers requests puts all of a batch into the slot of the source, which is a
// container of them.
//
// expect-error: a_server_that_batches_has_a_container_of_requests_in_its_source<int>
// expect-text: a server that batches puts several requests into the slot of the source: let it be a container, such as a std::vector of them, or leave the batching out; it has type `int`
// expect-at: server squares
// expect-lines: 18
// expect-compilers: each
#include <chrono>
#include <stretto/serve.hpp>
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;
using namespace std::chrono_literals;

#ifdef FIXED
struct numbers : st::slot<std::vector<int>> {};
#else
struct numbers : st::slot<int> {};
#endif
struct squares_of : st::slot<std::vector<int>> {};

struct multiply {
  using reads = st::reads<numbers>;
  using writes = st::writes<squares_of>;
  void operator()(const numbers::value_type& in, std::vector<int>& out) const {
    out.clear();
#ifdef FIXED
    for (const int n : in) out.push_back(n * n);
#else
    out.push_back(in * in);
#endif
  }
};

struct training : st::schedule<st::source<numbers>, st::result<squares_of>, multiply> {};

int train() {
  st::pipeline<training> pipeline;
  st::server squares(pipeline, st::batching{.most = 8, .wait = 2ms});
  return squares.ask(3).get();
}
