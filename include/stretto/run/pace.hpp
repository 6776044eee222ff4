// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/declare/tag.hpp>

namespace stretto {

/// Pipeline option: threads run ahead of each other as far as the plan's edges and the copies of
/// the slots allow (the default). No more batches are in flight than with a barrier.
struct run_ahead {
  using stretto_tag = tag::pace;
  static constexpr bool meets = false;
};

/// Pipeline option: all threads meet after every progress. Between progresses nothing runs, so the
/// user's own loop may touch what tasks use.
struct barrier {
  using stretto_tag = tag::pace;
  static constexpr bool meets = true;
};

}  // namespace stretto
