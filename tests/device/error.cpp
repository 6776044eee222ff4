// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <recording/spoken_to.hpp>
#include <stretto/device/error.hpp>
#include <string>

namespace {

namespace recording = stretto::testing::recording;
using recording::status;

}  // namespace

TEST_CASE("a call that fails is told by its name, in the runtime's words") {
  const auto check = [](status s) {
    stretto::device::shared::checked<recording::driver>(stretto::device::call::wait, s);
  };
  CHECK_NOTHROW(check(status::success));
  try {
    check(status::memory_allocation);
    FAIL_CHECK("nothing is thrown");
  } catch (const stretto::device::error& e) {
    CHECK(e.call() == recording::driver::call_name(stretto::device::call::wait));
    CHECK(std::string(e.what()) ==
          std::string(e.call()) + ": out of memory (cudaErrorMemoryAllocation)");
    CHECK(e.code() == 2);
    CHECK_FALSE(e.sticky());
  }
  try {
    check(status::illegal_address);
    FAIL_CHECK("nothing is thrown");
  } catch (const stretto::device::error& e) {
    CHECK(e.sticky());
    CHECK(std::string(e.what()).ends_with(
        "; work submitted earlier may have caused it, and the device is lost to this process: "
        "start it anew"));
  }
}
