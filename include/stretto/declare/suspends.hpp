// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace stretto {

/// What the call operator of a task returns that is a coroutine: `<stretto/suspend.hpp>` has it.
class suspendable;

}  // namespace stretto
