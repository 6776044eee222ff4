// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/declare/name.hpp>
#include <stretto/errors/emit.hpp>
#include <stretto/errors/names.hpp>
#include <stretto/errors/words.hpp>

namespace stretto::runner {

/// A run of a pipeline, of types or of values, that nobody keeps.
template <class Pipeline>
struct temporary_pipeline {
  static auto named()
      -> pack<invalid::a_run_is_of_a_temporary_pipeline_give_the_pipeline_a_name<Pipeline>>;
  static constexpr errors::words text() {
    return "`" + errors::words(declare::qualified_name<Pipeline>()) +
           "` is a temporary here, gone before its run is over: give the pipeline a name, and run "
           "that";
  }
};

/// A run is asked of a constant pipeline, or of too few or too many things.
template <class Pipeline>
struct unfit_call {
  static auto named()
      -> pack<invalid::a_run_is_of_a_pipeline_that_is_not_const_over_a_source<Pipeline>>;
  static constexpr errors::words text() {
    return "a run is made of a pipeline that is not const, and of a source, behind which may stand "
           "where it begins and a stop token: `pipeline.run(source, st::onwards, token)`";
  }
};

/// A run goes through views that nobody keeps. `Result` is what it yields.
template <class Result>
struct unnamed_run {
  static auto named() -> pack<invalid::a_run_that_goes_through_views_has_a_name<Result>>;
  static constexpr errors::words text() {
    return "a run stays where it is made, and so cannot be moved into a view: give it a name, "
           "`auto "
           "run = pipeline.run(...)`, and let that go through views, `run | ...`";
  }
};

}  // namespace stretto::runner
