// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <exception>
#include <memory>
#include <stretto/errors/emit.hpp>
#include <stretto/run/report.hpp>
#include <stretto/run/stop.hpp>
#include <stretto/senders/not_a_sender.hpp>
#include <stretto/senders/senders_misuse.hpp>
#include <stretto/senders/stdexec.hpp>
#include <tuple>
#include <type_traits>
#include <utility>

namespace stretto {

namespace sending {
namespace detail {

template <kind Wanted, class... Given>
consteval std::size_t place_of() {
  const std::array<kind, sizeof...(Given) + 1> kinds{kind_of<Given>..., Wanted};
  std::size_t place = 0;
  while (kinds[place] != Wanted) ++place;
  return place;
}

/// A pipeline and what its run is given. `Type` is that of its batches, void if it need not be
/// named; `Source` is a reference if the source is referred to.
template <class Type, class Pipeline, class Source, class... Given>
struct run_to_begin {
  Pipeline* pipeline;
  Source source;
  std::tuple<Given...> given;

  static constexpr bool has_where = how_many<kind::where, Given...> == 1;
  static constexpr bool has_use = how_many<kind::use, Given...> == 1;
  static constexpr bool cancels = how_many<kind::cancelling, Given...> == 1;

  template <kind Wanted>
  auto& the() {
    return std::get<place_of<Wanted, Given...>()>(given);
  }

  /// Begins the run, which \p token stops.
  template <class Token>
  auto run(Token&& token) {
    if constexpr (stdexec::unstoppable_token<std::remove_cvref_t<Token>>) {
      return from_where();
    } else if constexpr (cancels) {
      return from_where(cancel_on(std::forward<Token>(token)));
    } else {
      return from_where(std::forward<Token>(token));
    }
  }

 private:
  template <class... Stop>
  auto from_where(Stop&&... stop) {
    if constexpr (has_where) {
      return begun(std::move(the<kind::where>()), std::forward<Stop>(stop)...);
    } else {
      return begun(std::forward<Stop>(stop)...);
    }
  }
  template <class... More>
  auto begun(More&&... more) {
    if constexpr (std::is_void_v<Type>) {
      return pipeline->run(std::forward<Source>(source), std::forward<More>(more)...);
    } else {
      return pipeline->template run<Type>(std::forward<Source>(source),
                                          std::forward<More>(more)...);
    }
  }
};

template <class Run>
consteval auto use_diagnostic() {
  using run = decltype(std::declval<Run&>().run(std::declval<stdexec::never_stop_token>()));
  using use = decltype(std::declval<Run&>().template the<kind::use>());
  if constexpr (requires { typename run::template why_no_use<use>; }) {
    return typename run::template why_no_use<use>{};
  } else {
    return errors::no_error{};
  }
}

template <class Run, class Receiver>
class run_operation {
 public:
  using operation_state_concept = stdexec::operation_state_t;

  run_operation(Run&& run, Receiver receiver)
      : run_(std::move(run)), receiver_(std::move(receiver)) {}
  run_operation(const run_operation&) = delete;
  run_operation& operator=(const run_operation&) = delete;
  ~run_operation() = default;

  void start() & noexcept {
    const run_report* report = nullptr;
    std::exception_ptr error;
    try {
      run_through();
      report = std::addressof(run_.pipeline->report());
    } catch (...) {
      error = std::current_exception();
    }
    if (error != nullptr) return stdexec::set_error(std::move(receiver_), std::move(error));
    if constexpr (!stdexec::unstoppable_token<
                      stdexec::stop_token_of_t<stdexec::env_of_t<Receiver>>>) {
      if (report->end == run_end::drained || report->end == run_end::cancelled)
        return stdexec::set_stopped(std::move(receiver_));
    }
    stdexec::set_value(std::move(receiver_), *report);
  }

 private:
  /// The pipeline is free for another run when it returns.
  void run_through() {
    auto through = run_.run(stdexec::get_stop_token(stdexec::get_env(receiver_)));
    if constexpr (Run::has_use) {
      through.for_each(run_.template the<kind::use>());
    } else {
      while (through.next()) {
      }
    }
  }

  Run run_;
  Receiver receiver_;
};

template <class Run>
class run_sender {
  template <class... Env>
  static constexpr bool may_stop =
      !(stdexec::unstoppable_token<stdexec::stop_token_of_t<Env>> || ...);

 public:
  using sender_concept = stdexec::sender_t;

  explicit run_sender(Run&& run) : run_(std::move(run)) {}

  template <class, class... Env>
  static consteval auto get_completion_signatures() {
    if constexpr (may_stop<Env...>) {
      return stdexec::completion_signatures<stdexec::set_value_t(const run_report&),
                                            stdexec::set_error_t(std::exception_ptr),
                                            stdexec::set_stopped_t()>{};
    } else {
      return stdexec::completion_signatures<stdexec::set_value_t(const run_report&),
                                            stdexec::set_error_t(std::exception_ptr)>{};
    }
  }

  template <stdexec::receiver Receiver>
  run_operation<Run, Receiver> connect(Receiver receiver) && {
    return {std::move(run_), std::move(receiver)};
  }
  template <stdexec::receiver Receiver>
    requires std::copy_constructible<Run>
  run_operation<Run, Receiver> connect(Receiver receiver) const& {
    return {Run(run_), std::move(receiver)};
  }

 private:
  Run run_;
};

}  // namespace detail

template <class Type, class Pipeline, class Source, class... Given>
using run_of_given =
    detail::run_to_begin<Type, std::remove_reference_t<Pipeline>, Source, std::decay_t<Given>...>;

/// Why there is no run of what was given as a sender; or `no_error`. Whether a run calls a function
/// is asked of the run.
template <class Type, class Pipeline, class Source, class... Given>
consteval auto sender_diagnostic() {
  using found = decltype(run_diagnostic<Type, Pipeline, Source, std::decay_t<Given>...>());
  if constexpr (!errors::is_no_error<found>) {
    return found{};
  } else if constexpr (how_many<kind::use, std::decay_t<Given>...> == 1) {
    return detail::use_diagnostic<run_of_given<Type, Pipeline, Source, Given...>>();
  } else {
    return errors::no_error{};
  }
}
template <class Type, class Pipeline, class Source, class... Given>
using unfit = decltype(sender_diagnostic<Type, Pipeline, Source, Given...>());

/// The type of `run_as_sender`: an object, of whose calls GCC says once that they are refused.
struct run_as_sender_of {
  template <class Pipeline, class Source, class... Given>
    requires(errors::is_no_error<unfit<void, Pipeline, Source, Given...>>)
  auto operator()(Pipeline&& pipeline, Source&& source, Given&&... given) const {
    return made<void>(pipeline, std::forward<Source>(source), std::forward<Given>(given)...);
  }
  /// Of what there is no run of: a compile error that says why.
  template <class Pipeline, class Source, class... Given,
            auto Why = errors::why<unfit<void, Pipeline, Source, Given...>>>
    requires(!errors::is_no_error<unfit<void, Pipeline, Source, Given...>>)
  STRETTO_REFUSED not_a_sender operator()(Pipeline&&, Source&&, Given&&...) const {
    static_cast<void>(errors::emit_in_body<unfit<void, Pipeline, Source, Given...>>::value);
    return {};
  }

  /// Of a pipeline of values, with the type of its batches.
  template <class Type, class Pipeline, class Source, class... Given>
    requires(errors::is_no_error<unfit<Type, Pipeline, Source, Given...>>)
  auto of(Pipeline&& pipeline, Source&& source, Given&&... given) const {
    return made<Type>(pipeline, std::forward<Source>(source), std::forward<Given>(given)...);
  }
  template <class Type, class Pipeline, class Source, class... Given,
            auto Why = errors::why<unfit<Type, Pipeline, Source, Given...>>>
    requires(!errors::is_no_error<unfit<Type, Pipeline, Source, Given...>>)
  STRETTO_REFUSED not_a_sender of(Pipeline&&, Source&&, Given&&...) const {
    static_cast<void>(errors::emit_in_body<unfit<Type, Pipeline, Source, Given...>>::value);
    return {};
  }

 private:
  template <class Type, class Pipeline, class Source, class... Given>
  static auto made(Pipeline& pipeline, Source&& source, Given&&... given) {
    using run = run_of_given<Type, Pipeline&, Source, Given...>;
    return detail::run_sender<run>(run{
        std::addressof(pipeline), std::forward<Source>(source), {std::forward<Given>(given)...}});
  }
};

}  // namespace sending

/// Among what `run_as_sender` is given: when a stop is requested no more tasks start, and the
/// batches in flight are abandoned, as with `cancel_on(token)`. Without it they go through.
inline constexpr sending::cancelling cancel_on_stop{};

/// A run of a pipeline over a source as a sender of stdexec, for pipelines of types and of
/// values. What may follow, in any order and each if wanted, is a function that is called with each
/// result as by `for_each`, a beginning such as `onwards`, and `cancel_on_stop`:
///
///     auto sum = st::run_as_sender(pipeline, source, [&](int result) { total += result; });
///     stdexec::sync_wait(stdexec::starts_on(pool, std::move(sum)));
///
/// **The run is on the thread that starts it**, which is the pipeline's calling thread, runs the
/// tasks of its group and calls the function, and completes there when the run has ended: starting
/// waits that long. So start it on a scheduler whose thread may be taken.
///
/// The run is stopped by the receiver's stop token, if it has one. Sends the report, a
/// `const run_report&` into the pipeline, when the source has ended, and is stopped when a stop
/// request ended the run; `pipeline.report()` tells of that as well. Its error is what a loop over
/// the run would throw: the `task_error`, the `usage_error`, what the function throws, after which
/// the run is left. When it completes, the pipeline is free for another run.
///
/// The pipeline, and a source with a name, are referred to; a source that is given away is kept, as
/// is what is given along with it. Where the source of a pipeline of values does not tell the type
/// of its batches, `run_as_sender.of<T>(pipeline, source)` does.
inline constexpr sending::run_as_sender_of run_as_sender{};

}  // namespace stretto
