// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/errors/emit.hpp>
#include <stretto/errors/names.hpp>
#include <stretto/errors/words.hpp>
#include <type_traits>

namespace stretto::runner {

/// Batches are pushed to a pipeline of types that pulls them on a thread of its own.
template <class Pipeline>
struct pulled_elsewhere {
  static auto named()
      -> pack<invalid::batches_are_pushed_to_a_pipeline_whose_calling_thread_pulls<Pipeline>>;
  static constexpr errors::words text() {
    return "batches are pushed by the calling thread, but thread `" +
           errors::words(Pipeline::pulled_by()) + "` pulls those of `" +
           errors::words(declare::qualified_name<typename Pipeline::schedule>()) +
           "`: leave the thread out of its source, or let the caller run that group with "
           "`caller_runs`";
  }
};

/// Why batches cannot be pushed to a pipeline, as far as its type tells.
template <class Pipeline>
consteval auto push_diagnostic() {
  if constexpr (requires { std::bool_constant<Pipeline::pulled_by().empty()>(); }) {
    if constexpr (!Pipeline::pulled_by().empty()) {
      return pulled_elsewhere<Pipeline>{};
    } else {
      return errors::no_error{};
    }
  } else {
    return errors::no_error{};
  }
}

}  // namespace stretto::runner
