// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// When the device began and ended tasks, in the host's time.

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>
#include <chrono>
#include <cstddef>
#include <stretto/cuda.hpp>
#include <stretto/cuda/timeline.hpp>
#include <stretto/stretto.hpp>
#include <vector>
#include "kernels.hpp"

namespace {

namespace st = stretto;
using namespace std::chrono_literals;
using timeline = st::cuda::timeline;
using clock = timeline::clock;
constexpr std::size_t batches = 20;
constexpr std::chrono::microseconds long_time{kernels::long_us};

struct number : st::slot<int> {};
struct there : st::slot<st::cuda::array<int, 1>> {};
struct back : st::slot<st::cuda::pinned_array<int, 1>> {};

struct compute {
  using stream = st::stream<"compute">;
  static constexpr int lookahead = 1;
  using reads = st::reads<number>;
  using writes = st::writes<there>;
  void operator()(cudaStream_t s, int in, st::cuda::array<int, 1>& out) const {
    kernels::write(kernels::long_us, in, out.data(), 1, s);
  }
};
struct fetch {
  using stream = st::stream<"memcpy">;
  using reads = st::reads<there>;
  using writes = st::writes<back>;
  void operator()(cudaStream_t s, const st::cuda::array<int, 1>& in,
                  st::cuda::pinned_array<int, 1>& out) const {
    cudaMemcpyAsync(out.data(), in.data(), sizeof(int), cudaMemcpyDeviceToHost, s);
  }
};
struct training : st::schedule<st::source<number>, st::result<back>,
                               st::streams<"compute", "memcpy">, compute, fetch> {};

}  // namespace

TEST_CASE("a kernel's time is its own, and lies between its submission and its result") {
  st::pipeline<training, st::on_cuda, timeline> pipeline;
  const timeline& record = pipeline.observer();
  for (int run = 0; run < 2; ++run) {
    pipeline.observer().clear();
    std::vector<clock::time_point> handed_out;
    std::size_t next = 0;
    const auto some = [&next](int& to) {
      to = static_cast<int>(next);
      return next++ < batches;
    };
    for (const auto& r : pipeline.run(some)) {
      CHECK(r[0] == static_cast<int>(handed_out.size()));
      handed_out.push_back(clock::now());
    }

    REQUIRE(record.streams().size() == 2);
    CHECK(record.dropped() == 0);
    CHECK(record.clock_error() > 0s);
    const auto slack = std::chrono::duration_cast<clock::duration>(record.clock_error()) + 5us;
    std::vector<clock::time_point> submitted(batches);
    for (std::size_t t = 0; t < record.threads().size(); ++t)
      for (const timeline::span& s : record.spans(t))
        if (s.task == 0) submitted[s.batch] = s.begin;
    const std::vector<timeline::span> computed = record.stream_spans(0);
    const std::vector<timeline::span> fetched = record.stream_spans(1);
    REQUIRE(computed.size() == batches);
    REQUIRE(fetched.size() == batches);
    for (std::size_t b = 0; b < batches; ++b) {
      CAPTURE(b);
      CHECK(computed[b].batch == b);
      CHECK(computed[b].end - computed[b].begin >= long_time / 2);
      CHECK(computed[b].begin >= submitted[b] - slack);
      CHECK(fetched[b].begin >= computed[b].end - 5us);
      CHECK(fetched[b].end <= handed_out[b] + slack);
      if (b > 0) CHECK(computed[b].begin >= computed[b - 1].end - 5us);
    }
  }
}
