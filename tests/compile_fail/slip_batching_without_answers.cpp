// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Batches of requests with one answer
//
// A server that gathers requests takes an answer for each of them out of the slot of the result,
// which is a container of them.
//
// expect-error: a_server_that_batches_has_a_container_of_answers_in_its_result<int>
// expect-text: a server that batches takes an answer for each request out of the result: let each of its slots be a container, such as a std::vector of answers, or leave the batching out; it has type `int`
// expect-at: server sums
// expect-lines: 18
// expect-compilers: each
#include <chrono>
#include <stretto/serve.hpp>
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;
using namespace std::chrono_literals;

struct numbers : st::slot<std::vector<int>> {};
#ifdef FIXED
struct sum : st::slot<std::vector<int>> {};
#else
struct sum : st::slot<int> {};
#endif

struct add {
  using reads = st::reads<numbers>;
  using writes = st::writes<sum>;
  void operator()(const std::vector<int>& in, sum::value_type& out) const {
#ifdef FIXED
    out.clear();
    int so_far = 0;
    for (const int n : in) out.push_back(so_far += n);
#else
    out = 0;
    for (const int n : in) out += n;
#endif
  }
};

struct training : st::schedule<st::source<numbers>, st::result<sum>, add> {};

int train() {
  st::pipeline<training> pipeline;
  st::server sums(pipeline, st::batching{.most = 8, .wait = 2ms});
  return sums.ask(3).get();
}
