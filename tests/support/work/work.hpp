// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

/// What code does and holds, counted: the same on every run, however busy the machine is.
namespace work {

/// How many basic blocks the code has run that is compiled with `-fsanitize-coverage=trace-pc`.
std::uint64_t blocks();

/// How many bytes are allocated by `new`, and the most that ever were since `forget_peak`.
std::size_t bytes();
std::size_t peak();
void forget_peak();

/// Ends the program with a sentence where the blocks since now are more than \p most: what hangs
/// need not end. 0: no limit.
void stop_after(std::uint64_t most);

}  // namespace work
