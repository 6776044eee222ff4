// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Four stages of two milliseconds: one after the other, as a pipeline that is declared plainly, on
// a map that the compiler makes for two threads and with a thread per stage, and by two threads of
// oneTBB's. Prints one JSON object: milliseconds per batch, a value per round, by name; the
// variants are interleaved.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ranges>
#include <stretto/stretto.hpp>
#include <vector>
#include "stages.hpp"
#if defined(STRETTO_BENCHMARKS_WITH_TBB)
#  include <oneapi/tbb/global_control.h>
#  include <oneapi/tbb/parallel_pipeline.h>
#endif

namespace {

namespace st = stretto;
namespace stages = benchmarks::stages;

constexpr std::size_t batches = 100;
constexpr std::size_t threads = 2;

struct number : st::slot<std::size_t> {};
struct readings : st::slot<stages::numbers> {};
struct sorted : st::slot<stages::numbers> {};
struct smoothed : st::slot<stages::samples> {};

struct parse {
  void operator()(st::in<number> in, st::out<readings> out) const {
    stages::parse(stages::text(in), out);
  }
};
struct sort {
  void operator()(st::in<readings> in, st::out<sorted> out) const { stages::sort(in, out); }
};
struct smooth {
  void operator()(st::in<sorted> in, st::out<smoothed> out) const { stages::smooth(in, out); }
};
struct count {
  stages::counts& counts;
  void operator()(st::in<smoothed> in) const { counts(in); }
};
template <class Map>
struct four : st::schedule<st::source<number>, st::threads<Map>, st::pipelined<>, parse, sort,
                           smooth, count> {};

template <class Schedule>
void with_stretto(stages::counts& counts) {
  st::pipeline<Schedule> pipeline{count{counts}};
  for ([[maybe_unused]] const std::size_t batch :
       pipeline.run(std::views::iota(std::size_t{0}, batches)))
    continue;
}

#if defined(STRETTO_BENCHMARKS_WITH_TBB)
void with_tbb(stages::counts& counts) {
  using tbb::filter_mode;
  const tbb::global_control as_many(tbb::global_control::max_allowed_parallelism, threads);
  std::size_t n = 0;
  const auto next = [&](tbb::flow_control& control) {
    if (n == batches) control.stop();
    return n++;
  };
  const auto parsed = [](std::size_t in) {
    stages::numbers out;
    stages::parse(stages::text(in), out);
    return out;
  };
  const auto sorted = [](const stages::numbers& in) {
    stages::numbers out;
    stages::sort(in, out);
    return out;
  };
  const auto smoothed = [](const stages::numbers& in) {
    stages::samples out;
    stages::smooth(in, out);
    return out;
  };
  const auto counted = [&](const stages::samples& in) { counts(in); };
  tbb::parallel_pipeline(
      2 * threads,
      tbb::make_filter<void, std::size_t>(filter_mode::serial_in_order, next) &
          tbb::make_filter<std::size_t, stages::numbers>(filter_mode::parallel, parsed) &
          tbb::make_filter<stages::numbers, stages::numbers>(filter_mode::parallel, sorted) &
          tbb::make_filter<stages::numbers, stages::samples>(filter_mode::parallel, smoothed) &
          tbb::make_filter<stages::samples, void>(filter_mode::serial_in_order, counted));
}
#endif

struct variant {
  const char* name;
  void (*run)(stages::counts&);
  std::vector<double> milliseconds{};
};

}  // namespace

int main(int argc, char** argv) {
  const std::size_t rounds = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 11;
  std::vector<variant> variants{
      {"serial", with_stretto<st::serial<four<st::on_caller>>>},
      {"stretto", with_stretto<four<st::generated<threads>>>},
      {"per_task", with_stretto<four<st::per_task>>},
  };
#if defined(STRETTO_BENCHMARKS_WITH_TBB)
  variants.push_back({"tbb", with_tbb});
#endif
  std::uint64_t expected = 0;
  for (std::size_t round = 0; round <= rounds; ++round) {  // the first one warms up
    for (variant& v : variants) {
      stages::counts counts;
      const auto begin = std::chrono::steady_clock::now();
      v.run(counts);
      const std::chrono::duration<double, std::milli> took =
          std::chrono::steady_clock::now() - begin;
      if (expected == 0) expected = counts.checksum();
      if (counts.checksum() != expected) {
        std::fprintf(stderr, "%s counts something else\n", v.name);
        return 1;
      }
      if (round > 0) v.milliseconds.push_back(took.count() / batches);
    }
  }
  for (std::size_t i = 0; i < variants.size(); ++i) {
    std::printf("%s\"%s\": [", i == 0 ? "{" : ", ", variants[i].name);
    for (std::size_t r = 0; r < rounds; ++r)
      std::printf("%s%.4f", r == 0 ? "" : ", ", variants[i].milliseconds[r]);
    std::printf("]");
  }
  std::printf("}\n");
}
