// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/declare/count.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/declare/verdict.hpp>

namespace stretto {

/// For `on_failure`: how many failures of the task a run drops at most, 1 or more. The next one
/// ends the run, and is the error that it throws.
template <auto Failures>
struct max_failures {
  using stretto_tag = tag::max_failures;
  static constexpr int value = declare::count<Failures>;
};

/// What becomes of a batch on which a task throws, for `task<...>`, or as a member:
/// `using on_failure = stretto::on_failure<stretto::drop, stretto::max_failures<100>>;`. Without
/// it, the run ends.
///
/// `drop`: the batch is dropped, as by a task that returns `verdict::drop`, and the run goes on.
/// `max_failures<N>` bounds how often in a run; without it, any number of times. What was thrown is
/// in `run_report::drops`, and in `dropped_failures()` of the pipeline while the run goes on. What
/// the task has done to its own members and to resources by then stays as it is.
/// (A value cannot stand for a type, so that compilers refuse the two in another order by
/// themselves: they show the parameters, whose names say which order it is.)
template <verdict DropComesFirst, class... MaxFailuresComesSecond>
struct on_failure {
  using stretto_tag = tag::on_failure;
  static constexpr verdict outcome = DropComesFirst;
};

}  // namespace stretto
