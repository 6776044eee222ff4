// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it costs to check and plan a schedule at run time, by the number of its tasks: processor
// time, and the most memory that is allocated meanwhile.

#include <benchmark/benchmark.h>
#include <cstddef>
#include <stretto/plan/order/deadlock.hpp>
#include <stretto/plan/order/fewest_waits.hpp>
#include <stretto/plan/rules/diagnose.hpp>
#include <string>
#include "allocated.hpp"
#include "shapes.hpp"

namespace {

namespace planner = stretto::planner;

/// Everything that can be asked of a schedule. The number of edges; none if anything is wrong.
std::size_t check_and_plan(const planner::declaration& d) {
  if (!planner::diagnose(d).findings.empty()) return 0;
  const planner::plan p = planner::make_plan(d);
  benchmark::DoNotOptimize(planner::minimal_stream_waits(p).size());
  benchmark::DoNotOptimize(planner::run_ahead_waits(p).size());
  benchmark::DoNotOptimize(planner::blocking_waits(p).size());
  return planner::deadlock(p).empty() ? p.edges.size() : 0;
}

using shape = void (*)(large_schedule&, std::size_t tasks, shapes::lines);

void measure(benchmark::State& state, shape write, std::size_t tasks, shapes::lines lines) {
  large_schedule s;
  write(s, tasks, lines);
  const planner::declaration d = s.declaration();
  const std::size_t before = allocated::live;
  allocated::peak = allocated::live;
  std::size_t edges = 0;
  for (auto turn : state) {
    (void)turn;
    edges = check_and_plan(d);
  }
  if (edges == 0) state.SkipWithError("the schedule is not valid");
  state.counters["edges"] = static_cast<double>(edges);
  state.counters["bytes"] = static_cast<double>(allocated::peak - before);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr std::size_t sizes[] = {16, 64, 256, 1000, 4000, 10000};
  const struct {
    const char* name;
    shape write;
    shapes::lines lines;
  } all[] = {{"sections", shapes::pipeline, shapes::lines::few},
             {"sections_on_own_streams", shapes::pipeline, shapes::lines::streams},
             {"sections_on_own_threads", shapes::pipeline, shapes::lines::own_thread},
             {"fan", shapes::fan, shapes::lines::few},
             {"fan_on_own_streams", shapes::fan, shapes::lines::streams}};
  for (const std::size_t tasks : sizes)
    for (const auto& s : all)
      benchmark::RegisterBenchmark(
          (std::string(s.name) + "/" + std::to_string(tasks)).c_str(),
          [=](benchmark::State& state) { measure(state, s.write, tasks, s.lines); })
          ->Unit(benchmark::kMillisecond);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
