// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/run/error.hpp>
#include <stretto/run/text_builder.hpp>
#include <stretto/run/threads/attachments.hpp>
#include <stretto/run/threads/group_named.hpp>

namespace stretto::runner::detail {

STRETTO_INLINE std::size_t acquire_slot(attachments* lent, const run_maker& maker,
                                        planner::view<std::string_view> groups,
                                        planner::view<std::size_t> workers,
                                        std::string_view group) {
  text_builder text;
  text.add("attaching to thread group ").name(group).add(": ");
  const std::size_t g = group_named(groups, group);
  std::size_t host = 0;  // the group's first
  for (std::size_t before = 0; before < g; ++before) host += workers[before];
  if (g == groups.size()) {
    text.add("the pipeline has none of this name, but ").names(groups);
  } else if (g == 0) {
    text.add(only_caller_runs_it);
  } else if (lent == nullptr || !lent->has(host)) {
    text.add(
        "the pipeline has a thread of its own for it; name the group in "
        "`stretto::attached_threads{...}`, an argument of the pipeline's constructor");
  } else if (maker.is_calling_thread()) {
    text.add("the calling thread has a run of this pipeline, which would wait for it");
  } else {
    if (lent->acquire(workers[g], host)) return host;
    text.add(workers[g] == 1 ? "another thread is attached already"
                             : "other threads are attached already, one for each worker");
  }
  throw usage_error(text.text());
}

}  // namespace stretto::runner::detail
