// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a project of somebody else compiles that imports Stretto: both versions.
// [import]
#include <sstream>
#include <string>
#include <vector>

import stretto;

namespace st = stretto;
// [import]
namespace dynamic = stretto::dynamic;

struct number : st::slot<int> {};
struct square : st::slot<int> {};

struct multiply {
  using stream = st::stream<"compute">;
  using reads = st::reads<number>;
  using writes = st::writes<square>;
  void operator()(const int& in, int& out) const { out = in * in; }
};

struct squares
    : st::schedule<st::source<number>, st::result<square>, st::streams<"compute">, multiply> {};

struct late : st::replan<squares, st::place<multiply, st::lookahead<1>>> {};

bool runs_types() {
  st::pipeline<squares, st::barrier, st::timeline> pipeline;
  int sum = 0;
  for (const int value : pipeline.run(std::vector{1, 2, 3})) sum += value;
  static_assert(st::in_flight<late> == 2);
  std::ostringstream drawn;
  st::draw_svg(drawn, pipeline.observer(), 0, 3);
  return sum == 14 && pipeline.report().end == st::run_end::completed &&
         st::describe<squares>().find("multiply") != std::string::npos && !drawn.str().empty();
}

bool runs_values() {
  dynamic::schedule shape;
  shape.source.slot = "number";
  shape.results = {"square"};
  shape.tasks.push_back(
      {.name = "multiply", .reads = {"number"}, .writes = {"square"}, .body = [](int in, int& out) {
         out = in * in;
       }});
  dynamic::pipeline pipeline(shape);
  int sum = 0;
  for (const dynamic::result& r : pipeline.run(std::vector{1, 2, 3})) sum += r.get<int>();
  try {
    shape.results = {"cube"};
    dynamic::pipeline of_nothing(shape);
  } catch (const dynamic::schedule_error&) {
    return sum == 14 && dynamic::from_types<squares>().tasks.size() == 1;
  }
  return false;
}

int main() { return runs_types() && runs_values() ? 0 : 1; }
