// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace stretto {

/// The node before every task: takes a batch from the source.
struct pull {};
/// The node after every task: hands a result to the user.
struct deliver {};

}  // namespace stretto
