// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Stop requests: at every task, batch, pull and result, draining and cancelling, also along with
// failures; what is finished then, what is not, and that nothing of it turns up later.

#include <doctest/doctest.h>
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <ranges>
#include <stop_token>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>
#include "../../support/tested.hpp"
#include "deadline.hpp"
#include "recorded.hpp"

namespace {

using namespace recording;

enum class how { drain, abandon };

/// Calls \p use with a run that \p token stops.
template <how How, class Subject, class Token, class Use>
void with_run(Subject& s, Token&& token, Use use) {
  if constexpr (How == how::drain) {
    auto run = s.pipeline.run(s.source(), std::forward<Token>(token));
    use(run);
  } else {
    auto run = s.pipeline.run(s.source(), st::cancel_on(std::forward<Token>(token)));
    use(run);
  }
}

template <how How, class Subject, class Token>
std::size_t results(Subject& s, Token&& token, std::optional<std::size_t> request_at = {},
                    flag* of = nullptr) {
  std::size_t delivered = 0;
  with_run<How>(s, std::forward<Token>(token), [&](auto& run) {
    for (const int r : run) {
      CHECK(r == s.result_of(delivered));
      CHECK(run.batch() == delivered);
      if (delivered++ == request_at) s.log.request_stop(*of);
    }
    CHECK_FALSE(run.has_more());
    CHECK_FALSE(run.progress());
    CHECK_FALSE(run.next());
  });
  return delivered;
}

/// What must hold of a run that was stopped, whenever that was.
template <how How, class Subject>
void check_stopped(Subject& s, std::size_t delivered, const flag& token) {
  const st::run_report& report = s.pipeline.report();
  s.check_report(delivered, 0);
  CHECK(report.finished == delivered);
  const bool went_through = s.log.source_ended && delivered == batches;
  if (went_through && (How == how::abandon || report.end == st::run_end::completed)) {
    CHECK(report.end == st::run_end::completed);  // nothing was left to abandon
    CHECK(report.in_flight.empty());
  } else {
    CHECK(token.stop_requested());
    CHECK(report.end == (How == how::drain ? st::run_end::drained : st::run_end::cancelled));
  }
  if (How == how::drain) {
    CHECK(delivered == s.log.pulled);
    CHECK(report.in_flight.empty());
  } else {
    // Nobody starts more than what they were about to start when the stop was requested.
    for (const auto& [thread, count] : s.log.started_late) {
      CAPTURE(thread);
      constexpr auto& plan = st::plan_of<typename Subject::schedule>;
      const auto group = std::find(plan.thread_names.begin(), plan.thread_names.end(), thread);
      CHECK(count <=
            static_cast<std::size_t>(
                plan.workers[static_cast<std::size_t>(group - plan.thread_names.begin())]));
    }
  }
}

/// A stop requested by a task, by the source (at which `task` is "pull") or at a result ("user").
template <how How, class Subject>
void check_request(Subject& s, std::string_view task, std::size_t lag, std::size_t batch) {
  CAPTURE(task);
  CAPTURE(batch);
  constexpr bool alone = st::plan_of<typename Subject::schedule>.threads == 1;
  flag token;
  s.log.stop_at(std::string(task), batch, token);
  const std::size_t delivered =
      task == "user" ? results<How>(s, token, batch, &token) : results<How>(s, token);
  check_stopped<How>(s, delivered, token);
  if (How == how::drain) {
    // In the progress of the request one batch is pulled still, unless that asks later.
    const std::size_t pulled = std::min(batches, batch + lag + 1);
    CHECK(delivered >= std::min(batches, batch + 1));
    if (alone) {
      CHECK(delivered == pulled);
      CHECK((s.pipeline.report().end == st::run_end::drained) ==
            (batch + lag < batches || task == "pull"));
    }
  } else if (alone) {
    const bool none_late = std::all_of(s.log.started_late.begin(), s.log.started_late.end(),
                                       [](const auto& of) { return of.second == 0; });
    CHECK(none_late);
  }
  s.check_whole_run();
}

template <how How, class Schedule, class Pace>
void check_every_request_at(bool attaches) {
  const deadline limit("a run that is asked to stop");
  subject<Schedule, Pace> s(attaches);
  constexpr auto& plan = st::plan_of<Schedule>;
  for (std::size_t batch = 0; batch < batches; ++batch) {
    for (std::size_t t = 0; t < names.size(); ++t)
      check_request<How>(s, names[t], plan.lag[t], batch);
    check_request<How>(s, "user", plan.lag[plan.deliver], batch);
  }
  for (std::size_t batch = 0; batch <= batches; ++batch) check_request<How>(s, "pull", 0, batch);

  // Before the run, and before the first batch of one.
  for (const bool before : {true, false}) {
    flag token;
    s.log.forget();
    if (before) token.request();
    with_run<How>(s, token, [&](auto& run) {
      token.request();
      CHECK(run.has_more());
      CHECK_FALSE(run.next());
      CHECK_FALSE(run.has_more());
    });
    s.check_report(0, 0);
    CHECK(s.pipeline.report().pulled == 0);
    CHECK(s.pipeline.report().end ==
          (How == how::drain ? st::run_end::drained : st::run_end::cancelled));
    s.check_whole_run();
  }
  // After the end: too late.
  flag token;
  s.log.forget();
  CHECK(results<How>(s, token) == batches);
  token.request();
  s.check_report(batches, 0);
  CHECK(s.pipeline.report().end == st::run_end::completed);
}

template <class Schedule, class Pace = st::run_ahead>
void check_every_request(bool attaches = false) {
  check_every_request_at<how::drain, Schedule, Pace>(attaches);
  check_every_request_at<how::abandon, Schedule, Pace>(attaches);
}

TEST_CASE("every request: on the calling thread") {
  check_every_request<st::replan<loop, st::threads<st::on_caller>>>();
}
TEST_CASE("every request: the serial plan") { check_every_request<st::serial<loop>>(); }
TEST_CASE("every request: by stream") {
  check_every_request<loop>();
  check_every_request<loop, st::barrier>();
}
TEST_CASE("every request: per task") {
  check_every_request<st::replan<loop, st::threads<st::per_task>>>();
  check_every_request<st::replan<loop, st::threads<st::per_task>>, st::barrier>();
}
TEST_CASE("every request: the calling thread runs a group") {
  check_every_request<st::replan<loop, st::caller_runs<"s">>>();
  check_every_request<st::replan<loop, st::caller_runs<"s">>, st::barrier>();
}
TEST_CASE("every request: a task on three workers") {
  check_every_request<st::replan<fed, st::workers<"host", 3>>>();
}
TEST_CASE("every request: the source on a thread of its own, further ahead") {
  check_every_request<fed>();
  check_every_request<fed, st::barrier>();
}
TEST_CASE("every request: all groups on user threads") {
  check_every_request<st::replan<fed, st::workers<"host", 3>>>(true);
  check_every_request<fed, st::barrier>(true);
}

/// A stop that is requested where something fails too, in the same body or an earlier one.
template <how How, class Schedule, class Pace = st::run_ahead>
void check_failure_after_request() {
  const deadline limit("a run that is asked to stop and fails");
  subject<Schedule, Pace> s;
  for (std::size_t batch = 0; batch < batches; ++batch)
    for (const std::string_view task : {"a", "b", "c", "d", "e", "pull"}) {
      CAPTURE(task);
      CAPTURE(batch);
      flag token;
      s.log.forget();
      s.log.disturb(std::string(task), batch, &token, true);
      bool thrown = false;
      std::size_t delivered = 0;
      with_run<How>(s, token, [&](auto& run) {
        try {
          for (const int r : run) CHECK(r == s.result_of(delivered++));
        } catch (const st::task_error& error) {
          thrown = true;
          CHECK(error.task() == task);
          CHECK(error.batch() == batch);
        }
        CHECK_FALSE(run.has_more());
        CHECK_FALSE(run.next());
      });
      CHECK(thrown);  // an error is never lost behind a stop
      s.check_report(delivered, 1);
      CHECK(s.pipeline.report().end == st::run_end::failed);
      CHECK_THROWS_AS(static_cast<void>(s.pipeline.run(s.source())), st::usage_error);
      s.pipeline.reset();
      s.check_whole_run();
    }
}

TEST_CASE("a failure where a stop was requested is thrown") {
  check_failure_after_request<how::drain, st::serial<loop>>();
  check_failure_after_request<how::abandon, st::serial<loop>>();
  check_failure_after_request<how::drain, loop>();
  check_failure_after_request<how::abandon, loop>();
  check_failure_after_request<how::drain, loop, st::barrier>();
  check_failure_after_request<how::abandon, loop, st::barrier>();
  check_failure_after_request<how::drain, fed>();
  check_failure_after_request<how::abandon, fed>();
}

TEST_CASE("a failure while batches drain is thrown") {
  const deadline limit("a failure in drain");
  const auto check = [](auto&& s) {
    flag token;
    s.log.forget();
    s.log.disturb("d", 2, nullptr, true);
    std::size_t delivered = 0;
    {
      auto run = s.pipeline.run(s.source(), token);
      const auto all = [&] {
        while (run.next())
          if (delivered++ == 0) token.request();
      };
      CHECK_THROWS_AS(all(), st::task_error);
    }
    CHECK(delivered == 2);
    s.check_report(2, 1);
    s.pipeline.reset();
    s.check_whole_run();
  };
  check(subject<loop>());
  check(subject<loop, st::barrier>());
  check(subject<st::replan<loop, st::threads<st::on_caller>>>());
}

TEST_CASE("leaving a run that was asked to stop: it is left") {
  const deadline limit("leaving while stopping");
  const auto check = [](auto&& s) {
    for (std::size_t leave_after = 1; leave_after < batches - 2; ++leave_after) {
      flag token;
      s.log.forget();
      {
        auto run = s.pipeline.run(s.source(), token);
        for (std::size_t n = 0; n < leave_after; ++n) REQUIRE(run.next());
        token.request();
      }
      s.check_report(leave_after, 0);
      CHECK(s.pipeline.report().end == st::run_end::left_early);
      s.check_whole_run();

      s.log.forget();
      {
        auto run = s.pipeline.run(s.source(), st::cancel_on(std::stop_token{}));
        for (std::size_t n = 0; n < leave_after; ++n) REQUIRE(run.next());
      }
      s.check_report(leave_after, 0);
      CHECK(s.pipeline.report().end == st::run_end::left_early);
      s.check_whole_run();
    }
  };
  check(subject<loop>());
  check(subject<loop, st::barrier>());
  check(subject<fed>());
  check(subject<st::replan<loop, st::threads<st::on_caller>>>());
}

TEST_CASE("what was complete when a run was abandoned is handed out first") {
  // `e` finishes batch 1 on its thread, then `b` asks to abandon at batch 2 on another.
  const deadline limit("results of an abandoned run");
  const auto check = [](auto&& s) {
    flag token;
    s.log.stop_at("b", 2, token);
    s.log.after_e = true;
    CHECK(results<how::abandon>(s, token) >= 2);
    check_stopped<how::abandon>(s, s.pipeline.report().delivered, token);
    s.check_whole_run();
  };
  for (int repeat = 0; repeat < 20; ++repeat) {
    check(subject<loop>());
    check(subject<loop, st::barrier>());
    check(subject<st::replan<loop, st::threads<st::per_task>>>());
  }
}

TEST_CASE("std::stop_token: kept in the run, and referred to") {
  const deadline limit("std::stop_token");
  const auto check = [](auto&& s) {
    std::stop_source source;
    s.log.forget();
    CHECK(results<how::drain>(s, source.get_token()) == batches);
    CHECK(s.pipeline.report().end == st::run_end::completed);
    const std::stop_token token = source.get_token();
    for (const bool requested : {false, true}) {
      if (requested) source.request_stop();
      s.log.forget();
      CHECK(results<how::abandon>(s, token) == (requested ? 0 : batches));
      s.log.forget();
      CHECK(results<how::drain>(s, std::as_const(token)) == (requested ? 0 : batches));
      s.log.forget();
      const auto stop = st::cancel_on(token);  // can be kept, too
      std::size_t delivered = 0;
      for (const int r : s.pipeline.run(s.source(), stop)) CHECK(r == s.result_of(delivered++));
      CHECK(delivered == (requested ? 0 : batches));
    }
  };
  check(subject<loop>());
  check(subject<st::serial<loop>>());
}

/// Says only once that a stop is requested, to whoever asks first.
struct fleeting {
  flag* of;
  mutable std::atomic<bool> said{false};
  bool stop_requested() const { return of->stop_requested() && !said.exchange(true); }
};

TEST_CASE("a request that one thread has taken note of stops all") {
  const deadline limit("a token that goes back");
  const auto check = [](auto&& s) {
    for (std::size_t batch = 0; batch < batches; ++batch)
      for (const auto* task : {"a", "b", "d", "e"}) {
        CAPTURE(task);
        CAPTURE(batch);
        flag raised;
        const fleeting token{&raised};
        s.log.stop_at(task, batch, raised);
        const std::size_t delivered = results<how::abandon>(s, token);
        s.check_report(delivered, 0);
        if (delivered < batches) CHECK(s.pipeline.report().end == st::run_end::cancelled);
        s.check_whole_run();
      }
  };
  check(subject<loop>());
  check(subject<loop, st::barrier>());
  check(subject<st::replan<loop, st::threads<st::per_task>>>());
  check(subject<fed>());
}

// Requests from outside while something takes long.

struct waits_inside {
  std::atomic<bool> entered{false};
  std::atomic<bool> may_go{false};
};
struct number : st::slot<int> {};
struct slow {
  using stream = st::stream<"slow">;
  static constexpr int lookahead = 1;
  using reads = st::reads<number>;
  waits_inside* here;
  void operator()(st::context auto& ctx, int) const {
    if (ctx.batch() != 3) return;
    here->entered = true;
    while (!here->may_go) std::this_thread::yield();
  }
};
struct quick {
  using stream = st::stream<"quick">;
  using depends_on = st::depends_on<slow>;
  void operator()() const {}
};
struct slow_loop : st::schedule<st::source<number>, st::streams<"slow", "quick">, slow, quick> {};

template <class Schedule, class... Options>
void check_stop_during_a_long_task() {
  const deadline limit("a stop while a task takes long");
  for (int repeat = 0; repeat < 10; ++repeat) {
    waits_inside here;
    std::stop_source stop;
    tested::pipeline<Schedule, Options...> pipeline{slow{&here}};
    std::thread other([&] {
      while (!here.entered) std::this_thread::yield();
      stop.request_stop();
      here.may_go = true;
    });
    std::size_t delivered = 0;
    for (const std::size_t batch :
         pipeline.run(std::views::iota(0, 1000), st::cancel_on(stop.get_token())))
      CHECK(batch == delivered++);
    other.join();
    const auto& report = pipeline.report();
    CHECK(report.end == st::run_end::cancelled);
    CHECK((delivered == 2 || delivered == 3));  // whether `quick` was through with batch 2 by then
    CHECK(report.finished == delivered);
    const auto blocked = std::find_if(report.in_flight.begin(), report.in_flight.end(),
                                      [](const auto& left) { return left.batch == 3; });
    REQUIRE(blocked != report.in_flight.end());
    CHECK(blocked->ran == std::vector<std::string>{"slow"});  // it ran to its end
  }
}

TEST_CASE("a stop while a task takes long: it runs to its end, no other starts") {
  check_stop_during_a_long_task<slow_loop, st::spin_then_sleep<>>();
  check_stop_during_a_long_task<slow_loop, st::spin>();
  check_stop_during_a_long_task<slow_loop, st::block>();
  check_stop_during_a_long_task<slow_loop, st::block, st::barrier>();
  check_stop_during_a_long_task<st::replan<slow_loop, st::threads<st::on_caller>>>();
}

/// A queue that is never filled up: taking from it ends when a stop is requested.
struct queue {
  std::mutex mutex;
  std::condition_variable_any changed;
  int left = 4;
  bool waited = false;
  std::optional<int> take(const std::stop_token& token) {
    std::unique_lock lock(mutex);
    waited = left == 0;
    if (waited) changed.notify_all();
    if (!changed.wait(lock, token, [this] { return left > 0; })) return std::nullopt;
    return left--;
  }
};

TEST_CASE("a source that blocks watches the token itself") {
  const deadline limit("a source that blocks");
  const auto check = [](auto&& pipeline) {
    queue q;
    std::stop_source stop;
    std::thread other([&] {
      std::unique_lock lock(q.mutex);
      q.changed.wait(lock, [&] { return q.waited; });
      stop.request_stop();
    });
    const auto token = stop.get_token();
    std::size_t delivered = 0;
    for (const std::size_t batch : pipeline.run([&] { return q.take(token); }, token))
      CHECK(batch == delivered++);
    other.join();
    CHECK(delivered == 4);
    CHECK(pipeline.report().finished == 4);
    CHECK(pipeline.report().end == st::run_end::drained);
  };
  waits_inside here;
  here.may_go = true;
  check(tested::pipeline<slow_loop>{slow{&here}});
  check(tested::pipeline<st::serial<slow_loop>>{slow{&here}});
  check(tested::pipeline<st::replan<slow_loop, st::place<slow, st::lookahead<2>>>>{slow{&here}});
}

// A pipeline as the source of another.

struct in : st::slot<int> {};
struct out : st::slot<int> {};
template <int Lookahead>
struct pass {
  using stream = st::stream<"pass">;
  static constexpr int lookahead = Lookahead;
  using reads = st::reads<in>;
  using writes = st::writes<out>;
  void operator()(int from, int& to) const { to = from + 1; }
};
template <int Lookahead>
struct passing
    : st::schedule<st::source<in>, st::result<out>, st::streams<"pass">, pass<Lookahead>> {};

TEST_CASE("what is handed out after a stop may be left, too") {
  tested::pipeline<st::replan<passing<2>, st::threads<st::on_caller>>> pipeline;
  for (const std::size_t take : {0U, 1U, 2U}) {
    std::stop_source stop;
    {
      auto run = pipeline.run(std::views::iota(0, 40), st::cancel_on(stop.get_token()));
      REQUIRE(run.next());
      stop.request_stop();
      for (std::size_t n = 1; n <= take; ++n) {
        REQUIRE(run.has_more());
        REQUIRE(run.progress());  // the task works two batches ahead: two more are complete
        CHECK(run.result() == static_cast<int>(n) + 1);
        CHECK(run.batch() == n);
        CHECK_THROWS_AS(pipeline.reset(), st::usage_error);  // the run is still there
      }
      CHECK(run.has_more() == (take < 2));
    }
    // Who never comes back never gets to know.
    CHECK(pipeline.report().end == (take == 0 ? st::run_end::left_early : st::run_end::cancelled));
    CHECK(pipeline.report().pulled == 3);
    CHECK(pipeline.report().finished == 3);
    CHECK(pipeline.report().delivered == 1 + take);
  }
}

TEST_CASE("pipelines feeding each other: a stop of the first drains both") {
  const deadline limit("a stop of the first pipeline");
  tested::pipeline<passing<2>> first;
  tested::pipeline<passing<1>> second;
  std::stop_source stop;
  auto feeding = first.run(std::views::iota(0, 1000), stop.get_token());
  int delivered = 0;
  for (const int r : second.run(feeding)) {
    CHECK(r == delivered + 2);
    if (delivered++ == 5) stop.request_stop();
  }
  CHECK(first.report().end == st::run_end::drained);
  CHECK(second.report().end == st::run_end::completed);
  CHECK(static_cast<int>(first.report().pulled) == delivered);
  CHECK(delivered < 20);
}

TEST_CASE("pipelines feeding each other: after a stop of the second the first can feed a third") {
  const deadline limit("a stop of the second pipeline");
  tested::pipeline<passing<2>> first;
  tested::pipeline<passing<1>> second;
  auto feeding = first.run(std::views::iota(0, 40));
  int delivered = 0;
  for (int part = 0; part < 4; ++part) {
    std::stop_source stop;
    const int begun = delivered;
    for (const int r : second.run(feeding, stop.get_token())) {
      CHECK(r == delivered + 2);
      if (delivered++ == begun + 5) stop.request_stop();
    }
    CHECK(second.report().end == st::run_end::drained);
    CHECK(static_cast<int>(second.report().delivered) == delivered - begun);
  }
  for (const int r : second.run(feeding)) CHECK(r == delivered++ + 2);
  CHECK(delivered == 40);  // none was lost, none came twice
  CHECK(first.report().end == st::run_end::completed);
}

TEST_CASE("pipelines feeding each other: what an abandoned one had in flight is in its report") {
  const deadline limit("cancelling the second pipeline");
  tested::pipeline<passing<2>> first;
  tested::pipeline<passing<1>> second;
  std::stop_source stop;
  std::size_t delivered = 0;
  {
    auto feeding = first.run(std::views::iota(0, 40));
    for (const int r : second.run(feeding, st::cancel_on(stop.get_token()))) {
      CHECK(r == static_cast<int>(delivered) + 2);
      if (delivered++ == 5) stop.request_stop();
    }
    const auto& report = second.report();
    CHECK(report.end == st::run_end::cancelled);
    CHECK(report.finished == delivered);
    CHECK(report.pulled == delivered + report.in_flight.size());
    CHECK(feeding.batch() + 1 == report.pulled);  // what the second took is what the first gave
  }
  CHECK(first.report().end == st::run_end::left_early);
  CHECK(first.report().delivered == second.report().pulled);
}

}  // namespace
