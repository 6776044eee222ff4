// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <stretto/run/threads/os_thread.hpp>
#include <string>
#include <string_view>
#include <thread>

namespace detail = stretto::runner::detail;

static void add_one(int& count) { ++count; }

TEST_CASE("a thread runs its body once, and can be joined again or unstarted") {
  int runs = 0;
  detail::os_thread thread;
  thread.join();
  thread.start<int, &add_one>(runs);
  thread.join();
  thread.join();
  CHECK(runs == 1);
  thread.start<int, &add_one>(runs);
  thread.join();
  CHECK(runs == 2);
}

#if defined(__linux__)

TEST_CASE("a thread's name is cut off where the system does, but inside no character") {
  const auto named = [](std::string_view name) {
    std::string told;
    std::thread([&] {
      detail::name_this_thread(name);
      char own[16] = {};
      pthread_getname_np(pthread_self(), own, sizeof own);
      told = own;
    }).join();
    return told;
  };
  CHECK(named("loading") == "loading");
  CHECK(named("0123456789abcdefgh") == "0123456789abcde");
  CHECK(named("0123456789abcd\xC3\xA4") == "0123456789abcd");
}

#endif
