// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The library that stands in for stdexec finds who breaks the protocol of senders and receivers,
// and runs who keeps it.

#include <doctest/doctest.h>
#include <atomic>
#include <concepts>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <exec/static_thread_pool.hpp>
#include <functional>
#include <new>
#include <optional>
#include <stdexcept>
#include <stdexec/execution.hpp>
#include <stop_token>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

namespace ex = stdexec;
using ex::stand_in::collected_breaches;
using sentences = std::vector<std::string>;

/// Writes down how it was completed.
struct receiver {
  using receiver_concept = ex::receiver_t;
  struct environment {
    ex::inplace_stop_token token;
    ex::inplace_stop_token query(ex::get_stop_token_t) const noexcept { return token; }
  };

  void set_value(int value) && noexcept { *into += "value " + std::to_string(value) + " "; }
  void set_error(std::exception_ptr) && noexcept { *into += "error "; }
  void set_stopped() && noexcept { *into += "stopped "; }
  environment get_env() const noexcept { return {token}; }

  std::string* into;
  ex::inplace_stop_token token{};
};

using all_ways =
    ex::completion_signatures<ex::set_value_t(int), ex::set_error_t(std::exception_ptr),
                              ex::set_stopped_t()>;

/// A sender whose operation does what it is told, with its receiver.
template <class Connected, class Started, class Signatures = all_ways>
struct does {
  using sender_concept = ex::sender_t;
  template <class, class...>
  static consteval auto get_completion_signatures() {
    return Signatures();
  }
  template <class Receiver>
  struct operation {
    using operation_state_concept = ex::operation_state_t;
    operation(Connected connected, Started started, Receiver to)
        : started_(std::move(started)), to_(std::move(to)) {
      connected(to_);
    }
    operation(const operation&) = delete;
    operation& operator=(const operation&) = delete;
    ~operation() = default;
    void start() & noexcept { started_(to_); }
    Started started_;
    Receiver to_;
  };
  template <class Receiver>
  operation<Receiver> connect(Receiver to) const {
    return {connected, started, std::move(to)};
  }
  Connected connected;
  Started started;
};
// Is true as well of an operation that completes too early.
constexpr const char* incomplete =
    "an operation state is destroyed between the operation's start and its completion";

constexpr auto nothing = [](auto&) {};
template <class Started>
auto when_started(Started started) {
  return does<decltype(nothing), Started>{nothing, std::move(started)};
}
template <class Connected>
auto when_connected(Connected connected) {
  return does<Connected, decltype(nothing)>{std::move(connected), nothing};
}

/// Breaches of a sender that is connected and started once.
template <class Sender>
sentences breaches_of(const Sender& sender, std::string* how = nullptr,
                      ex::inplace_stop_token token = {}) {
  collected_breaches found;
  std::string unread;
  {
    auto operation = ex::connect(sender, receiver{how != nullptr ? how : &unread, token});
    ex::start(operation);
  }
  return found.take();
}

const auto completes = [](auto& to) { ex::set_value(std::move(to), 1); };

TEST_CASE("who keeps the protocol is no breach") {
  std::string how;
  CHECK(breaches_of(when_started(completes), &how).empty());
  CHECK(breaches_of(ex::just(2), &how).empty());
  CHECK(how == "value 1 value 2 ");
  // What is connected need not be started.
  collected_breaches found;
  static_cast<void>(ex::connect(when_started(completes), receiver{&how}));
  CHECK(found.take().empty());
}

// Run by itself: see CMakeLists.txt.
TEST_CASE("a breach that nobody collects ends the program" * doctest::skip()) {
  std::signal(SIGABRT, [](int) { std::_Exit(1); });
  std::string how;
  auto operation = ex::connect(when_started(completes), receiver{&how});
  ex::start(operation);
  ex::start(operation);
  std::puts("it goes on");
}

TEST_CASE("an operation is started once") {
  collected_breaches found;
  std::string how;
  auto operation = ex::connect(when_started(completes), receiver{&how});
  ex::start(operation);
  ex::start(operation);
  CHECK(found.take() == sentences{"an operation is started a second time"});
  CHECK(how == "value 1 ");
}

TEST_CASE("a receiver is completed once, by whatever of its functions") {
  std::string how;
  const auto twice = when_started([](auto& to) {
    auto copy = to;
    ex::set_value(std::move(copy), 1);
    ex::set_stopped(std::move(to));
  });
  CHECK(breaches_of(twice, &how) == sentences{"a receiver is completed a second time"});
  CHECK(how == "value 1 ");
}

TEST_CASE("a receiver is completed at all, while there is its operation") {
  CHECK(breaches_of(when_started(nothing)) == sentences{incomplete});

  collected_breaches found;
  std::string how;
  std::function<void()> late;
  {
    auto operation = ex::connect(when_connected([&](auto& to) {
                                   late = [to]() mutable { ex::set_stopped(std::move(to)); };
                                 }),
                                 receiver{&how});
    static_cast<void>(operation);
  }
  late();
  CHECK(found.take() == sentences{"a receiver is completed after its operation is destroyed"});
  CHECK(how.empty());
}

TEST_CASE("nothing completes before it is started") {
  std::string how;
  const auto early = when_connected([](auto& to) {
    auto copy = to;
    ex::set_stopped(std::move(copy));
  });
  CHECK(breaches_of(early, &how) ==
        sentences{"a receiver is completed before its operation is started", incomplete});
  CHECK(how.empty());
}

TEST_CASE("a receiver is not used once it is completed, nor its environment") {
  const sentences late{"a receiver, or its environment, is used after its completion"};
  CHECK(breaches_of(when_started([](auto& to) {
          auto copy = to;
          ex::set_stopped(std::move(to));
          static_cast<void>(ex::get_env(copy));
        })) == late);
  CHECK(breaches_of(when_started([](auto& to) {
          const auto env = ex::get_env(to);
          ex::set_stopped(std::move(to));
          static_cast<void>(env.query(ex::get_stop_token));
        })) == late);
  CHECK(breaches_of(when_started([](auto& to) {
          auto moved = std::move(to);
          ex::set_stopped(std::move(to));
          ex::set_stopped(std::move(moved));
        })) == sentences{"a receiver that was moved from is used"});
}

TEST_CASE("a stop token is of use from the start to the completion") {
  ex::inplace_stop_source source;
  const auto token_of = [](auto& to) { return ex::get_stop_token(ex::get_env(to)); };
  CHECK(breaches_of(when_started([&](auto& to) {
                      const auto token = token_of(to);
                      CHECK_FALSE(token.stop_requested());
                      source.request_stop();
                      CHECK(token.stop_requested());
                      ex::set_stopped(std::move(to));
                    }),
                    nullptr, source.get_token())
            .empty());
  CHECK(breaches_of(when_started([&](auto& to) {
          const auto token = token_of(to);
          ex::set_stopped(std::move(to));
          static_cast<void>(token.stop_requested());
        })) == sentences{"a stop token is asked after the completion of its operation"});
  CHECK(breaches_of(when_connected([&](auto& to) {
          static_cast<void>(token_of(to).stop_requested());
        })) == sentences{"a stop token is asked before its operation is started", incomplete});
}

TEST_CASE("a stop callback is gone before the completion") {
  ex::inplace_stop_source source;
  const auto nothing_to_do = [] {};
  using callback = ex::inplace_stop_callback<std::decay_t<decltype(nothing_to_do)>>;
  const auto completes_with = [&](std::optional<callback>& kept, bool removes) {
    return when_started([&kept, nothing_to_do, removes](auto& to) {
      kept.emplace(ex::get_stop_token(ex::get_env(to)), nothing_to_do);
      if (removes) kept.reset();
      ex::set_stopped(std::move(to));
    });
  };
  std::optional<callback> kept;
  CHECK(breaches_of(completes_with(kept, true), nullptr, source.get_token()).empty());
  CHECK(breaches_of(completes_with(kept, false), nullptr, source.get_token()) ==
        sentences{"an operation completes while a stop callback of its is registered",
                  "an operation state is destroyed while a stop callback of its is registered"});
  kept.reset();
  CHECK(breaches_of(when_connected([&](auto& to) {
                      kept.emplace(ex::get_stop_token(ex::get_env(to)), nothing_to_do);
                      kept.reset();
                    }),
                    nullptr, source.get_token()) ==
        sentences{"a stop callback is registered before its operation is started", incomplete});
}

TEST_CASE("a stop source outlives its callbacks, and a run loop its work") {
  collected_breaches found;
  const auto call = [] {};
  using callback = ex::inplace_stop_callback<std::decay_t<decltype(call)>>;
  alignas(callback) std::byte never_destroyed[sizeof(callback)];
  {
    const ex::inplace_stop_source source;
    new (never_destroyed) callback(source.get_token(), call);
  }
  CHECK(found.take() ==
        sentences{"a stop source is destroyed while a callback of its is registered"});

  std::optional<ex::run_loop> loop(std::in_place);
  auto operation = ex::connect(ex::schedule(loop->get_scheduler()) | ex::then([] { return 1; }),
                               receiver{nullptr});
  CHECK(found.take().empty());
  ex::start(operation);
  loop.reset();
  CHECK(found.take() == sentences{"a run loop is destroyed with work in it"});
  // So that nothing is left for the operation to say but that it never completed.
}

TEST_CASE("a completion has a signature that the sender announces") {
  const auto looks = when_started([](auto& to) {
    using given = std::remove_reference_t<decltype(to)>;
    CHECK(std::invocable<ex::set_value_t, given, int>);
    CHECK_FALSE(std::invocable<ex::set_value_t, given, int&>);
    CHECK_FALSE(std::invocable<ex::set_value_t, given, long>);
    CHECK_FALSE(std::invocable<ex::set_value_t, given>);
    CHECK_FALSE(std::invocable<ex::set_error_t, given, int>);
    CHECK(std::invocable<ex::set_stopped_t, given>);
    // Only what is given away is completed.
    CHECK_FALSE(std::invocable<ex::set_stopped_t, given&>);
    CHECK_FALSE(std::invocable<ex::set_stopped_t, const given>);
    ex::set_stopped(std::move(to));
  });
  CHECK(breaches_of(looks).empty());
}

template <class Signatures>
using announcing = does<decltype(nothing), decltype(nothing), Signatures>;

struct without_stops {
  using receiver_concept = ex::receiver_t;
  void set_value(int) && noexcept {}
};
struct throwing : without_stops {
  void set_value(int) && {}
};
struct final_receiver final : without_stops {};
struct untagged {
  void set_value(int) && noexcept {}
};

TEST_CASE("a sender connects with a receiver of all that it announces") {
  using values = announcing<ex::completion_signatures<ex::set_value_t(int)>>;
  CHECK(ex::sender_to<values, without_stops>);
  CHECK(ex::sender_to<values, receiver>);
  CHECK_FALSE(ex::sender_to<announcing<all_ways>, without_stops>);
  CHECK_FALSE(ex::sender_to<values, throwing>);
  CHECK_FALSE(ex::sender_to<values, final_receiver>);
  CHECK_FALSE(ex::sender_to<values, untagged>);
  CHECK_FALSE(ex::sender_to<announcing<ex::completion_signatures<int()>>, receiver>);
}

struct by_a_nested_type {
  using sender_concept = ex::sender_t;
  using completion_signatures = all_ways;
};
struct in_an_environment {
  using sender_concept = ex::sender_t;
  template <class, class... Env>
  static consteval auto get_completion_signatures() {
    if constexpr (sizeof...(Env) == 0) {
      return ex::completion_signatures<ex::set_value_t(int)>();
    } else {
      return all_ways();
    }
  }
  template <class Receiver>
  auto connect(Receiver to) const {
    return when_started(completes).connect(std::move(to));
  }
};

TEST_CASE("a sender announces by a function, and no more in an environment than in any") {
  CHECK(ex::sender_in<announcing<all_ways>>);
  CHECK(ex::sends_stopped<announcing<all_ways>, ex::empty_env>);
  CHECK_FALSE(ex::sends_stopped<decltype(ex::just(1)), ex::empty_env>);
  CHECK_FALSE(ex::sender_in<by_a_nested_type>);
  CHECK(ex::sender_in<in_an_environment, ex::empty_env>);
  CHECK_FALSE(ex::sender_to<in_an_environment, receiver>);
}

struct only_as_rvalue : announcing<all_ways> {
  template <class Receiver>
  auto connect(Receiver to) && {
    return announcing<all_ways>::connect(std::move(to));
  }
};
struct only_movable : announcing<all_ways> {
  only_movable(only_movable&&) = default;
};

struct starts_loudly {
  using sender_concept = ex::sender_t;
  template <class, class...>
  static consteval auto get_completion_signatures() {
    return all_ways();
  }
  struct operation {
    using operation_state_concept = ex::operation_state_t;
    void start() & {}
  };
  template <class Receiver>
  operation connect(Receiver) const {
    return {};
  }
};

TEST_CASE("a sender is connected as the lvalue or rvalue that it is") {
  CHECK(ex::sender_to<const announcing<all_ways>&, receiver>);
  CHECK(ex::sender_to<only_as_rvalue, receiver>);
  CHECK_FALSE(ex::sender_to<only_as_rvalue&, receiver>);
  CHECK(ex::sender_to<only_movable, receiver>);
  CHECK_FALSE(ex::sender_to<only_movable&, receiver>);
}

TEST_CASE("an operation state stays where it is, and starts as an lvalue without throwing") {
  using operation = ex::connect_result_t<announcing<all_ways>, receiver>;
  CHECK(ex::operation_state<operation>);
  CHECK_FALSE(std::is_move_constructible_v<operation>);
  CHECK_FALSE(std::is_move_assignable_v<operation>);
  CHECK(std::invocable<ex::start_t, operation&>);
  CHECK_FALSE(std::invocable<ex::start_t, operation>);
  CHECK_FALSE(std::invocable<ex::start_t, const operation&>);
  CHECK_FALSE(ex::sender_to<starts_loudly, receiver>);
}

TEST_CASE("tokens say by their type whether a stop is possible") {
  CHECK(ex::unstoppable_token<ex::never_stop_token>);
  CHECK(ex::stoppable_token<ex::inplace_stop_token>);
  CHECK_FALSE(ex::unstoppable_token<ex::inplace_stop_token>);
  CHECK(ex::stoppable_token<std::stop_token>);
  CHECK_FALSE(ex::unstoppable_token<std::stop_token>);
  CHECK_FALSE(ex::stoppable_token<int>);
  CHECK(ex::unstoppable_token<ex::stop_token_of_t<ex::empty_env>>);
}

TEST_CASE("a stop request runs each callback once, and who removes one waits for it") {
  ex::inplace_stop_source source;
  int calls = 0;
  const auto count = [&] { ++calls; };
  const ex::inplace_stop_callback first(source.get_token(), count);
  std::optional<ex::inplace_stop_callback<std::function<void()>>> second;
  second.emplace(source.get_token(), [&] {
    ++calls;
    second.reset();  // waits for nobody
  });
  CHECK(source.request_stop());
  CHECK(calls == 2);
  CHECK_FALSE(source.request_stop());
  const ex::inplace_stop_callback late(source.get_token(), count);
  CHECK(calls == 3);

  ex::inplace_stop_source other;
  std::atomic<bool> runs = false;
  std::atomic<bool> removed = false;
  const auto slowly = [&] {
    runs = true;
    for (int i = 0; i < 1000; ++i) std::this_thread::yield();
    CHECK_FALSE(removed);
  };
  std::optional<ex::inplace_stop_callback<std::decay_t<decltype(slowly)>>> slow;
  slow.emplace(other.get_token(), slowly);
  std::thread requests([&] { other.request_stop(); });
  while (!runs) std::this_thread::yield();
  slow.reset();
  removed = true;
  requests.join();
}

TEST_CASE("a function is called with values, and what it throws is the error") {
  CHECK(ex::sync_wait(ex::just(2, 3) | ex::then([](int a, int b) { return a * b; })) ==
        std::tuple(6));
  CHECK(ex::sync_wait(ex::just() | ex::then([] {})) == std::tuple());
  const auto throws = [](int) { throw std::out_of_range("of the function"); };
  CHECK_THROWS_AS(ex::sync_wait(ex::just(1) | ex::then(throws)), std::out_of_range);
  const auto stopped = when_started([](auto& to) { ex::set_stopped(std::move(to)); });
  CHECK(ex::sync_wait(stopped | ex::then(throws) | ex::then([] { return 1; })) == std::nullopt);
  // A sender with a name is for any number of times.
  const auto named = ex::just(1) | ex::then([](int one) noexcept { return one + 1; });
  CHECK(ex::sync_wait(named) == std::tuple(2));
  CHECK(ex::sync_wait(named) == std::tuple(2));
  CHECK_FALSE(ex::sends_stopped<decltype(named), ex::empty_env>);
}

TEST_CASE("work is where its scheduler is") {
  exec::static_thread_pool pool(2);
  const auto here = [] { return std::this_thread::get_id(); };
  const auto is_here = [](std::thread::id id) { return id == std::this_thread::get_id(); };
  CHECK(ex::sync_wait(ex::just() | ex::then(here)) == std::tuple(here()));
  CHECK(ex::sync_wait(ex::schedule(pool.get_scheduler()) | ex::then(here)) != std::tuple(here()));
  CHECK(ex::sync_wait(ex::starts_on(pool.get_scheduler(), ex::just() | ex::then(here)) |
                      ex::then(is_here)) == std::tuple(true));
  const auto moves = ex::just(7) | ex::continues_on(pool.get_scheduler()) |
                     ex::then([&](int seven) { return std::tuple(seven, here()); });
  const auto [moved] = ex::sync_wait(moves).value();
  CHECK(std::get<0>(moved) == 7);
  CHECK(std::get<1>(moved) != here());
  const auto throws = ex::just() | ex::then([] { throw std::out_of_range("before"); });
  CHECK_THROWS_AS(ex::sync_wait(throws | ex::continues_on(pool.get_scheduler())),
                  std::out_of_range);
  CHECK_THROWS_AS(ex::sync_wait(ex::starts_on(pool.get_scheduler(), throws)), std::out_of_range);
}

/// Waits for a stop request, and tells of it on the thread that makes it.
struct until_stopped {
  using sender_concept = ex::sender_t;
  template <class, class...>
  static consteval auto get_completion_signatures() {
    return all_ways();
  }
  template <class Receiver>
  struct operation {
    using operation_state_concept = ex::operation_state_t;
    struct stop {
      operation* of;
      void operator()() const noexcept { of->end(); }
    };
    using token = ex::stop_token_of_t<ex::env_of_t<Receiver>>;
    explicit operation(Receiver receiver) : to(std::move(receiver)) {}
    operation(const operation&) = delete;
    operation& operator=(const operation&) = delete;
    ~operation() = default;
    void start() & noexcept {
      waits.emplace(ex::get_stop_token(ex::get_env(to)), stop{this});
      if (steps++ != 0) complete();
    }
    void end() {
      if (steps++ != 0) complete();
    }
    void complete() {
      waits.reset();
      ex::set_stopped(std::move(to));
    }
    Receiver to;
    std::atomic<int> steps = 0;
    std::optional<ex::stop_callback_for_t<token, stop>> waits;
  };
  template <class Receiver>
  operation<Receiver> connect(Receiver to) const {
    return operation<Receiver>(std::move(to));
  }
};

TEST_CASE("several senders end as the first that has no values, and stop the others") {
  exec::static_thread_pool pool(2);
  CHECK(ex::sync_wait(ex::when_all(ex::just(1), ex::just(), ex::just(2, 3))) ==
        std::tuple(1, 2, 3));
  const auto throws = [](int) -> int { throw std::out_of_range("one of them"); };
  CHECK_THROWS_AS(ex::sync_wait(ex::when_all(until_stopped(), ex::just(1) | ex::then(throws))),
                  std::out_of_range);
  const auto elsewhere = ex::starts_on(pool.get_scheduler(), ex::just(1) | ex::then(throws));
  CHECK_THROWS_AS(ex::sync_wait(ex::when_all(elsewhere, until_stopped(), until_stopped())),
                  std::out_of_range);
  const auto stops = when_started([](auto& to) { ex::set_stopped(std::move(to)); });
  CHECK(ex::sync_wait(ex::when_all(until_stopped(), stops)) == std::nullopt);

  // A stop from outside reaches them, whether it is there or comes.
  std::string how;
  collected_breaches found;
  for (const bool before : {true, false}) {
    ex::inplace_stop_source source;
    if (before) source.request_stop();
    auto operation = ex::connect(
        ex::when_all(until_stopped(), until_stopped()) | ex::then([](int, int) { return 0; }),
        receiver{&how, source.get_token()});
    ex::start(operation);
    CHECK(how.empty() != before);
    source.request_stop();
    CHECK(how == "stopped ");
    how.clear();
  }
  CHECK(found.take().empty());
}

ex::task<int> sums(exec::static_thread_pool& pool, std::vector<std::thread::id>& on) {
  const auto note = [&on] { on.push_back(std::this_thread::get_id()); };
  note();
  const int one = co_await (ex::schedule(pool.get_scheduler()) | ex::then([&] {
                              note();
                              return 1;
                            }));
  note();
  const auto [two, three] = co_await ex::just(2, 3);
  try {
    co_await (ex::just() | ex::then([] { throw std::out_of_range("awaited"); }));
  } catch (const std::out_of_range&) {
    note();
  }
  co_return one + two + three;
}
ex::task<void> stopped_halfway(bool& came_too_far) {
  co_await ex::just();
  co_await when_started([](auto& to) { ex::set_stopped(std::move(to)); });
  came_too_far = true;
}
ex::task<void> throws_halfway() {
  co_await ex::just();
  throw std::out_of_range("of the task");
}

TEST_CASE("a task goes on where it was") {
  exec::static_thread_pool pool(1);
  std::vector<std::thread::id> on;
  CHECK(ex::sync_wait(sums(pool, on)) == std::tuple(6));
  REQUIRE(on.size() == 4);
  const auto here = std::this_thread::get_id();
  CHECK(on[0] == here);
  CHECK(on[1] != here);
  CHECK(on[2] == here);
  CHECK(on[3] == here);
  bool came_too_far = false;
  CHECK(ex::sync_wait(stopped_halfway(came_too_far)) == std::nullopt);
  CHECK_FALSE(came_too_far);
  CHECK_THROWS_AS(ex::sync_wait(throws_halfway()), std::out_of_range);
  static_cast<void>(throws_halfway());  // is destroyed without a start
}

}  // namespace
