// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <dlfcn.h>
#include <doctest/doctest.h>
#include <stretto/cuda/driver.hpp>
#include <string_view>
#include <type_traits>

using stretto::cuda::driver;
using stretto::device::call;

static_assert(stretto::device::driver<driver>);
static_assert(std::is_empty_v<driver>);

TEST_CASE("each call has the name of a function of the CUDA runtime") {
  for (int c = 0; c <= static_cast<int>(call::launch); ++c) {
    const char* const name = driver::call_name(static_cast<call>(c));
    CAPTURE(name);
    CHECK(::dlsym(RTLD_DEFAULT, name) != nullptr);
  }
}

TEST_CASE("errors are named and told in words") {
  CHECK(std::string_view(driver::name(cudaErrorIllegalAddress)) == "cudaErrorIllegalAddress");
  CHECK(std::string_view(driver::text(cudaErrorMemoryAllocation)) == "out of memory");
}

TEST_CASE("an error that loses the device is told from one that does not") {
  CHECK(driver::sticky(cudaErrorIllegalAddress));
  CHECK(driver::sticky(cudaErrorLaunchFailure));
  CHECK(driver::sticky(cudaErrorAssert));
  CHECK_FALSE(driver::sticky(cudaErrorMemoryAllocation));
  CHECK_FALSE(driver::sticky(cudaErrorInvalidValue));
  CHECK_FALSE(driver::sticky(cudaErrorInvalidConfiguration));
  CHECK_FALSE(driver::sticky(cudaErrorNotReady));
  CHECK_FALSE(driver::sticky(cudaErrorNoDevice));
  CHECK_FALSE(driver::sticky(cudaSuccess));
}
