// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include "work.hpp"

namespace filters {

/// Sends a book of `pages` pages through the filters that `file` lists, on the threads that it
/// says, as a Stretto pipeline: with_stretto.cpp. Throws what is wrong with the file.
outcome run_stretto(const std::string& file, std::size_t pages);

/// By hand-written threads, which take the filters in the order of the file: by_hand.cpp.
outcome run_by_hand(const std::string& file, std::size_t pages);

}  // namespace filters
