// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Thread groups with workers: several batches at work at once, results as with one.

#include <doctest/doctest.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <stretto/observe/timeline.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <vector>
#include "../../support/tested.hpp"
#include "deadline.hpp"
#include "probe.hpp"

namespace {

namespace st = stretto;
using probing::probe;
using probing::stamp;

// Everything that can be in a group with workers: a chain of three tasks, at two lookaheads; a slot
// that stays inside, one that nobody reads, a task that takes turns with itself.
namespace mixed {
struct file : st::slot<stamp> {};
struct bytes : st::slot<stamp> {};
struct image : st::slot<stamp> {};
struct scratch : st::slot<stamp> {};
struct verdict : st::slot<stamp> {};
struct loss : st::slot<stamp> {};
struct counts : st::resource<> {};

struct read : probing::task<0> {
  using thread = st::thread<"disk">;
  static constexpr int lookahead = 1;
  using reads = st::reads<file>;
  using writes = st::writes<bytes>;
};
struct decode : probing::task<1> {
  using thread = st::thread<"pool">;
  static constexpr int lookahead = 1;
  using reads = st::reads<bytes>;
  using writes = st::writes<image, scratch>;
};
struct tally : probing::task<2> {
  using thread = st::thread<"pool">;
  static constexpr int lookahead = 1;
  using reads = st::reads<bytes>;
  using cross_iter_depends_on = st::cross_iter_depends_on<tally>;
  using mutates = st::mutates<counts>;
};
struct judge : probing::task<3> {
  using thread = st::thread<"pool">;
  using reads = st::reads<image>;
  using writes = st::writes<verdict>;
};
struct train : probing::task<4> {
  using thread = st::thread<"training">;
  using reads = st::reads<image, verdict>;
  using writes = st::writes<loss>;
};
template <class... Parts>
using with = st::schedule<st::source<file>, st::result<loss, verdict>, read, decode, tally, judge,
                          train, Parts...>;
}  // namespace mixed

template <class Schedule, class... Options>
void check(std::size_t hosts, std::uint64_t seeds = 8, std::size_t batches = 40) {
  CHECK(st::plan_of<Schedule>.host_threads() == hosts);
  const deadline limit("probed workers");
  tested::pipeline<Schedule, Options...> pipeline;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    for (const std::size_t m : {batches, std::size_t{3}, std::size_t{1}}) {
      CAPTURE(seed);
      CAPTURE(m);
      probe p(probing::facts_of<Schedule>(), m, seed);
      probing::drive(pipeline, p);
      CHECK(p.complaints() == "");
      if (m == batches) CHECK(p.unchecked() == "");
      for (std::size_t n = 0; n < p.known().nodes.size(); ++n) CHECK(p.runs(n) == m);
    }
  }
}

// A decoder that knows how many of it are at work.
struct file : st::slot<int> {};
struct image : st::slot<int> {};
struct loss : st::slot<int> {};

struct meeting {
  std::atomic<int> inside{0};
  std::atomic<int> most{0};
  std::atomic<int> wanted{0};  ///< how many must be inside before the first of them goes on
  std::atomic<bool> met{false};
};
struct decode {
  using thread = st::thread<"decoding">;
  using reads = st::reads<file>;
  using writes = st::writes<image>;
  meeting* here = nullptr;
  void operator()(int in, int& out) const {
    const int now = ++here->inside;
    here->most = std::max(here->most.load(), now);
    if (now == here->wanted) here->met = true;
    while (!here->met && here->wanted > 0) std::this_thread::yield();
    out = in;
    --here->inside;
  }
};
struct train {
  using thread = st::thread<"training">;
  using reads = st::reads<image>;
  using writes = st::writes<loss>;
  void operator()(int in, int& out) const { out = 10 * in; }
};
template <class... Parts>
using decoding = st::schedule<st::source<file>, st::result<loss>, decode, train, Parts...>;
struct four : decoding<st::workers<"decoding", 4>> {};

static_assert(st::in_flight<four> == 4);
static_assert(st::copies_of<four, file> == 4);
static_assert(st::copies_of<four, image> == 4);

std::vector<int> files(int count) {
  std::vector<int> all;
  for (int i = 0; i < count; ++i) all.push_back(i);
  return all;
}

template <class Schedule, class... Options>
void check_meeting(int wanted, int most) {
  const deadline limit("workers that meet");
  meeting here;
  here.wanted = wanted;
  tested::pipeline<Schedule, Options...> pipeline{decode{&here}};
  for (int repeat = 0; repeat < 3; ++repeat) {
    int next = 0;
    for (const int l : pipeline.run(files(50))) CHECK(l == 10 * next++);
    CHECK(next == 50);
  }
  CHECK(here.most <= most);
}

}  // namespace

TEST_CASE("workers keep every order, under random delays") {
  check<mixed::with<st::workers<"pool", 2>>>(5);
  check<mixed::with<st::workers<"pool", 3>>>(6);
  check<mixed::with<st::workers<"pool", 4>, st::queue<"pool", 2>>, st::block>(7, 4);
  check<mixed::with<st::workers<"pool", 3>, st::workers<"training", 2>, st::queue<"disk", 2>>>(7,
                                                                                               4);
}
TEST_CASE("workers keep every order, with a barrier") {
  check<mixed::with<st::workers<"pool", 3>, st::workers<"training", 2>>, st::barrier>(7, 4);
}
TEST_CASE("workers that are asleep, spin or are pinned") {
  using three = mixed::with<st::workers<"pool", 3>>;
  check<three, st::spin_then_sleep<1, 0>>(6, 2, 20);
  check<three, st::spin>(6, 1, 10);
  check<three, st::pinned>(6, 2, 20);
}

TEST_CASE("as many batches as there are workers are at work at once, and no more") {
  check_meeting<four>(4, 4);
  check_meeting<decoding<st::workers<"decoding", 2>>>(2, 2);
  check_meeting<decoding<st::workers<"decoding", 3>, st::queue<"decoding", 2>>, st::block>(3, 3);
  check_meeting<decoding<st::workers<"decoding", 1>>>(1, 1);
}
TEST_CASE("with a barrier one batch is at work per progress") {
  check_meeting<four, st::barrier>(0, 1);
}

TEST_CASE("few batches, no batch, leaving early and running again") {
  const deadline limit("short runs");
  meeting here;
  tested::pipeline<four> pipeline{decode{&here}};
  for (const int count : {0, 1, 2, 3, 4, 5, 9}) {
    int next = 0;
    for (const int l : pipeline.run(files(count))) CHECK(l == 10 * next++);
    CHECK(next == count);
    CHECK(pipeline.report().finished == static_cast<std::size_t>(count));
    for (const int l : pipeline.run(files(30)))
      if (l == 10 * count) break;
    const auto& left = pipeline.report();
    CHECK(left.delivered == static_cast<std::size_t>(count) + 1);
    CHECK(left.end == st::run_end::left_early);
    static_cast<void>(pipeline.run(files(3)));  // never begun
  }
  auto run = pipeline.run(files(20));  // still going when both are destroyed
  CHECK(run.next());
}

TEST_CASE("decoders that take 0 to 3 ms: results in order, none lost") {
  const deadline limit("slow decoders");
  struct slow : decode {
    using decode::operator();
    void operator()(int in, int& out) const {
      const auto dice = static_cast<unsigned>(in) * 2654435761U >> 16U;
      std::this_thread::sleep_for(std::chrono::microseconds(dice % 4 == 0 ? dice % 3000 : 0));
      out = in;
    }
  };
  struct stressed : st::schedule<st::source<file, st::thread<"reading">>, st::result<loss>, slow,
                                 train, st::workers<"decoding", 3>, st::queue<"decoding", 3>> {};
  tested::pipeline<stressed> pipeline;
  for (int repeat = 0; repeat < 4; ++repeat) {
    int next = 0;
    for (const int l : pipeline.run(files(300))) REQUIRE(l == 10 * next++);
    CHECK(next == 300);
  }
}

TEST_CASE("a timeline has a lane for each worker, with every N-th batch") {
  meeting here;
  tested::pipeline<four, st::timeline> pipeline{decode{&here}};
  for (const int l : pipeline.run(files(20))) CHECK(l % 10 == 0);
  const st::timeline& record = pipeline.observer();
  const std::vector<std::string_view> threads(record.threads().begin(), record.threads().end());
  CHECK(threads == std::vector<std::string_view>{"caller", "decoding 1", "decoding 2", "decoding 3",
                                                 "decoding 4", "training"});
  for (std::size_t k = 0; k < 4; ++k) {
    std::vector<std::size_t> batches;
    for (const auto& s : record.spans(1 + k)) batches.push_back(s.batch);
    CHECK(batches == std::vector<std::size_t>{k, k + 4, k + 8, k + 12, k + 16});
  }
}

namespace {

/// Fails at one batch, after workers on later batches have finished theirs.
struct passing {
  using thread = st::thread<"pool">;
  using reads = st::reads<file>;
  using writes = st::writes<image>;
  std::atomic<int>* finished = nullptr;
  void operator()(int in, int& out) const {
    out = in;
    ++*finished;
  }
};
struct failing {
  using thread = st::thread<"pool">;
  using reads = st::reads<image>;
  using writes = st::writes<loss>;
  std::atomic<int>* later = nullptr;
  int bad = -1;
  void operator()(int in, int& out) const {
    if (in == bad) {
      while (*later < 2) std::this_thread::yield();
      throw std::runtime_error("bad file");
    }
    out = 10 * in;
    if (bad >= 0 && in > bad) ++*later;
  }
};
struct checked : st::schedule<st::source<file>, st::result<loss>, passing, failing,
                              st::workers<"pool", 3>, st::queue<"pool", 3>> {};

}  // namespace

TEST_CASE("a worker that fails: what was before it comes first, and the report is exact") {
  const deadline limit("a failing worker");
  for (int bad = 0; bad < 8; ++bad) {
    CAPTURE(bad);
    std::atomic<int> finished{0};
    std::atomic<int> later{0};
    tested::pipeline<checked> pipeline{passing{&finished}, failing{&later, bad}};
    int next = 0;
    bool thrown = false;
    try {
      for (const int l : pipeline.run(files(40))) CHECK(l == 10 * next++);
    } catch (const st::task_error& error) {
      thrown = true;
      CHECK(error.task() == "failing");
      CHECK(error.batch() == static_cast<std::size_t>(bad));
    }
    REQUIRE(thrown);
    CHECK(next <= bad);
    const auto& report = pipeline.report();
    CHECK(report.finished == static_cast<std::size_t>(next));
    REQUIRE(report.failures.size() == 1);
    CHECK(report.failures[0].batch == static_cast<std::size_t>(bad));
    REQUIRE(report.in_flight.size() == report.pulled - report.finished);
    // The bodies counted for themselves what the report says ran.
    int passed = static_cast<int>(report.finished);
    int done_later = 0;
    for (const auto& left : report.in_flight) {
      const auto ran = [&](std::string_view task) {
        return std::find(left.ran.begin(), left.ran.end(), task) != left.ran.end();
      };
      passed += ran("passing");
      if (left.batch == static_cast<std::size_t>(bad)) {
        CHECK(ran("passing"));
        CHECK_FALSE(ran("failing"));
      }
      if (left.batch > static_cast<std::size_t>(bad)) done_later += ran("failing");
    }
    CHECK(passed == finished);
    CHECK(done_later == later);
    pipeline.reset();
    pipeline.task<failing>().bad = -1;
    next = 0;
    for (const int l : pipeline.run(files(20))) CHECK(l == 10 * next++);
    CHECK(next == 20);
  }
}
