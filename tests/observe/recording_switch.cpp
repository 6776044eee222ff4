// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A timeline that is switched off and on while runs go on. Built with the thread sanitizer, too.

#include <doctest/doctest.h>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <stretto/observe/recording_switch.hpp>
#include <stretto/observe/timeline.hpp>
#include <stretto/stretto.hpp>
#include <string_view>
#include <thread>
#include <vector>
#include "hand_made.hpp"

namespace st = stretto;

namespace {

using clock_type = st::timeline::clock;

/// A timeline that is told of tasks as a pipeline tells it, on one thread.
struct told {
  told() {
    const std::vector<std::string_view> threads{"a"};
    const std::vector<std::string_view> tasks{"work", "pull", "deliver"};
    record.attached(threads, tasks);
  }
  void task(std::size_t batch) {
    record.started(0, 0, batch);
    record.finished(0, 0, batch);
  }
  void next_task(std::size_t batch) {
    record.started(0, 0, batch, st::back_to_back{});
    record.finished(0, 0, batch);
  }
  std::vector<std::size_t> batches() const {
    std::vector<std::size_t> all;
    for (const st::timeline::span& s : record.spans(0)) all.push_back(s.batch);
    return all;
  }
  std::vector<std::uint32_t> stretches() const {
    std::vector<std::uint32_t> all;
    for (const st::timeline::span& s : record.spans(0)) all.push_back(s.stretch);
    return all;
  }

  st::timeline record;
};

using numbers = std::vector<std::size_t>;
using stretches = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("a task that is cut off takes no place of a full record") {
  told t;
  for (std::size_t b = 0; b < st::timeline::capacity; ++b) t.task(b);
  t.record.started(0, 0, st::timeline::capacity);
  t.record.pause();
  t.record.finished(0, 0, st::timeline::capacity);
  REQUIRE(t.batches().size() == st::timeline::capacity);
  CHECK(t.batches().front() == 0);
  CHECK(t.batches().back() == st::timeline::capacity - 1);
}

TEST_CASE("a record that begins anew after a pause is a whole one") {
  told t;
  t.record.pause();
  t.record.resume();
  t.record.clear();
  for (std::size_t b = 0; b < 9; ++b) {
    t.task(b);
    if (b != 4) continue;
    t.record.started(0, 2, b);
    t.record.finished(0, 2, b);
  }
  CHECK(t.record.ends_of_batches().through.size() == 9);
  t.record.pause();  // what a task that ran once did before, or does after, is not known now
  CHECK(t.record.ends_of_batches().through.size() == 1);
}

TEST_CASE("a switch is on, counts changes, and no call that changes nothing") {
  using st::observe::detail::recording_switch;
  recording_switch s;
  CHECK(recording_switch::is_on(s.now()));
  s.turn(true);
  CHECK(s.now() == 0);
  s.turn(false);
  s.turn(false);
  CHECK_FALSE(recording_switch::is_on(s.now()));
  s.turn(true);
  CHECK(s.now() == 2);
  CHECK(recording_switch::stretch(s.now()) == 1);
  const recording_switch copy = s;
  s.turn(false);
  CHECK(copy.now() == 2);
}

TEST_CASE("what runs while it is paused is not recorded, and what comes then is") {
  told t;
  t.task(0);
  t.record.pause();
  CHECK(t.record.is_paused());
  t.task(1);
  t.record.resume();
  CHECK_FALSE(t.record.is_paused());
  t.task(2);
  t.record.pause();
  t.record.resume();
  t.task(3);
  CHECK(t.batches() == numbers{0, 2, 3});
  CHECK(t.stretches() == stretches{0, 1, 2});
  CHECK(t.record.stretches() == stretches{0, 1, 2});
  CHECK(t.record.overwritten() == 0);
}

TEST_CASE("a task in which it was switched is left out") {
  told t;
  t.record.started(0, 0, 0);
  t.record.pause();
  t.record.finished(0, 0, 0);  // begun while it was on
  t.record.started(0, 0, 1);
  t.record.resume();
  t.record.finished(0, 0, 1);  // begun while it was off
  t.record.started(0, 0, 2);
  t.record.pause();
  t.record.resume();
  t.record.finished(0, 0, 2);  // begun and ended while it was on
  t.task(3);
  CHECK(t.batches() == numbers{3});
}

TEST_CASE("a task right behind one that is left out has a begin of its own") {
  told t;
  t.task(0);
  t.record.pause();
  t.next_task(1);
  t.record.resume();
  const clock_type::time_point resumed = clock_type::now();
  while (clock_type::now() - resumed < std::chrono::milliseconds(1)) {
  }
  t.next_task(2);
  t.next_task(3);
  t.record.run_ended();
  const auto spans = t.record.spans(0);
  REQUIRE(spans.size() == 3);
  CHECK(spans[1].begin > resumed);
  CHECK(spans[2].begin == spans[1].end);
}

TEST_CASE("it stays paused when it is cleared, copied and told of another pipeline") {
  told t;
  t.record.pause();
  t.record.clear();
  t.task(0);
  st::timeline copy = t.record;
  CHECK(copy.is_paused());
  CHECK(copy.spans(0).empty());
  const std::vector<std::string_view> names{"work", "pull", "deliver"};
  t.record.attached(names, names);
  t.task(1);
  CHECK(t.batches().empty());
  t.record.resume();
  t.task(2);
  CHECK(t.batches() == numbers{2});
}

namespace {

/// Two threads; `work` comes a batch behind `copy`. Paused while batches 4 to 996 were worked on.
hand_made paused() {
  constexpr std::size_t copy = 0, work = 1;
  hand_made h({"a", "b"}, {"copy", "work"});
  const auto at = [](std::size_t batch) { return 10 * static_cast<int>(batch); };
  for (std::size_t b = 0; b < 6; ++b) h.run(0, copy, b, at(b), at(b) + 4);
  for (std::size_t b = 0; b < 4; ++b) h.run(1, work, b, at(b) + 10, at(b) + 18);
  for (std::size_t b = 998; b < 1004; ++b) h.run(0, copy, b, at(b), at(b) + 4, 1);
  for (std::size_t b = 997; b < 1004; ++b) h.run(1, work, b, at(b) + 10, at(b) + 18, 1);
  return h;
}

}  // namespace

TEST_CASE("of a record with a gap batches count that have all their tasks in one stretch") {
  const auto ends = paused().record.ends_of_batches();
  CHECK(ends.stretch == 1);
  CHECK(ends.first == 998);  // not 997, which was copied before
  CHECK(ends.through.size() == 6);
  std::vector<std::size_t> firsts;
  for (const auto& w : paused().record.windows(1)) {
    firsts.push_back(w.first_batch);
    CHECK(w.wall.count() == doctest::Approx(0.01));  // none reaches across the gap
    CHECK(w.busy[1].count() == doctest::Approx(0.008));
  }
  CHECK(firsts == numbers{1, 2, 3, 999, 1000, 1001, 1002, 1003});
}

TEST_CASE("a gap takes no room for the batches in it, however long it is") {
  constexpr std::size_t late = std::size_t{1} << 62U;  // more of them than there is memory
  hand_made h({"a"}, {"work"});
  for (std::size_t b = 0; b < 4; ++b) {
    const int begin = 10 * static_cast<int>(b);
    h.run(0, 0, b, begin, begin + 10);
    h.run(0, 0, late + b, begin + 1000, begin + 1010, 1);
  }
  CHECK(h.record.ends_of_batches().through.size() == 4);
  CHECK(h.record.windows(1).size() == 6);
}

TEST_CASE("in a stretch without one of the tasks no batch is whole") {
  hand_made h({"a", "b"}, {"copy", "work"});
  h.run(0, 0, 0, 0, 4).run(1, 1, 0, 4, 8).run(0, 0, 1, 10, 14).run(0, 0, 5, 50, 54, 1);
  h.run(0, 0, 6, 60, 64, 1).run(0, 0, 7, 70, 74, 1);
  const auto ends = h.record.ends_of_batches();
  CHECK(ends.stretch == 0);
  CHECK(ends.through.size() == 1);
}

namespace {

struct number : st::slot<int> {};
struct square : st::slot<int> {};
struct sum : st::slot<long> {};

struct multiply {
  using thread = st::thread<"a">;
  static constexpr int lookahead = 1;
  using reads = st::reads<number>;
  using writes = st::writes<square>;
  void operator()(int in, int& out) const { out = in % 3; }
};
struct add {
  using thread = st::thread<"b">;
  using reads = st::reads<square>;
  using writes = st::writes<sum>;
  long total = 0;
  void operator()(int in, long& out) { out = total += in; }
};
struct sums : st::schedule<st::source<number>, st::result<sum>, multiply, add> {};

/// Runs it while another thread switches as fast as it can.
template <class Pipeline, class ValueOf>
void run_switched(Pipeline& pipeline, ValueOf value_of) {
  constexpr int batches = 20'000;
  std::atomic<bool> done{false};
  std::thread toggler([&] {
    while (!done.load(std::memory_order_relaxed)) {
      pipeline.observer().pause();
      std::this_thread::yield();
      pipeline.observer().resume();
      std::this_thread::yield();
    }
  });
  long last = 0;
  int results = 0;
  int next = 0;
  const auto source = [&] { return next < batches ? std::optional(next++) : std::nullopt; };
  for (const auto& r : pipeline.run(source)) {
    last = value_of(r);
    ++results;
  }
  done = true;
  toggler.join();
  CHECK(results == batches);
  CHECK(last == batches - 1);  // of three in a row 3, and 0 and 1 at the end

  const st::timeline& record = pipeline.observer();
  for (std::size_t t = 0; t < record.threads().size(); ++t) {
    const auto spans = record.spans(t);
    for (std::size_t i = 0; i < spans.size(); ++i) {
      if (spans[i].begin > spans[i].end) FAIL_CHECK("a run of a task is torn");
      if (i == 0) continue;
      if (spans[i].begin < spans[i - 1].end) FAIL_CHECK("runs of tasks overlap");
      if (spans[i].stretch < spans[i - 1].stretch) FAIL_CHECK("stretches are out of order");
      if (spans[i].task == spans[i - 1].task && spans[i].batch <= spans[i - 1].batch)
        FAIL_CHECK("batches are out of order");
    }
  }
  for (const auto& w : record.windows(2))
    if (w.wall.count() <= 0) FAIL_CHECK("a window takes no time");

  // Then it is of use as ever.
  pipeline.observer().resume();
  pipeline.observer().clear();
  next = batches - 100;
  for ([[maybe_unused]] const auto& r : pipeline.run(source)) {
  }
  CHECK(record.windows(1).size() == 99);
}

}  // namespace

TEST_CASE("a thread may switch it while others run tasks") {
  SUBCASE("of a schedule of types") {
    st::pipeline<sums, st::timeline> pipeline;
    run_switched(pipeline, [](long r) { return r; });
  }
  SUBCASE("of one that is a value") {
    st::dynamic::pipeline pipeline(st::dynamic::from_types<sums>(), st::timeline{});
    run_switched(pipeline, [](const auto& r) { return r.template get<long>(); });
  }
}
