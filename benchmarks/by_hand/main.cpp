// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The 14 tasks of tasks.hpp, which take next to no time: by Stretto, declared plainly, and by loops
// that an expert might write for the one shape, in several variants each. In one process, all sides
// of a shape in turn, round after round. Threads are pinned, each to a core of its own, and
// spin where nothing else is said.
//
// Prints one JSON object: nanoseconds per batch, a value per round, by shape and side. The sides by
// hand start with `by hand, `. A wrong sum, or a task that was left out, ends it with an error;
// runs of a few batches are checked first, and nothing else is done if 0 rounds are asked for.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <utility>
#include <vector>
#include "../common/clock.hpp"
#include "barrier.hpp"
#include "blocking.hpp"
#include "cores.hpp"
#include "one_thread.hpp"
#include "outcome.hpp"
#include "running_ahead.hpp"
#include "shapes.hpp"
#include "source.hpp"
#include "tasks.hpp"

namespace {

using namespace benchmarks::by_hand;

constexpr value warm_up = 100;  // batches

/// No further round is begun after this time: on a machine that has other work, threads that spin
/// take very long.
constexpr std::int64_t patience = 120'000'000'000;  // nanoseconds

/// A run over the source, after one that starts the threads.
template <class Source, class Pipeline, class Get>
outcome second_run(Pipeline& pipeline, value batches, Get get) {
  Source first(warm_up);
  for (auto&& r : pipeline.run(first)) static_cast<void>(get(r));
  restart_counters();
  Source source(batches);
  value sum = 0;
  const stopwatch time;
  for (auto&& r : pipeline.run(source)) sum += get(r);
  return time.stop(sum);
}

template <class Schedule, class Source, class... Options>
outcome stretto_types(value batches) {
  st::pipeline<Schedule, Options..., st::pinned> pipeline;
  return second_run<Source>(pipeline, batches, [](value r) { return r; });
}

/// The same by `for_each`, with the source given away: as in the loops by hand, nobody else has it.
template <class Schedule, class Source, class... Options>
outcome stretto_for_each(value batches) {
  st::pipeline<Schedule, Options..., st::pinned> pipeline;
  pipeline.run(Source(warm_up)).for_each([](value) {});
  restart_counters();
  value sum = 0;
  const stopwatch time;
  pipeline.run(Source(batches)).for_each([&sum](value r) { sum += r; });
  return time.stop(sum);
}

/// Likewise in a loop over the results alone.
template <class Schedule, class Source, class... Options>
outcome stretto_results(value batches) {
  st::pipeline<Schedule, Options..., st::pinned> pipeline;
  for (const value r : pipeline.results(Source(warm_up))) static_cast<void>(r);
  restart_counters();
  value sum = 0;
  const stopwatch time;
  for (const value r : pipeline.results(Source(batches))) sum += r;
  return time.stop(sum);
}

/// Likewise in a loop over a run.
template <class Schedule, class Source, class... Options>
outcome stretto_given_source(value batches) {
  st::pipeline<Schedule, Options..., st::pinned> pipeline;
  for (const value r : pipeline.run(Source(warm_up))) static_cast<void>(r);
  restart_counters();
  value sum = 0;
  const stopwatch time;
  for (const value r : pipeline.run(Source(batches))) sum += r;
  return time.stop(sum);
}

template <class Schedule, class... Options>
outcome stretto_values(value batches) {
  st::dynamic::pipeline<Options..., st::pinned> pipeline(st::dynamic::from_types<Schedule>());
  return second_run<numbers>(pipeline, batches,
                             [](const st::dynamic::result& r) { return r.get<value>(); });
}

/// Where the last task adds up what others hand out.
template <split S, class... Options>
outcome stretto_no_result(value batches) {
  value sum = 0;
  st::pipeline<typename shape<S>::no_result, Options..., st::pinned> pipeline{
      adds_up<S.on_io>{sum}};
  const auto nothing = [](auto) { return value{0}; };
  outcome found = second_run<numbers>(pipeline, batches, nothing);
  for (value batch = 0; batch < warm_up; ++batch) sum -= S.result(batch);
  found.sum = sum;
  return found;
}

struct side {
  std::string name;
  outcome (*run)(value batches);
  std::vector<double> nanoseconds{};
};

struct comparison {
  std::string name;
  value batches;
  value (*result)(value batch);
  std::vector<side> sides;
};

template <split S>
value result_of(value batch) {
  return S.result(batch);
}

constexpr split usual{3, 3};
constexpr value many = 4'000'000;  // on one thread
constexpr value some = 200'000;    // on two
constexpr value few = 10'000;      // a microsecond or more each

template <split S, class Pace = st::run_ahead, class Source = numbers>
side by_types() {
  return {"stretto", stretto_types<typename shape<S>::two_threads, Source, Pace, st::spin>};
}

template <split S>
comparison one_thread(const std::string& name) {
  return {name,
          many,
          result_of<S>,
          {{"by hand, in memory", one_thread_in_memory<S, numbers>},
           {"by hand, in registers", one_thread_in_registers<S, numbers>},
           {"by hand, unrolled", one_thread_unrolled<S, numbers>},
           {"stretto", stretto_types<typename shape<S>::one_thread, numbers, st::spin>},
           {"for_each", stretto_for_each<typename shape<S>::one_thread, numbers, st::spin>},
           {"results", stretto_results<typename shape<S>::one_thread, numbers, st::spin>}}};
}

template <split S, class Source = numbers>
comparison running_ahead(const std::string& name, value batches = some) {
  return {name,
          batches,
          result_of<S>,
          {{"by hand, io pulls, a line per batch", ahead_io_pulls<S, Source, line_per_batch>},
           {"by hand, io pulls, a line for all", ahead_io_pulls<S, Source, line_for_all>},
           {"by hand, io pulls, numbered lines", ahead_io_pulls<S, Source, numbered_lines>},
           {"by hand, a line per batch", ahead_caller_pulls<S, Source, line_per_batch>},
           {"by hand, a line for all", ahead_caller_pulls<S, Source, line_for_all>},
           {"by hand, numbered lines", ahead_caller_pulls<S, Source, numbered_lines>},
           by_types<S, st::run_ahead, Source>()}};
}

/// As deep as that, and next to it with the source where the first task is, as one says who has
/// nothing to share with the source.
template <split S>
comparison running_far_ahead(const std::string& name) {
  comparison c = running_ahead<S>(name);
  c.sides.push_back(
      {"io pulls",
       stretto_given_source<typename shape<S>::io_pulls, numbers, st::run_ahead, st::spin>});
  return c;
}

std::vector<comparison> every_comparison() {
  comparison alone = one_thread<usual>("one_thread");
  alone.sides.push_back({"values", stretto_values<shape<usual>::one_thread, st::spin>});
  comparison ahead = running_ahead<usual>("run_ahead");
  ahead.sides.push_back({"values", stretto_values<shape<usual>::two_threads, st::spin>});
  ahead.sides.push_back(
      {"default wait", stretto_types<shape<usual>::two_threads, numbers, st::run_ahead>});
  comparison no_result = running_ahead<usual>("no_result");
  no_result.sides.back() = {"stretto", stretto_no_result<usual, st::spin>};
  return {
      alone,
      one_thread<split{13, 3}>("one_thread_13_1"),
      {"barrier",
       some,
       result_of<usual>,
       {{"by hand, io pulls, value and flag", barrier_io_pulls<usual, numbers, line_per_batch>},
        {"by hand, io pulls, one line", barrier_io_pulls<usual, numbers, numbered_lines>},
        {"by hand, value and flag", barrier_caller_pulls<usual, numbers, line_per_batch>},
        {"by hand, one line", barrier_caller_pulls<usual, numbers, numbered_lines>},
        by_types<usual, st::barrier>()}},
      ahead,
      running_ahead<split{3, 2}>("run_ahead_2"),
      running_far_ahead<split{3, 5}>("run_ahead_5"),
      running_far_ahead<split{3, 8}>("run_ahead_8"),
      running_ahead<split{1, 3}>("run_ahead_1_13"),
      running_ahead<split{7, 3}>("run_ahead_7_7"),
      running_ahead<usual, slow_numbers>("slow_source", few),
      no_result,
      {"blocking",
       few / 10,
       relay::result,
       {{"by hand, locked per value", blocking_caller_pulls<numbers, plainly_locked_link>},
        {"by hand, taken at once", blocking_caller_pulls<numbers, locked_link>},
        {"by hand, first thread pulls", blocking_first_pulls<numbers, locked_link>},
        {"stretto", stretto_types<relayed<>::four_threads, numbers, st::block>},
        {"a copy per batch", stretto_types<relayed<>::with_copies, numbers, st::block>},
        {"default wait", stretto_types<relayed<>::four_threads, numbers>}}},
  };
}

/// Nanoseconds per batch of one side of a shape; what is wrong ends the program.
double per_batch(const comparison& shape, const side& s, value batches) {
  restart_counters();
  const std::vector<int> cores = own_cores();
  const outcome found = s.run(batches);
  value expected = 0;
  for (value batch = 0; batch < batches; ++batch) expected += shape.result(batch);
  const char* const wrong = found.sum != expected   ? "a wrong sum"
                            : !all_counted(batches) ? "tasks left out, or run twice"
                            : own_cores() != cores  ? "the caller left where it was put"
                                                    : nullptr;
  if (wrong != nullptr) {
    std::fprintf(stderr, "%s, %s, %llu batches: %s\n", shape.name.c_str(), s.name.c_str(),
                 static_cast<unsigned long long>(batches), wrong);
    std::exit(1);
  }
  return static_cast<double>(found.took) / static_cast<double>(batches);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t rounds = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 25;
  std::vector<comparison> shapes = every_comparison();
  for (const comparison& shape : shapes)
    for (const side& s : shape.sides)
      for (const value batches : {0U, 1U, 2U, 3U, 4U, 5U, 9U}) per_batch(shape, s, batches);
  const std::int64_t start = benchmarks::nanoseconds();
  for (std::size_t round = 0; rounds > 0 && round <= rounds; ++round) {  // the first one warms up
    if (round > 1 && benchmarks::nanoseconds() - start > patience) break;
    for (comparison& shape : shapes)
      for (side& s : shape.sides) {
        const double found = per_batch(shape, s, shape.batches);
        if (round > 0) s.nanoseconds.push_back(found);
      }
  }
  const char* between = "{";
  for (const comparison& shape : shapes) {
    std::printf("%s\"%s\": ", between, shape.name.c_str());
    between = "{";
    for (const side& s : shape.sides) {
      std::printf("%s\"%s\": [", between, s.name.c_str());
      for (std::size_t r = 0; r < s.nanoseconds.size(); ++r)
        std::printf("%s%.3f", r == 0 ? "" : ", ", s.nanoseconds[r]);
      std::printf("]");
      between = ", ";
    }
    std::printf("}");
    between = ",\n";
  }
  std::printf("}\n");
}
