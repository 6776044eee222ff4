// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a user without a device gets; with one, the same pipeline runs.

#include <doctest/doctest.h>
#include <string>
#include <string_view>
#include "copying.hpp"

namespace {

namespace st = stretto;

void check(int (*sum)()) {
  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status == cudaSuccess) {
    CHECK(sum() == 45);
    return;
  }
  try {
    sum();
    FAIL("a pipeline on CUDA was made where there is none");
  } catch (const st::cuda::error& e) {
    CHECK(e.call() == "cudaGetDeviceCount");
    CHECK(e.code() == static_cast<int>(status));
    CHECK_FALSE(e.sticky());
    const std::string expected = std::string("cudaGetDeviceCount: ") + cudaGetErrorString(status) +
                                 " (" + cudaGetErrorName(status) + ")";
    CHECK(std::string_view(e.what()) == expected);
  }
}

}  // namespace

TEST_CASE("a pipeline on CUDA runs, or says which call refused, and why") {
  check(&copying::sum_of_ten<>);
}

#ifdef COMPILED_BY_NVCC
TEST_CASE("so does one that nvcc compiled") { check(&sum_of_ten_by_nvcc); }
#endif
