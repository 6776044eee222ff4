// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A kernel that crashes takes the device from its process: hence a program of its own.

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>
#include <stretto/cuda.hpp>
#include <stretto/stretto.hpp>
#include <string_view>
#include "kernels.hpp"

namespace {

namespace st = stretto;

struct number : st::slot<int> {};
struct there : st::slot<st::cuda::array<int, 1>> {};
struct back : st::slot<st::cuda::pinned_array<int, 1>> {};

struct compute {
  using stream = st::stream<"a">;
  static constexpr int lookahead = 1;
  using reads = st::reads<number>;
  using writes = st::writes<there>;
  void operator()(cudaStream_t s, int in, st::cuda::array<int, 1>& out) const {
    if (in == 5) kernels::crash(s);
    kernels::write(10, in, out.data(), 1, s);
  }
};
struct fetch {
  using stream = st::stream<"b">;
  using reads = st::reads<there>;
  using writes = st::writes<back>;
  void operator()(cudaStream_t s, const st::cuda::array<int, 1>& in,
                  st::cuda::pinned_array<int, 1>& out) const {
    cudaMemcpyAsync(out.data(), in.data(), sizeof(int), cudaMemcpyDeviceToHost, s);
  }
};
struct training
    : st::schedule<st::source<number>, st::result<back>, st::streams<"a", "b">, compute, fetch> {};

/// The error of CUDA's in what was thrown, however deep.
void find(const std::exception& thrown, bool& found, bool& sticky) {
  if (const auto* const e = dynamic_cast<const st::cuda::error*>(&thrown)) {
    found = true;
    sticky = e->sticky();
    return;
  }
  try {
    std::rethrow_if_nested(thrown);
  } catch (const std::exception& inner) {
    find(inner, found, sticky);
  }
}

}  // namespace

TEST_CASE("a kernel that crashes ends the run with an error that says the device is lost") {
  int delivered = 0;
  bool found = false;
  bool sticky = false;
  {
    st::pipeline<training, st::on_cuda> pipeline;
    int next = 0;
    try {
      for (const auto& r : pipeline.run([&](int& to) {
             to = next;
             return next++ < 100;
           })) {
        CHECK(r[0] == delivered);  // what is handed out is right, to the last
        ++delivered;
      }
      FAIL("the run went through");
    } catch (const std::exception& e) {
      find(e, found, sticky);
    }
    CHECK(delivered <= 5);
    CHECK(pipeline.report().failures.size() > 0);
  }  // ends without hanging, though nothing can be given back
  CHECK(found);
  CHECK(sticky);
}
