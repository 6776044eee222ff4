// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cstddef>

namespace stretto {

/// What a server does with the requests of a batch that a task drops because it failed
/// (`on_failure`).
enum class retry : unsigned char {
  never,   ///< each gets the error
  singly,  ///< each runs again in a batch of its own, so that those alone get an error which fail
           ///< so
};
/// For `batching::failed`: see `retry::singly`.
inline constexpr retry retry_singly = retry::singly;

/// How a server gathers requests into batches: a batch is taken when `most` requests wait, or when
/// the first of those that wait has waited for `wait`, or when the server is closed. With a `wait`
/// of 0 what is there is taken at once, up to `most`. (Dynamic batching, as inference servers call
/// it.)
struct batching {
  std::size_t most;  ///< requests of a batch: 1 at least, and no more than may wait in the server
  std::chrono::nanoseconds wait{0};  ///< counted from when the first request of a batch was made
  retry failed = retry::never;  ///< of several requests; `singly` keeps a copy of each in flight
};

}  // namespace stretto
