// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # What for_each calls does not take a result
//
// `for_each` calls a function with each result, or with a result and the number of its batch. Of a
// pipeline without results it calls it with the number.
//
// expect-error: for_each_calls_a_function_that_takes_the_result<.*, int ?&>
// expect-text: for_each calls a function with each result, here `int ?&`, or with that and the number of its batch: this one takes neither
// expect-at: for_each\(
// expect-lines: 18
// expect-compilers: each
#include <stretto/stretto.hpp>
#include <string>
#include <vector>

namespace st = stretto;

struct number : st::slot<int> {};
struct square : st::slot<int> {};

struct multiply {
  using reads = st::reads<number>;
  using writes = st::writes<square>;
  void operator()(int in, int& out) const { out = in * in; }
};

struct training : st::schedule<st::source<number>, st::result<square>, multiply> {};

std::string train(const std::vector<int>& batches) {
  st::pipeline<training> pipeline;
  std::string log;
#ifdef FIXED
  pipeline.run(batches).for_each([&](int square) { log += std::to_string(square); });
#else
  pipeline.run(batches).for_each([&](std::string& line) { line += log; });
#endif
  return log;
}
