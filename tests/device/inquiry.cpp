// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <optional>
#include <recording/spoken_to.hpp>
#include <stretto/device/inquiry.hpp>
#include <thread>

namespace recording = stretto::testing::recording;
using call = stretto::device::call;
using recording::status;
using stretto::device::capture_mode;
using inquiry = stretto::device::detail::inquiry<recording::driver>;

namespace {

struct asked : recording::spoken_to {
  asked() : spoken_to(2) {
    d.set_device(1);
    d.create_stream(s, 0);
    d.create_event(e);
    d.record(e, s);
  }
  std::optional<bool> answer() const {
    std::optional<bool> said;
    std::thread([&] { said = inquiry(d, 1).has_come_to(e); }).join();
    return said;
  }
  recording::stream s = nullptr;
  recording::event e = nullptr;
};

}  // namespace

TEST_CASE_FIXTURE(asked, "an event has been come to, or not yet") {
  w.settle();
  CHECK(answer() == true);
  w.pause(s);
  d.enqueue(
      s, [] {}, "held back");
  d.record(e, s);
  CHECK(answer() == false);
  w.resume(s);
  w.settle();
  CHECK(answer() == true);
  CHECK(breaches() == "");
}

TEST_CASE_FIXTURE(asked, "a capture in the global mode is not disturbed, nor are later questions") {
  recording::stream other = nullptr;
  recording::graph g = nullptr;
  d.create_stream(other, 0);
  w.settle();
  d.begin_capture(other, capture_mode::global);
  CHECK(answer() == true);
  CHECK(d.end_capture(other, g) == status::success);
  CHECK(breaches() == "");
  capture_mode mode = capture_mode::relaxed;
  std::thread([&] {
    { const inquiry here(d, 1); }
    d.exchange_capture_mode(mode);
  }).join();
  CHECK(mode == capture_mode::global);
}

TEST_CASE_FIXTURE(asked, "a device that refuses says nothing") {
  w.settle();
  w.fail(call::query, 0, status::unknown);
  CHECK(answer() == std::nullopt);
  w.fail(call::set_device, 0, status::invalid_device);
  CHECK(answer() == std::nullopt);
  w.fail(call::exchange_capture_mode, 0, status::unknown);
  CHECK(answer() == std::nullopt);
  CHECK(answer() == true);
  w.fail(call::query, 0, status::illegal_address);  // the device is lost
  CHECK(answer() == std::nullopt);
  CHECK(answer() == std::nullopt);
}
