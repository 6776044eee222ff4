// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A failure is an end: what a user sees before an error, and the error, are what the serial program
// would show, whatever threads did meanwhile; and no error waits for a source that does not come
// back.

#include <doctest/doctest.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <coroutine>
#include <cstddef>
#include <limits>
#include <mutex>
#include <optional>
#include <random>
#include <stdexcept>
#include <stop_token>
#include <stretto/push.hpp>
#include <stretto/sources.hpp>
#include <stretto/stretto.hpp>
#include <stretto/suspend.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>
#include "../../support/seed.hpp"
#include "../../support/tested.hpp"
#include "deadline.hpp"

namespace {

namespace st = stretto;

constexpr int never = std::numeric_limits<int>::max();

/// On which batches the source and the tasks fail, in the order of a batch's tasks.
struct faults {
  static constexpr std::array<const char*, 5> names{"pull", "first", "second", "third", "last"};
  std::array<int, 5> at{never, never, never, never, never};

  int first() const { return *std::min_element(at.begin(), at.end()); }
  std::string who() const {
    return names[static_cast<std::size_t>(std::min_element(at.begin(), at.end()) - at.begin())];
  }
};

/// What tasks share: when they fail, how long they take, and whether they have seen values that no
/// serial program would have shown them.
struct plant {
  faults fail;
  unsigned jitter = 0;
  std::atomic<int> foreign{0};

  void run(std::size_t which, int batch) {
    const unsigned drawn =
        (jitter + static_cast<unsigned>(batch) * 37 + static_cast<unsigned>(which) * 101) *
            2654435761U >>
        20U;
    if (jitter != 0 && drawn % 13 == 0) std::this_thread::yield();
    if (jitter != 0)
      for (unsigned spins = drawn % 600; spins > 0; --spins) foreign.load();  // takes a moment
    if (fail.at[which] == batch) throw std::runtime_error(faults::names[which]);
  }
  void expect(bool right) {
    if (!right) ++foreign;
  }
};

struct x : st::slot<int> {};
struct a : st::slot<int> {};
struct b : st::slot<int> {};
struct c : st::slot<int> {};
struct y : st::slot<long> {};

struct first {
  static constexpr int lookahead = 3;
  using thread = st::thread<"one">;
  void operator()(st::in<x> in, st::out<a> out) const {
    with->run(1, *in);
    *out = *in * 2;
  }
  plant* with = nullptr;
};
struct second {
  static constexpr int lookahead = 2;
  using thread = st::thread<"two">;
  void operator()(st::in<x> in, st::out<c> out) const {
    with->run(2, *in);
    *out = *in * 5;
  }
  plant* with = nullptr;
};
struct third {
  static constexpr int lookahead = 1;
  using thread = st::thread<"two">;
  void operator()(st::in<a> in, st::in<x> number, st::out<b> out) const {
    with->expect(*in == *number * 2);
    with->run(3, *number);
    *out = *in + 1;
  }
  plant* with = nullptr;
};
struct last {
  void operator()(st::in<b> one, st::in<c> two, st::in<x> number, st::out<y> out) {
    with->expect(*one == *number * 2 + 1 && *two == *number * 5);
    with->run(4, *number);
    sum += *one + *two;
    *out = sum;
  }
  plant* with = nullptr;
  long sum = 0;
};

struct apart : st::schedule<st::source<x, st::thread<"reader">, st::lookahead<4>>, st::result<y>,
                            first, second, third, last> {};
struct by_caller
    : st::schedule<st::source<x, st::lookahead<4>>, st::result<y>, first, second, third, last> {};
/// The source shares its thread.
struct sharing : st::schedule<st::source<x, st::thread<"one">, st::lookahead<4>>, st::result<y>,
                              first, second, third, last> {};
struct with_workers
    : st::schedule<st::source<x, st::thread<"reader">, st::lookahead<4>>, st::result<y>, first,
                   second, third, last, st::workers<"one", 3>> {};
struct with_queue : st::schedule<st::source<x, st::thread<"reader">, st::lookahead<4>>,
                                 st::result<y>, first, second, third, last, st::queue<"one", 2>> {};
struct in_line : st::serial<by_caller> {};

/// The sum that the result of a batch is.
long result_of(int batch) {
  long sum = 0;
  for (int i = 0; i <= batch; ++i) sum += i * 7 + 1;
  return sum;
}

/// A source of so many batches, which fails if its plant says so.
struct counting {
  plant* with;
  int batches;
  int next = 0;

  std::optional<int> operator()() {
    const int batch = next++;
    if (batch == batches && with->fail.at[0] != batch) return std::nullopt;
    with->run(0, batch);
    return batch;
  }
};

template <class Schedule, class... Options>
using pipeline_of = tested::pipeline<Schedule, Options...>;

template <class Pipeline>
Pipeline made(plant& with) {
  return Pipeline{first{&with}, second{&with}, third{&with}, last{&with}};
}

/// How a user asks for results.
enum class asking { by_next, by_loop, by_progress, for_each, results };

template <class Pipeline>
void collect(Pipeline& pipeline, counting& source, asking how, std::vector<long>& got) {
  if (how == asking::by_loop) {
    for (const long sum : pipeline.run(source)) got.push_back(sum);
    return;
  }
  if (how == asking::results) {
    for (const long sum : pipeline.results(source)) got.push_back(sum);
    return;
  }
  auto run = pipeline.run(source);
  if (how == asking::by_next) {
    while (run.next()) got.push_back(run.result());
  } else if (how == asking::by_progress) {
    while (run.has_more())
      if (run.progress()) got.push_back(run.result());
  } else {
    run.for_each([&](const long& sum) { got.push_back(sum); });
  }
}

/// One run against the serial program.
template <class Pipeline>
void check_run(plant& with, int batches, asking how) {
  Pipeline pipeline{first{&with}, second{&with}, third{&with}, last{&with}};
  counting source{&with, batches};
  std::vector<long> got;
  std::optional<st::task_error> error;
  try {
    collect(pipeline, source, how, got);
  } catch (const st::task_error& e) {
    error = e;
  }
  const int k = (std::min)(with.fail.first(), batches);
  const bool fails = with.fail.first() < batches || with.fail.at[0] == batches;
  const auto ended = static_cast<std::size_t>(k);
  CHECK(got.size() == ended);
  bool same = true;
  for (std::size_t i = 0; i < got.size(); ++i)
    same = same && got[i] == result_of(static_cast<int>(i));
  CHECK(same);
  CHECK(with.foreign == 0);
  REQUIRE(error.has_value() == fails);
  const st::run_report& report = pipeline.report();
  CHECK(report.delivered == ended);
  CHECK(report.finished == ended);
  CHECK(report.end == (fails ? st::run_end::failed : st::run_end::completed));
  CHECK(report.in_flight.size() == report.pulled - report.finished);
  if (!fails) return;
  CHECK(error->batch() == ended);
  CHECK(error->task() == with.fail.who());
  REQUIRE_FALSE(report.failures.empty());
  CHECK(report.failures.front().task == with.fail.who());
  CHECK(report.failures.front().batch == ended);
}

template <class Pipeline>
void check_random(unsigned own, int runs) {
  const deadline limit("random failures");
  const unsigned seed = seeds::first(own);
  CAPTURE(seed);
  std::mt19937 drawn(seed);
  for (int i = 0; i < runs; ++i) {
    CAPTURE(i);
    plant with;
    with.jitter = static_cast<unsigned>(drawn()) | 1U;
    for (int& at : with.fail.at) at = drawn() % 3 == 0 ? never : static_cast<int>(drawn() % 24);
    check_run<Pipeline>(with, 5 + static_cast<int>(drawn() % 20), static_cast<asking>(drawn() % 5));
  }
}

}  // namespace

TEST_CASE("failures at random: results and error are the serial program's") {
  check_random<pipeline_of<apart>>(1, 200);
  check_random<pipeline_of<by_caller>>(2, 150);
  check_random<pipeline_of<sharing>>(3, 150);
  check_random<pipeline_of<in_line>>(4, 150);
}

TEST_CASE("failures at random, where threads meet after each progress") {
  check_random<pipeline_of<apart, st::barrier>>(5, 150);
  check_random<pipeline_of<by_caller, st::barrier>>(6, 100);
}

TEST_CASE("failures at random, with workers and with a queue") {
  check_random<pipeline_of<with_workers>>(7, 150);
  check_random<pipeline_of<with_queue>>(8, 150);
}

TEST_CASE("failures at random, where waits sleep at once") {
  check_random<pipeline_of<apart, st::block>>(9, 100);
}

TEST_CASE("each task and the source, on the first, a middle and the last batch") {
  const deadline limit("the fault matrix");
  for (const asking how :
       {asking::by_next, asking::by_loop, asking::by_progress, asking::for_each, asking::results})
    for (std::size_t who = 0; who < faults::names.size(); ++who)
      for (const int batch : {0, 1, 6, 11}) {
        CAPTURE(who);
        CAPTURE(batch);
        const auto check = [&]<class Pipeline>(std::in_place_type_t<Pipeline>) {
          plant with;
          with.fail.at[who] = batch;
          check_run<Pipeline>(with, 12, how);
        };
        check(std::in_place_type<pipeline_of<apart>>);
        check(std::in_place_type<pipeline_of<by_caller>>);
        check(std::in_place_type<pipeline_of<in_line>>);
        check(std::in_place_type<pipeline_of<with_workers>>);
        check(std::in_place_type<pipeline_of<apart, st::barrier>>);
      }
}

namespace {

/// Batches for a source that waits for more of them.
class line {
 public:
  explicit line(int there) : there_(there) {}
  std::optional<int> take() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return next_ < there_ || closed_; });
    --waiting_;
    if (next_ < there_) return next_++;
    return std::nullopt;
  }
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  /// Waits until the source waits for a batch that there is not.
  void until_asked_in_vain() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waiting_ > 0 && next_ == there_; });
  }
  bool is_asked() const {
    const std::lock_guard lock(mutex_);
    return waiting_ > 0;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int there_;
  int next_ = 0;
  int waiting_ = 0;
  bool closed_ = false;
};

struct held {
  using thread = st::thread<"work">;
  static constexpr int lookahead = 1;
  void operator()(st::in<x> in, st::out<a> out) const {
    if (*in == 1) {  // with a barrier, in the progress in which the source is asked in vain
      from->until_asked_in_vain();
      throw std::runtime_error("bad frame");
    }
    *out = *in;
  }
  line* from = nullptr;
};
struct blocked
    : st::schedule<st::source<x, st::thread<"reader">, st::lookahead<3>>, st::result<a>, held> {};

template <class... Options>
void check_blocked() {
  const deadline limit("a source that does not come back");
  line batches(3);
  tested::pipeline<blocked, Options...> pipeline{held{&batches}};
  auto source = [&] { return batches.take(); };
  {
    auto run = pipeline.run(source);
    std::size_t got = 0;
    try {
      while (run.next()) CHECK(run.result() == static_cast<int>(got++));
      FAIL("it threw");
    } catch (const st::task_error& e) {
      CHECK(e.task() == "held");
      CHECK(e.batch() == 1);
    }
    CHECK(got == 1);
    CHECK(batches.is_asked());  // still
    CHECK_FALSE(run.has_more());
    CHECK_FALSE(run.next());
    CHECK_FALSE(run.progress());
    CHECK(run.result() == 0);  // that of the last batch that got through
    CHECK(run.batch() == 0);
    const st::run_report& known = pipeline.report();
    CHECK(known.end == st::run_end::failed);
    CHECK(known.delivered == 1);
    CHECK(known.finished == 1);
    CHECK(known.incomplete);
    REQUIRE(known.failures.size() == 1);
    CHECK(known.failures.front().task == "held");
    CHECK(known.failures.front().batch == 1);
    CHECK(known.failures.front().what() == "bad frame");
    CHECK_THROWS_AS(pipeline.reset(), st::usage_error);  // the run is there
    batches.close();
  }
  const st::run_report& whole = pipeline.report();
  CHECK(whole.end == st::run_end::failed);
  CHECK(whole.pulled == 3);
  CHECK(whole.finished == 1);
  CHECK(whole.delivered == 1);
  CHECK_FALSE(whole.incomplete);
  REQUIRE(whole.in_flight.size() == 2);
  CHECK(whole.in_flight.front().batch == 1);
  CHECK(whole.failures.size() == 1);
  CHECK_THROWS_AS(static_cast<void>(pipeline.run(source)), st::usage_error);
  pipeline.reset();
  int next = 0;
  std::size_t got = 0;
  for (const int result : pipeline.run(
           [&]() -> std::optional<int> { return next < 1 ? std::optional(next++) : std::nullopt; }))
    CHECK(result == static_cast<int>(got++));
  CHECK(got == 1);
  CHECK(pipeline.report().end == st::run_end::completed);
}

}  // namespace

TEST_CASE("an error does not wait for a source that has a thread to itself") {
  check_blocked<>();
  check_blocked<st::barrier>();
  check_blocked<st::spin_then_sleep<0, 1>>();
  check_blocked<st::block>();
}

namespace {

/// What was said of runs that could not end, for tests that wait for it.
class said {
 public:
  said() {
    latest() = this;
    st::set_patience({0, [](std::string_view sentence) noexcept { latest()->add(sentence); }});
  }
  ~said() { st::set_patience({}); }
  said(const said&) = delete;
  said& operator=(const said&) = delete;
  std::string until_said() {
    std::unique_lock lock(mutex_);
    came_.wait(lock, [this] { return !sentences_.empty(); });
    return sentences_.front();
  }

 private:
  static said*& latest() {
    static said* of = nullptr;
    return of;
  }
  void add(std::string_view sentence) {
    const std::lock_guard lock(mutex_);
    sentences_.emplace_back(sentence);
    came_.notify_all();
  }
  std::mutex mutex_;
  std::condition_variable came_;
  std::vector<std::string> sentences_;
};

template <class Leave>
void check_said(int there, const std::string& wanted, Leave leave) {
  const deadline limit("a run that cannot end");
  said sentences;
  line batches(there);
  std::thread closing([&] {
    CHECK(sentences.until_said() == wanted);
    batches.close();
  });
  {
    tested::pipeline<blocked> pipeline{held{&batches}};
    auto source = [&] { return batches.take(); };
    leave(pipeline, source, batches);
  }
  closing.join();
}

}  // namespace

TEST_CASE("a run that cannot end, as its source does not come back, says so") {
  // The loop over a run without a name: it ends before the error gets anywhere.
  check_said(
      3,
      "task `held` failed on batch 1, and the run cannot end: thread `reader`, which pulls, is "
      "still in the source; let the source take a std::stop_token (stretto::told_source), which "
      "says when nothing more is wanted of it",
      [](auto& pipeline, auto& source, line&) {
        CHECK_THROWS_AS(([&] {
                          for (const int result : pipeline.run(source)) CHECK(result == 0);
                        })(),
                        st::task_error);
      });
  check_said(
      1,
      "the run has been left or cancelled, and the run cannot end: thread `reader`, which pulls, "
      "is still in the source; let the source take a std::stop_token (stretto::told_source), which "
      "says when nothing more is wanted of it",
      [](auto& pipeline, auto& source, line& from) {
        for (const int result : pipeline.run(source)) {
          CHECK(result == 0);
          from.until_asked_in_vain();
          break;
        }
      });
}

TEST_CASE("a source that is told comes back, and the run ends with its error") {
  const deadline limit("a source that is told");
  const auto check = [](auto&& source_of) {
    for (int i = 0; i < 20; ++i) {
      line batches(3);
      tested::pipeline<blocked> pipeline{held{&batches}};
      auto source = source_of(batches);
      std::size_t got = 0;
      try {
        for (const int result : pipeline.run(source)) CHECK(result == static_cast<int>(got++));
        FAIL("it threw");
      } catch (const st::task_error& e) {
        CHECK(e.batch() == 1);
      }
      CHECK(got == 1);
      CHECK(pipeline.report().pulled == 3);
    }
  };
  check([](line& batches) {
    return [&batches](std::stop_token token) {
      const std::stop_callback closing(token, [&batches] { batches.close(); });
      return batches.take();
    };
  });
  check([](line& batches) {
    return [&batches](int& slot, std::stop_token token) {
      const std::stop_callback closing(token, [&batches] { batches.close(); });
      const std::optional<int> next = batches.take();
      if (next) slot = *next;
      return next.has_value();
    };
  });
}

TEST_CASE("a source is told when the run is left, or when somebody asks it to stop") {
  const deadline limit("a source that is told of others");
  const auto check = [](auto use) {
    line batches(1);
    tested::pipeline<blocked> pipeline{held{&batches}};
    auto source = [&batches](std::stop_token token) {
      const std::stop_callback closing(token, [&batches] { batches.close(); });
      return batches.take();
    };
    use(pipeline, source, batches);
    CHECK_FALSE(batches.is_asked());
  };
  check([](auto& pipeline, auto& source, line& batches) {
    auto run = pipeline.run(source);
    CHECK(run.next());
    batches.until_asked_in_vain();
  });
  check([](auto& pipeline, auto& source, line& batches) {
    std::stop_source stop;
    std::thread asking([&] {
      batches.until_asked_in_vain();
      stop.request_stop();
    });
    int got = 0;
    for (const int result : pipeline.run(source, stop.get_token())) got += result == 0 ? 1 : 0;
    CHECK(got == 1);
    CHECK(pipeline.report().end == st::run_end::drained);
    asking.join();
  });
  check([](auto& pipeline, auto& source, line& batches) {
    std::stop_source stop;
    std::thread asking([&] {
      batches.until_asked_in_vain();
      stop.request_stop();
    });
    for (const int result : pipeline.run(source, st::cancel_on(stop.get_token())))
      CHECK(result == 0);
    CHECK(pipeline.report().delivered <= 1);  // it may be cancelled before that is handed out
    asking.join();
  });
}

TEST_CASE("a loop that is left before a failure ends as left, and the next run needs no reset") {
  const deadline limit("a loop that is left");
  for (int i = 0; i < 100; ++i) {
    plant with;
    with.jitter = static_cast<unsigned>(i) + 1;
    with.fail.at[1] = 6;  // three batches ahead
    pipeline_of<apart> pipeline{first{&with}, second{&with}, third{&with}, last{&with}};
    std::size_t got = 0;
    {
      counting source{&with, 12};
      for (const long sum : pipeline.run(source)) {
        CHECK(sum == result_of(static_cast<int>(got)));
        if (++got == 5) break;
      }
    }
    const st::run_report& report = pipeline.report();
    CHECK(report.end == st::run_end::left_early);
    CHECK(report.delivered == 5);
    CHECK(report.failures.size() <= 1);  // the failure was met, or not
    with.fail = {};
    counting source{&with, 3};
    std::size_t again = 0;
    for (const long sum : pipeline.run(source)) again += sum != 0 ? 1U : 0U;
    CHECK(again == 3);
  }
}

TEST_CASE("what the loop over results throws is no failure of the run, which goes on to its own") {
  const deadline limit("a loop that throws");
  plant with;
  with.fail.at[2] = 4;
  pipeline_of<apart> pipeline{first{&with}, second{&with}, third{&with}, last{&with}};
  counting source{&with, 12};
  auto run = pipeline.run(source);
  std::size_t got = 0;
  const auto one = [&](const long& sum) {
    CHECK(sum == result_of(static_cast<int>(got++)));
    if (got == 2) throw std::logic_error("enough");
  };
  CHECK_THROWS_AS(run.for_each(one), std::logic_error);
  try {
    run.for_each(one);
    FAIL("it threw");
  } catch (const st::task_error& e) {
    CHECK(e.task() == "second");
    CHECK(e.batch() == 4);
  }
  CHECK(got == 4);
}

TEST_CASE(
    "a stop that is requested while what lies before a failure goes through ends all at once") {
  const deadline limit("a cancelled drain");
  for (int i = 0; i < 50; ++i) {
    plant with;
    with.jitter = static_cast<unsigned>(i) + 1;
    with.fail.at[1] = 3;
    pipeline_of<apart> pipeline{first{&with}, second{&with}, third{&with}, last{&with}};
    counting source{&with, 12};
    std::stop_source stop;
    auto run = pipeline.run(source, st::cancel_on(stop.get_token()));
    std::size_t got = 0;
    bool failed = false;
    try {
      while (run.next())
        if (++got == 1) stop.request_stop();
    } catch (const st::task_error& e) {
      failed = true;
      CHECK(e.batch() == 3);
    }
    CHECK(got >= 1);
    CHECK(got <= 3);
    CHECK(pipeline.report().end == (failed ? st::run_end::failed : st::run_end::cancelled));
    CHECK(pipeline.report().delivered == got);
  }
}

TEST_CASE("batches that are pushed: those before a failure come, the next are not taken") {
  const deadline limit("pushes");
  plant with;
  with.fail.at[1] = 5;
  pipeline_of<by_caller> pipeline{first{&with}, second{&with}, third{&with}, last{&with}};
  st::push_run steps(pipeline);
  std::size_t got = 0;
  int pushed = 0;
  try {
    while (true) {
      if (steps.push(pushed)) CHECK(steps.result() == result_of(static_cast<int>(got++)));
      ++pushed;
    }
  } catch (const st::task_error& e) {
    CHECK(e.task() == "first");
    CHECK(e.batch() == 5);
  }
  CHECK(got == 5);
  CHECK(pushed <= 5 + 4);  // where the result of batch 5 would have been
  CHECK(steps.taken() <= static_cast<std::size_t>(pushed));
  CHECK(pipeline.report().pulled == steps.taken());
  CHECK(pipeline.report().finished == 5);
}

namespace {

/// Resumes a coroutine on a thread of its own.
struct elsewhere {
  static constexpr bool await_ready() noexcept { return false; }
  void await_suspend(std::coroutine_handle<> who) const {
    threads->emplace_back([who] { who.resume(); });
  }
  static constexpr void await_resume() noexcept {}
  std::vector<std::thread>* threads;
};

struct fetched : st::slot<int> {};
struct fetch {
  using thread = st::thread<"one">;
  static constexpr int lookahead = 2;
  st::suspendable operator()(st::in<x> in, st::out<fetched> out) {
    const int batch = *in;
    co_await elsewhere{threads};
    with->run(1, batch);
    *out = batch * 2;
  }
  plant* with = nullptr;
  std::vector<std::thread>* threads = nullptr;
};
struct added {
  void operator()(st::in<fetched> in, st::in<x> number, st::out<y> out) const {
    with->expect(*in == *number * 2);
    with->run(4, *number);
    *out = *in;
  }
  plant* with = nullptr;
};
struct awaiting : st::schedule<st::source<x, st::thread<"reader">, st::lookahead<3>>, st::result<y>,
                               fetch, added> {};

}  // namespace

TEST_CASE("a coroutine fails wherever it is resumed") {
  const deadline limit("coroutines");
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    plant with;
    with.jitter = static_cast<unsigned>(i) + 1;
    with.fail.at[1] = 2 + i % 5;
    if (i % 3 == 0) with.fail.at[4] = 4;
    std::vector<std::thread> threads;
    {
      tested::pipeline<awaiting> pipeline{fetch{&with, &threads}, added{&with}};
      counting source{&with, 10};
      int got = 0;
      try {
        for (const long twice : pipeline.run(source)) CHECK(twice == 2 * got++);
        FAIL("it threw");
      } catch (const st::task_error& e) {
        CHECK(e.batch() == static_cast<std::size_t>(with.fail.first()));
        CHECK(e.task() == (with.fail.at[1] <= with.fail.at[4] ? "fetch" : "added"));
      }
      CHECK(got == with.fail.first());
      CHECK(with.foreign == 0);
      CHECK(pipeline.report().finished == static_cast<std::size_t>(got));
    }
    for (std::thread& t : threads) t.join();
  }
}
