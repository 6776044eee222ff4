// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/errors/emit.hpp>
#include <stretto/errors/names.hpp>
#include <stretto/errors/words.hpp>
#include <stretto/run/given_pipeline.hpp>
#include <stretto/run/not_a_run.hpp>
#include <stretto/run/number_misuse.hpp>
#include <stretto/run/source.hpp>
#include <type_traits>
#include <utility>

/// Pipelines that nothing can be pushed to, and batches that cannot be.
namespace stretto::runner {

namespace detail {

/// A function that says whether it filled the slot, as a source does.
template <class Given, class Value>
concept says_whether = requires(Given&& given, Value& slot) {
  { std::forward<Given>(given)(slot) } -> says_of_a_batch;
};

/// Stands for the type of a pipeline's batches where neither its schedule nor the user tells.
struct untold_batch {};

/// Batches are pushed to what is no pipeline, or a constant one.
template <class Given>
struct not_runnable {
  static auto named() -> pack<invalid::batches_are_pushed_to_a_pipeline_that_can_run<Given>>;
  static constexpr errors::words text() {
    return "batches are pushed to a pipeline: to the object, which is not const, and not to a "
           "pointer, a schedule or a run; this has type `" +
           errors::words(declare::qualified_name<Given>()) + "`";
  }
};
/// Batches are pushed to a pipeline of values, and nobody says which.
template <class Pipeline>
struct untold_type {
  static auto named()
      -> pack<invalid::who_pushes_to_a_pipeline_of_values_names_the_type_of_its_batches<Pipeline>>;
  static constexpr errors::words text() {
    return "a schedule of values does not tell the compiler what its source takes: say it, as in "
           "`stretto::push_run<decltype(pipeline), int> steps(pipeline)`";
  }
};
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

template <class Batch, class Value>
struct unfit_batch {
  static auto named()
      -> pack<invalid::what_is_pushed_does_not_go_into_the_slot_of_the_source<Batch, Value>>;
  static constexpr errors::words text() {
    return "what is pushed has type `" + errors::words(declare::qualified_name<Batch>()) +
           "`, and the slot of the source `" + errors::words(declare::qualified_name<Value>()) +
           "`: push what can be assigned to that, or a function that takes `" +
           errors::words(declare::qualified_name<Value&>()) + "` and fills it";
  }
};
template <class Batch, class Value>
struct cut_batch {
  static auto named() -> pack<
      invalid::what_is_pushed_is_a_number_of_which_the_slot_of_the_source_cuts_something_off<
          Batch, Value>>;
  static constexpr errors::words text() {
    return loses_a_part<Batch, Value>("what is pushed has type", "the slot of the source");
  }
};
template <class Batch, class Value>
struct amiss_batch {
  static auto named() -> pack<
      invalid::what_is_pushed_is_a_number_that_the_slot_of_the_source_takes_for_something_else<
          Batch, Value>>;
  static constexpr errors::words text() {
    return takes_amiss<Batch, Value>("what is pushed has type", "the slot of the source");
  }
};
template <class Batch, class Value>
struct asked_batch {
  static auto named()
      -> pack<invalid::a_function_that_is_pushed_says_whether_there_is_a_batch<Batch, Value>>;
  static constexpr errors::words text() {
    return "what is pushed is a function that says whether it filled the slot, as a source does; "
           "nobody asks it that: each push is a batch; let it take `" +
           errors::words(declare::qualified_name<Value&>()) +
           "` and return nothing, or hand it to `run`";
  }
};
template <class Batch>
struct kept_batch {
  static auto named() -> pack<invalid::what_is_pushed_can_only_be_moved<Batch>>;
  static constexpr errors::words text() {
    return "`" + errors::words(declare::qualified_name<Batch>()) +
           "` can be moved into the slot of the source, but not copied: give it away, "
           "`push(std::move(batch))`";
  }
};

}  // namespace detail

/// Why batches of type `Value` cannot be pushed to a pipeline, as far as its type tells.
template <class Pipeline, class Value>
consteval auto push_diagnostic() {
  if constexpr (!can_run<Pipeline>) {
    return detail::not_runnable<Pipeline>{};
  } else if constexpr (std::is_same_v<Value, detail::untold_batch>) {
    return detail::untold_type<Pipeline>{};
  } else if constexpr (requires { std::bool_constant<Pipeline::pulled_by().empty()>(); }) {
    if constexpr (!Pipeline::pulled_by().empty()) {
      return detail::pulled_elsewhere<Pipeline>{};
    } else {
      return errors::no_error{};
    }
  } else {
    return errors::no_error{};
  }
}

/// Why what was given cannot be pushed where batches have type `Value`.
template <class Given, class Value>
consteval auto batch_diagnostic() {
  using batch = std::remove_cvref_t<Given>;
  if constexpr (cuts_off<batch, Value>) {
    return detail::cut_batch<batch, Value>{};
  } else if constexpr (is_taken_amiss<batch, Value>) {
    return detail::amiss_batch<batch, Value>{};
  } else if constexpr (detail::says_whether<Given, Value>) {
    return detail::asked_batch<batch, Value>{};
  } else if constexpr (std::is_assignable_v<Value&, batch&&>) {
    return detail::kept_batch<batch>{};
  } else {
    return detail::unfit_batch<batch, Value>{};
  }
}

namespace detail {

/// What batches yield of a pipeline, or of what points to one.
template <class Given>
consteval auto yielded_by() {
  if constexpr (requires { typename Given::reference; }) {
    return pack<typename Given::reference>{};
  } else if constexpr (requires(Given& given) {
                         typename std::remove_reference_t<decltype(*given)>::reference;
                       }) {
    return yielded_by<std::remove_reference_t<decltype(*std::declval<Given&>())>>();
  } else {
    return pack<any_result>{};
  }
}

}  // namespace detail

/// What a `push_run` becomes after a compile error, so that no other error follows: the same
/// members, none of which is ever called.
template <class Given>
class not_a_push_run {
 public:
  using reference = declare::nth<0, decltype(detail::yielded_by<Given>())>;

  template <class Batch>
  bool push(Batch&&);
  bool flush();
  void close();
  reference result();
  std::size_t batch() const;
  std::size_t taken() const;
};

}  // namespace stretto::runner
