// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time per progress of the 14-task pipeline: Stretto, the same written by hand, and oneTBB where it
// is there, in one process.
//
// Each of 3 rounds has 5 repeats of every variant in turn, so that what the machine does meanwhile
// happens to all of them. A repeat starts its own threads and is one benchmark for Google
// Benchmark; its time is a quantile over windows (see common/windows.hpp). Then the same with tasks
// of 1 ns to 10 us, in one round. figures.py makes the figures from the report.

#include <benchmark/benchmark.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>
#include "../common/windows.hpp"
#include "../fourteen/work.hpp"
#include "variants.hpp"

namespace {

using namespace benchmarks;
using namespace benchmarks::executors;

/// How a time is taken: how many progresses a window has, how many windows, and which quantile of
/// them.
struct method {
  std::size_t window, count;
  double q;
};

/// A variant as a Google Benchmark: the time of its one iteration is the quantile over windows.
template <class Variant, class Work>
void timed(benchmark::State& state, method m) {
  using work = benchmarks::work::stamped<Work>;
  for (auto _ : state) {
    windows seen(m.window, m.count);
    endless source;
    work::seen = &seen;
    work::source = &source;
    Variant::template run<work>(source, [](value& r) { benchmark::DoNotOptimize(r); });
    const std::vector<double> sorted = seen.per_progress();
    state.SetIterationTime(quantile(sorted, m.q) * 1e-9);
    state.counters["p10_ns"] = quantile(sorted, 0.1);
    state.counters["p50_ns"] = quantile(sorted, 0.5);
    state.counters["p90_ns"] = quantile(sorted, 0.9);
  }
}

/// What a run yields when every task runs alone, batch after batch.
template <class Checked>
std::vector<value> expected(std::size_t batches) {
  using step = by_hand::steps<fourteen<Checked>>;
  std::vector<value> results;
  Checked::restart(0);
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
  using checked = work::checking<typename Variant::edges>;
  for (const std::size_t batches : {0U, 1U, 2U, 3U, 4U, 5U, 8U, 2000U}) {
    const std::vector<value> wanted = expected<checked>(batches);
    std::vector<value> got;
    checked::restart(batches);
    counted source(batches);
    Variant::template run<checked>(source, [&](value& r) { got.push_back(r); });
    if (got == wanted && checked::violations() == 0) continue;
    std::fprintf(stderr, "%s, %zu batches: %zu results%s, %zu edges violated\n", name, batches,
                 got.size(), got == wanted ? "" : ", wrong", checked::violations());
    return false;
  }
  return true;
}

struct variant {
  std::string name;
  bool (*right)(const char* name);
  void (*empty)(benchmark::State&, method);
  void (*busy)(benchmark::State&, method);
  bool swept = false;  ///< measured with tasks of every length, too
};

template <class Variant>
variant make(const std::string& name) {
  return {name, right<Variant>, timed<Variant, work::nothing>, timed<Variant, work::busy>};
}
variant swept(variant v) {
  v.swept = true;
  return v;
}

std::vector<variant> every_variant() {
  return {
    swept(make<by_hand_sequential>("sequential/by_hand")),
        make<stretto_sequential>("sequential/stretto"), make<table_sequential>("sequential/table"),
        swept(make<by_hand_two_threads>("barrier/by_hand")),
        swept(make<stretto_two_threads<st::barrier, st::spin>>("barrier/stretto_spin")),
        make<stretto_two_threads<st::barrier, st::spin_then_sleep<>>>(
            "barrier/stretto_spin_then_sleep"),
        swept(make<by_hand_run_ahead>("run_ahead/by_hand")),
        swept(make<stretto_two_threads<st::run_ahead, st::spin>>("run_ahead/stretto_spin")),
        make<stretto_two_threads<st::run_ahead, st::spin_then_sleep<>>>(
            "run_ahead/stretto_spin_then_sleep"),
        swept(make<stretto_generated<false>>("generated_streams/stretto_spin")),
        swept(make<stretto_generated<true>>("generated_host/stretto_spin")),
        make<dynamic_sequential>("sequential/dynamic"),
        make<dynamic_two_threads<st::barrier, st::spin>>("barrier/dynamic_spin"),
        swept(make<dynamic_two_threads<st::run_ahead, st::spin>>("run_ahead/dynamic_spin")),
        make<dynamic_generated<false>>("generated_streams/dynamic_spin"),
        make<dynamic_generated<true>>("generated_host/dynamic_spin"),
        make<async_per_progress>("barrier/async"), make<locked_events>("barrier/locked"),
#if defined(STRETTO_BENCHMARKS_WITH_TBB)
        swept(make<tbb_filter_per_stream>("filter_per_stream/tbb")),
        swept(make<tbb_filter_per_task>("filter_per_task/tbb")),
        swept(make<tbb_graph>("graph/tbb")),
#endif
  };
}

using measurement = void (*)(benchmark::State&, method);

/// Windows long against the clock's own cost, repeats long against what the machine takes away.
void add(const std::string& name, measurement timed, std::uint64_t length, method m) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [=](benchmark::State& state) {
                                 work::busy::lasts(length);
                                 timed(state, m);
                               })
      ->Iterations(1)
      ->UseManualTime();
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
  constexpr std::uint64_t lengths[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000};
  const std::vector<variant> variants = every_variant();

  // What is wrong is not measured.
  for (const variant& v : variants)
    if (!v.right(v.name.c_str())) return 1;
  std::puts("checked every edge and every result of every variant");

  const auto when = [](int round, int repeat) {
    return "/round:" + std::to_string(round) + "/repeat:" + std::to_string(repeat);
  };
  for (int round = 0; round < rounds; ++round)
    for (int repeat = 0; repeat < repeats; ++repeat)
      for (const variant& v : variants) {
        // Empty tasks: the median. Where both cores must be there all the time: the best tenth.
        add(v.name + "/empty" + when(round, repeat), v.empty, 0, {64, 3000, 0.5});
        add(v.name + "/1us" + when(round, repeat), v.busy, 1000, {16, 250, 0.1});
      }
  for (int repeat = 0; repeat < repeats; ++repeat)
    for (const std::uint64_t length : lengths)
      for (const variant& v : variants)
        if (v.swept)
          add(v.name + "/" + std::to_string(length) + "ns" + when(rounds, repeat), v.busy, length,
              {std::clamp<std::size_t>(4000 / length, 4, 64), 100, 0.1});

  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  quiet terminal;
  benchmark::RunSpecifiedBenchmarks(&terminal);
  benchmark::Shutdown();
}
