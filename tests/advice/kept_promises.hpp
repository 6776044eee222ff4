// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <doctest/doctest.h>
#include <cmath>
#include <cstddef>
#include <stretto/advice.hpp>
#include <stretto/dynamic.hpp>

/// What edits promise, held against runs in virtual time of what was edited.
namespace kept_promises {

/// Whether there are edits, each of which does what it promises. A model has `run`, the time per
/// progress of a long run, and `bound`, that and the latency of the plan.
template <class Model>
bool are_kept(const stretto::dynamic::planned_schedule& now, const stretto::advice& found,
              const Model& model) {
  CHECK(found.now().period == model.bound(now).first);
  const double before = model.run(now);
  double best = 0;
  std::size_t fewest = 0;
  for (const stretto::priced_edit& e : found.edits()) {
    CAPTURE(e.what());
    const stretto::dynamic::planned_schedule after(e.edited);
    const auto [period, latency] = model.bound(after);
    const double promised = e.after.period.value();
    const double run = model.run(after);
    CHECK(promised == period.value());
    CHECK(std::abs(run - promised) <= 0.1 * promised);
    CHECK(run < before);
    CHECK(promised <= 0.98 * found.now().period.value() + 1e-9);
    CHECK(promised >= best);
    CHECK((promised > best || e.after.bytes >= fewest));
    best = promised;
    fewest = e.after.bytes;
    CHECK(std::abs(e.gain() - (1 - promised / found.now().period.value())) < 1e-9);
    CHECK(e.after.latency == latency);
  }
  CHECK(found.edits().empty() == !found.why_none().empty());
  return !found.edits().empty();
}

}  // namespace kept_promises
