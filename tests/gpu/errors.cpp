// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What goes wrong on a device, but leaves it usable.

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>
#include <cstddef>
#include <exception>
#include <stretto/cuda.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include "kernels.hpp"

namespace {

namespace st = stretto;

struct number : st::slot<int> {};
struct room : st::slot<st::cuda::buffer<char>> {};

struct fill {
  using stream = st::stream<"a">;
  static constexpr int lookahead = 1;
  using reads = st::reads<number>;
  using writes = st::writes<room>;
  void operator()(cudaStream_t, int in, st::cuda::buffer<char>& out) const {
    out.resize(in == too_much ? std::size_t{1} << 42U : 16);
  }
  int too_much = -1;
};
struct launch {
  using stream = st::stream<"b">;
  using reads = st::reads<number, room>;
  void operator()(cudaStream_t s, int in, const st::cuda::buffer<char>&) const {
    if (in == refused) {
      kernels::refused(s);
    } else {
      kernels::spin(10, s);
    }
  }
  int refused = -1;
};
struct training : st::schedule<st::source<number>, st::streams<"a", "b">, fill, launch> {};

using pipeline = st::pipeline<training, st::on_cuda>;

auto ten_numbers() {
  return [next = 0](int& to) mutable {
    to = next;
    return next++ < 10;
  };
}

/// Runs, and returns what CUDA said; which task at which batch it was.
struct failure {
  std::string task;
  std::size_t batch = 0;
  std::string call;
  int code = 0;
  bool sticky = true;
};
failure run_into_it(pipeline& p) {
  try {
    for ([[maybe_unused]] const auto b : p.run(ten_numbers())) {
    }
  } catch (const st::task_error& e) {
    failure f;
    f.task = e.task();
    f.batch = e.batch();
    try {
      std::rethrow_if_nested(e);
    } catch (const st::cuda::error& inner) {
      f.call = inner.call();
      f.code = inner.code();
      f.sticky = inner.sticky();
    }
    return f;
  }
  FAIL("no task failed");
  return {};
}

int count(pipeline& p) {
  int batches = 0;
  for ([[maybe_unused]] const auto b : p.run(ten_numbers())) ++batches;
  return batches;
}

}  // namespace

TEST_CASE("a launch that is refused is its task's error, and the pipeline goes on after a reset") {
  pipeline p{launch{4}};
  const failure f = run_into_it(p);
  CHECK(f.task == "launch");
  CHECK(f.batch == 4);
  CHECK(f.call == "cudaGetLastError");
  CHECK(f.code == static_cast<int>(cudaErrorInvalidConfiguration));
  CHECK_FALSE(f.sticky);
  p.task<launch>().refused = -1;
  p.reset();
  CHECK(count(p) == 10);
}

TEST_CASE("so is memory that there is not") {
  pipeline p{fill{3}};
  const failure f = run_into_it(p);
  CHECK(f.task == "fill");
  CHECK(f.batch == 3);
  CHECK(f.call == "cudaMallocAsync");
  CHECK(f.code == static_cast<int>(cudaErrorMemoryAllocation));
  CHECK_FALSE(f.sticky);
  p.task<fill>().too_much = -1;
  p.reset();
  CHECK(count(p) == 10);
}

TEST_CASE("a device that there is not is refused by name") {
  CHECK_THROWS_WITH_AS((pipeline{st::cuda::streams{{"a", {.device = 999}}}}),
                       doctest::Contains("stream `a` is to be on device 999"), st::usage_error);
}
