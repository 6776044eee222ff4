// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Who makes the values of slots, and what happens to those that were made.

#include <doctest/doctest.h>
#include <array>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <stretto/run/error.hpp>
#include <stretto/run/slot_storage.hpp>
#include <vector>

namespace {

namespace runner = stretto::runner;

// A slot's copies are bytes; making one counts it.
std::vector<const void*> made, ended;
int fails_at = -1;

void make(void* at) {
  if (fails_at == static_cast<int>(made.size())) throw std::runtime_error("no more");
  made.push_back(at);
}
void end(void* at) { ended.push_back(at); }

struct room {
  std::array<std::byte, 64> bytes{};
  std::array<runner::slot_storage, 2> slots{};

  room() {
    made.clear();
    ended.clear();
    fails_at = -1;
    slots[0] = {bytes.data(), 4, 3, make, end, "batch", 5, 0, "loading", 1, 2};
    slots[1] = {bytes.data() + 32, 8, 2, make, end, "loss", 6, 1, "training", 0, 1};
  }
  const void* at(std::size_t byte) const { return bytes.data() + byte; }
};

/// What went wrong, if anything.
runner::caught make_values(const std::array<runner::slot_storage, 2>& slots, std::size_t host,
                           runner::slots_made& by) {
  runner::caught failure;
  const bool all = runner::make_values(slots, host, by, failure);
  CHECK(all == !failure.error);
  CHECK(all == by.all);
  return failure;
}

}  // namespace

TEST_CASE("copies lie one behind the other; workers fill them in turn, from their first batch on") {
  room r;
  CHECK(r.slots[0].at(2) == r.at(8));
  CHECK(r.slots[0].host_of(0) == 1);
  CHECK(r.slots[0].host_of(1) == 2);
  CHECK(r.slots[0].host_of(2) == 1);
  r.slots[0].lag = 3;
  CHECK(r.slots[0].host_of(0) == 2);
}

TEST_CASE("each host thread makes its own values, once") {
  room r;
  runner::slots_made by_0, by_1, by_2;
  CHECK_FALSE(make_values(r.slots, 1, by_1).error);
  CHECK(made == std::vector{r.at(0), r.at(8)});
  CHECK(by_1.all);
  CHECK(by_1.now == 2);
  CHECK_FALSE(make_values(r.slots, 2, by_2).error);
  CHECK(made.back() == r.at(4));
  CHECK_FALSE(make_values(r.slots, 0, by_0).error);
  CHECK(made == std::vector{r.at(0), r.at(8), r.at(4), r.at(32), r.at(40)});
  CHECK_FALSE(make_values(r.slots, 1, by_1).error);
  CHECK(made.size() == 5);
  runner::end_values(r.slots, 1, by_1);
  CHECK(ended == std::vector{r.at(0), r.at(8)});
}

TEST_CASE("a value that cannot be made is told with its slot; the next run goes on there") {
  room r;
  runner::slots_made by_1;
  fails_at = 1;
  const runner::caught failure = make_values(r.slots, 1, by_1);
  CHECK(failure.node == 5);
  CHECK_THROWS_WITH_AS(std::rethrow_exception(failure.error),
                       "the value of slot `batch` could not be made on thread group `loading`: no "
                       "more",
                       stretto::slot_error);
  CHECK_FALSE(by_1.all);
  CHECK(by_1.now == 1);
  fails_at = -1;
  CHECK_FALSE(make_values(r.slots, 1, by_1).error);
  CHECK(made == std::vector{r.at(0), r.at(8)});
  CHECK(by_1.all);
}

TEST_CASE("values that are released are made anew, those of a device are not") {
  room r;
  static int by_device;
  by_device = 0;
  r.slots[1].maker = &r;
  r.slots[1].make_by = [](const void* maker, void* at, const runner::value_place& of) {
    const auto& in = *static_cast<const room*>(maker);
    CHECK(of.slot == 1);
    CHECK(at == in.slots[1].at(of.copy));
    by_device += static_cast<int>(of.filler);
  };
  r.slots[0].host = 0;
  r.slots[0].workers = 1;
  runner::slots_made all;
  CHECK_FALSE(make_values(r.slots, 0, all).error);
  CHECK(made.size() == 3);
  CHECK(by_device == 12);  // its two copies, by node 6
  runner::release_values(r.slots, 0, all);
  CHECK(ended == std::vector{r.at(0), r.at(4), r.at(8)});
  CHECK_FALSE(all.all);
  CHECK_FALSE(make_values(r.slots, 0, all).error);
  CHECK(made.size() == 6);
  CHECK(by_device == 12);
  runner::release_values(r.slots, 0, all);
  ended.clear();
  runner::end_values(r.slots, 0, all);  // what is left: the device's
  CHECK(ended == std::vector{r.at(32), r.at(40)});
}
