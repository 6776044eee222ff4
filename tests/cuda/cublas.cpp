// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// cuBLAS's handle: what it says where there is no device, and what it is where there is one. It is
// at work in tests/gpu.

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <doctest/doctest.h>
#include <stretto/cuda.hpp>
#include <stretto/cuda/cublas.hpp>
#include <string>
#include <type_traits>

namespace {

namespace st = stretto;
using st::cuda::cublas;

static_assert(std::is_convertible_v<st::cuda::handle<cublas>, cublasHandle_t>);
static_assert(
    std::is_convertible_v<st::cuda::handle<st::cuda::cublas_with_workspace<>>, cublasHandle_t>);
static_assert(!std::is_convertible_v<st::cuda::handle<cublas, st::cuda::scratch>, cublasHandle_t>);
static_assert(!std::is_copy_constructible_v<cublas>);

}  // namespace

TEST_CASE("it is made of a stream, or says what cuBLAS says") {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::string text;
    try {
      cublas(cudaStream_t{});
    } catch (const st::cuda::error& e) {
      text = e.what();
      CHECK(e.call() == "cublasCreate");
      CHECK(e.code() != CUBLAS_STATUS_SUCCESS);
      CHECK_FALSE(e.sticky());
    }
    CAPTURE(text);
    CHECK(text.find("cublasCreate: ") == 0);
    CHECK(text.find("(CUBLAS_STATUS_") != std::string::npos);
  } else {
    const cublas h(cudaStream_t{});
    CHECK(static_cast<cublasHandle_t>(h) != nullptr);
  }
}

TEST_CASE("a call that fails is an error that names it") {
  CHECK_NOTHROW(cublas::checked("cublasSgemm", CUBLAS_STATUS_SUCCESS));
  CHECK_THROWS_WITH_AS(cublas::checked("cublasSgemm", CUBLAS_STATUS_INVALID_VALUE),
                       doctest::Contains("(CUBLAS_STATUS_INVALID_VALUE)"), st::cuda::error);
}
