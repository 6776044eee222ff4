// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Servers: requests from many threads, each answered once, whatever comes between.

#include <doctest/doctest.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <future>
#include <memory>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <stretto/serve.hpp>
#include <stretto/stretto.hpp>
#include <stretto/watch.hpp>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>
#include "../../support/rest.hpp"
#include "../../support/tested.hpp"
#include "deadline.hpp"
#include "requesters.hpp"

namespace {

namespace st = stretto;
using namespace std::chrono_literals;

constexpr int none = -9;  // no request

struct number : st::slot<int> {};
struct wide : st::slot<long> {};
struct sum : st::slot<long> {};

/// Lets other threads go first, now and then.
void dawdle(long n) {
  if (n * 7919 % 11 < 3) std::this_thread::sleep_for(std::chrono::microseconds(n % 7 * 30));
}

struct widen {
  using thread = st::thread<"widen">;
  static constexpr int lookahead = 2;
  void operator()(st::in<number> in, st::out<wide> out) const {
    dawdle(*in);
    *out = *in;
  }
};
struct change {
  using thread = st::thread<"change">;
  static constexpr int lookahead = 1;
  void operator()(st::inout<wide> w) const {
    if (*w == fails_at) throw std::runtime_error("not this one");
    dawdle(*w + 3);
    *w *= 3;
  }
  int fails_at = none;
};
struct finish {
  void operator()(st::in<wide> w, st::out<sum> out) {
    ++runs;
    *out = *w + 1;
  }
  std::size_t runs = 0;
};
struct tripling : st::schedule<st::source<number>, st::result<sum>, widen, change, finish> {};
struct on_one_thread : st::serial<tripling> {};
struct read_elsewhere : st::schedule<st::source<number, st::thread<"reader">>, st::result<sum>,
                                     widen, change, finish> {};

long tripled(int n) { return 3L * n + 1; }

template <class Pipeline>
void check_requesters() {
  const deadline limit("requesters");
  Pipeline pipeline;
  constexpr int threads = 4;
  constexpr int each = 150;
  {
    st::server server(pipeline, 3);
    std::vector<std::thread> requesters;
    requesters.reserve(4);
    for (int t = 0; t < threads; ++t)
      requesters.emplace_back([&server, t] {
        std::vector<std::pair<int, std::future<long>>> open;
        open.reserve(each);
        for (int i = 0; i < each; ++i) {
          const int n = t * each + i;
          open.emplace_back(n, server.ask(n));
          dawdle(n + t);
          if (i % (t + 1) == 0) {  // some wait for each answer, some for several at once
            for (auto& [asked, answer] : open) CHECK(answer.get() == tripled(asked));
            open.clear();
          }
        }
        for (auto& [asked, answer] : open) CHECK(answer.get() == tripled(asked));
      });
    for (std::thread& t : requesters) t.join();
  }
  CHECK(pipeline.template task<finish>().runs == threads * each);
  CHECK(pipeline.report().end == st::run_end::completed);
  CHECK(pipeline.report().delivered == threads * each);
  CHECK(pipeline.report().in_flight.empty());
}

}  // namespace

TEST_CASE("each of many requesters gets its own answers") {
  check_requesters<tested::pipeline<tripling>>();
  check_requesters<tested::pipeline<tripling, st::barrier>>();
  check_requesters<tested::pipeline<on_one_thread>>();
  check_requesters<tested::pipeline<read_elsewhere>>();
}

TEST_CASE("an answer does not wait for another request") {
  const auto alone = [](auto&& pipeline) {
    const deadline limit("an answer without another request");
    st::server server(pipeline);
    for (int n = 0; n < 20; ++n) {
      CHECK(server.ask(n).get() == tripled(n));
      if (n % 5 == 0) {
        auto first = server.ask(n + 1);
        auto second = server.ask(n + 2);
        CHECK(second.get() == tripled(n + 2));
        CHECK(first.get() == tripled(n + 1));
      }
    }
  };
  alone(tested::pipeline<tripling>());
  alone(tested::pipeline<tripling, st::barrier>());
  alone(tested::pipeline<on_one_thread>());
  alone(tested::pipeline<read_elsewhere>());
}

namespace {

/// Keeps batches until the gate opens.
struct held {
  using thread = st::thread<"held">;
  static constexpr int lookahead = 1;
  void operator()(st::in<number> in, st::out<wide> out) const {
    if (begins != nullptr) begins->store(true);
    if (first != nullptr && *in >= 0) first->pass();
    if (*in == fails_at) throw std::runtime_error("not this one");
    if (started != nullptr && *in >= 0) ++*started;
    *out = *in;
  }
  gate* first = nullptr;
  std::atomic<int>* started = nullptr;
  int fails_at = none;
  std::atomic<bool>* begins = nullptr;
};
struct pass_on {
  void operator()(st::in<wide> in, st::out<sum> out) const {
    if (expects_ahead && *in == 0)
      while (*started < 2) std::this_thread::yield();  // itself and the next one
    *out = 3 * *in + 1;
  }
  bool expects_ahead = false;
  std::atomic<int>* started = nullptr;
};
struct holding : st::schedule<st::source<number>, st::result<sum>, held, pass_on> {};
using holding_pipeline = tested::pipeline<holding>;
constexpr int in_flight = 2;

/// Asks until a server whose batches are held back has no room any more: with \p waiting requests
/// that wait, two at least, behind those in flight. Their answers, to requests from 0 on.
template <class Server>
std::vector<std::future<long>> fill(Server& server, int waiting) {
  std::vector<std::future<long>> answers;
  answers.reserve(8);
  plug first(server);
  for (int n = 0; n < in_flight; ++n) answers.push_back(server.ask(n));
  first.pull();
  for (int n = in_flight; n < in_flight + waiting; ++n) answers.push_back(server.ask(n));
  CHECK_FALSE(server.try_ask(100).has_value());
  return answers;
}

}  // namespace

TEST_CASE("requests that come together overlap as the plan says") {
  const deadline limit("overlap");
  gate opening;
  std::atomic<int> started{0};
  // `pass_on` of the first batch waits until `held` of the second one is done.
  holding_pipeline pipeline(held{&opening, &started}, pass_on{true, &started});
  st::server server(pipeline);
  plug together(server);
  auto first = server.ask(0);
  auto second = server.ask(1);
  together.pull();
  opening.open();
  CHECK(first.get() == 1);
  CHECK(second.get() == 4);
}

TEST_CASE("no more requests wait than may: who asks then waits, or is told at once") {
  const deadline limit("back-pressure");
  gate opening;
  holding_pipeline pipeline(held{&opening});
  st::server server(pipeline, 2);
  auto answers = fill(server, 2);
  CHECK_FALSE(server.try_ask(9, [](const auto&) { FAIL("it is called"); }));
  std::atomic<bool> through{false};
  std::thread waits([&] {
    auto answer = server.ask(100);
    through = true;
    CHECK(answer.get() == 301);
  });
  tested::until_others_sleep();
  CHECK_FALSE(through);
  opening.open();
  waits.join();
  for (int n = 0; n < in_flight + 2; ++n)
    CHECK(answers[static_cast<std::size_t>(n)].get() == tripled(n));
}

namespace {

using paper = std::unique_ptr<int>;
struct letter : st::slot<paper> {};
struct reply : st::slot<paper> {};
struct stamp : st::slot<int> {};
struct reading {
  void operator()(st::in<letter> in, st::out<reply> out) const {
    if (opens != nullptr) opens->pass();
    *out = std::make_unique<int>(**in + 1);
  }
  gate* opens = nullptr;
};
struct stamping {
  void operator()(st::in<letter> in, st::out<stamp> out) const { *out = 7 * **in; }
};
struct letters : st::schedule<st::source<letter>, st::result<reply>, reading> {};
struct stamped : st::schedule<st::source<letter>, st::result<reply, stamp>, reading, stamping> {};

}  // namespace

TEST_CASE("what can only be moved goes in and comes out; what is refused stays") {
  const deadline limit("moves");
  gate opening;
  tested::pipeline<letters> pipeline(reading{&opening});
  st::server server(pipeline, 1);
  std::future<paper> first = server.ask(std::make_unique<int>(1));
  std::future<paper> second = server.ask(std::make_unique<int>(5));  // once the first is in flight
  paper mine = std::make_unique<int>(6);
  CHECK_FALSE(server.try_ask(std::move(mine)).has_value());
  // NOLINTNEXTLINE(bugprone-use-after-move): that is what is promised
  REQUIRE(mine != nullptr);
  opening.open();
  CHECK(*first.get() == 2);
  CHECK(*second.get() == 6);
  // The callback has the result itself, and may take it.
  std::promise<paper> promise;
  server.ask(std::move(mine), [&, kept = std::make_unique<int>(1)](const auto& a) {
    *a.get() += *kept;
    promise.set_value(std::move(a.get()));
  });
  CHECK(*promise.get_future().get() == 8);
}

TEST_CASE("of several results the answer is a tuple") {
  const deadline limit("several results");
  tested::pipeline<stamped> pipeline;
  st::server server(pipeline);
  std::future<std::tuple<paper, int>> both = server.ask(std::make_unique<int>(2));
  const auto [written, number] = both.get();
  CHECK(*written == 3);
  CHECK(number == 14);
  std::promise<int> promise;
  server.ask(std::make_unique<int>(3), [&](const auto& a) {
    const auto& [w, s] = a.get();
    promise.set_value(*w + s);
  });
  CHECK(promise.get_future().get() == 4 + 21);
}

namespace {

struct counted {
  void operator()(st::in<number> in) {
    if (*in == 13) throw std::runtime_error("thirteen");
    ++runs;
  }
  int runs = 0;
};
struct without_result : st::schedule<st::source<number>, counted> {};

}  // namespace

TEST_CASE("of no result the answer is that the batch is through") {
  const deadline limit("no results");
  tested::pipeline<without_result> pipeline;
  st::server server(pipeline);
  std::future<void> done = server.ask(1);
  done.get();
  std::promise<bool> promise;
  server.ask(2, [&](const auto& a) {
    a.get();
    promise.set_value(a.error() == nullptr);
  });
  CHECK(promise.get_future().get());
  CHECK(pipeline.template task<counted>().runs == 2);
  CHECK_THROWS_AS(server.ask(13).get(), st::task_error);
}

namespace {

struct word : st::slot<std::string> {};
struct text : st::slot<std::string> {};
struct append {
  void operator()(st::in<word> in, st::previous<text> before, st::out<text> out) const {
    *out = (before ? *before : std::string("they said")) + " " + *in;
  }
};
struct appending : st::schedule<st::source<word>, st::result<text>, append> {};

}  // namespace

TEST_CASE("a future has a copy, batches go on as if there were no gap between requests") {
  const deadline limit("copies");
  tested::pipeline<appending> pipeline;
  st::server server(pipeline);
  const std::string word = "a rather long word, which is not kept in the string itself";
  CHECK(server.ask(word).get() == "they said " + word);
  tested::until_others_sleep();
  CHECK(server.ask("and").get() == "they said " + word + " and");
  CHECK(server.ask({'n', 'o'}).get() == "they said " + word + " and no");
}

namespace {

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

TEST_CASE("a result that cannot be copied is the trouble of its request alone") {
  const deadline limit("copies that throw");
  tested::pipeline<breaking> pipeline;
  st::server server(pipeline);
  auto one = server.ask(1);
  auto two = server.ask(2);
  auto three = server.ask(3);
  CHECK(one.get().value == 1);
  CHECK(says(error_of<std::runtime_error>([&] { return two.get().value; }), "cannot be copied"));
  CHECK(three.get().value == 3);
}

namespace {

struct setting : st::slot<int> {};
struct set_now_and_then {
  static constexpr int every = 3;
  static constexpr int phase = 0;
  void operator()(st::in<number> in, st::out<setting> out) const { *out = 10 * *in; }
};
struct rated : st::schedule<st::source<number>, st::result<setting>, set_now_and_then> {};

}  // namespace

TEST_CASE("a result of several batches is the answer of each") {
  const deadline limit("rates");
  tested::pipeline<rated> pipeline;
  st::server server(pipeline);
  for (int n = 0; n < 9; ++n) CHECK(server.ask(n).get() == 10 * (n / 3 * 3));
}

TEST_CASE("a server that is closed answers what it has taken, and takes no more") {
  const deadline limit("closing");
  gate opening;
  holding_pipeline pipeline(held{&opening});
  {
    st::server server(pipeline, 2);
    auto answers = fill(server, 2);
    std::string refusal;
    std::thread waits(
        [&] { refusal = error_of<st::unanswered>([&] { return server.ask(7).valid(); }); });
    tested::until_others_sleep();
    server.close();
    server.close();
    waits.join();
    CHECK(says(refusal, "refused: the server is closed"));
    CHECK(says(error_of<st::unanswered>([&] { return server.try_ask(8).has_value(); }), "closed"));
    opening.open();
    server.join();
    server.join();
    for (int n = 0; n < in_flight + 2; ++n) {
      auto& answer = answers[static_cast<std::size_t>(n)];
      REQUIRE(answer.wait_for(0s) == std::future_status::ready);
      CHECK(answer.get() == tripled(n));
    }
    CHECK(pipeline.report().end == st::run_end::completed);
    CHECK(pipeline.report().delivered == answers.size() + 1);
    CHECK_THROWS_AS(static_cast<void>(server.ask(1)), st::unanswered);
  }
  // The pipeline may have another run, and another server.
  std::size_t results = 0;
  for ([[maybe_unused]] const long s : pipeline.run(std::views::iota(0, 3))) ++results;
  CHECK(results == 3);
  std::future<long> last;
  {
    st::server again(pipeline);
    last = again.ask(2);
  }
  CHECK(last.get() == 7);
}

TEST_CASE("callbacks may ask for more, and close; what would wait for itself is refused") {
  const deadline limit("callbacks");
  holding_pipeline pipeline;
  st::server server(pipeline, 1);
  std::vector<long> answers;
  std::string full;
  std::string joined;
  server.ask(0, [&](const auto& a) {
    answers.push_back(a.get());
    server.ask(1, [&](const auto& b) {
      answers.push_back(b.get());
      server.close();
      CHECK_THROWS_AS(server.ask(3, [](const auto&) {}), st::unanswered);
    });
    full = error_of<st::usage_error>([&] { return server.ask(2).valid(); });
    CHECK_FALSE(server.try_ask(2).has_value());
    joined = error_of<st::usage_error>([&] {
      server.join();
      return 0;
    });
  });
  server.join();
  CHECK(answers == std::vector<long>{1, 4});
  CHECK(says(full, "would wait for itself: use try_ask"));
  CHECK(says(joined, "the server's own thread waits for its end"));
}

TEST_CASE(
    "a task that fails ends it: everybody is told, and the pipeline serves again when reset") {
  const deadline limit("failures");
  gate opening;
  holding_pipeline pipeline(held{&opening, nullptr, 2});
  {
    st::server server(pipeline, 3);
    auto answers = fill(server, 3);  // of which the third one fails
    // Refused while they wait for room, or told when they have found some.
    std::string refusal;
    std::thread waits(
        [&] { refusal = error_of<std::runtime_error>([&] { return server.ask(5).get(); }); });
    std::string called;
    std::thread calls([&] {
      std::promise<std::exception_ptr> told;
      called = error_of<std::runtime_error>([&]() -> int {
        server.ask(9, [&](const auto& a) { told.set_value(a.error()); });
        std::rethrow_exception(told.get_future().get());
      });
    });
    tested::until_others_sleep();
    opening.open();
    waits.join();
    calls.join();
    CHECK(says(refusal, "not this one"));
    CHECK(says(called, "not this one"));
    // The third one is taken when the first one is through; the second one may be.
    CHECK(answers[0].get() == 1);
    for (std::size_t n = 2; n < answers.size(); ++n) {
      try {
        static_cast<void>(answers[n].get());
        FAIL("it has an answer");
      } catch (const st::task_error& e) {
        CHECK(e.task() == "held");
        CHECK(e.batch() == 3);
        CHECK(says(e.what(), "not this one"));
      }
    }
    server.close();
    server.cancel();
    for (const std::string& later :
         {error_of<st::unanswered>([&] { return server.ask(6).valid(); }),
          error_of<st::unanswered>([&] { return server.try_ask(6).has_value(); })}) {
      CHECK(says(later, "pipeline has stopped"));
      CHECK(says(later, "`held`"));
      CHECK(says(later, "not this one"));
      CHECK(says(later, "reset() the pipeline"));
    }
    server.join();
    CHECK(pipeline.report().end == st::run_end::failed);
  }
  CHECK(says(error_of<st::usage_error>([&] {
               const st::server refused(pipeline);
               return 0;
             }),
             "reset()"));
  pipeline.reset();
  pipeline.template task<held>().fails_at = none;
  st::server again(pipeline);
  CHECK(again.ask(2).get() == 7);
}

TEST_CASE("a server that is cancelled abandons what is in flight, and says so") {
  const deadline limit("cancelling");
  gate opening;
  std::atomic<bool> begins{false};
  holding_pipeline pipeline(held{&opening, nullptr, none, &begins});
  st::server server(pipeline, 2);
  auto answers = fill(server, 2);
  while (!begins) std::this_thread::yield();
  std::string refusal;
  std::thread waits(
      [&] { refusal = error_of<st::unanswered>([&] { return server.ask(7).valid(); }); });
  tested::until_others_sleep();
  server.cancel();
  server.cancel();
  server.close();
  waits.join();
  CHECK(says(refusal, "refused: the server was cancelled"));
  opening.open();
  for (int n = 0; n < in_flight + 2; ++n)
    CHECK(says(error_of<st::unanswered>([&] { return answers[static_cast<std::size_t>(n)].get(); }),
               n < in_flight ? "while its batch was in flight" : "before its batch was begun"));
  server.join();
  CHECK(pipeline.report().end == st::run_end::cancelled);
  CHECK(pipeline.report().delivered == 1);
  CHECK(says(error_of<st::unanswered>([&] { return server.ask(7).valid(); }), "cancelled"));
}

TEST_CASE("a server that has nothing to do can be closed and cancelled") {
  const deadline limit("closing without requests");
  tested::pipeline<tripling> pipeline;
  { const st::server server(pipeline); }
  CHECK(pipeline.report().end == st::run_end::completed);
  for (const bool served : {false, true}) {
    st::server server(pipeline);
    if (served) CHECK(server.ask(4).get() == 13);
    server.cancel();
    server.join();
    CHECK(pipeline.report().end == st::run_end::cancelled);
    CHECK(pipeline.report().in_flight.empty());
  }
}

TEST_CASE("a server sleeps while there is no request") {
  const deadline limit("idling");
  tested::pipeline<tripling> pipeline;
  st::server server(pipeline);
  CHECK(server.ask(4).get() == 13);
  tested::until_others_sleep();
  const std::clock_t before = std::clock();  // of all threads
  std::this_thread::sleep_for(100ms);
  CHECK(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC < 0.05);
}

#ifndef STRETTO_TEST_DYNAMIC
TEST_CASE("a server that waits for requests is at rest for a watchdog") {
  const deadline limit("a watchdog");
  st::pipeline<tripling, st::monitor> pipeline;
  const st::monitor& seen = pipeline.observer();
  const auto rests = [&] {
    tested::until_others_sleep();
    const st::activity now = seen.look();
    const st::watch::detail::stall where(st::typed::plan_view_of<tripling>, false, now);
    return where.waits_for_source();
  };
  st::server server(pipeline);
  CHECK(rests());
  CHECK(server.ask(4).get() == 13);
  CHECK(rests());
}
#endif

TEST_CASE("who waits for room when the server is destroyed is refused, and left to leave") {
  const deadline limit("destruction");
  for (int i = 0; i < 20; ++i) {
    gate opening;
    holding_pipeline pipeline(held{&opening});
    std::optional<st::server<holding_pipeline>> server(std::in_place, pipeline, std::size_t{2});
    auto answers = fill(*server, 2);
    std::atomic<int> refused{0};
    std::vector<std::thread> waiting;
    waiting.reserve(3);
    for (int t = 0; t < 3; ++t)
      waiting.emplace_back([&] {
        try {
          static_cast<void>(server->ask(2).get());
        } catch (const st::unanswered&) {
          ++refused;
        }
      });
    tested::until_others_sleep();
    std::thread opens([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(i * 50));
      opening.open();
    });
    server.reset();
    for (std::thread& t : waiting) t.join();
    opens.join();
    for (int n = 0; n < in_flight + 2; ++n)
      CHECK(answers[static_cast<std::size_t>(n)].get() == tripled(n));
  }
}

namespace {

struct mine {
  using thread = st::thread<"mine">;
  void operator()(st::in<number> in, st::out<wide> out) const { *out = *in; }
};
struct attached : st::pipelined<st::schedule<st::source<number>, st::result<wide>, mine>> {};

}  // namespace

TEST_CASE("what cannot be served is refused where the server is made") {
  const deadline limit("refusals");
  tested::pipeline<tripling> pipeline;
  CHECK(says(error_of<st::usage_error>([&] {
               st::server s(pipeline, 0);
               return 0;
             }),
             "no request may wait"));
  {
    auto run = pipeline.run(std::views::iota(0, 3));
    CHECK(says(error_of<st::usage_error>([&] {
                 st::server s(pipeline);
                 return 0;
               }),
               "a second run was started"));
  }
  {
    st::server server(pipeline);
    CHECK_THROWS_AS(static_cast<void>(pipeline.run(std::views::iota(0, 3))), st::usage_error);
    CHECK_THROWS_AS(static_cast<void>(st::server<tested::pipeline<tripling>>{pipeline}),
                    st::usage_error);
    CHECK(server.ask(1).get() == 4);
  }
  tested::pipeline<attached> lent(st::attached_threads{"mine"});
  CHECK(says(error_of<st::usage_error>([&] {
               st::server s(lent);
               return 0;
             }),
             "does not go with attached threads"));
}

namespace {

/// Many servers, asked by several threads, that are closed, cancelled or fail at any moment. Each
/// request has one outcome, and what is answered is answered right.
template <class Pipeline>
void check_any_end(unsigned rounds) {
  const deadline limit("any end");
  for (unsigned round = 0; round < rounds; ++round) {
    CAPTURE(round);
    const unsigned ends_by = round % 4;
    const int fails_at = ends_by == 3 ? static_cast<int>(round * 7 % 90) : none;
    Pipeline pipeline{change{fails_at}};
    std::array<std::atomic<std::size_t>, 4> outcomes{};  // answered, refused, abandoned, failed
    std::atomic<std::size_t> asked{0};
    std::optional<st::server<Pipeline>> server(std::in_place, pipeline, 1 + round % 5);
    const auto outcome_of = [&](int n, auto&& get) {
      try {
        const long answer = get();
        CHECK(answer == tripled(n));
        return 0U;
      } catch (const st::unanswered&) {
        return 2U;
      } catch (const st::task_error& e) {
        CHECK(e.task() == "change");
        return 3U;
      }
    };
    std::vector<std::thread> requesters;
    requesters.reserve(4);
    for (int t = 0; t < 3; ++t)
      requesters.emplace_back([&, t] {
        for (int i = 0; i < 30; ++i) {
          const int n = 3 * i + t;
          ++asked;
          dawdle(n + static_cast<int>(round));
          try {
            switch ((i + t) % 3) {
              case 0: {
                auto answer = server->ask(n);
                ++outcomes[outcome_of(n, [&] { return answer.get(); })];
                break;
              }
              case 1:
                server->ask(n, [&, n](const auto& a) {
                  ++outcomes[outcome_of(n, [&] { return a.get(); })];
                });
                break;
              default: {
                auto answer = server->try_ask(n);
                ++outcomes[answer ? outcome_of(n, [&] { return answer->get(); }) : 1U];
              }
            }
          } catch (const st::unanswered&) {
            ++outcomes[1];
          }
        }
      });
    std::this_thread::sleep_for(std::chrono::microseconds(round * 131 % 4000));
    if (ends_by == 1) server->close();
    if (ends_by == 2) server->cancel();
    for (std::thread& t : requesters) t.join();
    server.reset();
    CHECK(outcomes[0] + outcomes[1] + outcomes[2] + outcomes[3] == asked);
    CHECK(asked == 90);
    if (ends_by < 2) CHECK(outcomes[2] + outcomes[3] == 0);
    CHECK(pipeline.report().delivered == outcomes[0]);
  }
}

}  // namespace

TEST_CASE("whenever and however it ends, each request has one outcome") {
  check_any_end<tested::pipeline<tripling>>(60);
  check_any_end<tested::pipeline<tripling, st::barrier>>(20);
  check_any_end<tested::pipeline<on_one_thread>>(20);
  check_any_end<tested::pipeline<read_elsewhere>>(20);
}

TEST_CASE("no request is taken when the run has ended, also if it is the first to know why") {
  using some_requests = st::serving::detail::requests<int, long&>;
  some_requests requests(2);
  int request = 1;
  std::unique_ptr<st::serving::detail::reply<long&>> nobody;
  CHECK(requests.put_if_room(request, nobody));
  requests.end(nullptr);  // cancelled, and the one who cancels is yet to say so here
  CHECK_THROWS_AS(static_cast<void>(requests.put_if_room(request, nobody)), st::unanswered);
  requests.cancel();
  CHECK_THROWS_AS(requests.put(request, nobody, false), st::unanswered);
}

#ifdef STRETTO_TEST_DYNAMIC
TEST_CASE("of values, the types of requests and answers are told") {
  const deadline limit("values");
  st::dynamic::pipeline pipeline(st::dynamic::from_types<tripling>());
  using pipeline_type = decltype(pipeline);
  {
    st::server<pipeline_type, int, long> server(pipeline);
    std::future<long> answer = server.ask(2);
    CHECK(answer.get() == 7);
    std::promise<long> promise;
    server.ask(3, [&](const st::answer<long&>& a) { promise.set_value(a.get()); });
    CHECK(promise.get_future().get() == 10);
  }
  {  // only whether it is through
    st::server<pipeline_type, int, void> server(pipeline);
    server.ask(2).get();
  }
  {  // what a run yields, for callbacks
    st::server<pipeline_type, int, st::dynamic::result> server(pipeline);
    std::promise<long> promise;
    server.ask(4, [&](const auto& a) { promise.set_value(a.get().template get<long>("sum")); });
    CHECK(promise.get_future().get() == 13);
  }
  {  // another type than the result slot's
    st::server<pipeline_type, int, float> server(pipeline);
    CHECK_THROWS_AS(server.ask(2).get(), st::usage_error);
    CHECK_THROWS_AS(server.ask(3).get(), st::usage_error);
  }
  CHECK_THROWS_AS((static_cast<void>(st::server<pipeline_type, long, long>(pipeline))),
                  st::usage_error);
}
#endif
