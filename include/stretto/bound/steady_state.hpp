// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/bound/virtual_time.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>

namespace stretto::bound::detail {

/// What batches take in a long run of a plan whose source always has the next one.
struct steady_state {
  planner::ratio latency;  ///< from a pull's begin to its result; the mean
  long long fill = 0;      ///< from the begin to the first result
  long long drain = 0;     ///< from the last pull's end to the end of all; the longest
};

/// Runs a plan until what it does repeats. It comes to that because everything waits for everything
/// else, results for pulls and pulls for room. (R. Brent's search for a period.) A batch is
/// \p handed_out at the end of that node, in the last progress that works on it.
constexpr steady_state find_steady_state(const planner::timing& waits,
                                         planner::view<std::size_t> order,
                                         planner::view<std::size_t> lag, std::size_t pull,
                                         std::size_t handed_out) {
  constexpr std::size_t endless = virtual_time::endless;
  constexpr std::size_t most = 4096;     // progresses; what is told then is very nearly so
  constexpr std::size_t most_ends = 64;  // of which each is run
  std::size_t depth = 0;
  for (const std::size_t own : lag) depth = planner::larger(depth, own);
  virtual_time run(waits, order, lag);
  for (std::size_t i = 0; i <= depth; ++i) run.advance(endless);
  steady_state found;
  found.fill = run.end(handed_out, depth);
  std::size_t then = depth;
  std::size_t now = depth;
  do {
    if (now > 2 * then) then = now;
    run.advance(endless);
    ++now;
  } while (!run.repeats(then, now) && now < most);
  const std::size_t turns = now - then;
  for (std::size_t i = 0; i < turns; ++i) {
    run.advance(endless);
    if (i >= most_ends) continue;
    virtual_time last = run;
    for (std::size_t d = 0; d < depth; ++d) last.advance(run.progresses());
    const long long drain = last.latest() - run.end(pull, run.progresses() - 1);
    found.drain = planner::larger(found.drain, drain);
  }
  for (std::size_t d = 0; d < depth; ++d) run.advance(endless);
  found.latency = {0, static_cast<long long>(turns)};
  for (std::size_t batch = now + 1; batch <= now + turns; ++batch)
    found.latency.time += run.end(handed_out, batch + depth) - run.begin(pull, batch);
  return found;
}

}  // namespace stretto::bound::detail
