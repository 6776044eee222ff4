// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the tests of ../ call besides what the driver does: it is checked, too.

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>
#include <by_cuda.hpp>
#include <cstddef>
#include <string>
#include "../kernels.hpp"

namespace {

struct fixture : stand_in::spoken_to {
  fixture() {
    for (cudaStream_t* s : {&a, &b})
      REQUIRE(cudaStreamCreateWithFlags(s, cudaStreamNonBlocking) == cudaSuccess);
    void* at = nullptr;
    REQUIRE(cudaMalloc(&at, 4 * bytes) == cudaSuccess);
    numbers = static_cast<int*>(at);
  }
  ~fixture() {
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(cudaFree(numbers) == cudaSuccess);
    CHECK(cudaStreamDestroy(a) == cudaSuccess);
    CHECK(cudaStreamDestroy(b) == cudaSuccess);
    CHECK(breaches().empty());
    CHECK(leaks().empty());
  }
  fixture(const fixture&) = delete;
  fixture& operator=(const fixture&) = delete;

  /// \p call breaks the rule that two uses of memory have an order, though it comes later.
  template <class Call>
  void races(Call call) {
    w.settle();
    CHECK(breaches().empty());
    call();
    w.settle();
    CHECK(breaches().find("with no order between them") != std::string::npos);
  }

  static constexpr std::size_t count = 8;
  static constexpr std::size_t bytes = count * sizeof(int);
  cudaStream_t a = nullptr, b = nullptr;
  int* numbers = nullptr;
};

TEST_CASE_FIXTURE(fixture, "kernels say what they use") {
  int* const others = numbers + count;
  kernels::write(0, 1, numbers, count, a);
  kernels::spin(0, b);
  kernels::write(0, 1, others, count, b);
  races([&] { kernels::write(0, 2, numbers + count - 1, 1, b); });
  CHECK(cudaStreamSynchronize(a) == cudaSuccess);
  CHECK(cudaStreamSynchronize(b) == cudaSuccess);
  CHECK(numbers[0] == 1);
  CHECK(numbers[count - 1] == 2);

  kernels::add(0, numbers, 1, others, count, a);
  kernels::add(0, numbers, 1, others + count, count, b);  // both read
  races([&] { kernels::write(0, 3, numbers, 1, b); });
  races([&] { kernels::add(0, others, 1, others + 2 * count, count, b); });
  CHECK(others[0] == 2);
  CHECK(others[2 * count] == 3);
}

TEST_CASE_FIXTURE(fixture, "copies do") {
  int* const others = numbers + count;
  kernels::write(0, 1, numbers, count, a);
  CHECK(cudaMemcpyAsync(others, numbers, bytes, cudaMemcpyDeviceToDevice, a) == cudaSuccess);
  races([&] { cudaMemcpyAsync(numbers + 2 * count, others, bytes, cudaMemcpyDeviceToDevice, b); });
  CHECK(others[count - 1] == 1);
}

TEST_CASE_FIXTURE(fixture,
                  "what is set is set on the legacy stream, which others do not wait for") {
  CHECK(cudaMemset(numbers, 0, bytes) == cudaSuccess);
  races([&] { kernels::write(0, 1, numbers, count, a); });
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaMemset(numbers, 0, bytes) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(numbers[count - 1] == 0);
  kernels::write(0, 1, numbers, count, a);
}

TEST_CASE_FIXTURE(fixture, "memory that is given back is used no more, nor while others use it") {
  void* at = nullptr;
  CHECK(cudaMalloc(&at, bytes) == cudaSuccess);
  kernels::write(0, 1, static_cast<int*>(at), count, a);
  w.settle();
  CHECK(cudaFree(at) == cudaSuccess);
  CHECK(breaches() == "end_mapped: write may still use m1\n");
  kernels::write(0, 1, static_cast<int*>(at), count, a);
  CHECK(breaches() == "kernel(s0, \"write\"): uses m1, which was freed\n");
}

TEST_CASE_FIXTURE(fixture, "a launch that is refused is the last error, which can be looked at") {
  kernels::refused(a);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("a kernel that crashes loses the device") {
  stand_in::spoken_to f;
  cudaStream_t s = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking) == cudaSuccess);
  kernels::crash(s);
  CHECK(cudaStreamSynchronize(s) == cudaErrorIllegalAddress);
  CHECK(cudaGetLastError() == cudaErrorIllegalAddress);
  CHECK(cudaGetLastError() == cudaErrorIllegalAddress);
}

TEST_CASE("there is one device, unless a world says otherwise") {
  int devices = 0;
  CHECK(cudaGetDeviceCount(&devices) == cudaSuccess);
  CHECK(devices == 1);
  {
    stand_in::spoken_to f(3);
    CHECK(cudaGetDeviceCount(&devices) == cudaSuccess);
    CHECK(devices == 3);
  }
  CHECK(cudaGetDeviceCount(&devices) == cudaSuccess);
  CHECK(devices == 1);
}

TEST_CASE("errors have CUDA's names") {
  CHECK(std::string(cudaGetErrorName(cudaErrorStreamCaptureIsolation)) ==
        "cudaErrorStreamCaptureIsolation");
  CHECK(std::string(cudaGetErrorString(cudaErrorMemoryAllocation)) == "out of memory");
}

}  // namespace
