// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <doctest/doctest.h>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <recording/driver.hpp>
#include <recording_nccl/library.hpp>
#include <stretto/device/backend.hpp>
#include <stretto/nccl/collectives.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>
#include "../support/patience.hpp"

/// Ranks as threads, each a pipeline on a recording driver whose collectives are recorded, too.
namespace cluster {

namespace st = stretto;
namespace recording = stretto::testing::recording;
namespace wire = stretto::testing::recording_nccl;
using driver = recording::driver;
using device = st::device::backend<driver>;
using collectives = st::nccl::collectives_over<wire::library, driver>;
using communicators = st::nccl::communicators_of<wire::library>;
using memory = st::nccl::memory_of<wire::library, driver>;
using registered = st::nccl::registered_memory<wire::library, driver>;
using st::nccl::timeouts;
using cell = st::device::array<long, 1, driver>;
using pinned_cell = st::device::pinned_array<long, 1, driver>;

inline constexpr timeouts patient{.peers = tested::patience,
                                  .stop = std::chrono::milliseconds(200)};

struct number : st::slot<pinned_cell> {};
struct raw : st::slot<cell> {};
struct table : st::slot<cell> {};
struct part : st::slot<cell> {};
struct total : st::slot<cell> {};
struct fetched : st::slot<pinned_cell> {};
struct result : st::slot<long> {};

/// What a test does in a body, before or instead of what that does: instead, if it returns true.
using trap = std::function<bool(std::size_t batch)>;

struct upload {
  using stream = st::stream<"prepare">;
  static constexpr int lookahead = 1;
  using reads = st::reads<number>;
  using writes = st::writes<raw>;
  void operator()(st::context auto& ctx, const pinned_cell& in, cell& out) const {
    ctx.driver().copy(ctx.stream(), out.data(), in.data(), sizeof(long));
  }
};
struct spread {
  using stream = st::stream<"prepare">;
  using communicator = st::communicator<"tables">;
  static constexpr int lookahead = 1;
  static constexpr bool collective = true;
  using reads = st::reads<raw>;
  using writes = st::writes<table>;
  trap in_spread;
  void operator()(st::context auto& ctx, const cell& in, cell& out) const {
    if (in_spread && in_spread(ctx.batch())) return;
    ctx.all_reduce(in.data(), out.data(), 1);
  }
};
struct train {
  using stream = st::stream<"compute">;
  using reads = st::reads<table>;
  using writes = st::writes<part>;
  void operator()(st::context auto& ctx, const cell& in, cell& out) const {
    ctx.driver().enqueue(
        ctx.stream(), [from = in.data(), to = out.data()] { *to = 2 * *from + 1; }, {},
        {recording::reads(in.data(), sizeof(long)), recording::writes(out.data(), sizeof(long))});
  }
};
struct sum {
  using stream = st::stream<"compute">;
  static constexpr bool collective = true;
  using reads = st::reads<part>;
  using writes = st::writes<total>;
  trap in_sum;
  void operator()(st::context auto& ctx, const cell& in, cell& out) const {
    if (in_sum && in_sum(ctx.batch())) return;
    // Two in a row: the second needs the communicator to be through with the first.
    ctx.all_reduce(in.data(), out.data(), 1);
    ctx.all_reduce(out.data(), 1, wire::reduction::maximum);
  }
};
struct download {
  using stream = st::stream<"compute">;
  using reads = st::reads<total>;
  using writes = st::writes<fetched>;
  void operator()(st::context auto& ctx, const cell& in, pinned_cell& out) const {
    ctx.driver().copy(ctx.stream(), out.data(), in.data(), sizeof(long));
  }
};
struct look {
  using reads = st::reads<fetched>;
  using writes = st::writes<result>;
  trap in_look;
  void operator()(const st::task_context& ctx, const pinned_cell& in, long& out) const {
    if (in_look) in_look(ctx.batch());
    out = in[0];
  }
};

struct training
    : st::schedule<st::source<number>, st::result<result>, st::streams<"prepare", "compute">,
                   upload, spread, train, sum, download, look> {};

/// What the result of a batch is if \p ranks ranks each took part with 10 * batch + rank.
inline long expected(std::size_t batch, std::size_t ranks) {
  long sum_of_ranks = 0;
  for (std::size_t r = 0; r < ranks; ++r) sum_of_ranks += static_cast<long>(10 * batch + r);
  return static_cast<long>(ranks) * (2 * sum_of_ranks + 1);
}

/// One machine for each rank, and what connects them.
class machines {
 public:
  explicit machines(std::size_t ranks, int polls = 2)
      : net(polls), all_(ranks), among_all(ranks), among_tables(ranks) {
    for (auto& w : all_) w = std::make_unique<recording::world>();
  }

  std::size_t size() const { return all_.size(); }
  recording::world& world(std::size_t rank) { return *all_[rank]; }

  /// Runs `body(rank)` on a thread for each rank; what they threw, as text.
  template <class Body>
  std::vector<std::string> each(const Body& body) {
    std::vector<std::string> said(size());
    std::vector<std::thread> threads;
    for (std::size_t r = 0; r < size(); ++r)
      threads.emplace_back([&, r] {
        try {
          body(r);
        } catch (const st::task_error& e) {
          said[r] = inner(e);
        } catch (const std::exception& e) {
          said[r] = e.what();
        }
      });
    for (std::thread& t : threads) t.join();
    return said;
  }

  driver driver_of(std::size_t rank) { return driver(world(rank)); }
  wire::library library_of(std::size_t rank) {
    return {net, driver_of(rank), static_cast<int>(rank)};
  }
  communicators communicators_of(std::size_t rank,
                                 wire::library::config config = wire::library::standard_config()) {
    return {{"world", st::nccl::in_process(among_all, rank), nullptr, config},
            {"tables", st::nccl::in_process(among_tables, rank), nullptr, config}};
  }

  /// Runs \p batches batches; the results.
  template <class Pipeline>
  std::vector<long> run(Pipeline& p, std::size_t rank, std::size_t batches) {
    std::vector<long> results;
    std::size_t next = 0;
    const auto source = [&](pinned_cell& into) {
      if (next == batches) return false;
      world(rank).host_writes(into.data(), sizeof(long));
      into[0] = static_cast<long>(10 * next++ + rank);
      return true;
    };
    for (const long r : p.run(source)) results.push_back(r);
    return results;
  }

  /// Nobody broke a rule, and nothing is left.
  void check_clean() {
    for (const auto& w : all_) {
      for (const std::string& b : w->breaches()) CHECK_MESSAGE(false, b);
      for (const std::string& l : w->leaks()) CHECK_MESSAGE(false, l);
    }
    for (const std::string& b : net.breaches()) CHECK_MESSAGE(false, b);
    for (const std::string& l : net.leaks()) CHECK_MESSAGE(false, l);
  }

 private:
  static std::string inner(const st::task_error& e) {
    try {
      e.rethrow_nested();
    } catch (const std::exception& original) {
      return original.what();
    }
  }

 public:
  wire::network net;

 private:
  std::vector<std::unique_ptr<recording::world>> all_;

 public:
  st::nccl::local_ranks among_all;
  st::nccl::local_ranks among_tables;
};

}  // namespace cluster
