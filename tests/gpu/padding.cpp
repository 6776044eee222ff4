// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels that wait behind others: a padding of what tasks have a device do.

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>
#include <chrono>
#include <cstddef>
#include <stretto/cuda/padding.hpp>
#include <vector>
#include "chain.hpp"

namespace {

namespace st = stretto;
using namespace std::chrono_literals;
using driver = st::cuda::driver;
using on_cuda = chain::by<driver>;

}  // namespace

TEST_CASE("a pause takes as long as it is asked to") {
  const driver d;
  cudaStream_t stream{};
  cudaEvent_t begin{};
  cudaEvent_t end{};
  REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  REQUIRE(d.create_timed_event(begin) == cudaSuccess);
  REQUIRE(d.create_timed_event(end) == cudaSuccess);
  for (const auto time : {0us, 200us, 2000us}) {
    CAPTURE(time.count());
    REQUIRE(d.record(begin, stream) == cudaSuccess);
    REQUIRE(st::cuda::pause{}(d, stream, time) == cudaSuccess);
    REQUIRE(d.record(end, stream) == cudaSuccess);
    REQUIRE(d.synchronize_event(end) == cudaSuccess);
    float milliseconds = 0;
    REQUIRE(d.elapsed_time(milliseconds, begin, end) == cudaSuccess);
    // Steps of the device's clock, and of what events tell apart.
    CHECK(milliseconds * 1000 >= static_cast<float>(time.count()) - 5);
  }
  CHECK(d.destroy_event(end) == cudaSuccess);
  CHECK(d.destroy_event(begin) == cudaSuccess);
  CHECK(d.destroy_stream(stream) == cudaSuccess);
}

TEST_CASE("what is padded computes what it does without") {
  constexpr std::size_t stretch = 32;
  constexpr int batches = 32 * 17;
  st::pipeline<on_cuda::schedule, st::on_cuda, st::cuda::padding> pipeline;
  pipeline.observer().pad({.longest = 100us, .stretch = stretch});
  const std::vector<int> all = chain::results_of(pipeline, batches);
  CHECK(all.size() == batches);
  CHECK(chain::right(all));
  const st::padding_result found = pipeline.observer().result();
  std::size_t padded = 0;
  for (const st::padding_result::row& r : found.tasks) {
    CAPTURE(r.task);
    CHECK(r.is_padded);
    CHECK(r.stretches > 0);
    if (r.on_device) CHECK(r.time > 0s);
    padded += r.stretches;
  }
  CHECK(padded == found.stretches);
}
