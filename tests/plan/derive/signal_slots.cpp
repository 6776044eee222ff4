// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which nodes have their signals in the copies of a slot.

#include <doctest/doctest.h>
#include <cstddef>
#include <stretto/plan/derive/signal_slots.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/list.hpp>
#include <vector>

namespace {

namespace planner = stretto::planner;
using planner::edge;
using planner::none;
using planner::reason;
using sizes = std::vector<std::size_t>;

constexpr std::size_t load = 0;
constexpr std::size_t train = 1;
constexpr std::size_t log = 2;

/// Two slots that `load` fills, on thread 1; `train` is on thread 0, `log` next to `load`.
struct filled {
  std::vector<edge> edges{};
  sizes fillers{load, load};
  sizes thread_of{1, 0, 1};
  sizes workers{1, 1};
  sizes bytes{8, 8};

  sizes slots() const {
    const planner::list<std::size_t> found =
        planner::signal_slots({edges, fillers, thread_of, workers, bytes});
    return {found.begin(), found.end()};
  }
};

constexpr edge reads(std::size_t consumer, std::size_t slot) {
  return {load, consumer, 0, reason::data, slot, 0};
}

}  // namespace

TEST_CASE("a signal lies in the first slot that another thread uses") {
  filled f;
  f.edges = {reads(log, 0), reads(train, 1), reads(train, 0)};
  CHECK(f.slots() == sizes{1, none, none});
}

TEST_CASE("not in a slot that only its own thread uses") {
  filled f;
  f.edges = {reads(log, 0)};
  CHECK(f.slots() == sizes{none, none, none});
}

TEST_CASE("nor in one that somebody else fills, or on behalf of an order without a slot") {
  filled f;
  f.fillers = {log, log};
  f.edges = {reads(train, 0), {load, train, 0, reason::depends_on, none, 0}};
  CHECK(f.slots() == sizes{none, none, none});
}

TEST_CASE("nor where workers take turns at the task; those who read may") {
  filled f;
  f.edges = {reads(train, 0)};
  f.workers = {1, 2};
  CHECK(f.slots() == sizes{none, none, none});
  f.workers = {2, 1};
  CHECK(f.slots() == sizes{0, none, none});
}

TEST_CASE("value and signal have one cache line, or the signal has its own") {
  filled f;
  f.edges = {reads(train, 0), reads(train, 1)};
  for (const std::size_t bytes : {1U, 8U, 41U, 60U}) {
    f.bytes = {bytes, 8};
    CHECK(f.slots()[load] == 0);
    CHECK(planner::signal_place(bytes) >= bytes);
    CHECK(planner::signal_place(bytes) % planner::signal_alignment == 0);
    CHECK(planner::signal_place(bytes) + planner::signal_size <= 64);
  }
  for (const std::size_t bytes : {61U, 64U, 100U, 1U << 20U}) {
    f.bytes = {bytes, 8};
    CHECK(f.slots()[load] == 1);
  }
}
