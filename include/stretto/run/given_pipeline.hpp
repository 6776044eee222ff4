// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <utility>

/// Pipelines of either version, as those see them that are given one and hand it its batches:
/// `push_run` and `server`.
namespace stretto::runner {

/// A pipeline that may begin a run: not a pointer to one, a constant one, a schedule or a run.
template <class Type>
concept can_run = requires(Type& given) {
  given.pulled_by();
  given.reset();
};

/// The type of a pipeline's batches, if its schedule tells; else `Untold`, and the user does.
template <class Pipeline, class Untold>
struct source_value_of {
  using type = Untold;
};
template <class Pipeline, class Untold>
  requires requires { typename Pipeline::source_value; }
struct source_value_of<Pipeline, Untold> {
  using type = typename Pipeline::source_value;
};

/// A run over batches of type `Value`, of a source and perhaps a stop token.
template <class Value, class Pipeline, class... Given>
auto run_over(Pipeline& pipeline, Given&&... given) {
  if constexpr (requires { typename Pipeline::source_value; }) {
    return pipeline.run(std::forward<Given>(given)...);
  } else {
    return pipeline.template run<Value>(std::forward<Given>(given)...);
  }
}

}  // namespace stretto::runner
