// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A call that ends on one thread while another begins to wait for that. What memory orders have to
// see to is for ThreadSanitizer to find; tests/property/model/suspended_call.pml tries every
// interleaving.

#include <doctest/doctest.h>
#include <atomic>
#include <cstddef>
#include <exception>
#include <stretto/run/suspended_call.hpp>
#include <thread>

namespace {

/// What coroutines leave behind, without an order of its own.
struct left_behind {
  std::size_t ended = 0;
  static void note(void* here, std::exception_ptr /*error*/) noexcept {
    ++static_cast<left_behind*>(here)->ended;
  }
};

TEST_CASE("whoever awaits the end of a call sees what it did, however close the two are") {
  constexpr std::size_t calls = 2000;
  stretto::runner::suspended_call call;
  left_behind left;
  std::atomic<std::size_t> begun{0};
  std::thread resuming([&] {
    for (std::size_t c = 1; c <= calls; ++c) {
      for (std::size_t looks = 0; begun.load(std::memory_order_acquire) != c; ++looks)
        if (looks > 1000) std::this_thread::yield();
      call.tell(nullptr);
      call.end();
    }
  });
  bool all_seen = true;
  for (std::size_t c = 1; c <= calls; ++c) {
    call.begin(&left_behind::note, &left);
    begun.store(c, std::memory_order_release);
    // So that some waits begin before the end, some after it, and some in its midst.
    for (std::size_t i = 0; i < c % 64; ++i)
      static_cast<void>(begun.load(std::memory_order_relaxed));
    call.await_end();
    all_seen = all_seen && left.ended == c;
  }
  resuming.join();
  CHECK(all_seen);
}

}  // namespace
