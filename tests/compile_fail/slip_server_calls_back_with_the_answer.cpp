// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A callback of a server takes something else than the answer
//
// What is asked with a callback is answered by a call of it with an answer: `get()` gives the
// result where it lies in its slot, or throws what went wrong.
//
// expect-error: a_callback_takes_the_answer_of_the_server<.*>
// expect-text: a callback is called with the answer, whose `get\(\)` is the result or throws: let it take `const auto& answer` \(it is a `stretto::answer<int ?&>`\), and let it be a function object that can be moved or copied
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
  int total = 0;
  st::server squares(pipeline);
#ifdef FIXED
  squares.ask(std::stoi(text), [&](const auto& answer) { total += answer.get(); });
#else
  squares.ask(std::stoi(text), [&](int square) { total += square; });
#endif
  squares.join();
  return total;
}
