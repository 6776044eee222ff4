// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls on a device as words, on a device that is a list of what it was asked.

#include <doctest/doctest.h>
#include <cstddef>
#include <stdexcept>
#include <stretto/dynamic/execute/device_call.hpp>
#include <string>
#include <vector>

namespace {

namespace detail = stretto::dynamic::detail;

/// Notes what it does.
struct noting_device {
  static constexpr bool replays = false;
  enum class action : unsigned char {
    use_device,
    wait_for_all,
    wait,
    synchronize,
    give_back,
    check,
    check_and_record,
    record
  };
  struct prepared {
    action what = action::check;
    noting_device* of = nullptr;
    char* events = nullptr;
    char* copies = nullptr;
    std::size_t count = 0;
    std::size_t back = 0;
  };

  static bool is_in_run(const prepared& with, std::size_t progress) {
    return progress >= with.of->first + with.back;
  }
  template <action What>
  static void act(const prepared& with, const void* about) {
    std::string& said = with.of->said;
    said += static_cast<char>('0' + static_cast<int>(What));
    if (about != nullptr) said += *static_cast<const char*>(about);
    if (What == with.of->broken) throw std::runtime_error("broken");
  }
  template <class Use>
  void each_before(std::size_t node, Use use) {
    if (node == 0) use(prepared{action::use_device, this});
    if (node == 0) use(prepared{action::wait, this, events, nullptr, 2, 3});
    if (node == 0) use(prepared{action::wait, this, events, nullptr, 1, 0});
    if (node == 1) use(prepared{action::wait_for_all, this});
    if (node == 1) use(prepared{action::synchronize, this, events, nullptr, 2, 1});
  }
  template <class Use>
  void each_after(std::size_t node, Use use) {
    use(node == 0 ? prepared{action::check_and_record, this, events, nullptr, 2, 0}
                  : prepared{action::check, this});
    if (node == 1) use(prepared{action::give_back, this, nullptr, copies, 2, 2});
  }

  std::size_t first = 0;  ///< progress of the run
  std::string said;
  action broken{};
  char events[2] = {'a', 'b'};
  char copies[2] = {'x', 'y'};
};
using action = noting_device::action;

/// Lays calls out one behind the other, each with the \p n-th of its events, and makes them.
std::string made(noting_device& device, const std::vector<detail::device_call>& calls,
                 std::size_t n, detail::underway& now, bool if_in_run = false) {
  detail::task_facts facts;
  facts.now = &now;
  std::vector<detail::word> words;
  for (const detail::device_call& c : calls) {
    words.emplace_back().body = if_in_run ? c.body_if_in_run : c.body;
    words.emplace_back().object = c.with;
    words.emplace_back().facts = &facts;
    if (c.about != nullptr)
      words.emplace_back().slot = static_cast<char*>(c.about) + n % c.count * c.size;
  }
  words.emplace_back().body = &detail::end_of_progress;
  device.said.clear();
  now.thrower = nullptr;
  try {
    const detail::word* const behind = words[0].body(words.data());
    CHECK(behind == nullptr);
  } catch (const std::runtime_error&) {
    device.said += " at word " + std::to_string(now.thrower - words.data());
  }
  return device.said;
}

TEST_CASE("calls on a device: one after the other, each with its event or copy") {
  noting_device device;
  device.broken = static_cast<action>(9);  // none
  detail::device_call_list<noting_device> all;
  all.prepare(device, 2);
  REQUIRE(all.of().size() == 2);
  detail::underway now{7};
  CHECK(made(device, all.of()[0].before, 0, now) == "02a2a");
  CHECK(made(device, all.of()[0].before, 1, now) == "02b2a");
  CHECK(made(device, all.of()[0].after, 1, now) == "6b");
  CHECK(made(device, all.of()[1].before, 0, now) == "13a");
  CHECK(made(device, all.of()[1].after, 0, now) == "54x");
  CHECK(made(device, all.of()[1].after, 1, now) == "54y");
  CHECK(now.thrower == nullptr);

  SUBCASE("before the run there are no events, and no memory to give back") {
    now.progress = 1;
    CHECK(made(device, all.of()[1].after, 0, now, true) == "5");
    now.progress = 2;
    CHECK(made(device, all.of()[1].after, 0, now, true) == "54x");
    CHECK(made(device, all.of()[0].before, 0, now, true) == "02a");
    CHECK(made(device, all.of()[0].before, 0, now) == "02a2a");
    now.progress = 3;
    CHECK(made(device, all.of()[0].before, 0, now, true) == "02a2a");
  }
  SUBCASE("the one that throws is known") {
    device.broken = action::wait;
    CHECK(made(device, all.of()[0].before, 0, now) == "02a at word 3");
    device.broken = action::synchronize;
    CHECK(made(device, all.of()[1].before, 0, now) == "13a at word 3");
    device.broken = action::check;
    CHECK(made(device, all.of()[1].after, 0, now) == "5 at word 0");
  }
}

}  // namespace
