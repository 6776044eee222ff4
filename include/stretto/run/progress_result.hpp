// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace stretto::detail {

/// How a thread's part of a progress went.
enum class went {
  on,      ///< all of its tasks ran
  partly,  ///< the source has ended: not all did
  stopped
};

}  // namespace stretto::detail
