// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs, attached threads and requests as senders of stdexec: on which thread they are, and by which
// of the three ways each of them completes.

#include <doctest/doctest.h>
#include <atomic>
#include <cstddef>
#include <exception>
#include <exec/static_thread_pool.hpp>
#include <memory>
#include <numeric>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <stdexec/execution.hpp>
#include <stop_token>
#include <stretto/senders.hpp>
#include <stretto/serve.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
#include "../support/tested.hpp"

namespace {

namespace st = stretto;
namespace ex = stdexec;

struct number : st::slot<int> {};
struct doubled : st::slot<int> {};
struct sum : st::slot<long> {};

constexpr int none = -1;

struct twice {
  using thread = st::thread<"ahead">;
  static constexpr int lookahead = 1;
  void operator()(st::in<number> in, st::out<doubled> out) {
    ran_on = std::this_thread::get_id();
    if (*in == fails_at) throw std::runtime_error("not this one");
    *out = 2 * *in;
  }
  int fails_at = none;
  std::thread::id ran_on{};
};
struct add {
  using thread = st::thread<"caller">;
  void operator()(st::in<doubled> in, st::out<sum> out) {
    ran_on = std::this_thread::get_id();
    *out = total += *in;
  }
  long total = 0;
  std::thread::id ran_on{};
};
struct adding : st::schedule<st::source<number>, st::result<sum>, twice, add> {};

using pipeline = tested::pipeline<adding>;

/// What a sender completed with, and where.
struct completion {
  enum class way : char { not_yet, value, error, stopped };
  way by = way::not_yet;
  std::exception_ptr error;
  std::optional<st::run_report> report;
  std::thread::id on;
};

template <class Token>
struct receiver {
  using receiver_concept = ex::receiver_t;

  struct environment {
    Token token;
    Token query(ex::get_stop_token_t) const noexcept { return token; }
  };
  template <class... Sent>
  void set_value(Sent&&... sent) && noexcept {
    end(completion::way::value);
    if constexpr ((std::is_same_v<std::decay_t<Sent>, st::run_report> && ...))
      ((into->report = sent), ...);
  }
  void set_error(std::exception_ptr error) && noexcept {
    end(completion::way::error);
    into->error = std::move(error);
  }
  void set_stopped() && noexcept { end(completion::way::stopped); }
  environment get_env() const noexcept { return {token}; }

  void end(completion::way by) {
    CHECK(into->by == completion::way::not_yet);
    into->by = by;
    into->on = std::this_thread::get_id();
  }

  completion* into;
  Token token{};
};

template <class Sender, class Token = ex::never_stop_token>
completion completed(Sender&& sender, Token token = {}) {
  completion how;
  auto operation = ex::connect(std::forward<Sender>(sender), receiver<Token>{&how, token});
  ex::start(operation);
  return how;
}

std::string said(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    return e.what();
  }
}

template <class Sender, class Token>
constexpr bool may_be_stopped = ex::sends_stopped<Sender, ex::env_of_t<receiver<Token>>>;

TEST_CASE("a run is on the thread that starts it, and sends its report") {
  pipeline p;
  std::vector<long> results;
  const std::vector<int> source{1, 2, 3};
  auto run = st::run_as_sender(p, source, [&](long result) { results.push_back(result); });
  CHECK(results.empty());
  const completion how = completed(std::as_const(run));
  CHECK(how.by == completion::way::value);
  CHECK(how.on == std::this_thread::get_id());
  CHECK(results == std::vector<long>{2, 6, 12});
  REQUIRE(how.report);
  CHECK(how.report->end == st::run_end::completed);
  CHECK(how.report->delivered == 3);
  CHECK(p.task<add>().ran_on == std::this_thread::get_id());
  CHECK(p.task<twice>().ran_on != std::this_thread::get_id());

  // A source with a name begins anew; the sender is for any number of runs.
  CHECK(completed(std::move(run)).report->pulled == 3);
  CHECK(results.back() == 24);
}

TEST_CASE("a scheduler says which thread runs the caller's tasks") {
  exec::static_thread_pool pool(1);
  pipeline p;
  std::thread::id on_pool;
  auto run = ex::starts_on(pool.get_scheduler(), st::run_as_sender(p, std::vector{1, 2})) |
             ex::then([&](const st::run_report& report) {
               on_pool = std::this_thread::get_id();
               return report.pulled;
             });
  const auto [pulled] = ex::sync_wait(std::move(run)).value();
  CHECK(pulled == 2);
  CHECK(on_pool != std::this_thread::get_id());
  CHECK(p.task<add>().ran_on == on_pool);
}

TEST_CASE("results come with the numbers of their batches, and a run goes on where one ended") {
  pipeline p;
  std::vector<std::size_t> numbers;
  const auto note = [&](long, std::size_t batch) { numbers.push_back(batch); };
  CHECK(completed(st::run_as_sender(p, std::vector{1, 2}, note)).by == completion::way::value);
  CHECK(completed(st::run_as_sender(p, std::vector{1}, st::onwards, note)).report->first == 2);
  CHECK(completed(st::run_as_sender(p, std::vector{1}, note, st::onwards)).report->first == 3);
  CHECK(numbers == std::vector<std::size_t>{0, 1, 2, 3});
}

TEST_CASE("a stop request drains the run, or cancels it, and is told as a stop") {
  pipeline p;
  const auto ints = std::views::iota(1);
  for (const bool cancels : {false, true}) {
    ex::inplace_stop_source stop;
    std::size_t results = 0;
    const auto use = [&](long) {
      if (++results == 3) stop.request_stop();
    };
    const completion how =
        cancels ? completed(st::run_as_sender(p, ints, use, st::cancel_on_stop), stop.get_token())
                : completed(st::run_as_sender(p, ints, use), stop.get_token());
    CHECK(how.by == completion::way::stopped);
    CHECK(p.report().end == (cancels ? st::run_end::cancelled : st::run_end::drained));
    if (!cancels) CHECK(p.report().delivered == p.report().pulled);
    CHECK(p.report().delivered >= 3);
    CHECK(results == p.report().delivered);
  }
}

TEST_CASE("a stop request that comes too late is none, and one before the start stops all") {
  pipeline p;
  ex::inplace_stop_source stop;
  const auto use = [&](long, std::size_t batch) {
    if (batch == 1) stop.request_stop();
  };
  const auto how =
      completed(st::run_as_sender(p, std::vector{1, 2}, use, st::cancel_on_stop), stop.get_token());
  CHECK(how.by == completion::way::value);
  CHECK(completed(st::run_as_sender(p, std::vector{1, 2}), stop.get_token()).by ==
        completion::way::stopped);
  CHECK(p.report().pulled == 0);
}

TEST_CASE("a run is stopped when another sender fails that is waited for along with it") {
  exec::static_thread_pool pool(1);
  pipeline p;
  for (const bool cancels : {false, true}) {
    std::atomic<bool> has_results = false;
    const auto use = [&](long) { has_results = true; };
    auto fails = ex::just() | ex::then([&] {
                   while (!has_results) std::this_thread::yield();
                   throw std::out_of_range("the other one");
                 });
    const auto both = [&](auto run) {
      ex::sync_wait(
          ex::when_all(ex::starts_on(pool.get_scheduler(), std::move(run)), std::move(fails)));
    };
    if (cancels) {
      CHECK_THROWS_AS(both(st::run_as_sender(p, std::views::iota(1), use, st::cancel_on_stop)),
                      std::out_of_range);
    } else {
      CHECK_THROWS_AS(both(st::run_as_sender(p, std::views::iota(1), use)), std::out_of_range);
    }
    CHECK(p.report().end == (cancels ? st::run_end::cancelled : st::run_end::drained));
  }
}

TEST_CASE("only who may ask for a stop is told of one") {
  using run = decltype(st::run_as_sender(std::declval<pipeline&>(), std::vector{1}));
  CHECK(may_be_stopped<run, ex::inplace_stop_token>);
  CHECK(may_be_stopped<run, std::stop_token>);
  CHECK_FALSE(may_be_stopped<run, ex::never_stop_token>);
}

TEST_CASE("what goes wrong is the sender's error, and the pipeline is free") {
  pipeline p(twice{.fails_at = 3});
  const completion failed = completed(st::run_as_sender(p, std::vector{1, 2, 3}));
  CHECK(failed.by == completion::way::error);
  CHECK(said(failed.error).find("task `twice`") != std::string::npos);
  CHECK_THROWS_AS(std::rethrow_exception(failed.error), st::task_error);
  // Nobody has reset it.
  const completion refused = completed(st::run_as_sender(p, std::vector{1}));
  CHECK_THROWS_AS(std::rethrow_exception(refused.error), st::usage_error);

  p.reset();
  const auto breaks = [](long) { throw std::out_of_range("of the function"); };
  const completion left = completed(st::run_as_sender(p, std::vector{1, 2}, breaks));
  CHECK(said(left.error) == "of the function");
  CHECK(p.report().end == st::run_end::left_early);
  CHECK(completed(st::run_as_sender(p, std::vector{1, 2})).by == completion::way::value);
}

TEST_CASE("a source that is given away is kept until the run") {
  pipeline p;
  auto values = std::make_unique<std::vector<int>>(std::vector{4, 5});
  auto run = st::run_as_sender(p, [left = std::move(values)]() -> std::optional<int> {
    if (left->empty()) return std::nullopt;
    const int value = left->back();
    left->pop_back();
    return value;
  });
  CHECK_FALSE(std::is_copy_constructible_v<decltype(run)>);
  CHECK(completed(std::move(run)).report->pulled == 2);
}

TEST_CASE("threads of a scheduler run a pipeline's groups") {
  exec::static_thread_pool pool(1);
  pipeline p(st::attached_threads{"ahead"});
  std::optional<std::thread::id> of_pool;
  auto thread = ex::starts_on(pool.get_scheduler(), st::attach_as_sender(p, std::string("ahead"))) |
                ex::then([&] { of_pool = std::this_thread::get_id(); });
  std::size_t pulled = 0;
  auto run = st::run_as_sender(p, std::vector{1, 2, 3}) |
             ex::then([&](const st::run_report& report) { pulled = report.pulled; });
  CHECK(ex::sync_wait(ex::when_all(std::move(thread), std::move(run))));
  CHECK(pulled == 3);
  REQUIRE(of_pool);
  CHECK(p.task<twice>().ran_on == *of_pool);
  CHECK(*of_pool != std::this_thread::get_id());
}

TEST_CASE("a thread that attaches is stopped before a run, and refused where there is no place") {
  pipeline p(st::attached_threads{"ahead"});
  ex::inplace_stop_source stop;
  stop.request_stop();
  CHECK(completed(st::attach_as_sender(p, "ahead"), stop.get_token()).by ==
        completion::way::stopped);
  const completion refused = completed(st::attach_as_sender(p, "behind"));
  CHECK(refused.by == completion::way::error);
  CHECK(said(refused.error).find("behind") != std::string::npos);
  // Nor does its run begin without a thread, until it is stopped.
  CHECK(completed(st::run_as_sender(p, std::vector{1}), stop.get_token()).by ==
        completion::way::stopped);
}

using server = st::server<pipeline>;

TEST_CASE("a request sends its answer on the server's thread") {
  pipeline p;
  server s(p);
  std::thread::id answered_on;
  auto ask = st::ask_as_sender(s, 4) | ex::then([&](long answer) {
               answered_on = std::this_thread::get_id();
               return answer;
             });
  CHECK(ex::sync_wait(std::move(ask)) == std::tuple(8L));
  CHECK(answered_on != std::this_thread::get_id());
  s.close();
  s.join();
  CHECK(p.task<add>().ran_on == answered_on);
}

TEST_CASE("requests are in order, and go on where a scheduler says") {
  exec::static_thread_pool pool(1);
  pipeline p;
  server s(p);
  const auto asked = [&](int request) {
    return st::ask_as_sender(s, request) | ex::continues_on(pool.get_scheduler());
  };
  CHECK(ex::sync_wait(ex::when_all(asked(1), asked(2), asked(3))) == std::tuple(2L, 6L, 12L));
  // One sender may ask again and again.
  const auto again = st::ask_as_sender(s, 1);
  CHECK(ex::sync_wait(again) == std::tuple(14L));
  CHECK(ex::sync_wait(again) == std::tuple(16L));
}

TEST_CASE("a request that nobody answers has an error, and none is made after a stop") {
  pipeline p(twice{.fails_at = 3});
  server s(p);
  ex::inplace_stop_source stop;
  stop.request_stop();
  CHECK(completed(st::ask_as_sender(s, 3), stop.get_token()).by == completion::way::stopped);
  CHECK_THROWS_AS(ex::sync_wait(st::ask_as_sender(s, 3)), st::task_error);
  s.close();
  s.join();
  const completion refused = completed(st::ask_as_sender(s, 1));
  CHECK(refused.on == std::this_thread::get_id());
  CHECK_THROWS_AS(std::rethrow_exception(refused.error), st::unanswered);
}

ex::task<long> ran(pipeline& p, server& s) {
  const auto answer = co_await st::ask_as_sender(s, 5);
  s.close();
  s.join();
  const std::vector<int> source{1, 2};
  const st::run_report report = co_await st::run_as_sender(p, source);
  co_return answer + static_cast<long>(report.pulled);
}

TEST_CASE("a coroutine of stdexec awaits all of them") {
  pipeline p;
  server s(p);
  CHECK(ex::sync_wait(ran(p, s)) == std::tuple(12L));
  CHECK(p.task<add>().ran_on == std::this_thread::get_id());
}

#if defined(STRETTO_TEST_DYNAMIC)

TEST_CASE("of values the source tells the type of batches, or the user does") {
  std::vector<int> seen;
  st::dynamic::pipeline<> p(st::dynamic::schedule{
      .source = {.slot = "number"},
      .results = {"number"},
      .tasks = {{.name = "note", .reads = {"number"}, .body = [&](const int& n) {
                   seen.push_back(n);
                 }}}});
  int results = 0;
  const auto use = [&](const st::dynamic::result& r) { results += r.get<int>(); };
  CHECK(completed(st::run_as_sender(p, std::vector{1, 2}, use)).by == completion::way::value);
  auto fill = [n = 0](int& value) mutable {
    value = 10 * ++n;
    return n < 3;
  };
  CHECK(completed(st::run_as_sender.of<int>(p, fill, use)).by == completion::way::value);
  CHECK(seen == std::vector{1, 2, 10, 20});
  CHECK(results == 33);
}

#endif

}  // namespace
