// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace stretto {

/// What a task says of its batch that may drop it: its call operator returns this in place of
/// nothing. For a batch that is dropped no task runs that uses, directly or through others, what
/// the task writes for it, and a result that comes after it is not handed out; all else goes on.
/// docs/rates.md tells more.
enum class [[nodiscard]] verdict : unsigned char {
  keep,  ///< the batch goes on
  drop   ///< what comes after the task does not run for this batch
};

/// A task's batch goes on.
inline constexpr verdict keep = verdict::keep;
/// A task's batch is dropped.
inline constexpr verdict drop = verdict::drop;

}  // namespace stretto
