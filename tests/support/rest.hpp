// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <thread>
#if defined(__linux__)
#  include <sys/syscall.h>
#  include <unistd.h>
#  include <filesystem>
#  include <fstream>
#  include <optional>
#  include <string>
#  include <system_error>
#  include <utility>
#  include <vector>
#endif

/// Waiting until nothing goes on any more, instead of for some time in which that may not have come
/// true.
namespace tested {

#if defined(__linux__)

namespace detail {

/// The other threads of the process, each with how often it has left a core. Nothing, if one of
/// them is awake.
inline std::optional<std::vector<std::pair<std::string, std::string>>> sleepers() {
  namespace fs = std::filesystem;
  const std::string self = std::to_string(syscall(SYS_gettid));
  std::vector<std::pair<std::string, std::string>> all;
  std::error_code gone;  // threads that end meanwhile
  for (fs::directory_iterator at("/proc/self/task", gone), end; !gone && at != end;
       at.increment(gone)) {
    const std::string thread = at->path().filename().string();
    if (thread == self) continue;
    std::ifstream status(at->path() / "status");
    std::string switches;
    bool sleeps = false;
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("State:")) sleeps = line.find("S (") != std::string::npos;
      if (line.find("ctxt_switches:") != std::string::npos) switches += line;
    }
    if (!sleeps) return std::nullopt;
    all.emplace_back(thread, switches);
  }
  if (gone) return std::nullopt;
  return all;
}

}  // namespace detail

/// Returns when all other threads of the process sleep, at one moment. Never, if one of them spins.
inline void until_others_sleep() {
  // A thread that is asleep in both looks, and has left no core in between, was asleep all the
  // while.
  for (auto before = detail::sleepers();; std::this_thread::yield()) {
    auto now = detail::sleepers();
    if (now && now == before) return;
    before = std::move(now);
  }
}

#else

/// Where the system does not say who sleeps: as long as it takes threads to fall asleep, if they
/// have cores.
inline void until_others_sleep() { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }

#endif

}  // namespace tested
