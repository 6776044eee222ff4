// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// NCCL itself, with what devices there are: without one, what a user is told.

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <cstddef>
#include <cstring>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <string_view>
#include <thread>
#include <type_traits>
#include <vector>
#include "summing.hpp"

namespace {

namespace st = stretto;
using st::nccl::call;
using st::nccl::library;

static_assert(std::is_empty_v<library>);

int devices() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

void check(float (*sum)()) {
  if (devices() > 0) {
    CHECK(sum() == summing::expected(1));
    return;
  }
  try {
    sum();
    FAIL("a pipeline with NCCL was made where there is no device");
  } catch (const st::cuda::error& e) {
    CHECK(e.call() == "cudaGetDeviceCount");
  }
}

float alone() {
  st::nccl::local_ranks all(1);
  return summing::sum_of_ten(all, 0);
}

/// The same of a schedule that is a value, with a body that was one from the beginning.
float alone_as_a_value() {
  namespace dynamic = st::dynamic;
  using summing::there;
  st::nccl::local_ranks all(1);
  dynamic::schedule s =
      dynamic::from_types<summing::adding_up, st::on_cuda, st::nccl::collectives>();
  s.at("add").body = [](const st::nccl::context& among, const there& in, there& out) {
    among.all_reduce(in.data(), out.data(), 4);
  };
  const dynamic::body by_communicator = [](ncclComm_t, const there&, there&) {};
  CHECK(by_communicator.asks_collectives() == s.at("add").body.asks_collectives());
  dynamic::pipeline<st::on_cuda, st::nccl::collectives> pipeline(
      s, st::nccl::communicators{{"world", st::nccl::in_process(all, 0)}});
  float total = 0;
  for (const dynamic::result& r : pipeline.run(std::vector{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}))
    total += r.get<float>();
  return total;
}

}  // namespace

TEST_CASE("each call has the name of a function of NCCL") {
  for (int c = 0; c <= static_cast<int>(call::receive); ++c) {
    const char* const name = library::call_name(static_cast<call>(c));
    CAPTURE(name);
    CHECK(::dlsym(RTLD_DEFAULT, name) != nullptr);
  }
}

TEST_CASE("errors are told in NCCL's words") {
  CHECK(std::string_view(library::text(ncclInvalidArgument)).find("invalid argument") == 0);
  CHECK(library::type_of<float>() == ncclFloat32);
  CHECK(library::type_of<long>() == ncclInt64);
  CHECK(library::type_of<unsigned char>() == ncclUint8);
  CHECK(library::type_of<__nv_bfloat16>() == ncclBfloat16);
}

TEST_CASE("NCCL itself is called, and refuses in its words") {
  int n = 0;
  library::result state{};
  CHECK(library::count(nullptr, n) == ncclInvalidArgument);
  CHECK(library::rank(nullptr, n) == ncclInvalidArgument);
  CHECK(library::device(nullptr, n) == ncclInvalidArgument);
  CHECK(library::async_error(nullptr, state) == ncclInvalidArgument);
  CHECK(library::all_reduce(nullptr, nullptr, 1, ncclInt32, ncclSum, nullptr, nullptr) ==
        ncclInvalidArgument);
  CHECK(library::group_start() == ncclSuccess);
  CHECK(library::group_end() == ncclSuccess);
  library::identifier id{};
  const library::identifier zero{};
  CHECK(library::unique_id(id) == ncclSuccess);
  CHECK(std::memcmp(&id, &zero, sizeof id) != 0);
}

TEST_CASE("a pipeline over NCCL runs, or says which call refused") { check(&alone); }
TEST_CASE("so does one of a schedule that is a value") { check(&alone_as_a_value); }

#ifdef COMPILED_BY_NVCC
TEST_CASE("so does one that nvcc compiled") { check(&sum_of_ten_by_nvcc); }
#endif
