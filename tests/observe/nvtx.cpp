// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <ranges>
#include <set>
#include <stdexcept>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <stretto/nvtx.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <utility>
#include <vector>
#include "nvtx/profiler.hpp"
#ifdef HAS_CUDA
#  include <stretto/cuda/nvtx.hpp>
#endif

namespace st = stretto;
using profiler::kind;

namespace {

// Before NVTX is first called it looks for the library here; whoever runs the test may name
// another.
const bool told = ::setenv("NVTX_INJECTION64_PATH", PROFILER_LIBRARY, 0) == 0;

struct number : st::slot<int> {};
struct read_in : st::slot<int> {};
struct square : st::slot<int> {};
struct sum : st::slot<int> {};

struct parse {
  using thread = st::thread<"reader">;
  static constexpr int lookahead = 2;
  using reads = st::reads<number>;
  using writes = st::writes<read_in>;
  void operator()(int in, int& out) const { out = in; }
};
struct multiply {
  using stream = st::stream<"a">;
  static constexpr int lookahead = 1;
  using reads = st::reads<read_in>;
  using writes = st::writes<square>;
  void operator()(int in, int& out) const {
    if (in == fails_at) throw std::runtime_error("not this one");
    out = in * in;
  }
  int fails_at = -1;
};
struct add {
  using stream = st::stream<"b">;
  using reads = st::reads<square>;
  using writes = st::writes<sum>;
  void operator()(int in, int& out) { out = total += in; }
  int total = 0;
};
struct sums : st::schedule<st::source<number>, st::result<sum>, st::streams<"a", "b">, parse,
                           multiply, add> {};

constexpr std::size_t batches = 6;

template <class Pipeline>
int run(Pipeline& p) {
  int last = 0;
  for (auto&& s : p.run(std::views::iota(0, static_cast<int>(batches)))) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(s)>, int>) {
      last = s;
    } else {
      last = s.template get<int>("sum");
    }
  }
  return last;
}

/// What was told, by range: name and batch.
struct shown {
  std::map<std::pair<std::string, std::size_t>, profiler::call> ranges;
  std::map<std::uint32_t, std::string> categories;
  std::map<long, std::string> threads;
  std::set<std::string> domains;
  bool nested = true;  ///< on each thread: a push, then a pop
  int left_open = 0;

  explicit shown(const std::vector<profiler::call>& calls) {
    std::map<long, int> open;
    for (const profiler::call& c : calls) {
      if (c.kind == kind::create_domain) domains.insert(c.name);
      if (c.kind == kind::name_category) categories[c.category] = c.name;
      if (c.kind == kind::name_thread) threads[c.thread] = c.name;
      if (c.kind == kind::push) {
        if (++open[c.thread] != 1) nested = false;
        if (!ranges.emplace(std::pair(c.name, c.payload), c).second) nested = false;
      }
      if (c.kind == kind::pop && --open[c.thread] != 0) nested = false;
    }
    for (const auto& [thread, depth] : open) left_open += depth;
  }

  const profiler::call& range(const char* task, std::size_t batch) const {
    return ranges.at({task, batch});
  }
  std::string phase(const char* task, std::size_t batch) const {
    return categories.at(range(task, batch).category);
  }
};

void check(const shown& all) {
  CHECK(all.domains == std::set<std::string>{"stretto"});
  CHECK(all.nested);
  CHECK(all.left_open == 0);
  // Each task once for each batch, and the source asked once more than it had.
  CHECK(all.ranges.size() == 3 * batches + batches + 1);

  // A stream's ranges have one colour, and no other's.
  std::map<std::string, std::set<std::uint32_t>> colours;
  for (const auto& [key, c] : all.ranges) colours[key.first].insert(c.colour);
  std::set<std::uint32_t> apart;
  for (const auto& [task, of] : colours) {
    CHECK(of.size() == 1);
    CHECK((*of.begin() >> 24U) == 0xff);  // transparent ranges would not be seen
    apart.insert(of.begin(), of.end());
  }
  CHECK(apart.size() == 4);  // two streams, two threads

  // Tasks ran where they say.
  CHECK(all.threads.at(all.range("parse", 0).thread) == "reader");
  CHECK(all.threads.at(all.range("pull", 0).thread) == "caller");
  CHECK(all.range("parse", 3).thread == all.range("parse", 0).thread);
  CHECK(all.range("add", 3).thread != all.range("parse", 0).thread);

  // `parse` works two batches ahead: two progresses before the first `add`, two after the last.
  CHECK(all.phase("parse", 0) == "prefill");
  CHECK(all.phase("multiply", 0) == "prefill");
  CHECK(all.phase("add", 0) == "steady");
  CHECK(all.phase("parse", 2) == "steady");
  // Threads that run ahead may get there before the source has turned out to have ended.
  const std::string last = all.phase("add", batches - 1);
  CHECK((last == "steady" || last == "drain"));
}

}  // namespace

TEST_CASE("a profiler sees each task of each batch as a range") {
  REQUIRE(told);
  profiler::take_calls();
  {
    st::pipeline<sums, st::nvtx_ranges> pipeline;
    CHECK(run(pipeline) == 55);
  }
  const auto calls = profiler::take_calls();
  check(shown(calls));
  CHECK(std::ranges::count(calls, kind::destroy_domain, &profiler::call::kind) == 1);
}

TEST_CASE("so it does of the runtime version") {
  profiler::take_calls();
  {
    st::dynamic::pipeline pipeline(st::dynamic::from_types<sums>(), st::nvtx_ranges{});
    CHECK(run(pipeline) == 55);
  }
  check(shown(profiler::take_calls()));
}

TEST_CASE("with a barrier the batches after the source's end are seen to drain") {
  profiler::take_calls();
  {
    st::pipeline<sums, st::nvtx_ranges, st::barrier> pipeline;
    CHECK(run(pipeline) == 55);
  }
  const shown typed(profiler::take_calls());
  check(typed);
  CHECK(typed.phase("add", batches - 1) == "drain");
  {
    st::dynamic::pipeline pipeline(st::dynamic::from_types<sums>(), st::nvtx_ranges{},
                                   st::barrier{});
    CHECK(run(pipeline) == 55);
  }
  const shown runtime(profiler::take_calls());
  check(runtime);
  CHECK(runtime.phase("add", batches - 1) == "drain");
}

TEST_CASE("a task that fails leaves no range open") {
  profiler::take_calls();
  st::pipeline<sums, st::nvtx_ranges> pipeline{multiply{2}};
  CHECK_THROWS_AS(run(pipeline), st::task_error);
  const shown all(profiler::take_calls());
  CHECK(all.ranges.contains({"multiply", 2}));
  CHECK(all.nested);
  CHECK(all.left_open == 0);
}

#ifdef HAS_CUDA
TEST_CASE("a CUDA stream gets the name that it has in the schedule") {
  profiler::take_calls();
  int stands_for_a_stream = 0;
  const auto stream = reinterpret_cast<cudaStream_t>(&stands_for_a_stream);
  st::cuda::nvtx_ranges ranges;
  ranges.stream_made("compute", stream);
  const auto calls = profiler::take_calls();
  REQUIRE(calls.size() == 2);  // the domain's making, and this
  CHECK(calls[1].kind == kind::name_stream);
  CHECK(calls[1].domain == stream);
  CHECK(calls[1].name == "compute");
}
#endif

TEST_CASE("without a profiler nothing is told, and the pipeline runs") {
  st::pipeline<sums, st::nvtx_ranges> pipeline;
  CHECK(run(pipeline) == 55);
  if (std::string(std::getenv("NVTX_INJECTION64_PATH")) != PROFILER_LIBRARY)
    CHECK(profiler::take_calls().empty());
}
