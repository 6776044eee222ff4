// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstddef>
#include <future>
#include <optional>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/errors/emit.hpp>
#include <stretto/errors/names.hpp>
#include <stretto/errors/words.hpp>
#include <stretto/run/given_pipeline.hpp>
#include <stretto/run/not_a_run.hpp>
#include <stretto/run/number_misuse.hpp>
#include <stretto/run/source.hpp>
#include <stretto/serve/batch.hpp>
#include <type_traits>

/// What there is no server of, and requests that do not fit.
namespace stretto::serving {

namespace detail {

template <class Given>
struct not_runnable {
  static auto named() -> pack<invalid::a_server_is_of_a_pipeline_that_can_run<Given>>;
  static constexpr errors::words text() {
    return "a server is made of a pipeline: of the object, which is not const, and not of a "
           "pointer, a schedule or a run; this has type `" +
           errors::words(declare::qualified_name<Given>()) + "`";
  }
};
template <class Pipeline>
struct untold_types {
  static auto named()
      -> pack<invalid::a_server_of_values_names_the_types_of_requests_and_answers<Pipeline>>;
  static constexpr errors::words text() {
    return "a schedule of values does not tell the compiler what its source takes and what its "
           "result is: say both, as in `stretto::server<decltype(pipeline), int, float> "
           "s(pipeline)`, with `void` where there is no result";
  }
};
template <class Given, class Request>
struct unfit_request {
  static auto named() -> pack<invalid::what_is_asked_is_no_request_of_the_server<Given, Request>>;
  static constexpr errors::words text() {
    return "what is asked has type `" + errors::words(declare::qualified_name<Given>()) +
           "`, which does not turn into a `" + errors::words(declare::qualified_name<Request>()) +
           "`, the type of the slot of the source, by itself; what can only be moved is given "
           "away, `ask(std::move(request))`, and a server of batches is made with a "
           "`stretto::batching`";
  }
};
template <class Given, class Request>
struct cut_request {
  static auto named()
      -> pack<invalid::what_is_asked_is_a_number_of_which_the_slot_of_the_source_cuts_something_off<
          Given, Request>>;
  static constexpr errors::words text() {
    return runner::loses_a_part<Given, Request>("what is asked has type", "the slot of the source");
  }
};
template <class Callback, class Answer>
struct unfit_callback {
  static auto named() -> pack<invalid::a_callback_takes_the_answer_of_the_server<Callback, Answer>>;
  static constexpr errors::words text() {
    return "a callback is called with the answer, whose `get()` is the result or throws: let it "
           "take `const auto& answer` (it is a `" +
           errors::words(declare::qualified_name<Answer>()) +
           "`), and let it be a function object that can be moved or copied";
  }
};
/// A request is awaited by its name, which would stand for one that can be awaited again.
template <class Answer>
struct kept_request {
  static auto named() -> pack<invalid::a_request_that_is_kept_is_given_away_to_co_await<Answer>>;
  static constexpr errors::words text() {
    return "what `co_ask` returns is awaited once: await it where it is made, `co_await "
           "server.co_ask(request)`, or give it away, `co_await std::move(asked)`";
  }
};
template <class Slot>
struct no_batch_of_requests {
  static auto named()
      -> pack<invalid::a_server_that_batches_has_a_container_of_requests_in_its_source<Slot>>;
  static constexpr errors::words text() {
    return "a server that batches puts several requests into the slot of the source: let it be a "
           "container, such as a std::vector of them, or leave the batching out; it has type `" +
           errors::words(declare::qualified_name<Slot>()) + "`";
  }
};
template <class Slot>
struct no_batch_of_answers {
  static auto named()
      -> pack<invalid::a_server_that_batches_has_a_container_of_answers_in_its_result<Slot>>;
  static constexpr errors::words text() {
    return "a server that batches takes an answer for each request out of the result: let each of "
           "its slots be a container, such as a std::vector of answers, or leave the batching out; "
           "it has type `" +
           errors::words(declare::qualified_name<Slot>()) + "`";
  }
};

}  // namespace detail

/// Whether what is asked, of type `Given`, is a request. What becomes one by an explicit
/// constructor alone is none: a number that gives the size of a std::vector, or a pointer that a
/// std::unique_ptr would own.
template <class Given, class Request>
inline constexpr bool is_request =
    std::constructible_from<Request, Given> &&
    !runner::cuts_off<std::remove_cvref_t<Given>, Request> &&
    (std::is_convertible_v<Given, Request> || std::is_assignable_v<Request&, Given>);

/// Why what is asked is no request.
template <class Given, class Request>
consteval auto request_diagnostic() {
  if constexpr (runner::cuts_off<Given, Request>)
    return detail::cut_request<Given, Request>{};
  else
    return detail::unfit_request<Given, Request>{};
}

/// Why a pipeline cannot serve requests and answers of these types, as far as its type tells.
template <class Pipeline, class Request, class Answer, class Batching>
consteval auto server_diagnostic() {
  using source = typename runner::source_value_of<Pipeline, detail::untold>::type;
  constexpr bool is_told = !std::is_same_v<source, detail::untold>;
  constexpr bool batches = !std::is_void_v<Batching>;
  if constexpr (!runner::can_run<Pipeline>) {
    return detail::not_runnable<Pipeline>{};
  } else if constexpr (batches && is_told && !detail::batch_of_requests<source>) {
    return detail::no_batch_of_requests<source>{};
  } else if constexpr (batches && is_told && std::is_same_v<Answer, detail::untold>) {
    return detail::no_batch_of_answers<std::remove_cvref_t<typename Pipeline::reference>>{};
  } else if constexpr (std::is_same_v<Request, detail::untold> ||
                       std::is_same_v<Answer, detail::untold> ||
                       (batches && std::is_same_v<Answer, typename Pipeline::reference>)) {
    return detail::untold_types<Pipeline>{};
  } else {
    return errors::no_error{};
  }
}

/// What a `server` becomes after a compile error, so that no other error follows: the same members,
/// none of which is ever called.
class not_a_server {
 public:
  /// A future of anything.
  struct any_future {
    runner::any_result get();
    void wait() const;
    bool valid() const;
  };
  /// What a coroutine awaits.
  struct any_awaited {
    bool await_ready() const;
    template <class Handle>
    void await_suspend(Handle) const;
    runner::any_result await_resume() const;
  };
  template <class... Given>
  any_future ask(Given&&...);
  template <class... Given>
  any_awaited co_ask(Given&&...);
  template <class... Given>
  std::optional<any_future> try_ask(Given&&...);
  void close() noexcept;
  void cancel() noexcept;
  void join();
};

}  // namespace stretto::serving
