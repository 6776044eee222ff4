// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Names of what runs tasks that are coroutines. Their headers come with `suspendable`: without
// coroutines nobody compiles locks and condition variables.

namespace stretto::runner {

class suspended_call;
template <class Call>
class begun_calls;

}  // namespace stretto::runner
