// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <numeric>
#include <string>
#include <string_view>

namespace stretto::device {

/// Why a task is not captured.
enum class obstacle {
  none,
  host_task,   ///< it is on no stream: it runs each time
  collective,  ///< ranks watch each of its runs
  context,     ///< its body takes the context, which tells the batch; the stream alone does not
  slot,        ///< a slot's memory may move, or hold what the host reads
  transient,   ///< a slot's memory is another one for each batch
  rate,        ///< it does not run for every batch, or uses a slot that is not written for each
  drop,        ///< a task before it may drop the batch, or one that it looks back at
  turn         ///< its slots' copies come round too seldom: too many graphs
};

/// A task whose body is called in every progress although graphs were asked for, and why.
struct uncaptured {
  std::string_view task;
  std::string reason;
};

namespace detail {

/// The most graphs that there are for one task.
inline constexpr std::size_t longest_turn = 64;

/// (Not std::lcm, which nvcc does not evaluate with GCC's library.)
constexpr std::size_t common_turn(std::size_t a, std::size_t b) { return a / std::gcd(a, b) * b; }

constexpr std::string_view reason_of(obstacle o) {
  switch (o) {
    case obstacle::none: return "";
    case obstacle::host_task: return "it is a host task";
    case obstacle::collective: return "it is a collective, which ranks watch batch by batch";
    case obstacle::context:
      return "its body takes the context, which tells the batch; let it take the stream instead";
    case obstacle::slot:
      return "the memory of a slot that it uses may move, or be read by the host; use `array`, "
             "`pinned_array` or a type with `static constexpr bool stays = true`";
    case obstacle::transient:
      return "a slot that it uses has memory of its own for each batch, which a graph cannot keep; "
             "use `array` where the task is to be captured";
    case obstacle::rate:
      return "it does not run for every batch, or uses a slot that is not written for every one";
    case obstacle::drop:
      return "a task before it may drop batches, so that it does not run for every one, or finds "
             "nothing where it looks back";
    case obstacle::turn: return "the copies of its slots come round together too seldom";
  }
  return "";
}

}  // namespace detail
}  // namespace stretto::device
