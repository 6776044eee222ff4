// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The threads of a pipeline: each does its part of each run, and sleeps in between.

#include <doctest/doctest.h>
#include <array>
#include <atomic>
#include <cstddef>
#include <stretto/run/owned.hpp>
#include <stretto/run/threads/attached_threads.hpp>
#include <stretto/run/threads/core_set.hpp>
#include <stretto/run/threads/pinned_threads.hpp>
#include <stretto/run/threads/thread_team.hpp>
#include <string_view>
#include <thread>

namespace {

using stretto::runner::thread_team;

constexpr std::array<std::string_view, 3> names{"caller", "user's", "own"};
constexpr std::array<std::size_t, 3> workers{1, 1, 1};

struct counted {
  std::array<std::atomic<int>, 3> runs{};
  std::array<std::thread::id, 3> by{};

  thread_team::job job() {
    return {this, [](void* owner, std::size_t host) {
              auto& all = *static_cast<counted*>(owner);
              all.by[host] = std::this_thread::get_id();
              ++all.runs[host];
            }};
  }
};

}  // namespace

TEST_CASE("each thread runs its part of each run, the caller none") {
  counted all;
  thread_team team(all.job(), names, nullptr, nullptr);
  for (int run = 1; run <= 50; ++run) {
    team.begin();
    team.join_run();
    CHECK(all.runs[0] == 0);
    CHECK(all.runs[1] == run);
    CHECK(all.runs[2] == run);
  }
  CHECK(all.by[1] != all.by[2]);
  CHECK(all.by[1] != std::this_thread::get_id());
}

TEST_CASE("an attached thread has none of the team's, and is waited for like one") {
  counted all;
  const stretto::runner::detail::owned attached(
      stretto::runner::detail::make_attachments({"user's"}, names, workers));
  thread_team team(all.job(), names, nullptr, attached.get());
  for (int run = 1; run <= 5; ++run) {
    team.begin();
    team.run_on_caller(1);
    team.join_run();
    CHECK(all.runs[1] == run);
    CHECK(all.runs[2] == run);
  }
  CHECK(all.by[1] == std::this_thread::get_id());
}

TEST_CASE("a team that never runs ends") {
  counted all;
  { const thread_team team(all.job(), names, nullptr, nullptr); }
  CHECK(all.runs[1] == 0);
}

#if defined(__linux__)

TEST_CASE("threads of a team that is made on a held thread run where that one did before") {
  using stretto::runner::detail::core_set;
  const core_set before = core_set::of_this_thread();
  core_set there;
  const thread_team::job tell{&there, [](void* seen, std::size_t host) {
                                if (host == 1)
                                  *static_cast<core_set*>(seen) = core_set::of_this_thread();
                              }};
  stretto::runner::detail::pinned_threads::hold(&tell, before.turn(0));
  {
    thread_team team(tell, names, nullptr, nullptr);
    team.begin();
    team.join_run();
  }
  stretto::runner::detail::pinned_threads::release(&tell);
  CHECK(there.size() == before.size());
}

#endif
