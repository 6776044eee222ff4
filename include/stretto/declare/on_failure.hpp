// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/declare/count.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/declare/verdict.hpp>

namespace stretto {

/// For `on_failure`: how many failures of the task, or source, a run drops at most, 1 or more. The
/// next one ends the run, and is the error that it throws.
template <auto Failures>
struct max_failures {
  using stretto_tag = tag::max_failures;
  static constexpr int value = declare::count<Failures>;
};

/// What becomes of a batch on which a task throws, for `task<...>`, or as a member:
/// `using on_failure = stretto::on_failure<stretto::drop, stretto::max_failures<100>>;`; or on
/// which the source does, for `source<...>`. Without it, the run ends.
///
/// `drop`: the batch is dropped, as by a task that returns `verdict::drop`, and the run goes on.
/// `max_failures<N>` bounds how often in a run; without it, any number of times. What was thrown is
/// in `run_report::drops`, and in `dropped_failures()` of the pipeline while the run goes on. What
/// the task has done to its own members and to resources by then stays as it is. A source is asked
/// for the next batch, so that one that throws for ever is to have a bound.
template <verdict Outcome, class... Bounds>
struct on_failure {
  using stretto_tag = tag::on_failure;
  static constexpr verdict outcome = Outcome;
};

}  // namespace stretto
