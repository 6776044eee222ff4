// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time per progress of the 14-task pipeline: Stretto, and the same written by hand, in one process.
//
// Each of 3 rounds has 5 repeats of every variant in turn, so that what the machine does meanwhile
// happens to all of them. A repeat starts its own threads and is one benchmark for Google
// Benchmark; its time is a quantile over windows (see common/windows.hpp). figures.py makes the
// figures from the report.

#include <benchmark/benchmark.h>
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <type_traits>
#include <vector>
#include "../fourteen/by_hand.hpp"
#include "../fourteen/checked.hpp"
#include "../fourteen/source.hpp"
#include "../fourteen/table.hpp"
#include "../fourteen/work.hpp"

namespace {

using namespace benchmarks;

// One run of each variant. `result` gets what comes out.

struct by_hand_sequential {
  template <class Work, class Result>
  static void run(counted& source, Result result) {
    by_hand::sequential<fourteen<Work>>(source, result);
  }
};

struct by_hand_two_threads {
  template <class Work, class Result>
  static void run(counted& source, Result result) {
    by_hand::two_threads<fourteen<Work>>(source, result);
  }
};

struct by_hand_run_ahead {
  template <class Work, class Result>
  static void run(counted& source, Result result) {
    by_hand::two_threads_run_ahead<fourteen<Work>>(source, result);
  }
};

struct stretto_sequential {
  template <class Work, class Result>
  static void run(counted& source, Result result) {
    st::pipeline<typename fourteen<Work>::sequential> pipeline;
    for (value& r : pipeline.run(source)) result(r);
  }
};

template <class Pace, class Waiting>
struct stretto_two_threads {
  template <class Work, class Result>
  static void run(counted& source, Result result) {
    using schedule = std::conditional_t<Pace::meets, typename fourteen<Work>::two_threads,
                                        typename fourteen<Work>::two_threads_ahead>;
    st::pipeline<schedule, Pace, Waiting> pipeline;
    for (value& r : pipeline.run(source)) result(r);
  }
};

struct table_sequential {
  template <class Work, class Result>
  static void run(counted& source, Result result) {
    table<fourteen<Work>>().run(source, result);
  }
};

/// A variant as a Google Benchmark: the time of its one iteration is the quantile over windows.
template <class Variant, class Work>
void timed(benchmark::State& state, std::size_t window, std::size_t count, double q) {
  using work = benchmarks::work::stamped<Work>;
  for (auto _ : state) {
    windows seen(window, count);
    counted source(~value{0});
    work::seen = &seen;
    work::source = &source;
    Variant::template run<work>(source, [](value& r) { benchmark::DoNotOptimize(r); });
    const std::vector<double> sorted = seen.per_progress();
    state.SetIterationTime(quantile(sorted, q) * 1e-9);
    state.counters["p10_ns"] = quantile(sorted, 0.1);
    state.counters["p50_ns"] = quantile(sorted, 0.5);
    state.counters["p90_ns"] = quantile(sorted, 0.9);
  }
}

/// What a run yields when every task runs alone, batch after batch.
std::vector<value> expected(std::size_t batches) {
  using step = by_hand::steps<fourteen<work::checked>>;
  std::vector<value> results;
  work::checked::restart(0);
  counted source(batches);
  by_hand::batch b{};
  while (source(b.batch_cpu)) {
    step::load(b);
    step::distribute(b);
    step::prefetch();
    step::train(b);
    results.push_back(b.step_result);
  }
  return results;
}

template <class Variant>
bool right(const char* name) {
  for (const std::size_t batches : {0U, 1U, 2U, 3U, 4U, 5U, 8U, 2000U}) {
    const std::vector<value> wanted = expected(batches);
    std::vector<value> got;
    work::checked::restart(batches);
    counted source(batches);
    Variant::template run<work::checked>(source, [&](value& r) { got.push_back(r); });
    if (got == wanted && work::checked::violations() == 0) continue;
    std::fprintf(stderr, "%s, %zu batches: %zu results%s, %zu edges violated\n", name, batches,
                 got.size(), got == wanted ? "" : ", wrong", work::checked::violations());
    return false;
  }
  return true;
}

struct variant {
  std::string name;
  bool (*right)(const char* name);
  void (*timed)(benchmark::State&, std::size_t window, std::size_t count, double q);
  std::size_t window, count;
  double q;
};

/// Windows long against the clock's own cost, repeats long against what the machine takes away.
template <class Variant>
void add(std::vector<variant>& all, const std::string& name) {
  // Empty tasks: the median. Tasks of a microsecond need both cores all the time: the best tenth.
  all.push_back({name + "/empty", right<Variant>, timed<Variant, work::nothing>, 64, 3000, 0.5});
  all.push_back({name + "/1us", right<Variant>, timed<Variant, work::microsecond>, 16, 250, 0.1});
}

/// Google Benchmark prints a line per repeat: the report has them, the terminal need not.
class quiet : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

}  // namespace

int main(int argc, char** argv) {
  constexpr int rounds = 3;
  constexpr int repeats = 5;
  std::vector<variant> variants;
  add<by_hand_sequential>(variants, "sequential/by_hand");
  add<stretto_sequential>(variants, "sequential/stretto");
  add<table_sequential>(variants, "sequential/table");
  add<by_hand_two_threads>(variants, "barrier/by_hand");
  add<stretto_two_threads<st::barrier, st::spin>>(variants, "barrier/stretto_spin");
  add<stretto_two_threads<st::barrier, st::spin_then_sleep<>>>(variants,
                                                               "barrier/stretto_spin_then_sleep");
  add<by_hand_run_ahead>(variants, "run_ahead/by_hand");
  add<stretto_two_threads<st::run_ahead, st::spin>>(variants, "run_ahead/stretto_spin");
  add<stretto_two_threads<st::run_ahead, st::spin_then_sleep<>>>(
      variants, "run_ahead/stretto_spin_then_sleep");

  // What is wrong is not measured.
  for (const variant& v : variants)
    if (!v.right(v.name.c_str())) return 1;
  std::puts("checked every edge and every result of every variant");

  work::microsecond::duration = ticks_per_microsecond();
  for (int round = 0; round < rounds; ++round)
    for (int repeat = 0; repeat < repeats; ++repeat)
      for (const variant& v : variants)
        benchmark::RegisterBenchmark(
            (v.name + "/round:" + std::to_string(round) + "/repeat:" + std::to_string(repeat))
                .c_str(),
            [v](benchmark::State& state) { v.timed(state, v.window, v.count, v.q); })
            ->Iterations(1)
            ->UseManualTime();

  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  quiet terminal;
  benchmark::RunSpecifiedBenchmarks(&terminal);
  benchmark::Shutdown();
}
