// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include "driver.hpp"
#include "world.hpp"

namespace stretto::testing::recording {

/// A world, somebody who speaks to it, and what went wrong there.
struct spoken_to {
  explicit spoken_to(int devices = 1) : w(devices), d(w) {}

  /// The breaches so far, a line each, which are forgotten.
  std::string breaches() {
    std::string all;
    for (const std::string& b : w.take_breaches()) (all += b) += '\n';
    return all;
  }
  std::string leaks() const {
    std::string all;
    for (const std::string& l : w.leaks()) (all += l) += '\n';
    return all;
  }

  world w;
  driver d;
};

}  // namespace stretto::testing::recording
