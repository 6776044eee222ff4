// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cstddef>
#include <exception>
#include <stretto/collective/channel.hpp>
#include <stretto/collective/files.hpp>
#include <stretto/collective/local.hpp>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>
#include "../support/patience.hpp"
#include "../support/scratch.hpp"

/// Ranks as threads, over a channel of either kind.
namespace ranks {

namespace coll = stretto::collective;

inline constexpr std::chrono::seconds forever = tested::patience;

using folder = tested::scratch_folder;

/// Runs `body(rank)` on a thread for each rank, and waits for all.
template <class Body>
void each(std::size_t size, const Body& body) {
  std::vector<std::thread> all;
  for (std::size_t r = 0; r < size; ++r) all.emplace_back([&body, r] { body(r); });
  for (std::thread& t : all) t.join();
}

/// Ranks with a channel: `body(channel)`.
struct local {
  template <class Body>
  static void each(std::size_t size, const Body& body) {
    coll::local_ranks all(size);
    ranks::each(size, [&](std::size_t r) {
      coll::local_channel channel(all, r);
      body(static_cast<coll::channel&>(channel));
    });
  }
};
struct files {
  template <class Body>
  static void each(std::size_t size, const Body& body) {
    const folder at;
    ranks::each(size, [&](std::size_t r) {
      coll::file_channel channel(at.path(), r, size, forever);
      body(static_cast<coll::channel&>(channel));
    });
  }
};

/// What \p body throws, as text; empty if nothing.
template <class Error, class Body>
std::string thrown(const Body& body) {
  try {
    body();
  } catch (const std::exception& e) {
    if constexpr (!std::is_same_v<Error, std::exception>)
      if (dynamic_cast<const Error*>(&e) == nullptr) return std::string("another: ") + e.what();
    return e.what();
  }
  return {};
}

}  // namespace ranks
