// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <memory>
#include <stdexcept>
#include <stretto/mpi/leak_on_throw.hpp>

namespace {

struct counted {
  explicit counted(int& g) : gone(g) {}
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;
  ~counted() { ++gone; }
  int& gone;
};

}  // namespace

TEST_CASE("memory that MPI may still write to outlives the wait that was given up") {
  int gone = 0;
  const counted* left = nullptr;
  {
    auto memory = std::make_unique<counted>(gone);
    left = memory.get();
    CHECK_THROWS_AS(stretto::mpi::detail::keep_while(
                        memory, [] { throw std::runtime_error("the timeout passed"); }),
                    std::runtime_error);
    CHECK(!memory);
  }
  CHECK(gone == 0);
  delete left;
}

TEST_CASE("memory that MPI is done with goes with its owner") {
  int gone = 0;
  {
    auto memory = std::make_unique<counted>(gone);
    stretto::mpi::detail::keep_while(memory, [] {});
    REQUIRE(memory);
    CHECK(gone == 0);
  }
  CHECK(gone == 1);
}
