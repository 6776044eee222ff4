// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Thread groups with a queue: a loader runs ahead through a burst as far as its queue is long, and
// no further.

#include <doctest/doctest.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <random>
#include <stretto/stretto.hpp>
#include <thread>
#include <vector>
#include "../../support/tested.hpp"
#include "deadline.hpp"

namespace {

namespace st = stretto;

/// How far loader and trainer are, for both to see.
struct progress_of_both {
  std::atomic<int> loaded{0};
  std::atomic<int> trained{0};
  std::atomic<int> most_ahead{0};  ///< batches loaded, or being loaded, and not trained
};

struct file : st::slot<int> {};
struct image : st::slot<int> {};
struct loss : st::slot<int> {};

struct load {
  using thread = st::thread<"loading">;
  static constexpr int lookahead = 1;
  using reads = st::reads<file>;
  using writes = st::writes<image>;
  progress_of_both* seen = nullptr;
  void operator()(int in, int& out) const {
    const int ahead = seen->loaded + 1 - seen->trained;
    seen->most_ahead = std::max(seen->most_ahead.load(), ahead);
    out = in;
    ++seen->loaded;
  }
};
struct train {
  using thread = st::thread<"training">;
  using reads = st::reads<image>;
  using writes = st::writes<loss>;
  progress_of_both* seen = nullptr;
  int held_until = 0;  ///< on batch 7: until this many are loaded
  void operator()(int in, int& out) const {
    if (in == 7)
      while (seen->loaded < held_until) std::this_thread::yield();
    out = 10 * in;
    ++seen->trained;
  }
};

struct tight
    : st::schedule<st::source<file, st::thread<"loading">>, st::result<loss>, load, train> {};
struct queued : st::replan<tight, st::queue<"loading", 5>> {};
/// The calling thread pulls, as it does by default.
struct pulled_here
    : st::schedule<st::source<file>, st::result<loss>, load, train, st::queue<"loading", 5>> {};

static_assert(st::in_flight<tight> == 2);
static_assert(st::in_flight<queued> == 7);
static_assert(st::copies_of<queued, image> == 7);
static_assert(st::copies_of<queued, file> == 1);
static_assert(st::copies_of<pulled_here, file> == 6);

std::vector<int> files(int count) {
  std::vector<int> all;
  for (int i = 0; i < count; ++i) all.push_back(i);
  return all;
}

/// \p ahead: how many batches beyond the one held may be loaded.
template <class Schedule, class... Options>
void check_ahead(int ahead) {
  const deadline limit("a consumer that is held");
  progress_of_both seen;
  tested::pipeline<Schedule, Options...> pipeline{load{&seen}, train{&seen, 7 + ahead}};
  int next = 0;
  for (const int l : pipeline.run(files(40))) CHECK(l == 10 * next++);
  CHECK(next == 40);
  CHECK(seen.loaded == 40);
  CHECK(seen.most_ahead <= ahead);
}

}  // namespace

TEST_CASE("a loader goes on while its consumer is held, as far as its queue is long") {
  // While batch b is held there, b to b + lookahead + queue can be loaded.
  check_ahead<tight>(2);
  check_ahead<queued>(7);
  check_ahead<queued, st::spin_then_sleep<1, 0>>(7);
  check_ahead<pulled_here>(7);
  check_ahead<pulled_here, st::block>(7);
}

TEST_CASE("with a barrier it works as far ahead, one batch per progress") {
  check_ahead<queued, st::barrier>(7);
  check_ahead<pulled_here, st::barrier>(7);
}

TEST_CASE("a consumer goes on through a burst of slow loads, as far as batches are loaded") {
  const deadline limit("a loader that is held");
  struct bursty : st::schedule<st::source<file, st::thread<"loading">>, st::result<loss>, load,
                               train, st::queue<"loading", 5>> {};
  progress_of_both seen;
  tested::pipeline<bursty> pipeline{load{&seen}, train{&seen, 0}};
  // The source gives batch 20 only when 20 are trained: without those loaded before, never.
  auto run = pipeline.run([&seen, next = 0]() mutable -> std::optional<int> {
    if (next == 20)
      while (seen.trained < 20) std::this_thread::yield();
    if (next == 30) return std::nullopt;
    return next++;
  });
  int results = 0;
  while (run.has_more())
    if (run.progress()) CHECK(run.result() == 10 * results++);
  CHECK(results == 30);
}

TEST_CASE("few batches, no batch, leaving early and running again") {
  const deadline limit("short runs");
  progress_of_both seen;
  tested::pipeline<queued> pipeline{load{&seen}, train{&seen, 0}};
  for (const int count : {0, 1, 3, 6, 7, 8}) {
    int next = 0;
    for (const int l : pipeline.run(files(count))) CHECK(l == 10 * next++);
    CHECK(next == count);
    CHECK(pipeline.report().finished == static_cast<std::size_t>(count));
    for (const int l : pipeline.run(files(30)))
      if (l == 10 * count) break;
    const auto& left = pipeline.report();
    CHECK(left.delivered == static_cast<std::size_t>(count) + 1);
    CHECK(left.pulled <= left.delivered + st::in_flight<queued>);
  }
}
