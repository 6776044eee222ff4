// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace stretto::runner {

/// How a thread's part of a progress went.
enum class progress_result {
  complete,  ///< all of its tasks ran
  partial,   ///< the source has ended: not all did
  stopped
};

}  // namespace stretto::runner
