// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <exception>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <stretto/errors/emit.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/given_pipeline.hpp>
#include <stretto/run/source.hpp>
#include <stretto/run/stop.hpp>
#include <stretto/run/temporary_misuse.hpp>
#include <stretto/serve/answer.hpp>
#include <stretto/serve/awaited.hpp>
#include <stretto/serve/batch.hpp>
#include <stretto/serve/batching.hpp>
#include <stretto/serve/fallible.hpp>
#include <stretto/serve/reply.hpp>
#include <stretto/serve/requests.hpp>
#include <stretto/serve/server_misuse.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace stretto {

namespace serving::detail {

/// What stays of what batches yield.
template <class Reference>
struct kept_of {
  using type = untold;
};
template <class Value>
struct kept_of<Value&> {
  using type = std::remove_const_t<Value>;
};
template <class... Value>
struct kept_of<std::tuple<Value&...>> {
  using type = std::tuple<std::remove_const_t<Value>...>;
};
template <>
struct kept_of<std::size_t> {
  using type = void;
};
template <>
struct kept_of<void> {
  using type = void;
};
template <class Pipeline>
struct answer_of {
  using type = untold;
};
template <class Pipeline>
  requires requires { typename Pipeline::reference; }
struct answer_of<Pipeline> : kept_of<typename Pipeline::reference> {};

/// What callbacks get of what batches yield, where the user wants answers of a type.
template <class Reference, class Answer>
struct lent_of {
  using type = std::conditional_t<std::is_same_v<typename kept_of<Reference>::type, untold>,
                                  std::add_lvalue_reference_t<Answer>, Reference>;
};
template <class Reference>
struct lent_of<Reference, void> {
  using type = void;
};
template <class Reference>
struct lent_of<Reference, Reference> {
  using type = Reference;
};

/// What a server puts into the slot of the source, and what its requesters get of what batches
/// yield.
template <class Pipeline, class Request, class Answer, class Batching>
struct exchange {
  using batch = Request;
  using lent = typename lent_of<typename Pipeline::reference, Answer>::type;
};
template <class Pipeline, class Request, class Answer>
struct exchange<Pipeline, Request, Answer, batching> {
  using batch = typename runner::source_value_of<Pipeline, std::vector<Request>>::type;
  using each = typename each_of<typename Pipeline::reference>::type;
  using lent = std::conditional_t<
      std::is_void_v<Answer>, void,
      std::conditional_t<std::is_same_v<each, untold>, std::add_lvalue_reference_t<Answer>, each>>;
};

/// Requests and answers of a pipeline whose slots have batches of them, where its type tells.
template <class Slot>
struct request_in {
  using type = untold;
};
template <batch_of_requests Slot>
struct request_in<Slot> {
  using type = typename Slot::value_type;
};
template <class Pipeline>
using request_of_batch =
    typename request_in<typename runner::source_value_of<Pipeline, untold>::type>::type;
template <class Pipeline>
struct answer_of_batch {
  using type = untold;
};
template <class Pipeline>
  requires requires { typename Pipeline::reference; }
struct answer_of_batch<Pipeline> : kept_of<typename each_of<typename Pipeline::reference>::type> {};

/// Of values, what batches yield is given to callbacks only: it leads into the pipeline.
template <class Pipeline, class Answer>
inline constexpr bool can_be_kept =
    !std::is_same_v<Answer, typename Pipeline::reference> || std::is_same_v<Answer, std::size_t>;

}  // namespace serving::detail

/// Answers requests from any threads by a pipeline of types or of values: each request is a batch,
/// whose result is its answer. Made as `server s(pipeline)`, of values as
/// `server<dynamic::pipeline<>, Request, Answer> s(pipeline)`:
///
///     std::future<float> answer = s.ask(request);               // a copy of the result
///     s.ask(request, [](const auto& a) { use(a.get()); });      // or the result itself
///     float answer = co_await s.co_ask(request);                // in a coroutine of any type
///
/// A thread of its own is the pipeline's calling thread and gives the answers, in the order of the
/// requests. Requests that come together overlap as the plan says; with none left to take, what is
/// in flight goes through, so that no answer waits for another request. Then the thread sleeps.
///
/// With a `batching`, as in `server s(pipeline, batching{.most = 8, .wait = 2ms})`, each batch is
/// up to that many requests: the slot of the source is a container, a `std::vector<Request>`, say,
/// which is filled anew for each batch, and each slot of the result has an answer for each of them,
/// in their order. If it has fewer or more, all of the batch get `unanswered` with the numbers. Of
/// values, `server<dynamic::pipeline<>, Request, Answer, batching>` is about slots that are
/// vectors.
///
/// A third member, `batching{.most = 8, .wait = 2ms, .failed = retry_singly}`, has the requests of
/// a batch that a task drops because it failed run again one by one: who makes tasks fail fails
/// alone.
///
/// Of a request whose batch a task drops, the answer is an `unanswered` that names the task; if it
/// drops it because it failed (`on_failure`), what it threw is nested in that. If another task
/// throws, all who wait get its `task_error`, and the server takes no more requests. From the
/// constructor until `join` or the destructor returns, nobody else uses the pipeline, which
/// outlives the server and must not be one with collectives or attached threads.
template <class Pipeline,
          class Request = typename runner::source_value_of<Pipeline, serving::detail::untold>::type,
          class Answer = typename serving::detail::answer_of<Pipeline>::type, class Batching = void>
class server {
  struct not_deduced {};
  using exchange = serving::detail::exchange<Pipeline, Request, Answer, Batching>;
  using lent = typename exchange::lent;
  static constexpr bool batches = std::is_same_v<Batching, batching>;
  /// For Clang before 22, which deduces the type of a server also by constructors that are not for
  /// it.
  using if_batches = std::conditional_t<batches, batching, not_deduced>;
  using requests = serving::detail::requests<Request, lent>;
  using reply_pointer = std::unique_ptr<serving::detail::reply<lent>>;
  using future_reply = serving::detail::future_reply<lent, Answer>;
  using awaited = serving::detail::awaited<Request, lent, Answer>;
  using temporary = runner::temporary_pipeline<Pipeline>;
  template <class Given>
  using unfit = decltype(serving::request_diagnostic<std::remove_cvref_t<Given>, Request>());
  template <class Given>
  static constexpr bool is_request = serving::is_request<Given, Request>;
  static constexpr bool can_be_kept = serving::detail::can_be_kept<Pipeline, Answer>;
  using no_answer =
      std::conditional_t<can_be_kept, std::future<Answer>, serving::not_a_server::any_future>;
  template <class Callback>
  static constexpr bool takes_answer = std::constructible_from<std::decay_t<Callback>, Callback> &&
                                       std::move_constructible<std::decay_t<Callback>> &&
                                       std::invocable<std::decay_t<Callback>&, const answer<lent>&>;
  template <class Callback>
  using unfit_callback =
      serving::detail::unfit_callback<std::remove_cvref_t<Callback>, answer<lent>>;
  static_assert(
      batches || std::is_void_v<Batching>,
      "the last argument of a server's type says whether it gathers requests into batches: "
      "it is `stretto::batching`, or is left out");
  static_assert(std::move_constructible<Request> && std::is_move_assignable_v<Request>,
                "a request waits for its turn and is moved into the source's slot then: let its "
                "type be one that can be moved, such as a std::unique_ptr");

 public:
  /// What callbacks get.
  using answer_type = answer<lent>;

  /// Starts the thread. At most \p most_waiting requests wait until they are taken, besides the
  /// batches that the plan has in flight. Throws `usage_error` if that is 0, while the pipeline has
  /// a run, after a failure until its `reset()`, and if a group of it has attached threads;
  /// of values, if the source's slot is of another type; `std::system_error` if the system has no
  /// more threads.
  [[nodiscard]] explicit server(Pipeline& pipeline, std::size_t most_waiting = 64)
    requires(!batches)
      : server(begin(), pipeline, most_waiting, {.most = 1}) {}
  /// With batches of several requests. Throws `usage_error` also if a batch may have none or more
  /// than may wait, or is to wait for less than no time.
  [[nodiscard]] server(Pipeline& pipeline, const if_batches& how, std::size_t most_waiting = 64)
    requires batches
      : server(begin(), pipeline, most_waiting, how) {}
  /// Of a pipeline that is gone before anything is asked: a compile error.
  template <auto Why = errors::why<temporary>>
  STRETTO_REFUSED explicit server(Pipeline&& pipeline, std::size_t = 0)
      : pipeline_(pipeline), requests_(1) {
    static_cast<void>(errors::emit_in_body<temporary>::value);
  }
  template <auto Why = errors::why<temporary>>
  STRETTO_REFUSED server(Pipeline&& pipeline, const batching&, std::size_t = 0)
      : pipeline_(pipeline), requests_(1) {
    static_cast<void>(errors::emit_in_body<temporary>::value);
  }
  server(const server&) = delete;
  server& operator=(const server&) = delete;
  /// As `close` and `join`: all who were taken are answered. Threads that wait for room in `ask`
  /// are refused; others must not be about to call anything.
  ~server() {
    close();
    join();  // which ends the program with its sentence on the server's own thread
  }

  /// Takes a request, from any thread, and waits for room while as many wait as may. The future has
  /// a copy of the result, or what can only be moved is moved out of the slot; or the error that
  /// came in its place: the `task_error` that stopped the pipeline, `unanswered` if the server was
  /// cancelled, what copying threw.
  ///
  /// Throws `unanswered` if the server is closed or cancelled or its pipeline has stopped on an
  /// error; and `usage_error` in place of waiting on the server's own thread, in callbacks and
  /// tasks of the caller's group. In tasks of other threads of this pipeline use `try_ask`: one
  /// that waits here for room, or for an answer, may wait for itself.
  template <class Given = Request>
    requires is_request<Given> && can_be_kept
  [[nodiscard("the answer comes by the future; ask with a callback otherwise")]] std::future<Answer>
  ask(Given&& request) {
    auto reply = std::make_unique<future_reply>();
    std::future<Answer> answer = reply->get_future();
    put(std::forward<Given>(request), std::move(reply));
    return answer;
  }
  /// Likewise, with an answer by \p callback, which the server's thread calls, once, with an
  /// `answer_type`: it has the result where it is in the slot, without a copy, or the error.
  /// Batches wait meanwhile. A callback that throws ends the program.
  template <class Given = Request, class Callback>
    requires is_request<Given> && takes_answer<Callback>
  void ask(Given&& request, Callback&& callback) {
    put(std::forward<Given>(request), made_reply(std::forward<Callback>(callback)));
  }
  /// For coroutines of any type: `co_await s.co_ask(request)`, which takes a request, suspends the
  /// coroutine, and is what the future would have, or throws that. Takes no room and never waits
  /// for some: the request waits with its coroutine, in order with all others.
  ///
  /// The coroutine is resumed on the server's thread, which is where answers are given, and batches
  /// wait until it suspends again or ends. An exception that leaves the coroutine is its promise's;
  /// one that its promise lets out ends the program. If no more requests are taken, `unanswered` is
  /// thrown at once, without suspending. A coroutine that waits may be destroyed on the server's
  /// own thread, and its answer is dropped; elsewhere that ends the program: it might be resumed
  /// meanwhile.
  template <class Given = Request>
    requires is_request<Given> && can_be_kept
  [[nodiscard("nothing is asked until it is awaited")]] awaited co_ask(Given&& request) {
    return awaited(requests_, serving_, static_cast<Request>(std::forward<Given>(request)));
  }
  /// As `ask`, if there is room; else empty, at once, and a \p request that is given away as what
  /// it is is left alone.
  template <class Given = Request>
    requires is_request<Given> && can_be_kept
  [[nodiscard]] std::optional<std::future<Answer>> try_ask(Given&& request) {
    auto reply = std::make_unique<future_reply>();
    std::optional<std::future<Answer>> answer(reply->get_future());
    if (!put_if_room(std::forward<Given>(request), std::move(reply))) answer.reset();
    return answer;
  }
  /// As `ask`, if there is room; else false, at once, and \p callback is not called.
  template <class Given = Request, class Callback>
    requires is_request<Given> && takes_answer<Callback>
  [[nodiscard]] bool try_ask(Given&& request, Callback&& callback) {
    return put_if_room(std::forward<Given>(request), made_reply(std::forward<Callback>(callback)));
  }
  /// Of what is no request: a compile error that says what is.
  template <class Given, class... Callback, auto Why = errors::why<unfit<Given>>>
    requires(!is_request<Given>)
  STRETTO_REFUSED no_answer ask(Given&&, Callback&&...) {
    static_cast<void>(errors::emit_in_body<unfit<Given>>::value);
    return {};
  }
  template <class Given, class... Callback, auto Why = errors::why<unfit<Given>>>
    requires(!is_request<Given>)
  STRETTO_REFUSED std::optional<no_answer> try_ask(Given&&, Callback&&...) {
    static_cast<void>(errors::emit_in_body<unfit<Given>>::value);
    return {};
  }
  /// Of what is no callback: likewise.
  template <class Given = Request, class Callback, auto Why = errors::why<unfit_callback<Callback>>>
    requires is_request<Given> && (!takes_answer<Callback>)
  STRETTO_REFUSED void ask(Given&&, Callback&&) {
    static_cast<void>(errors::emit_in_body<unfit_callback<Callback>>::value);
  }
  template <class Given = Request, class Callback, auto Why = errors::why<unfit_callback<Callback>>>
    requires is_request<Given> && (!takes_answer<Callback>)
  STRETTO_REFUSED bool try_ask(Given&&, Callback&&) {
    static_cast<void>(errors::emit_in_body<unfit_callback<Callback>>::value);
    return false;
  }
  template <class Given, auto Why = errors::why<unfit<Given>>>
    requires(!is_request<Given>)
  STRETTO_REFUSED serving::not_a_server::any_awaited co_ask(Given&&) {
    static_cast<void>(errors::emit_in_body<unfit<Given>>::value);
    return {};
  }

  /// No more requests: those that were taken are answered, then the run ends. From any thread, also
  /// in callbacks and tasks; does not wait.
  void close() noexcept { requests_.close(); }
  /// No more tasks start, as of a run with `cancel_on`: those whose results are complete by then
  /// are answered, all others get `unanswered`. From any thread; does not wait.
  void cancel() noexcept {
    // relaxed: a task boundary that sees it late is only another one. Before the mutex, so that the
    // source does not tell the run of nothing for a reason that the run cannot see.
    cancelled_.store(true, std::memory_order_relaxed);
    requests_.cancel();
  }
  /// Waits until the run has ended, after `close`, `cancel` or a failure. All have their answers
  /// then; `report()` of the pipeline tells how it ended, and others may use it. Throws
  /// `usage_error` on the server's own thread.
  void join() {
    if (is_serving_thread())
      throw usage_error(
          "the server's own thread waits for its end, in join() or by destroying the server: leave "
          "that to another thread");
    const std::lock_guard lock(joining_);
    if (thread_.joinable()) thread_.join();
  }

 private:
  /// Asked by all threads of the pipeline.
  struct cancelled {
    const std::atomic<bool>* said;
    bool stop_requested() const noexcept { return said->load(std::memory_order_relaxed); }
  };

  struct begin {};
  server(begin, Pipeline& pipeline, std::size_t most_waiting, const batching& how)
      : pipeline_(pipeline), requests_(most_waiting, how), thread_([this] { serve(); }) {
    serving_ = thread_.get_id();
    try {
      begun_.get_future().get();
    } catch (...) {
      thread_.join();
      throw;
    }
  }

  bool is_serving_thread() const { return std::this_thread::get_id() == serving_; }

  template <class Callback>
  static reply_pointer made_reply(Callback&& callback) {
    using reply = serving::detail::callback_reply<lent, std::decay_t<Callback>>;
    return std::make_unique<reply>(std::forward<Callback>(callback));
  }
  template <class Given>
  void put(Given&& request, reply_pointer to) {
    with_request(std::forward<Given>(request),
                 [&](Request& r) { requests_.put(r, to, is_serving_thread()); });
  }
  template <class Given>
  bool put_if_room(Given&& request, reply_pointer to) {
    return with_request(std::forward<Given>(request),
                        [&](Request& r) { return requests_.put_if_room(r, to); });
  }
  /// Calls \p use with the request itself, if it is one that was given away, or with one made of
  /// it.
  template <class Given, class Use>
  static auto with_request(Given&& request, const Use& use) {
    if constexpr (std::is_same_v<Given, Request>) {
      return use(request);
    } else {
      Request made(std::forward<Given>(request));
      return use(made);
    }
  }

  void serve() noexcept {
    std::exception_ptr failure;
    bool begun = false;
    try {
      const auto source = [this](typename exchange::batch& slot, bool may_wait) {
        if constexpr (batches) {
          return requests_.take_batch(slot, may_wait);
        } else {
          return requests_.take(slot, may_wait);
        }
      };
      auto run = runner::run_over<typename exchange::batch>(pipeline_, source,
                                                            cancel_on(cancelled{&cancelled_}));
      begun = true;
      begun_.set_value();
      while (run.next(teller_of_drops{this})) {
        if constexpr (batches) {
          give_results(run);
        } else {
          give_result(run);
        }
      }
    } catch (...) {
      failure = std::current_exception();
    }
    if (!begun) {
      begun_.set_exception(failure);
    } else {
      requests_.end(failure);
    }
  }

  // Not a lambda: what stands in for the run of an invalid pipeline defines nothing, and of a local
  // type that would be an error of its own.
  struct teller_of_drops {
    server* of;
    void operator()(std::size_t, std::string_view task, const std::exception_ptr& error) const {
      of->tell_dropped(task, error);
    }
  };

  void tell_dropped(std::string_view task, const std::exception_ptr& error) {
    if constexpr (batches)
      if (error != nullptr && requests_.run_again()) return;
    std::exception_ptr why;
    try {
      const std::string who = "a request has no answer: task `" + std::string(task);
      if (error == nullptr) throw unanswered(who + "` dropped its batch");
      try {
        std::rethrow_exception(error);
      } catch (...) {
        std::throw_with_nested(unanswered(
            who + "` failed on its batch, which was dropped: " + runner::what_was_thrown()));
      }
    } catch (...) {  // or that there is no memory to say so
      why = std::current_exception();
    }
    if constexpr (batches) {
      requests_.next_through(through_);
      give_each([&] { return answer_type(why); });
    } else {
      requests_.next_through()->give(answer_type(why));
    }
  }
  template <class Run>
  void give_result(Run& run) {
    const reply_pointer to = requests_.next_through();
    if constexpr (std::is_void_v<lent>) {
      to->give(answer_type(nullptr));
    } else if constexpr (std::is_same_v<lent, typename Run::reference>) {
      lent&& result = run.result();
      to->give(answer_type(std::addressof(result)));
    } else {
      std::remove_reference_t<lent>* result = nullptr;
      try {
        result = std::addressof(run.result().template get<std::remove_reference_t<lent>>());
      } catch (...) {  // the result slot is of another type
        return to->give(answer_type(std::current_exception()));
      }
      to->give(answer_type(result));
    }
  }

  template <class Run>
  void give_results(Run& run) {
    requests_.next_through(through_);
    if constexpr (std::is_void_v<lent>) {
      give_each([] { return answer_type(nullptr); });
    } else if constexpr (std::is_same_v<typename exchange::each, serving::detail::untold>) {
      std::vector<Answer>* results = nullptr;
      try {
        results = std::addressof(run.result().template get<std::vector<Answer>>());
      } catch (...) {  // the result slot is of another type
        return give_each([why = std::current_exception()] { return answer_type(why); });
      }
      give_each_of(*results);
    } else if constexpr (serving::detail::batch_of_answers<typename Run::reference>) {
      give_each_of(run.result());
    } else {
      std::apply([this](auto&... results) { this->give_each_of(results...); }, run.result());
    }
  }
  template <class... Slot>
  void give_each_of(Slot&... results) {
    serving::detail::answers<Slot...> answers(results...);
    const std::string misfit = answers.misfit(through_.size());
    if (!misfit.empty()) {
      const auto why = std::make_exception_ptr(unanswered(misfit));
      return give_each([&] { return answer_type(why); });
    }
    for (reply_pointer& to : through_) {
      answers.next([&](auto&& each) { give_answer(*to, each); });
    }
  }
  template <class Each>
  static void give_answer(serving::detail::reply<lent>& to, Each& each) {
    if constexpr (!serving::detail::is_fallible<Each>::value) {
      to.give(answer_type(std::addressof(each)));
    } else if (std::exception_ptr why = each.error(); why != nullptr) {
      to.give(answer_type(std::move(why)));
    } else if constexpr (std::is_same_v<lent, Each&>) {  // of values, as their type says
      to.give(answer_type(std::addressof(each)));
    } else {
      to.give(answer_type(std::addressof(each.value())));
    }
  }
  template <class Made>
  void give_each(const Made& made) {
    for (reply_pointer& to : through_) to->give(made());
  }

  Pipeline& pipeline_;
  std::atomic<bool> cancelled_{false};
  std::promise<void> begun_;
  std::mutex joining_;
  requests requests_;
  std::vector<reply_pointer> through_;  ///< whose batch of several requests is through
  std::thread::id serving_;
  std::thread thread_;  ///< last: it uses all of the above
};

template <class Pipeline>
server(Pipeline&&) -> server<std::remove_reference_t<Pipeline>>;
template <class Pipeline>
server(Pipeline&&, std::size_t) -> server<std::remove_reference_t<Pipeline>>;
template <class Pipeline>
server(Pipeline&&, batching, std::size_t = 0)
    -> server<std::remove_reference_t<Pipeline>,
              serving::detail::request_of_batch<std::remove_reference_t<Pipeline>>,
              typename serving::detail::answer_of_batch<std::remove_reference_t<Pipeline>>::type,
              batching>;

/// What there is no server of: a compile error that says why, and no other.
template <class Pipeline, class Request, class Answer, class Batching>
  requires(!errors::is_no_error<
           decltype(serving::server_diagnostic<Pipeline, Request, Answer, Batching>())>)
class server<Pipeline, Request, Answer, Batching> : public serving::not_a_server {
  using unfit = decltype(serving::server_diagnostic<Pipeline, Request, Answer, Batching>());

 public:
  template <class Given, auto Why = errors::why<unfit>>
  // NOLINTNEXTLINE(bugprone-forwarding-reference-overload): there is none that could be copied
  STRETTO_REFUSED explicit server(Given&&, std::size_t = 0) {
    static_cast<void>(errors::emit_in_body<unfit>::value);
  }
  template <class Given, auto Why = errors::why<unfit>>
  STRETTO_REFUSED server(Given&&, const batching&, std::size_t = 0) {
    static_cast<void>(errors::emit_in_body<unfit>::value);
  }
};

}  // namespace stretto
