// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/text/plan_view.hpp>

namespace stretto::planner {

[[gnu::cold]] STRETTO_INLINE void add_group_notes(text_builder& to, const plan_view& p,
                                                  std::size_t thread) {
  if (const std::size_t queue = p.queues[thread]; queue > 0)
    to.add(", with a queue of ").count(queue, " batch", " batches");
  if (const std::size_t workers = p.workers[thread]; workers > 1)
    to.add(", on ").count(workers, "", " workers");
}

}  // namespace stretto::planner
