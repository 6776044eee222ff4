// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/compiled/linkage.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/model/view.hpp>
#include <string_view>

namespace stretto::planner {

/// A plan to be told or drawn, which somebody else holds: that of a schedule of types is a
/// constant, so nothing that made it has to be compiled again.
struct plan_view {
  const declaration& declared;
  int max_lookahead = 0;
  view<std::size_t> lag{};  ///< by node
  view<std::size_t> order{};
  view<edge> edges{};
  view<name> slot_list{};
  view<std::size_t> copies{};  ///< by slot
  view<std::size_t> tickets{};
  view<std::string_view> streams{};
  view<std::size_t> stream_of{};  ///< by node; none: the host
  view<std::string_view> threads{};
  view<std::size_t> thread_of{};  ///< by node
  view<std::size_t> chained{};
  view<range> chains{};          ///< by thread, into `chained`
  view<std::size_t> workers{};   ///< by thread
  view<std::size_t> begun_by{};  ///< by thread, if tasks are coroutines
  view<std::size_t> queues{};    ///< by thread: batches that may wait between its group and others
  view<edge> stream_waits{};
  view<edge> minimal_stream_waits{};
  view<edge> run_ahead_waits{};
  std::size_t host_waits = 0;  ///< how many, with a barrier

  constexpr std::size_t tasks() const { return declared.tasks.size(); }
  constexpr int lookahead(std::size_t node) const {
    return max_lookahead - static_cast<int>(lag[node]);
  }
};

/// What the schedule says of the group of a thread.
STRETTO_INLINE void add_group_notes(text_builder& to, const plan_view& p, std::size_t thread);

}  // namespace stretto::planner

#if !defined(STRETTO_COMPILED)
#  include <stretto/plan/text/plan_view.ipp>
#endif
