// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Streams and events of a pipeline: made where they are wanted, given back, and refused where there
// are none.

#include <doctest/doctest.h>
#include <array>
#include <cstddef>
#include <recording/spoken_to.hpp>
#include <stretto/device/handles.hpp>
#include <string_view>

namespace {

namespace recording = stretto::testing::recording;
using stretto::device::call;
using driver = recording::driver;
using recording::status;
using handles = stretto::device::detail::handles<driver>;
using streams = stretto::device::streams<driver>;

constexpr std::array<std::string_view, 2> names{"copy", "main"};

std::size_t number(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return i;
  return stretto::planner::none;
}

int current(const recording::spoken_to& f) {
  int device = -1;
  f.d.current_device(device);
  return device;
}

}  // namespace

TEST_CASE("streams are on the device that is asked for, or else on the current one") {
  recording::spoken_to f(3);
  f.d.set_device(1);
  {
    handles made(f.d);
    made.make_streams(names, number, streams{{"main", {.device = 2}}, {"main", {.device = 0}}});
    REQUIRE(made.streams.size() == 2);
    CHECK(made.streams[0].device == 1);
    CHECK(made.streams[1].device == 2);  // what is said first
    CHECK(current(f) == 1);
    made.make_events(3, made.streams[1], false);
    made.make_events(1, made.streams[0], true);
    CHECK(made.events.size() == 4);
    CHECK(current(f) == 1);
    CHECK(f.w.logged().count(call::create_event) == 3);
    CHECK(f.w.logged().count(call::create_blocking_event) == 1);
    for (std::size_t e = 0; e < 4; ++e)
      CHECK(f.d.record(made.events[e], made.streams[e < 3 ? 1 : 0].stream) == status::success);
    CHECK(made.synchronize() == nullptr);
  }
  CHECK(f.leaks().empty());
  CHECK(f.breaches().empty());
}

TEST_CASE("a user's stream is used where it is, and left alone") {
  recording::spoken_to f(2);
  recording::stream own = nullptr;
  f.d.set_device(1);
  REQUIRE(f.d.create_stream(own, 0) == status::success);
  f.d.set_device(0);
  {
    handles made(f.d);
    made.make_streams(names, number, streams{{"copy", {.adopted = own}}});
    CHECK(made.streams[0].stream == own);
    CHECK(made.streams[0].device == 1);
    CHECK_FALSE(made.streams[0].owned);
    CHECK(made.streams[1].owned);
  }
  CHECK(f.d.synchronize_stream(own) == status::success);
  CHECK(f.d.destroy_stream(own) == status::success);
  CHECK(f.leaks().empty());
}

TEST_CASE("a stream or a device that there is not is refused, and nothing is left behind") {
  recording::spoken_to f(2);
  const auto refused = [&](const streams& wanted) {
    handles made(f.d);
    try {
      made.make_streams(names, number, wanted);
    } catch (const stretto::usage_error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(refused({{"mian", {}}}) ==
        "stream `mian` is given for the device, but the schedule has no such stream: it has "
        "`copy`, `main`");
  CHECK(refused({{"main", {.device = 2}}}) ==
        "stream `main` is to be on device 2, but there are 2, numbered from 0");
  CHECK(refused({{"copy", {.device = -1}}}) ==
        "stream `copy` is to be on device -1, but there are 2, numbered from 0");
  CHECK(refused({{"copy", {.device = 1}}}).empty());
  CHECK(f.leaks().empty());
}

TEST_CASE("a call that fails gives back what was made before, and the device") {
  for (const call what : {call::create_stream, call::set_device, call::least_priority}) {
    recording::spoken_to f(2);
    f.w.fail(what, what == call::set_device ? 0 : 1, status::memory_allocation);
    {
      handles made(f.d);
      CHECK_THROWS_AS(made.make_streams(names, number, streams{{"main", {.device = 1}}}),
                      stretto::device::error);
      CHECK(current(f) == 0);
    }
    CHECK(f.leaks().empty());
  }
}

TEST_CASE("synchronizing tells the first error, and waits for all streams all the same") {
  recording::spoken_to f;
  handles made(f.d);
  made.make_streams(names, number, {});
  f.w.fail(call::synchronize_stream, 0, status::launch_out_of_resources);
  f.w.fail(call::synchronize_stream, 1, status::memory_allocation);
  try {
    std::rethrow_exception(made.synchronize());
  } catch (const stretto::device::error& e) {
    CHECK(e.code() == static_cast<int>(status::launch_out_of_resources));
  }
  CHECK(f.w.logged().count(call::synchronize_stream) == 2);
  CHECK(made.synchronize() == nullptr);
}
