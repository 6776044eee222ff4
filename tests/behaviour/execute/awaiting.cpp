// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Coroutines that await answers of a server: resumed once each, whatever comes between.

#include <doctest/doctest.h>
#include <array>
#include <atomic>
#include <chrono>
#include <coroutine>
#include <csignal>
#include <cstddef>
#include <exception>
#include <future>
#include <latch>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stretto/serve.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>
#include "../../support/tested.hpp"
#include "deadline.hpp"
#include "requesters.hpp"

#ifndef __SANITIZE_THREAD__
#  include <sys/wait.h>
#  include <unistd.h>
#  include <cstdlib>
#endif

namespace {

namespace st = stretto;

constexpr int none = -9;  // no request

struct number : st::slot<int> {};
struct wide : st::slot<long> {};
struct sum : st::slot<long> {};

struct held {
  using thread = st::thread<"held">;
  static constexpr int lookahead = 1;
  void operator()(st::in<number> in, st::out<wide> out) const {
    if (first != nullptr && *in >= 0) first->pass();
    if (*in == fails_at) throw std::runtime_error("not this one");
    *out = *in;
  }
  gate* first = nullptr;
  int fails_at = none;
};
struct pass_on {
  void operator()(st::in<wide> in, st::out<sum> out) const { *out = 3 * *in + 1; }
};
struct holding : st::schedule<st::source<number>, st::result<sum>, held, pass_on> {};
struct on_one_thread : st::serial<holding> {};
using holding_pipeline = tested::pipeline<holding>;

long tripled(int n) { return 3L * n + 1; }

/// A coroutine that runs at once, and goes away by itself when it has come to its end.
struct detached {
  struct promise_type {
    static detached get_return_object() { return {}; }
    static std::suspend_never initial_suspend() noexcept { return {}; }
    static std::suspend_never final_suspend() noexcept { return {}; }
    static void return_void() {}
    static void unhandled_exception() { throw; }
  };
};

/// Another one, which begins when it is told to and is its owner's; what leaves it is kept. Its
/// awaitables go through its promise.
class owned {
 public:
  struct promise_type {
    owned get_return_object() { return owned(handle::from_promise(*this)); }
    static std::suspend_always initial_suspend() noexcept { return {}; }
    static std::suspend_always final_suspend() noexcept { return {}; }
    static void return_void() {}
    void unhandled_exception() { thrown = std::current_exception(); }
    template <class Awaited>
    Awaited&& await_transform(Awaited&& awaited) {
      return std::forward<Awaited>(awaited);
    }
    std::exception_ptr thrown;
  };
  using handle = std::coroutine_handle<promise_type>;

  explicit owned(handle of) : of_(of) {}
  owned(owned&& from) noexcept : of_(std::exchange(from.of_, nullptr)) {}
  owned& operator=(owned&&) = delete;
  ~owned() { destroy(); }
  void begin() const { of_.resume(); }
  bool done() const { return of_.done(); }
  std::exception_ptr thrown() const { return of_.promise().thrown; }
  void destroy() {
    if (const handle gone = std::exchange(of_, nullptr)) gone.destroy();
  }

 private:
  handle of_;
};

/// What came of requests.
struct outcomes {
  std::vector<long> answers;
  std::vector<std::string> errors;
  std::vector<std::thread::id> threads;  ///< that went on
};

template <class Server>
detached ask_for(Server& server, int first, int last, outcomes& into, std::latch& done) {
  for (int n = first; n != last; ++n) {
    try {
      into.answers.push_back(co_await server.co_ask(n));
    } catch (const std::exception& e) {
      into.errors.emplace_back(e.what());
    }
    into.threads.push_back(std::this_thread::get_id());
  }
  done.count_down();
}

template <class Server>
std::thread::id thread_of(Server& server) {
  std::promise<std::thread::id> promise;
  server.ask(-1, [&](const auto&) { promise.set_value(std::this_thread::get_id()); });
  return promise.get_future().get();
}

template <class Pipeline>
void check_answers() {
  const deadline limit("answers");
  Pipeline pipeline;
  st::server server(pipeline, 1);
  outcomes got;
  std::latch done(1);
  ask_for(server, 0, 50, got, done);
  done.wait();
  REQUIRE(got.answers.size() == 50);
  for (int n = 0; n < 50; ++n) CHECK(got.answers[static_cast<std::size_t>(n)] == tripled(n));
  const std::thread::id serving = thread_of(server);
  for (const std::thread::id& t : got.threads) CHECK(t == serving);
}

template <class Awaitable>
concept awaited_when_given = requires(Awaitable& a) { std::move(a).operator co_await(); };
using asked_by_coroutine = decltype(std::declval<st::server<holding_pipeline>&>().co_ask(1));
static_assert(awaited_when_given<asked_by_coroutine>);  // and not by its name: a compile error
static_assert(!std::is_move_constructible_v<asked_by_coroutine>);

}  // namespace

TEST_CASE("a coroutine gets its answers, on the server's thread") {
  check_answers<holding_pipeline>();
  check_answers<tested::pipeline<holding, st::barrier>>();
  check_answers<tested::pipeline<on_one_thread>>();
}

TEST_CASE("a request of a coroutine waits in it, in order, and takes no room") {
  const deadline limit("room");
  holding_pipeline pipeline;
  st::server server(pipeline, 2);
  std::vector<int> order;  // on the server's thread
  std::latch done(6);
  const auto ask = [&](int n) -> detached {
    CHECK(co_await server.co_ask(n) == tripled(n));
    order.push_back(n);
    done.count_down();
  };
  const auto call = [&](int n) {
    return server.try_ask(n, [&, n](const auto& a) {
      CHECK(a.get() == tripled(n));
      order.push_back(n);
      done.count_down();
    });
  };
  plug together(server);
  ask(0);
  ask(1);
  ask(2);
  CHECK(call(3));
  ask(4);
  CHECK(call(5));
  CHECK_FALSE(call(6));
  together.pull();
  done.wait();
  CHECK(order == std::vector{0, 1, 2, 3, 4, 5});
  // There is as much room as before.
  plug again(server);
  auto first = server.try_ask(7);
  auto second = server.try_ask(8);
  CHECK_FALSE(server.try_ask(9).has_value());
  again.pull();
  REQUIRE(first.has_value());
  REQUIRE(second.has_value());
  CHECK(second->get() == tripled(8));
}

TEST_CASE("a coroutine on the server's thread may ask while there is no room") {
  const deadline limit("asking on the server's thread");
  holding_pipeline pipeline;
  st::server server(pipeline, 1);
  std::promise<long> promise;
  const auto chained = [&]() -> detached {
    const long first = co_await server.co_ask(1);
    CHECK(server.try_ask(5, [](const auto&) {}));
    CHECK_FALSE(server.try_ask(6, [](const auto&) {}));
    promise.set_value(first + co_await server.co_ask(2));
  };
  chained();
  CHECK(promise.get_future().get() == tripled(1) + tripled(2));
}

TEST_CASE("what is refused is told at once, where it is asked") {
  const deadline limit("refusals");
  holding_pipeline pipeline;
  for (const bool cancels : {false, true}) {
    st::server server(pipeline);
    if (cancels) {
      server.cancel();
    } else {
      server.close();
    }
    outcomes got;
    std::latch done(1);
    ask_for(server, 0, 2, got, done);
    CHECK(done.try_wait());
    REQUIRE(got.errors.size() == 2);
    CHECK(says(got.errors[1], cancels ? "the server was cancelled" : "the server is closed"));
    CHECK(got.threads[0] == std::this_thread::get_id());
  }
}

TEST_CASE("a server that is closed answers coroutines, one that is cancelled says so") {
  const deadline limit("ends");
  for (const bool cancels : {false, true}) {
    CAPTURE(cancels);
    gate opening;
    holding_pipeline pipeline(held{&opening});
    outcomes got;
    std::latch done(4);
    {
      st::server server(pipeline, 1);
      plug together(server);
      for (int n = 0; n < 4; ++n) ask_for(server, n, n + 1, got, done);
      together.pull();
      if (cancels) server.cancel();
      opening.open();
    }
    REQUIRE(done.try_wait());
    if (cancels) {
      REQUIRE(got.errors.size() == 4);
      for (const std::string& e : got.errors) CHECK(says(e, "a request was abandoned"));
    } else {
      CHECK(got.answers == std::vector<long>{1, 4, 7, 10});
    }
  }
}

TEST_CASE("a task that throws is thrown by what is awaited") {
  const deadline limit("failures");
  holding_pipeline pipeline(held{nullptr, 2});
  st::server server(pipeline);
  outcomes got;
  std::latch done(1);
  ask_for(server, 0, 4, got, done);
  done.wait();
  CHECK(got.answers == std::vector<long>{1, 4});
  REQUIRE(got.errors.size() == 2);
  CHECK(says(got.errors[0], "not this one"));
  CHECK(says(got.errors[1], "pipeline has stopped"));
}

namespace {

using paper = std::unique_ptr<int>;
struct letter : st::slot<paper> {};
struct reply : st::slot<paper> {};
struct stamp : st::slot<int> {};
struct reading {
  void operator()(st::in<letter> in, st::out<reply> out) const {
    *out = std::make_unique<int>(**in + 1);
  }
};
struct stamping {
  void operator()(st::in<letter> in, st::out<stamp> out) const { *out = 7 * **in; }
};
struct stamped : st::schedule<st::source<letter>, st::result<reply, stamp>, reading, stamping> {};

struct noticed {
  void operator()(st::in<number> in) const {
    if (*in == 13) throw std::runtime_error("thirteen");
  }
};
struct without_result : st::schedule<st::source<number>, noticed> {};

struct brittle {
  int value = 0;
  brittle() = default;
  brittle(const brittle& from) : value(from.value) {
    if (value == 2) throw std::runtime_error("cannot be copied");
  }
  brittle& operator=(const brittle&) = default;
};
struct fragile : st::slot<brittle> {};
struct breakable {
  void operator()(st::in<number> in, st::out<fragile> out) const { out->value = *in; }
};
struct breaking : st::schedule<st::source<number>, st::result<fragile>, breakable> {};

}  // namespace

TEST_CASE("what can only be moved goes in and comes out; several results, none, and bad copies") {
  const deadline limit("kinds of answers");
  tested::pipeline<stamped> stamps;
  tested::pipeline<without_result> nothing;
  tested::pipeline<breaking> breaks;
  st::server stamped_server(stamps);
  st::server silent_server(nothing);
  st::server breaking_server(breaks);
  std::latch done(1);
  const auto all = [&]() -> owned {
    const std::tuple<paper, int> both = co_await stamped_server.co_ask(std::make_unique<int>(2));
    CHECK(*std::get<0>(both) == 3);
    CHECK(std::get<1>(both) == 14);
    co_await silent_server.co_ask(1);
    std::string thrown;
    try {
      co_await breaking_server.co_ask(2);
    } catch (const std::runtime_error& e) {
      thrown = e.what();
    }
    CHECK(says(thrown, "cannot be copied"));
    // One of them has its answer while the other one waits, and goes on another server's thread.
    const int of_two = std::get<1>(co_await stamped_server.co_ask(std::make_unique<int>(3))) +
                       (co_await breaking_server.co_ask(3)).value;
    CHECK(of_two == 21 + 3);
    done.count_down();
    co_await silent_server.co_ask(13);  // throws, and that leaves the coroutine
    FAIL("goes on");
  };
  const owned coroutine = all();
  CHECK_FALSE(done.try_wait());
  coroutine.begin();
  done.wait();
  silent_server.join();  // after the failure
  REQUIRE(coroutine.done());
  REQUIRE(coroutine.thrown() != nullptr);
  CHECK_THROWS_AS(std::rethrow_exception(coroutine.thrown()), st::task_error);
}

TEST_CASE("a coroutine that waits may be destroyed on the server's thread") {
  const deadline limit("destruction");
  gate opening;
  holding_pipeline pipeline(held{&opening});
  st::server server(pipeline);
  bool resumed = false;
  const auto ask = [&](int n) -> owned {
    co_await server.co_ask(n);
    resumed = true;
  };
  std::promise<void> gone;
  owned in_flight = ask(0);
  owned waiting = ask(1);
  plug together(server);
  server.ask(-2, [&](const auto&) {
    in_flight.destroy();
    waiting.destroy();
    gone.set_value();
  });
  in_flight.begin();
  waiting.begin();
  together.pull();
  gone.get_future().get();
  opening.open();
  CHECK(server.ask(10).get() == tripled(10));
  CHECK_FALSE(resumed);
}

#ifndef __SANITIZE_THREAD__
namespace {

/// What a program says that ends by a signal in \p body.
template <class Body>
std::string last_words(Body body) {
  std::array<int, 2> said{};
  REQUIRE(pipe(said.data()) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(static_cast<unsigned>(tested::patience.count()));
    std::signal(SIGABRT, SIG_DFL);  // not the test framework's
    static_cast<void>(dup2(said[1], 2));
    body();
    _exit(0);
  }
  close(said[1]);
  std::string text;
  std::array<char, 256> part{};
  for (ssize_t n = 0; (n = read(said[0], part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(n));
  close(said[0]);
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status));
  return text;
}

}  // namespace

TEST_CASE("a coroutine that waits is not destroyed elsewhere: the program ends with a sentence") {
  const std::string text = last_words([] {
    gate opening;
    holding_pipeline pipeline(held{&opening});
    st::server server(pipeline);
    const auto ask = [&]() -> owned { co_await server.co_ask(1); };
    owned coroutine = ask();
    coroutine.begin();
    coroutine.destroy();
  });
  CHECK(says(text, "a coroutine was destroyed while it waits for a server's answer"));
}

TEST_CASE("a callback that throws ends the program with a sentence, and what it threw") {
  const std::string of_its_own = last_words([] {
    holding_pipeline pipeline;
    st::server server(pipeline);
    server.ask(1, [](const auto&) { throw std::runtime_error("no disk"); });
    server.join();
  });
  CHECK(says(of_its_own, "the callback of a request threw"));
  CHECK(says(of_its_own, "no disk"));
  const std::string refused = last_words([] {
    gate opening;
    holding_pipeline pipeline(held{&opening});
    st::server server(pipeline);
    server.ask(1, [&](const auto&) { static_cast<void>(server.try_ask(2)); });
    server.cancel();
    opening.open();
    server.join();
  });
  CHECK(says(refused, "the callback of a request threw"));
  CHECK(says(refused, "a request was refused: the server was cancelled"));
}
#endif

TEST_CASE("a callback that asks again while its server is cancelled is refused") {
  const deadline limit("asks of callbacks in vain");
  gate opening;
  holding_pipeline pipeline(held{&opening});
  st::server server(pipeline);
  std::vector<std::string> refusals;
  for (int n = 0; n < 5; ++n)
    server.ask(n, [&](const auto&) {
      refusals.push_back(error_of<st::unanswered>([&] { return server.try_ask(n).has_value(); }));
      refusals.push_back(error_of<st::unanswered>([&] { return server.ask(n).valid(); }));
    });
  server.cancel();
  opening.open();
  server.join();
  CHECK(refusals == std::vector<std::string>(
                        10, "a request was refused: the server was cancelled and takes no more"));
}

namespace {

/// Coroutines that several threads begin, of a server that is closed, cancelled or fails at any
/// moment. Each request has one outcome.
template <class Pipeline>
void check_any_end(unsigned rounds) {
  const deadline limit("any end");
  for (unsigned round = 0; round < rounds; ++round) {
    CAPTURE(round);
    const unsigned ends_by = round % 4;
    Pipeline pipeline{held{nullptr, ends_by == 3 ? static_cast<int>(round * 7 % 90) : none}};
    std::array<std::atomic<std::size_t>, 4> outcomes{};  // answered, unanswered, failed, called
    std::atomic<std::size_t> asked{0};
    constexpr int threads = 3;
    constexpr int each = 6;
    constexpr int in_a_row = 5;
    std::latch done(threads * each);
    std::optional<st::server<Pipeline>> server(std::in_place, pipeline, 1 + round % 3);
    const auto ask = [&](int first) -> detached {
      for (int n = first; n < first + in_a_row; ++n) {
        ++asked;
        try {
          const long answer = co_await server->co_ask(n);
          CHECK(answer == tripled(n));
          ++outcomes[0];
        } catch (const st::unanswered&) {
          ++outcomes[1];
        } catch (const st::task_error&) {
          ++outcomes[2];
        }
      }
      done.count_down();
    };
    std::vector<std::thread> begin;
    begin.reserve(threads);
    for (int t = 0; t < threads; ++t)
      begin.emplace_back([&, t] {
        for (int i = 0; i < each; ++i) {
          const int first = (t * each + i) * in_a_row;
          ask(first);
          if (i % 2 == 0)
            static_cast<void>([&] {
              try {
                if (server->try_ask(first, [&](const auto&) { ++outcomes[3]; })) return;
              } catch (const st::unanswered&) {
              }
              ++outcomes[3];
            }());
        }
      });
    std::this_thread::sleep_for(std::chrono::microseconds(round * 131 % 2000));
    if (ends_by == 1) server->close();
    if (ends_by == 2) server->cancel();
    for (std::thread& t : begin) t.join();
    done.wait();
    server.reset();
    CHECK(asked == threads * each * in_a_row);
    CHECK(outcomes[0] + outcomes[1] + outcomes[2] == asked);
    CHECK(outcomes[3] == threads * each / 2);
    if (ends_by == 0) CHECK(outcomes[0] == asked);
  }
}

}  // namespace

TEST_CASE("whenever and however it ends, each coroutine comes to its end") {
  check_any_end<holding_pipeline>(60);
  check_any_end<tested::pipeline<on_one_thread>>(20);
}
