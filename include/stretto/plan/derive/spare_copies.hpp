// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/derive/threads.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/graph.hpp>
#include <string_view>

/// Which slots get a copy more than the batches in flight need.
namespace stretto::planner {

/// More are not worth their memory.
inline constexpr std::size_t most_copies_with_spares = 8;

namespace detail {

/// The thread group of a host node, whose map is known.
constexpr std::string_view group_of(const declaration& d, const graph& g, std::size_t n) {
  const std::string_view thread = n < g.tasks     ? thread_name(d.tasks[n])
                                  : n == g.pull() ? d.from.thread
                                                  : caller;
  return thread == d.caller_runs ? caller : thread;
}

/// Whether two nodes are on different threads. With a map that is generated, any two may be.
constexpr bool on_other_threads(const declaration& d, const graph& g, std::size_t a,
                                std::size_t b) {
  if (d.generated == 1 || a == b) return false;
  const auto is_unplaced = [&d = d, &g = g](std::size_t n) {
    return d.generated > 0 && n < g.tasks && d.tasks[n].thread.empty();
  };
  if (is_unplaced(a) || is_unplaced(b)) return true;
  return group_of(d, g, a) != group_of(d, g, b);
}

}  // namespace detail

/// How many spare copies a slot gets that needs one copy, so that who fills it need not wait, in
/// each progress anew, for who uses the batch before on another thread. The source's slot has a
/// copy for each batch in flight then, up to \c most_copies_with_spares; a slot that a host task
/// fills for a stream, and a result, which is in use until the user comes back, have two. (Where
/// more copies are needed there is a progress between the two as it is.) \p filler is the node that
/// fills a copy before all others.
constexpr std::size_t spare_copies(const declaration& d, const graph& g, std::size_t slot,
                                   std::size_t filler) {
  const bool is_source = filler == g.pull();
  const bool is_host = g.nodes[filler].stream == none;
  const auto waits_for_any = [&, &d = d, &g = g](const list<use>& uses, range r) {
    for (std::size_t i = r.first; i < r.last; ++i) {
      const std::size_t user = uses[i].node;
      const bool counts =
          is_source || user == g.deliver() || (is_host && g.nodes[user].stream != none);
      if (counts && detail::on_other_threads(d, g, filler, user)) return true;
    }
    return false;
  };
  if (!waits_for_any(g.readers, g.readers_of[slot]) &&
      !waits_for_any(g.writers, g.writers_of[slot]))
    return 0;
  if (!is_source) return 1;
  const auto more = static_cast<std::size_t>(g.max_lookahead);
  return larger(std::size_t{1}, smaller(more, most_copies_with_spares - 1));
}

/// How many copies the source's slot had as declared, with its spare ones, if `pipelined` has
/// raised the source from where its readers are; else 0. With fewer, the plan might take longer
/// than what is declared: pulling and a reader in turn would have fewer batches between them.
constexpr std::size_t declared_source_copies(const declaration& d, const graph& g,
                                             std::size_t slot) {
  if (d.raised.empty() || d.raised[g.pull()] == 0) return 0;
  const auto declared = [&d = d, &g = g](std::size_t n) {
    return g.nodes[n].lookahead - (n < d.raised.size() ? d.raised[n] : 0);
  };
  const range readers = g.readers_of[slot];
  for (std::size_t i = readers.first; i < readers.last; ++i)
    if (declared(g.readers[i].node) != declared(g.pull()) || g.readers[i].ago > 0) return 0;
  int ahead = 0;
  for (std::size_t n = 0; n < d.raised.size(); ++n) ahead = larger(ahead, declared(n));
  if (ahead == 0 || spare_copies(d, g, slot, g.pull()) == 0) return 0;
  return smaller(static_cast<std::size_t>(ahead) + 1, most_copies_with_spares);
}

/// Whether spare copies could save anything: not where one batch is in flight, because the calling
/// thread pulls the next one when the user comes back for it.
constexpr bool may_have_spare_copies(const declaration& d, const graph& g) {
  if (d.frugal || d.serial) return false;
  return g.max_lookahead > 0 || detail::on_other_threads(d, g, g.pull(), g.deliver());
}

}  // namespace stretto::planner
