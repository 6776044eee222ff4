// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What wait strategies cost on the cores that the program gets: waiting.py runs it on all of them,
// on one, and under a quota. Prints one JSON object: times per progress in nanoseconds, a value per
// repeat, by name; strategies are interleaved.

#include <time.h>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>
#include "../common/clock.hpp"
#include "../fourteen/pipeline.hpp"
#include "../fourteen/source.hpp"
#include "../fourteen/work.hpp"

namespace {

using namespace benchmarks;

/// Runs for a while, and counts.
struct counting : work::busy {
  static inline endless* source = nullptr;
  static inline std::int64_t until = 0;
  static inline std::size_t progresses = 0;
  static void progressed() {
    ++progresses;
    if (nanoseconds() >= until) source->end();
  }
};

constexpr std::int64_t milliseconds = 1'000'000;
using tasks = fourteen<counting>;

/// A thread per task.
struct crowd : st::replan<tasks::pipelined, st::threads<st::per_task>> {};

template <class Pace>
using two_threads = std::conditional_t<Pace::meets, tasks::two_threads, tasks::two_threads_ahead>;

/// Nanoseconds per progress, all told: what a busy machine or a quota takes away, too.
template <class Schedule, class... Options>
double per_progress() {
  endless source;
  counting::source = &source;
  counting::progresses = 0;
  const std::int64_t start = nanoseconds();
  counting::until = start + 300 * milliseconds;
  {
    st::pipeline<Schedule, Options...> pipeline;
    for (value& r : pipeline.run(source)) work::nothing::task<14>(r);
  }
  return static_cast<double>(nanoseconds() - start) / static_cast<double>(counting::progresses);
}

std::int64_t processor_nanoseconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<std::int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

/// Processor time over time, 1 being one busy core, while the source takes its time for each batch.
template <class Waiting>
double load_of_slow_source(std::chrono::microseconds each) {
  st::pipeline<tasks::two_threads_ahead, Waiting> pipeline;
  const auto batches = static_cast<std::size_t>(std::chrono::milliseconds(300) / each);
  counted batch(batches);
  counting::until = std::numeric_limits<std::int64_t>::max();
  const std::int64_t start = nanoseconds();
  const std::int64_t used = processor_nanoseconds();
  for (value& r : pipeline.run([&](value& b) {
         std::this_thread::sleep_for(each);
         return batch(b);
       }))
    work::nothing::task<14>(r);
  return static_cast<double>(processor_nanoseconds() - used) /
         static_cast<double>(nanoseconds() - start);
}

using figures = std::map<std::string, std::vector<double>>;

/// Every other time the other way round: the system's scheduler may know a program better that has
/// run for longer.
template <class Schedule, class Pace, class... Strategies>
void strategies(figures& f, const std::string& kind,
                const char* const (&names)[sizeof...(Strategies)], bool backwards) {
  double (*const times[])() = {&per_progress<Schedule, Pace, Strategies>...};
  for (std::size_t i = 0; i < sizeof...(Strategies); ++i) {
    const std::size_t s = backwards ? sizeof...(Strategies) - 1 - i : i;
    f[kind + "/" + names[s]].push_back(times[s]());
  }
}

/// Strategies at tasks of that length. A thread that spins for one that has no core does so for
/// milliseconds: with a crowd of threads that is not worth measuring.
void measure(figures& f, std::uint64_t task, const std::string& length, bool crowded,
             bool backwards) {
  counting::computes(task);
  if (crowded) {
    strategies<crowd, st::run_ahead, st::spin_then_sleep<>, st::block>(
        f, "crowd/" + length, {"default", "block"}, backwards);
  } else {
    const auto all = [&]<class Pace>(Pace, const std::string& kind) {
      strategies<two_threads<Pace>, Pace, st::spin, st::spin_then_sleep<>, st::block>(
          f, kind + "/" + length, {"spin", "default", "block"}, backwards);
    };
    all(st::barrier(), "barrier");
    all(st::run_ahead(), "run_ahead");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int repeats = argc == 3 ? std::atoi(argv[2]) : 0;
  const bool crowded = repeats > 0 && std::strcmp(argv[1], "crowd") == 0;
  const bool slow = repeats > 0 && std::strcmp(argv[1], "slow") == 0;
  if (!crowded && !slow && !(repeats > 0 && std::strcmp(argv[1], "two") == 0)) {
    std::fputs("usage: waiting two|crowd|slow REPEATS\n", stderr);
    return 2;
  }
  figures f;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    if (slow) {
      counting::computes(1000);
      for (const int each : {1000, 10000}) {
        const std::string name = "slow/" + std::to_string(each) + "us";
        f[name + "/default"].push_back(
            load_of_slow_source<st::spin_then_sleep<>>(std::chrono::microseconds(each)));
        f[name + "/block"].push_back(
            load_of_slow_source<st::block>(std::chrono::microseconds(each)));
      }
    } else {
      measure(f, 1000, "1us", crowded, repeat % 2 != 0);
      measure(f, 50000, "50us", crowded, repeat % 2 != 0);
    }
  }
  const char* before = "{";
  for (const auto& [name, values] : f) {
    std::printf("%s\n\"%s\": [", before, name.c_str());
    for (std::size_t i = 0; i < values.size(); ++i)
      std::printf("%s%.4f", i == 0 ? "" : ", ", values[i]);
    std::fputs("]", stdout);
    before = ",";
  }
  std::puts("\n}");
}
