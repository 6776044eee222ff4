// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <vector>
#include "judged.hpp"

namespace conformance {

/// A record judged as types, and the line of its file that holds it.
struct judged_line {
  std::size_t line = 0;
  judged result;
};

/// All of those compiled in.
std::vector<judged_line> all_judged();

}  // namespace conformance
