// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A server of types that are not told
//
// Of values, the types of requests and answers are arguments of `server`.
//
// expect-error: a_server_of_values_names_the_types_of_requests_and_answers<stretto::dynamic::pipeline<
// expect-text: a schedule of values does not tell the compiler what its source takes and what its result is: say both, as in `stretto::server<decltype\(pipeline\), int, float> s\(pipeline\)`, with `void` where there is no result
// expect-at: server squares
// expect-lines: 18
// expect-compilers: each
#include <stretto/dynamic.hpp>
#include <stretto/serve.hpp>

namespace dynamic = stretto::dynamic;

int square_of(const dynamic::schedule& schedule, int number) {
  dynamic::pipeline pipeline(schedule);
#ifdef FIXED
  stretto::server<dynamic::pipeline<>, int, int> squares(pipeline);
#else
  stretto::server squares(pipeline);
#endif
  return squares.ask(number).get();
}
