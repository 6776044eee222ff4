// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <ranges>
#include <stretto/cuda.hpp>
#include <stretto/nvtx.hpp>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct number : st::slot<int> {};
struct there : st::slot<st::cuda::array<int, 1>> {};

struct upload {
  using stream = st::stream<"copy">;
  using reads = st::reads<number>;
  using writes = st::writes<there>;
  void operator()(cudaStream_t s, const int& in, st::cuda::array<int, 1>& out) const {
    cudaMemcpyAsync(out.data(), &in, sizeof in, cudaMemcpyHostToDevice, s);
  }
};
struct training : st::schedule<st::source<number>, st::streams<"copy">, upload> {};

int main() {
  try {
    st::pipeline<training, st::on_cuda, st::nvtx_ranges> pipeline;
    for ([[maybe_unused]] const auto b : pipeline.run(std::views::iota(0, 4))) {
    }
  } catch (const st::cuda::error& e) {
    std::puts(e.what());  // no device
  }
}
