// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <span>
#include <stretto/declare/part.hpp>
#include <string_view>

namespace stretto {

/// The default observer: none. An observer is a class with these members (and `stretto_part`),
/// given to `pipeline` as an option; `started` and `finished` are called on the thread that runs
/// the task.
struct unobserved {
  using stretto_part = part::observer;
  static constexpr bool observes = false;

  /// Once, before anything runs: the names behind the numbers.
  void attached(std::span<const std::string_view> /*threads*/,
                std::span<const std::string_view> /*tasks*/) {}
  void started(std::size_t /*thread*/, std::size_t /*task*/, std::size_t /*batch*/) {}
  void finished(std::size_t /*thread*/, std::size_t /*task*/, std::size_t /*batch*/) {}
};

}  // namespace stretto
