// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <stretto/observe/counter_map.hpp>
#include <string_view>

namespace stretto::observe::detail {

/// Whether a source of Linux's clock is the processors' counter. If so, Linux has found that it
/// goes evenly and that all cores agree on it, and computes `std::chrono::steady_clock` from it.
constexpr bool is_processor_counter(std::string_view clock_source) {
  return clock_source == "tsc" || clock_source == "kvm-clock" ||
         clock_source == "hyperv_clocksource_tsc_page" || clock_source == "arch_sys_counter";
}

/// The counter that each core of a processor has: what the clock is computed from, and read in less
/// than half the time.
struct processor_counter {
#if defined(__linux__) && defined(__x86_64__)
  /// To be called before \c read (lfence), as the clock's own reading does: the processor would
  /// else read the counter ahead of what it has not done yet. A task would seem to end while it
  /// still waits for memory, by microseconds where one load waits for another, and to begin before
  /// what it waited for has ended.
  [[gnu::always_inline]] static void wait_for_all_before() {
    asm volatile("lfence" : : : "memory");
  }
  /// Waits for nothing: what is done between the two takes no time of its own.
  [[gnu::always_inline]] static std::uint64_t read() {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    asm volatile("rdtsc" : "=a"(low), "=d"(high) : : "memory");
    return static_cast<std::uint64_t>(high) << 32U | low;
  }
  /// Some ten milliseconds.
  static std::uint64_t a_while() { return std::uint64_t{1} << 25U; }
#elif defined(__linux__) && defined(__aarch64__)
  [[gnu::always_inline]] static void wait_for_all_before() { asm volatile("isb" : : : "memory"); }
  [[gnu::always_inline]] static std::uint64_t read() {
    std::uint64_t count = 0;
    asm volatile("mrs %0, cntvct_el0" : "=r"(count) : : "memory");
    return count;
  }
  /// Some ten milliseconds.
  static std::uint64_t a_while() {
    std::uint64_t per_second = 0;
    asm("mrs %0, cntfrq_el0" : "=r"(per_second));
    return per_second / 64;
  }
#else
  static void wait_for_all_before() {}
  static std::uint64_t read() { return 0; }
  static std::uint64_t a_while() { return 0; }
#endif
  [[gnu::always_inline]] static std::uint64_t now() {
    wait_for_all_before();
    return read();
  }

  /// Whether it can stand for the clock: the processor says that it goes evenly, whatever the core
  /// does, and it is what Linux computes the clock from. Found out once; where that cannot be, no.
  static bool is_steady() {
    static const bool steady = goes_evenly() && makes_the_clock();
    return steady;
  }

  /// What it says at a time of the clock: the closest of a few, as a thread may be interrupted.
  static counter_anchor anchor() {
    counter_anchor best;
    std::uint64_t closest = ~std::uint64_t{0};
    for (int attempts = 4; attempts > 0; --attempts) {
      const std::uint64_t before = now();
      const counter_map::clock::time_point time = counter_map::clock::now();
      const std::uint64_t apart = now() - before;
      if (apart >= closest) continue;
      closest = apart;
      best = {before + apart / 2, time};
    }
    return best;
  }

 private:
  static bool goes_evenly() {
#if defined(__linux__) && defined(__x86_64__)
    // CPUID: the highest leaf of this kind; of leaf 0x80000007, bit 8 of edx, "invariant TSC".
    if (leaf(0x80000000U).eax < 0x80000007U) return false;
    return (leaf(0x80000007U).edx >> 8U & 1U) != 0;
#elif defined(__linux__) && defined(__aarch64__)
    return true;  // by the architecture
#else
    return false;
#endif
  }
#if defined(__linux__) && defined(__x86_64__)
  struct registers {
    std::uint32_t eax = 0;
    std::uint32_t ebx = 0;
    std::uint32_t ecx = 0;
    std::uint32_t edx = 0;
  };
  static registers leaf(std::uint32_t number) {
    registers r;
    asm volatile("cpuid"
                 : "=a"(r.eax), "=b"(r.ebx), "=c"(r.ecx), "=d"(r.edx)
                 : "0"(number), "2"(0));
    return r;
  }
#endif
  static bool makes_the_clock() {
    std::FILE* const file =
        std::fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");
    if (file == nullptr) return false;
    char text[64] = {};  // NOLINT(modernize-avoid-c-arrays)
    const bool read = std::fgets(text, sizeof text, file) != nullptr;
    std::fclose(file);
    const std::string_view line(text);
    return read && is_processor_counter(line.substr(0, line.find('\n')));
  }
};

}  // namespace stretto::observe::detail
