// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Servers that gather requests into batches, by size or deadline: who is in which, and who gets
// which answer. No test asks how long anything takes.

#include <doctest/doctest.h>
#include <array>
#include <atomic>
#include <chrono>
#include <coroutine>
#include <cstddef>
#include <deque>
#include <exception>
#include <future>
#include <memory>
#include <numeric>
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

namespace {

namespace st = stretto;
using namespace std::chrono_literals;

constexpr int none = -9;  // no request

struct numbers : st::slot<std::vector<int>> {};
struct wide : st::slot<std::vector<long>> {};
struct sums : st::slot<std::vector<long>> {};

struct widen {
  using thread = st::thread<"widen">;
  static constexpr int lookahead = 1;
  void operator()(st::in<numbers> in, st::out<wide> out) const {
    for (const int n : *in)
      if (n == fails_at) throw std::runtime_error("not this one");
    out->assign(in->begin(), in->end());
  }
  int fails_at = none;
};
struct triple {
  void operator()(st::in<wide> in, st::out<sums> out) {
    sizes.push_back(in->size());
    out->clear();
    for (const long n : *in) {
      if (n == left_out) continue;
      out->push_back(3 * n + 1);
      if (n == twice) out->push_back(0);
    }
  }
  int left_out = none;
  int twice = none;
  std::vector<std::size_t> sizes;  // of batches
};
struct tripling : st::schedule<st::source<numbers>, st::result<sums>, widen, triple> {};
struct on_one_thread : st::serial<tripling> {};
struct not_sevens {
  static constexpr int lookahead = 1;
  st::verdict operator()(st::in<numbers> in, st::out<wide> out) const {
    out->assign(in->begin(), in->end());
    return in->front() % 7 == 0 ? st::drop : st::keep;
  }
};
struct choosy : st::schedule<st::source<numbers>, st::result<sums>, not_sevens, triple> {};
struct read_elsewhere
    : st::schedule<st::source<numbers, st::thread<"reader">>, st::result<sums>, widen, triple> {};

long tripled(int n) { return 3L * n + 1; }

template <class Pipeline>
void check_sizes() {
  const deadline limit("batches by size");
  Pipeline pipeline;
  {
    st::server server(pipeline, st::batching{.most = 4, .wait = 24h});
    std::vector<std::future<long>> answers;
    for (int n = 0; n < 12; ++n) answers.push_back(server.ask(n));
    for (int n = 0; n < 12; ++n) CHECK(answers[static_cast<std::size_t>(n)].get() == tripled(n));
    // What is left when the server is closed does not wait for more.
    answers.clear();
    for (int n = 0; n < 3; ++n) answers.push_back(server.ask(n));
    server.close();
    for (int n = 0; n < 3; ++n) CHECK(answers[static_cast<std::size_t>(n)].get() == tripled(n));
  }
  CHECK(pipeline.template task<triple>().sizes == std::vector<std::size_t>{4, 4, 4, 3});
  CHECK(pipeline.report().end == st::run_end::completed);
  CHECK(pipeline.report().delivered == 4);
}

}  // namespace

TEST_CASE("a batch is as many requests as it may have, in order, each with its own answer") {
  check_sizes<tested::pipeline<tripling>>();
  check_sizes<tested::pipeline<tripling, st::barrier>>();
  check_sizes<tested::pipeline<on_one_thread>>();
  check_sizes<tested::pipeline<read_elsewhere>>();
}

TEST_CASE("of a batch that a task drops nobody has an answer, and the next one goes on") {
  const deadline limit("dropped batches of requests");
  tested::pipeline<choosy> pipeline;
  st::server server(pipeline, st::batching{.most = 3, .wait = 24h});
  std::vector<std::future<long>> answers;
  for (int n = 4; n < 13; ++n) answers.push_back(server.ask(n));
  for (int n = 4; n < 13; ++n) {
    auto& answer = answers[static_cast<std::size_t>(n) - 4];
    if (n >= 7 && n < 10)
      CHECK(error_of<st::unanswered>([&] { return answer.get(); }) ==
            "a request has no answer: task `not_sevens` dropped its batch");
    else
      CHECK(answer.get() == tripled(n));
  }
}

TEST_CASE("without a wait what is there is taken at once, up to as many as may") {
  const deadline limit("no wait");
  tested::pipeline<tripling> pipeline;
  st::server server(pipeline, st::batching{.most = 3}, 8);
  std::vector<std::future<long>> answers;
  CHECK(server.ask(5).get() == tripled(5));
  plug together(server);
  for (int n = 0; n < 7; ++n) answers.push_back(server.ask(n));
  together.pull();
  for (int n = 0; n < 7; ++n) CHECK(answers[static_cast<std::size_t>(n)].get() == tripled(n));
  server.close();
  server.join();
  CHECK(pipeline.template task<triple>().sizes == std::vector<std::size_t>{1, 1, 3, 3, 1});
}

TEST_CASE("a request that stays alone has its answer when it has waited") {
  const deadline limit("deadlines");
  tested::pipeline<tripling> pipeline;
  st::server server(pipeline, st::batching{.most = 8, .wait = 1ms});
  for (int n = 0; n < 5; ++n) CHECK(server.ask(n).get() == tripled(n));
}

namespace {

/// Stands still, unless it goes on by a step whenever it is looked at.
struct hand_clock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<hand_clock>;
  static constexpr bool is_steady = true;
  static time_point now() { return time_point(at += step); }
  static inline duration at{0};
  static inline duration step{0};
};
using timed_requests = st::serving::detail::requests<int, long&, hand_clock>;

void put(timed_requests& requests, int request) {
  std::unique_ptr<st::serving::detail::reply<long&>> nobody;
  CHECK(requests.put_if_room(request, nobody));
}
void pass(std::chrono::nanoseconds time) { hand_clock::at += time; }

}  // namespace

TEST_CASE("a batch waits for its size, or for so long since its first request") {
  hand_clock::step = 0ns;
  timed_requests requests(8, {.most = 3, .wait = 10ns});
  std::vector<int> batch{7, 7};  // of an earlier batch
  CHECK(requests.take_batch(batch, false) == st::pulled::nothing_yet);
  put(requests, 1);
  pass(6ns);
  put(requests, 2);
  pass(3ns);
  CHECK(requests.take_batch(batch, false) == st::pulled::nothing_yet);
  pass(1ns);
  REQUIRE(requests.take_batch(batch, false) == st::pulled::batch);
  CHECK(batch == std::vector{1, 2});
  // By its size, whatever the time. Who is left over begins the next one, as long ago as it came.
  for (int n = 3; n < 7; ++n) put(requests, n);
  pass(4ns);
  put(requests, 7);
  REQUIRE(requests.take_batch(batch, false) == st::pulled::batch);
  CHECK(batch == std::vector{3, 4, 5});
  pass(5ns);
  CHECK(requests.take_batch(batch, false) == st::pulled::nothing_yet);
  pass(1ns);
  REQUIRE(requests.take_batch(batch, true) == st::pulled::batch);
  CHECK(batch == std::vector{6, 7});
  // They are through in the order of the batches.
  std::vector<std::unique_ptr<st::serving::detail::reply<long&>>> through;
  for (const unsigned size : {2U, 3U, 2U}) {
    requests.next_through(through);
    CHECK(through.size() == size);
  }
  // With nothing in flight the source waits until then.
  put(requests, 8);
  hand_clock::step = 1ns;
  REQUIRE(requests.take_batch(batch, true) == st::pulled::batch);
  CHECK(batch == std::vector{8});
  hand_clock::step = 0ns;
  // At the end nobody waits for more.
  put(requests, 9);
  requests.close();
  REQUIRE(requests.take_batch(batch, true) == st::pulled::batch);
  CHECK(batch == std::vector{9});
  CHECK(requests.take_batch(batch, true) == st::pulled::end);
}

TEST_CASE("a batch may wait for ever for its size") {
  timed_requests requests(2, {.most = 2, .wait = std::chrono::nanoseconds::max()});
  std::vector<int> batch;
  pass(5ns);
  put(requests, 1);
  pass(24h);
  CHECK(requests.take_batch(batch, false) == st::pulled::nothing_yet);
  put(requests, 2);
  CHECK(requests.take_batch(batch, false) == st::pulled::batch);
}

TEST_CASE("a batch that comes out with fewer answers, or more, has none") {
  const deadline limit("numbers of answers");
  tested::pipeline<tripling> pipeline(triple{1, 5, {}});
  st::server server(pipeline, st::batching{.most = 3, .wait = 24h});
  std::vector<std::future<long>> answers;
  for (int n = 0; n < 9; ++n) answers.push_back(server.ask(n));
  for (std::size_t n = 0; n < 6; ++n) {
    const std::string why = error_of<st::unanswered>([&] { return answers[n].get(); });
    CHECK(says(why, "a batch of 3 requests came out with " + std::to_string(n < 3 ? 2 : 4)));
    CHECK(says(why, "one for each request"));
  }
  for (int n = 6; n < 9; ++n) CHECK(answers[static_cast<std::size_t>(n)].get() == tripled(n));
}

TEST_CASE("a batch that fails leaves each of its requesters with the reason") {
  const deadline limit("failures");
  tested::pipeline<tripling> pipeline(widen{5});
  st::server server(pipeline, st::batching{.most = 3, .wait = 24h});
  std::vector<std::future<long>> answers;
  for (int n = 0; n < 3; ++n) answers.push_back(server.ask(n));
  for (int n = 0; n < 3; ++n) CHECK(answers[static_cast<std::size_t>(n)].get() == tripled(n));
  answers.clear();
  for (int n = 3; n < 6; ++n) answers.push_back(server.ask(n));
  for (std::future<long>& a : answers)
    CHECK(says(error_of<st::task_error>([&] { return a.get(); }), "not this one"));
  CHECK(says(error_of<st::unanswered>([&] { return server.ask(6).valid(); }), "not this one"));
}

namespace {

struct widen_or_drop : widen {
  using on_failure = st::on_failure<st::drop>;
};
struct forgiving : st::schedule<st::source<numbers>, st::result<sums>, widen_or_drop, triple> {};
struct forgiving_elsewhere : st::schedule<st::source<numbers, st::thread<"reader">>,
                                          st::result<sums>, widen_or_drop, triple> {};

constexpr st::batching fours_again{.most = 4, .wait = 24h, .failed = st::retry_singly};

template <class Pipeline>
void poison_one() {
  const deadline limit("requests that run again");
  for (const bool closed : {false, true}) {
    Pipeline pipeline(widen_or_drop{{5}});
    st::server server(pipeline, fours_again);
    std::vector<std::future<long>> answers;
    for (int n = 0; n < (closed ? 7 : 12); ++n) answers.push_back(server.ask(n));
    if (closed) server.close();  // those that run again are answered all the same
    for (int n = 0; n < static_cast<int>(answers.size()); ++n) {
      auto& answer = answers[static_cast<std::size_t>(n)];
      if (n == 5)
        CHECK(says(error_of<st::unanswered>([&] { return answer.get(); }), "not this one"));
      else
        CHECK(answer.get() == tripled(n));
    }
    server.close();
    server.join();
    CHECK(pipeline.report().end == st::run_end::completed);
    std::size_t alone = 0;
    for (const std::size_t size : pipeline.template task<triple>().sizes)
      alone += size == 1 ? 1 : 0;
    CHECK(alone == (closed ? 2 : 3));  // of those of its batch
  }
}

}  // namespace

TEST_CASE("of a batch that fails each request may run again, so that one fails alone") {
  poison_one<tested::pipeline<forgiving>>();
  poison_one<tested::pipeline<forgiving, st::barrier>>();
  poison_one<tested::pipeline<forgiving_elsewhere>>();
}

namespace {

struct judged : st::slot<std::vector<st::fallible<long>>> {};
struct judge {
  void operator()(st::in<numbers> in, st::out<judged> out) const {
    out->clear();
    for (const int n : *in) {
      if (n == 5)
        out->push_back(st::failed(std::invalid_argument("five is none")));
      else
        out->push_back(tripled(n));
    }
  }
};
struct judging : st::schedule<st::source<numbers>, st::result<judged>, judge> {};

}  // namespace

#ifndef STRETTO_TEST_DYNAMIC  // there the types of requests and answers are told
TEST_CASE("a body fails one request of a batch by value") {
  const deadline limit("failures by value");
  tested::pipeline<judging> pipeline;
  st::server server(pipeline, st::batching{.most = 3, .wait = 24h});
  std::vector<std::future<long>> answers;
  for (int n = 3; n < 8; ++n) answers.push_back(server.ask(n));
  std::promise<std::string> said;
  server.ask(5, [&](const st::answer<long&>& a) {
    said.set_value(error_of<std::invalid_argument>([&] { return a.get(); }));
  });
  for (int n = 3; n < 8; ++n) {
    auto& answer = answers[static_cast<std::size_t>(n) - 3];
    if (n == 5)
      CHECK(error_of<std::invalid_argument>([&] { return answer.get(); }) == "five is none");
    else
      CHECK(answer.get() == tripled(n));
  }
  CHECK(said.get_future().get() == "five is none");
  const std::exception_ptr nothing;
  CHECK_THROWS_AS(static_cast<void>(st::failed(nothing)), st::usage_error);
  CHECK(st::fallible<long>(3L).value() == 3);
  const st::fallible<long> bad(st::failed(std::runtime_error("bad")));
  CHECK_THROWS_AS(static_cast<void>(bad.value()), std::runtime_error);
}
#else
TEST_CASE("a body of values fails one request of a batch by value") {
  const deadline limit("failures by value");
  st::dynamic::pipeline pipeline(st::dynamic::from_types<judging>());
  st::server<decltype(pipeline), int, st::fallible<long>, st::batching> server(
      pipeline, st::batching{.most = 2, .wait = 24h});
  auto good = server.ask(4);
  auto bad = server.ask(5);
  CHECK(good.get().value() == tripled(4));
  CHECK(error_of<std::invalid_argument>([&] { return bad.get(); }) == "five is none");
}
#endif

TEST_CASE("who waits for others when the server is cancelled is told so") {
  const deadline limit("cancelling");
  tested::pipeline<tripling> pipeline;
  st::server server(pipeline, st::batching{.most = 3, .wait = 24h});
  auto first = server.ask(1);
  auto second = server.ask(2);
  server.cancel();
  for (auto* answer : {&first, &second})
    CHECK(says(error_of<st::unanswered>([&] { return answer->get(); }), "cancelled before"));
}

namespace {

using paper = std::unique_ptr<int>;
struct letters : st::slot<std::deque<paper>> {};
struct replies : st::slot<std::deque<paper>> {};
struct stamps : st::slot<std::vector<int>> {};
struct reading {
  void operator()(st::in<letters> in, st::out<replies> out) const {
    out->clear();
    for (const paper& letter : *in) out->push_back(std::make_unique<int>(*letter + 1));
  }
};
struct stamping {
  void operator()(st::in<letters> in, st::out<stamps> out) const {
    out->clear();
    for (const paper& letter : *in)
      if (*letter != skips) out->push_back(7 * *letter);
  }
  int skips = none;
};
struct stamped : st::schedule<st::source<letters>, st::result<replies, stamps>, reading, stamping> {
};
struct counted {
  void operator()(st::in<numbers> in) { runs += in->size(); }
  std::size_t runs = 0;
};
struct without_result : st::schedule<st::source<numbers>, counted> {};

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

}  // namespace

#ifndef STRETTO_TEST_DYNAMIC  // values have vectors
TEST_CASE("several results, what can only be moved, and answers where they are in their slot") {
  const deadline limit("kinds of answers");
  tested::pipeline<stamped> pipeline(stamping{7});
  st::server server(pipeline, st::batching{.most = 2, .wait = 24h});
  std::future<std::tuple<paper, int>> first = server.ask(std::make_unique<int>(2));
  std::promise<int> second;
  server.ask(std::make_unique<int>(3), [&](const auto& a) {
    const auto& [letter, stamp] = a.get();
    paper taken = std::move(letter);
    second.set_value(*taken + stamp);
  });
  const auto [letter, stamp] = first.get();
  CHECK(*letter == 3);
  CHECK(stamp == 14);
  CHECK(second.get_future().get() == 4 + 21);
  // One of the results lacks an answer.
  auto third = server.ask(std::make_unique<int>(5));
  auto fourth = server.ask(std::make_unique<int>(7));
  CHECK(says(error_of<st::unanswered>([&] { return third.get(); }), "came out with 1 answers"));
  CHECK_THROWS_AS(fourth.get(), st::unanswered);
}

TEST_CASE("what can only be moved does not run again") {
  tested::pipeline<stamped> pipeline;
  CHECK(says(error_of<st::usage_error>([&] {
               st::server server(pipeline, fours_again);
               return 0;
             }),
             "requests that can only be moved"));
}
#endif

TEST_CASE("of no result the answer is that the batch is through") {
  const deadline limit("no results");
  tested::pipeline<without_result> pipeline;
  st::server server(pipeline, st::batching{.most = 2, .wait = 24h});
  std::future<void> first = server.ask(1);
  std::future<void> second = server.ask(2);
  first.get();
  second.get();
  CHECK(pipeline.template task<counted>().runs == 2);
}

TEST_CASE("coroutines are in batches with others") {
  const deadline limit("coroutines");
  tested::pipeline<tripling> pipeline;
  st::server server(pipeline, st::batching{.most = 3, .wait = 24h}, 3);
  std::promise<long> promise;
  const auto converse = [&]() -> detached {
    const long first = co_await server.co_ask(1);
    auto others = server.try_ask(3, [](const auto&) {});
    CHECK(others);
    CHECK(server.try_ask(4, [](const auto&) {}));
    promise.set_value(first + co_await server.co_ask(2));
  };
  converse();
  auto second = server.ask(5);
  auto third = server.ask(6);
  CHECK(second.get() == tripled(5));
  CHECK(promise.get_future().get() == tripled(1) + tripled(2));
}

TEST_CASE("batches that cannot come together are refused where the server is made") {
  tested::pipeline<tripling> pipeline;
  const auto refusal = [&](const st::batching& how, std::size_t most_waiting) {
    return error_of<st::usage_error>([&] {
      st::server server(pipeline, how, most_waiting);
      return 0;
    });
  };
  CHECK(says(refusal({.most = 0, .wait = 1ms}, 8), "have at least one request"));
  CHECK(says(refusal({.most = 8, .wait = -1ms}, 8), "less than no time"));
  CHECK(says(refusal({.most = 9, .wait = 1ms}, 8), "of 9 requests never come together where 8"));
  CHECK(says(refusal({.most = 1, .wait = 1ms}, 0), "no request may wait"));
  CHECK(refusal({.most = 8, .wait = 1ms}, 8) == "no such error");
}

namespace {

/// Servers that are asked by several threads and are closed, cancelled or fail at any moment. Each
/// request has one outcome, and what is answered is answered right.
template <class Pipeline>
void check_any_end(unsigned rounds) {
  const deadline limit("any end");
  for (unsigned round = 0; round < rounds; ++round) {
    CAPTURE(round);
    const unsigned ends_by = round % 4;
    Pipeline pipeline{widen{ends_by == 3 ? static_cast<int>(round * 7 % 90) : none}};
    std::array<std::atomic<std::size_t>, 4> outcomes{};  // answered, refused, abandoned, failed
    const std::size_t most = 1 + round % 5;
    const auto wait = std::chrono::microseconds(round % 3 * 200);
    using server_type = st::server<Pipeline, int, long, st::batching>;
    std::optional<server_type> server(std::in_place, pipeline, st::batching{most, wait}, most);
    const auto outcome_of = [&](int n, auto&& get) {
      try {
        const long answer = get();
        CHECK(answer == tripled(n));
        return 0U;
      } catch (const st::unanswered&) {
        return 2U;
      } catch (const st::task_error&) {
        return 3U;
      }
    };
    std::vector<std::thread> requesters;
    requesters.reserve(3);
    for (int t = 0; t < 3; ++t)
      requesters.emplace_back([&, t] {
        for (int i = 0; i < 30; ++i) {
          const int n = 3 * i + t;
          try {
            if ((i + t) % 2 == 0) {
              auto answer = server->ask(n);
              ++outcomes[outcome_of(n, [&] { return answer.get(); })];
            } else {
              server->ask(
                  n, [&, n](const auto& a) { ++outcomes[outcome_of(n, [&] { return a.get(); })]; });
            }
          } catch (const st::unanswered&) {
            ++outcomes[1];
          }
        }
      });
    std::this_thread::sleep_for(std::chrono::microseconds(round * 131 % 3000));
    if (ends_by == 1) server->close();
    if (ends_by == 2) server->cancel();
    for (std::thread& t : requesters) t.join();
    server.reset();
    CHECK(outcomes[0] + outcomes[1] + outcomes[2] + outcomes[3] == 90);
    if (ends_by == 0) CHECK(outcomes[0] == 90);
    std::vector<std::size_t>& sizes = pipeline.template task<triple>().sizes;
    for (const std::size_t size : sizes) CHECK(size <= most);
    if (ends_by < 2)
      CHECK(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}) == outcomes[0]);
  }
}

}  // namespace

TEST_CASE("whenever and however it ends, each request of a batch has one outcome") {
  check_any_end<tested::pipeline<tripling>>(60);
  check_any_end<tested::pipeline<on_one_thread>>(20);
  check_any_end<tested::pipeline<read_elsewhere>>(20);
}

#ifdef STRETTO_TEST_DYNAMIC
TEST_CASE("of values, the types of requests and answers are told, and slots have vectors of them") {
  const deadline limit("values");
  st::dynamic::pipeline pipeline(st::dynamic::from_types<tripling>());
  using pipeline_type = decltype(pipeline);
  const st::batching pairs{.most = 2, .wait = 24h};
  {
    st::server<pipeline_type, int, long, st::batching> server(pipeline, pairs);
    std::future<long> answer = server.ask(2);
    std::promise<long> promise;
    server.ask(3, [&](const st::answer<long&>& a) { promise.set_value(a.get()); });
    CHECK(answer.get() == 7);
    CHECK(promise.get_future().get() == 10);
  }
  {  // only whether it is through
    st::server<pipeline_type, int, void, st::batching> server(pipeline, pairs);
    auto first = server.ask(2);
    server.ask(3).get();
    first.get();
  }
  {  // another type than the result slot's
    st::server<pipeline_type, int, float, st::batching> server(pipeline, pairs);
    auto first = server.ask(2);
    auto second = server.ask(3);
    CHECK_THROWS_AS(first.get(), st::usage_error);
    CHECK_THROWS_AS(second.get(), st::usage_error);
  }
  const auto asked_of_long = [&] {
    const st::server<pipeline_type, long, long, st::batching> server(pipeline, pairs);
  };
  CHECK_THROWS_AS(asked_of_long(), st::usage_error);
}
#endif
