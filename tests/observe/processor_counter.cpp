// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <chrono>
#include <stretto/observe/processor_counter.hpp>
#include <thread>
#include <vector>

using namespace std::chrono_literals;
using stretto::observe::detail::counter_anchor;
using stretto::observe::detail::counter_map;
using stretto::observe::detail::is_processor_counter;
using stretto::observe::detail::processor_counter;
using clock_type = counter_map::clock;

TEST_CASE("Linux's clock sources that are the processors' counter, and others") {
  for (const char* const source :
       {"tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter"})
    CHECK(is_processor_counter(source));
  // Linux has dropped a counter that went wrong, or never had one.
  for (const char* const source : {"hpet", "acpi_pm", "xen", "jiffies", "", "tsc-early", "tsc\n"})
    CHECK_FALSE(is_processor_counter(source));
}

TEST_CASE("a count is a time of the clock, on any thread") {
  if (!processor_counter::is_steady()) {
    MESSAGE("not tried: there is no counter here that makes the clock");
    return;
  }
  const counter_anchor first = processor_counter::anchor();
  struct reading {
    clock_type::time_point before;
    std::uint64_t count;
    clock_type::time_point after;
  };
  std::vector<std::vector<reading>> all(3);
  std::vector<std::thread> threads;
  for (std::vector<reading>& own : all)
    threads.emplace_back([&own] {
      for (int i = 0; i < 20; ++i) {
        reading r{};
        r.before = clock_type::now();
        r.count = processor_counter::now();
        r.after = clock_type::now();
        own.push_back(r);
        std::this_thread::sleep_for(100us);
      }
    });
  for (std::thread& t : threads) t.join();
  const counter_map map({first, processor_counter::anchor()});
  // An anchor is off by half of what its closest reading took, or the map by what a clock that is
  // adjusted gains in between: both are less than a microsecond, unless a thread is interrupted in
  // the midst of each of four readings.
  constexpr auto slack = 20us;
  for (const std::vector<reading>& own : all)
    for (const reading& r : own) {
      CHECK(map.time_of(r.count) >= r.before - slack);
      CHECK(map.time_of(r.count) <= r.after + slack);
    }
}

TEST_CASE("the clock is read again some ten milliseconds later") {
  if (!processor_counter::is_steady()) return;
  const counter_anchor first = processor_counter::anchor();
  std::this_thread::sleep_for(50ms);
  const counter_anchor last = processor_counter::anchor();
  const double per_second = static_cast<double>(last.count - first.count) /
                            std::chrono::duration<double>(last.time - first.time).count();
  const double seconds = static_cast<double>(processor_counter::a_while()) / per_second;
  CHECK(seconds > 0.001);
  CHECK(seconds < 0.1);
}
