// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a project of somebody else compiles that wants the runtime version.
#include <stretto/dynamic.hpp>
#include <vector>

namespace dynamic = stretto::dynamic;

int main() {
  dynamic::schedule squares;
  squares.source.slot = "number";
  squares.results = {"square"};
  squares.tasks.push_back(
      {.name = "multiply", .reads = {"number"}, .writes = {"square"}, .body = [](int in, int& out) {
         out = in * in;
       }});
  dynamic::pipeline pipeline(squares);
  int sum = 0;
  for (const dynamic::result& r : pipeline.run(std::vector{1, 2, 3})) sum += r.get<int>();
  return sum == 14 ? 0 : 1;
}
