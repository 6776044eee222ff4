// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/compiled/linkage.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/rules/finding.hpp>
#include <string>

namespace stretto::planner {

/// What a node does in one progress; nothing, if it does not fire.
struct run {
  std::size_t node = none;
  std::size_t progress = 0;
  bool fires = true;
};

/// An interleaving that ends with two runs under way at once.
struct meeting {
  list<run> before;  ///< what must have run by then, in an order that can be
  run task;
  run other;
};

/// What interleavings of a schedule follow from. Of a broken one nothing but `lag` is known.
struct course {
  view<std::size_t> lag{};      ///< by node: progresses between a batch's pull and the node's run
  view<std::size_t> workers{};  ///< by node: how many take turns at it
  view<std::size_t> order{};
  view<edge> effects{};  ///< the edges that order effects
};

/// The shortest interleaving in which runs of two tasks overlap; none of it (`task.node` is `none`)
/// if they are always ordered. Run-time code: it unrolls the first progresses.
STRETTO_INLINE meeting shortest_meeting(const course& c, std::size_t task, std::size_t other);
STRETTO_INLINE meeting shortest_meeting(const plan& p, std::size_t task, std::size_t other);

/// An interleaving, line by line, that ends in the bad moment a finding of \p d speaks of: two runs
/// that use a resource at once, runs that wait for each other, a run that comes too late. The
/// shortest there is, and always the same. Empty for findings that are about how something is
/// declared, not about when it runs. \p cycle is the diagnosis's.
STRETTO_INLINE std::string witness(const declaration& d, const finding& f, const course& c,
                                   view<std::size_t> cycle);

/// Of a declaration that is not planned yet.
STRETTO_INLINE std::string witness(const declaration& d, const finding& f);

}  // namespace stretto::planner

#if !defined(STRETTO_COMPILED)
#  include <stretto/plan/text/witness.ipp>
#endif
