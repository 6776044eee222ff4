// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # What for_each calls loses a part of a result
//
// `for_each` calls a function with each result, or with a result and the number of its batch, a
// `std::size_t`. The language makes an integer of any fraction or larger integer, and a bool of any
// number, and nobody would see it happen.
//
// expect-error: for_each_calls_a_function_that_takes_a_number_as_one_that_holds_it<.*, double>
// expect-text: for_each calls a function with each result, and with the number of its batch if it takes that: this one takes a `double` as a number that cannot hold all its values; take it as what it is, and convert it inside
// expect-at: for_each\(
// expect-lines: 18
// expect-compilers: each
#include <cmath>
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;

struct number : st::slot<int> {};
struct root : st::slot<double> {};

struct extract {
  using reads = st::reads<number>;
  using writes = st::writes<root>;
  void operator()(int in, double& out) const { out = std::sqrt(in); }
};

struct training : st::schedule<st::source<number>, st::result<root>, extract> {};

double train(const std::vector<int>& batches) {
  st::pipeline<training> pipeline;
  double sum = 0;
#ifdef FIXED
  pipeline.run(batches).for_each([&](double root) { sum += root; });
#else
  pipeline.run(batches).for_each([&](int root) { sum += root; });
#endif
  return sum;
}
