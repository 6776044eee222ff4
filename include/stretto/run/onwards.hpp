// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace stretto {

class position;

namespace runner {

/// Where a run begins that does not begin anew: `first(session)` tells the number of its first
/// batch, and sees to what slots hold of earlier ones. What a user says of it is an object of such
/// a type.
template <class Type>
concept beginning = requires { typename Type::begins_a_run; };

/// `position`, which is defined in run/position.hpp, where it is asked for.
template <class...>
struct position_for {
  using type = position;
};

struct where_the_latest_ended {
  using begins_a_run = void;

  template <class Session>
  std::size_t first(Session& s) const {
    return s.admit().next_batch();
  }
};

}  // namespace runner

/// For `pipeline::run`: the run goes on where the latest one of the pipeline ended, as if that had
/// not ended. Batches are numbered on, and tasks find in slots of earlier batches, for their rates
/// and their dependencies what they would have found. Without a run before, batches are numbered
/// from 0 on.
///
/// `run` throws `usage_error` if the latest run lost batches: if it failed, was cancelled or left
/// while some were in flight; and after `reset()`.
inline constexpr runner::where_the_latest_ended onwards{};

}  // namespace stretto
