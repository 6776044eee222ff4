// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>

namespace stretto::mpi::detail {

/// Waits for what MPI does with \p memory. If \p wait gives up, MPI may still be at it: then the
/// memory stays, for good.
template <class Memory, class Wait>
void keep_while(std::unique_ptr<Memory>& memory, Wait&& wait) {
  try {
    wait();
  } catch (...) {
    static_cast<void>(memory.release());
    throw;
  }
}

}  // namespace stretto::mpi::detail
