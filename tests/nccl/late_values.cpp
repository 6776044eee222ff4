// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No collective begins before the slots' values are there, on all ranks.
#include <doctest/doctest.h>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <recording/driver.hpp>
#include <stretto/device/memory.hpp>
#include <string>
#include <thread>
#include <vector>
#include "cluster.hpp"

namespace {

using namespace cluster;

/// That rank 0 has put a collective on its stream.
std::atomic<bool> begun{false};

/// Memory that comes late: after the first collective, where that does not wait for it.
struct late_cell : pinned_cell {
  explicit late_cell(const st::device::slot_location<driver>& where)
      : pinned_cell((await_collective(where.device), where)) {}

 private:
  /// Rank 1, on device 1, is the last.
  static void await_collective(int device) {
    for (int ms = 0; ms < 300 * (1 + device) && !begun; ++ms)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
};

struct late : st::slot<late_cell> {};
struct begin {
  using stream = st::stream<"prepare">;
  using communicator = st::communicator<"tables">;
  static constexpr int lookahead = 1;
  static constexpr bool collective = true;
  using reads = st::reads<raw>;
  using writes = st::writes<table>;
  std::size_t rank = 0;
  void operator()(st::context auto& ctx, const cell& in, cell& out) const {
    // Not before rank 0 waits for it on its device.
    if (rank == 1 && ctx.batch() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(200));
    ctx.all_reduce(in.data(), out.data(), 1);
    if (rank == 0) begun = true;
  }
};
struct download_late {
  using stream = st::stream<"compute">;
  using reads = st::reads<table>;
  using writes = st::writes<late>;
  void operator()(st::context auto& ctx, const cell& in, late_cell& out) const {
    ctx.driver().copy(ctx.stream(), out.data(), in.data(), sizeof(long));
  }
};
struct show {
  using reads = st::reads<late>;
  using writes = st::writes<result>;
  void operator()(const late_cell& in, long& out) const { out = in[0]; }
};
struct with_late_values
    : st::schedule<st::source<number>, st::result<result>, st::streams<"prepare", "compute">,
                   upload, begin, download_late, show> {};

}  // namespace

TEST_CASE("in one process no rank begins while another one waits for the devices to make values") {
  recording::world world(2);
  world.wait_implicitly();  // of one process: whoever does holds up all ranks
  wire::network net;
  st::nccl::local_ranks all(2);
  st::nccl::local_ranks tables(2);
  begun = false;
  std::vector<std::string> said(2);
  std::vector<std::thread> threads;
  for (std::size_t r = 0; r < 2; ++r)
    threads.emplace_back([&, r] {
      const int device_of_rank = static_cast<int>(r);
      const driver d(world);
      try {
        st::pipeline<with_late_values, device, collectives> p{
            begin{r},
            d,
            wire::library(net, d, device_of_rank),
            st::device::streams<driver>{{"prepare", {.device = device_of_rank}},
                                        {"compute", {.device = device_of_rank}}},
            communicators{{"world", st::nccl::in_process(all, r)},
                          {"tables", st::nccl::in_process(tables, r)}},
            timeouts{.peers = tested::patience, .stop = std::chrono::milliseconds(200)}};
        for (int run = 0; run < 2; ++run) {
          std::size_t next = 0;
          const auto source = [&](pinned_cell& into) {
            into[0] = static_cast<long>(10 * next + r);
            return next++ < 4;
          };
          long batch = 0;
          for (const long sum : p.run(source)) CHECK(sum == 20 * batch++ + 1);
          CHECK(batch == 4);
        }
      } catch (const std::exception& e) {
        said[r] = e.what();
      }
    });
  for (std::thread& t : threads) t.join();
  for (const std::string& s : said) CHECK(s == "");
  CHECK(world.implicit_waits() > 0);
  for (const std::string& b : net.breaches()) CHECK_MESSAGE(false, b);
  for (const std::string& b : world.breaches()) CHECK_MESSAGE(false, b);
}
