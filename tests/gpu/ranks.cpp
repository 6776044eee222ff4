// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Collectives of NCCL on devices: alone, and one rank for each device there is.

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>
#include <chrono>
#include <cstddef>
#include <exception>
#include <nccl/summing.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace st = stretto;

std::size_t devices() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? static_cast<std::size_t>(count) : 0;
}

/// Runs `body(rank)` on a thread for each rank; what they threw, as text.
template <class Body>
std::vector<std::string> each(std::size_t ranks, const Body& body) {
  std::vector<std::string> said(ranks);
  std::vector<std::thread> threads;
  for (std::size_t r = 0; r < ranks; ++r)
    threads.emplace_back([&, r] {
      try {
        body(r);
      } catch (const std::exception& e) {
        said[r] = e.what();
      }
    });
  for (std::thread& t : threads) t.join();
  return said;
}

}  // namespace

TEST_CASE("one rank adds up what it has") {
  st::nccl::local_ranks alone(1);
  CHECK(summing::sum_of_ten(alone, 0) == summing::expected(1));
}

TEST_CASE("as many ranks as there are devices add up what all have, and again") {
  const std::size_t ranks = devices();
  for (int i = 0; i < 2; ++i) {
    st::nccl::local_ranks all(ranks);
    const std::vector<std::string> said = each(ranks, [&](std::size_t r) {
      CHECK(summing::sum_of_ten(all, r) == summing::expected(ranks));
    });
    for (const std::string& s : said) CHECK(s == "");
  }
}

TEST_CASE("a rank that does not begin its run is named, and nobody hangs") {
  const std::size_t ranks = devices();
  if (ranks < 2) return;
  st::nccl::local_ranks all(ranks);
  const std::vector<std::string> said = each(ranks, [&](std::size_t r) {
    const auto device = static_cast<int>(r);
    st::pipeline<summing::adding_up, st::on_cuda, st::nccl::collectives> p{
        st::cuda::streams{{"up", {.device = device}}, {"collectives", {.device = device}}},
        st::nccl::communicators{{"world", st::nccl::in_process(all, r)}},
        st::nccl::timeouts{.peers = tested::patience}};  // NCCL takes seconds to begin
    if (r == 1) return;
    for ([[maybe_unused]] const float sum : p.run(std::vector<int>(3))) continue;
  });
  CHECK(said[1] == "");
  for (std::size_t r = 0; r < ranks; ++r)
    if (r != 1) CHECK(said[r].find("rank 1 did not begin run 1 within 20 s") != std::string::npos);
}
