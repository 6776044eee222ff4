// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Padding where ranks wait for each other in a collective: all make the same task longer on the
// same batches, so that none waits for another for that, and what they compute does not change.

#include <doctest/doctest.h>
#include <array>
#include <barrier>
#include <chrono>
#include <cstddef>
#include <ranges>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <stretto/stretto.hpp>
#include <stretto/watch.hpp>
#include <thread>
#include <vector>
#include "ranks.hpp"

namespace st = stretto;
namespace dynamic = stretto::dynamic;
using std::chrono::microseconds;

namespace {

constexpr std::size_t size = 3;
constexpr int batches = 16 * 13;

struct number : st::slot<int> {};
struct share : st::slot<long> {};
struct sum : st::slot<long> {};

/// Where ranks add up numbers: all wait until each has said its own.
class adder {
 public:
  long add(std::size_t rank, long mine) {
    shares_[rank] = mine;
    meet_.arrive_and_wait();
    long all = 0;
    for (const long s : shares_) all += s;
    meet_.arrive_and_wait();  // before the next one
    return all;
  }

 private:
  std::array<long, size> shares_{};
  std::barrier<> meet_{static_cast<std::ptrdiff_t>(size)};
};

struct prepare {
  using thread = st::thread<"io">;
  static constexpr int lookahead = 1;
  using reads = st::reads<number>;
  using writes = st::writes<share>;
  std::size_t rank;
  void operator()(int in, long& out) const {
    // Ranks are not equally fast.
    if (rank == 1 && in % 8 == 0) std::this_thread::sleep_for(microseconds(100));
    out = in * static_cast<long>(rank + 1);
  }
};
struct add_up {
  static constexpr bool collective = true;
  using reads = st::reads<share>;
  using writes = st::writes<sum>;
  adder& all;
  std::size_t rank;
  void operator()(long in, long& out) const { out = all.add(rank, in); }
};
struct adding : st::schedule<st::source<number>, st::result<sum>, prepare, add_up> {};

struct by_rank {
  std::vector<long> sums;
  std::vector<long long> padded;  // by batch and task, nanoseconds
  std::size_t stretches = 0;
};

template <class Pipeline>
by_rank run_padded(Pipeline& pipeline) {
  by_rank got;
  st::padding& padding = pipeline.observer();
  padding.pad({.longest = microseconds(30), .seed = 7});
  for (auto&& r : pipeline.run(std::views::iota(0, batches))) {
    if constexpr (requires { r.template get<long>(); }) {
      got.sums.push_back(r.template get<long>());
    } else {
      got.sums.push_back(r);
    }
  }
  for (std::size_t b = 0; b < batches; ++b)
    for (std::size_t task = 0; task < 2; ++task)
      got.padded.push_back(padding.padded_by(task, b).count());
  got.stretches = padding.result().stretches;
  return got;
}

void check(const std::vector<by_rank>& all) {
  for (const by_rank& r : all) {
    REQUIRE(r.sums.size() == static_cast<std::size_t>(batches));
    for (std::size_t b = 0; b < r.sums.size(); ++b) CHECK(r.sums[b] == static_cast<long>(6 * b));
    CHECK(r.padded == all[0].padded);
    CHECK(r.stretches == 6);
  }
  std::array<std::size_t, 2> padded{};
  for (std::size_t i = 0; i < all[0].padded.size(); ++i) padded[i % 2] += all[0].padded[i] > 0;
  CHECK(padded == std::array<std::size_t, 2>{3 * 16, 3 * 16});
}

}  // namespace

TEST_CASE("ranks pad the same tasks on the same batches, collectives too") {
  std::vector<by_rank> all(size);
  adder sums;
  ranks::each(size, [&](std::size_t rank) {
    st::pipeline<adding, st::padding> pipeline(prepare{rank}, add_up{sums, rank});
    all[rank] = run_padded(pipeline);
  });
  check(all);
  ranks::each(size, [&](std::size_t rank) {
    dynamic::pipeline<st::padding> pipeline(
        dynamic::from_types<adding>(prepare{rank}, add_up{sums, rank}));
    all[rank] = run_padded(pipeline);
  });
  check(all);
}
