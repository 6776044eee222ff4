// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What threads waited for: of runs in virtual time, in which nothing else takes time, all of it; of
// runs that are known by construction; of both versions.

#include <doctest/doctest.h>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <sstream>
#include <stretto/bound.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <stretto/plan/text/viewed_plan.hpp>
#include <stretto/stretto.hpp>
#include <stretto/timeline.hpp>
#include <string>
#include <string_view>
#include <vector>
#include "timed_plans.hpp"

namespace {

namespace st = stretto;
using seconds = st::timeline::seconds;

struct file : st::slot<int> {};
struct image : st::slot<int> {};
struct loss : st::slot<int> {};

struct load {
  using thread = st::thread<"io">;
  using reads = st::reads<file>;
  using writes = st::writes<image>;
  static constexpr int lookahead = 1;
  void operator()(int in, int& out) const { out = in; }
};
struct train {
  using thread = st::thread<"gpu">;
  using reads = st::reads<image>;
  using writes = st::writes<loss>;
  void operator()(int in, int& out) const { out = in; }
};
struct learning : st::schedule<st::source<file>, st::result<loss>, load, train> {};
struct renamed : st::schedule<st::source<file>, st::result<loss>, train, load> {};
struct serial : st::serial<learning> {};

/// A run of four batches, in microseconds: `load` takes 10, `train` 30 and begins 2 late.
st::timeline known_run() {
  st::timeline record;
  const std::vector<std::string_view> threads{"caller", "io", "gpu"};
  const std::vector<std::string_view> tasks{"load", "train", "pull", "deliver"};
  record.attached(threads, tasks);
  const auto at = [](int us) {
    return st::timeline::clock::time_point(std::chrono::microseconds(us));
  };
  const auto put = [&](std::size_t thread, std::size_t task, std::size_t batch, int begin,
                       int end) {
    record.add(thread, {task, batch, at(begin), at(end)});
  };
  // `image` has two copies: the third batch is loaded when the first one is trained.
  const int loads[] = {100, 110, 144, 176};
  const int trains[] = {112, 144, 176, 208};
  for (std::size_t b = 0; b < 4; ++b) {
    put(0, 2, b, 60 + 10 * static_cast<int>(b), 65 + 10 * static_cast<int>(b));
    put(1, 0, b, loads[b], loads[b] + 10);
    put(2, 1, b, trains[b], trains[b] + 30);
  }
  return record;
}

}  // namespace

TEST_CASE("of a known run each thread's time is told by what it waited for") {
  const st::timeline record = known_run();
  const st::idle_times idle = st::idle_of<learning>(record);
  REQUIRE(idle.threads().size() == 3);
  const auto us = [](seconds s) { return std::lround(s.count() * 1e6); };
  const auto& io = idle.threads()[1];
  CHECK(us(io.total) == 86);
  CHECK(us(io.busy) == 40);
  REQUIRE(io.causes.size() == 1);
  CHECK(io.causes[0].task == "train");
  CHECK(io.causes[0].waiter == "load");
  CHECK(io.causes[0].why == "refills the copy of `image` that it used");
  CHECK(us(io.causes[0].time) == (142 - 120) + (174 - 154));
  CHECK(us(io.other) == 4);
  const auto& gpu = idle.threads()[2];
  CHECK(us(gpu.busy) == 120);
  CHECK(gpu.causes.empty());
  CHECK(us(gpu.other) == 6);
  const auto& caller = idle.threads()[0];
  CHECK(us(caller.in_source) == 20);
  CHECK(caller.busy.count() == 0);
  CHECK(idle.text().find(
            "thread `io` was busy 46.5 %\n"
            "  48.8 % waited for `train`, `load` refills the copy of `image` that it used\n"
            "  4.7 % handed over to, or interrupted\n"
            "thread `gpu` was busy 95.2 %\n"
            "  4.8 % handed over to, or interrupted\n") != std::string::npos);
}

TEST_CASE("a gap is nobody's time, and no wait is for what ran in it") {
  // As above, and from batch 100 on again; there `train` on batch 99 is not recorded, and batch 101
  // is loaded when that has ended.
  st::timeline record = known_run();
  const auto put = [&](std::size_t thread, std::size_t task, std::size_t batch, int begin,
                       int end) {
    const auto at = [](int us) {
      return st::timeline::clock::time_point(std::chrono::microseconds(10'000 + us));
    };
    record.add(thread, {task, batch, at(begin), at(end), 1});
  };
  const int loads[] = {100, 130, 162, 194};
  const int trains[] = {122, 154, 186, 218};
  for (std::size_t b = 0; b < 4; ++b) {
    put(0, 2, 100 + b, 60 + 10 * static_cast<int>(b), 65 + 10 * static_cast<int>(b));
    put(1, 0, 100 + b, loads[b], loads[b] + 10);
    put(2, 1, 100 + b, trains[b], trains[b] + 30);
  }
  const st::idle_times once = st::idle_of<learning>(known_run());
  const st::idle_times idle = st::idle_of<learning>(record);
  const auto us = [](seconds s) { return std::lround(s.count() * 1e6); };
  const auto& io = idle.threads()[1];
  CHECK(us(io.busy) == 80);
  REQUIRE(io.causes.size() == 1);
  // Batches 102 and 103 wait for `train` on 100 and 101, until 152 and 184.
  CHECK(us(io.causes[0].time) == us(once.threads()[1].causes[0].time) + (152 - 140) + (184 - 172));
  CHECK(us(io.other) == us(once.threads()[1].other) + 10 + 10);
  // 104, without the 20 before batch 101: what they were for is not known.
  CHECK(us(io.total) == us(once.threads()[1].total) + 104 - 20);
  const auto& gpu = idle.threads()[2];
  // 126, without the 2 before batch 101, whose copy of `loss` batch 99 had.
  CHECK(us(gpu.total) == us(once.threads()[2].total) + 126 - 2);
  CHECK(gpu.causes.empty());
  const std::vector<st::recorded_wait> waits = st::waits_of<learning>(record);
  REQUIRE(waits.size() == 4);
  CHECK(waits[2].awaited.batch == 100);
  CHECK(waits[2].waiting.batch == 102);
  CHECK(waits[3].waiting.batch == 103);
}

TEST_CASE("each wait of a known run is told, and an arrow in its trace") {
  const st::timeline record = known_run();
  const std::vector<st::recorded_wait> waits = st::waits_of<learning>(record);
  REQUIRE(waits.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(waits[i].awaited_thread == 2);
    CHECK(waits[i].awaited.task == 1);
    CHECK(waits[i].awaited.batch == i);
    CHECK(waits[i].waiting_thread == 1);
    CHECK(waits[i].waiting.task == 0);
    CHECK(waits[i].waiting.batch == i + 2);
    CHECK(waits[i].why == "refills the copy of `image` that it used");
  }
  const st::dynamic::planned_schedule planned(st::dynamic::from_types<learning>());
  CHECK(st::waits_of(planned, record).size() == 2);
  CHECK(st::waits_of<learning>(st::timeline()).empty());
  CHECK_THROWS_AS(static_cast<void>(st::waits_of<renamed>(record)), st::usage_error);

  std::ostringstream out;
  st::write_trace(out, record, waits);
  const std::string trace = out.str();
  // The first batch is trained from 112 to 142 µs, the third one loaded from 144 on.
  CHECK(
      trace.find(
          R"("ph":"s","bp":"e","pid":1,"tid":2,"id":1,"name":"wait","cat":"wait","ts":141.999)") !=
      std::string::npos);
  CHECK(
      trace.find(
          R"("ph":"f","bp":"e","pid":1,"tid":1,"id":1,"name":"wait","cat":"wait","ts":144.000)") !=
      std::string::npos);
  CHECK(trace.find(R"("why":"refills the copy of `image` that it used")") != std::string::npos);
}

TEST_CASE("of values it is what it is of types, and nothing of nothing") {
  const st::timeline record = known_run();
  const st::dynamic::planned_schedule planned(st::dynamic::from_types<learning>());
  CHECK(st::idle_of(planned, record).text() == st::idle_of<learning>(record).text());
  CHECK(st::idle_of(planned, record, st::barrier{}).text() ==
        st::idle_of<learning>(record, st::barrier{}).text());
  CHECK(st::idle_of<learning>(record, st::barrier{}).threads()[1].causes.size() >= 1);
  st::timeline empty = record;
  empty.clear();
  CHECK(st::idle_of<learning>(empty).text() ==
        "thread `caller` ran nothing\nthread `io` ran nothing\nthread `gpu` ran nothing\n");
}

TEST_CASE("a record of another schedule is refused, and one of none tells nothing") {
  const st::timeline record = known_run();
  CHECK_THROWS_AS(static_cast<void>(st::idle_of<renamed>(record)), st::usage_error);
  CHECK_THROWS_AS(static_cast<void>(st::idle_of<serial>(record)), st::usage_error);
  CHECK(st::idle_of<learning>(st::timeline()).threads().empty());
  CHECK(st::measured_costs(st::timeline()).empty());
}

TEST_CASE("a record whose beginning is missing is told from where it begins") {
  st::timeline all = known_run();
  st::timeline late;
  const std::vector<std::string_view> threads{"caller", "io", "gpu"};
  const std::vector<std::string_view> tasks{"load", "train", "pull", "deliver"};
  late.attached(threads, tasks);
  for (std::size_t t = 0; t < 3; ++t)
    for (st::timeline::span s : all.spans(t)) {
      s.batch += 1'000'000'000;
      late.add(t, s);
    }
  const st::idle_times idle = st::idle_of<learning>(late);
  const auto& io = idle.threads()[1];
  REQUIRE(io.causes.size() == 1);
  CHECK(io.causes[0].task == "train");
}

TEST_CASE("a run of a pipeline has all its time told") {
  st::pipeline<learning, st::timeline> pipeline;
  std::vector<int> files(200, 1);
  for ([[maybe_unused]] const int l : pipeline.run(files)) {
  }
  for (const auto& row : st::idle_of<learning>(pipeline.observer()).threads())
    CHECK(row.total.count() ==
          doctest::Approx((row.busy + row.in_source + row.waiting() + row.other).count()));
}

TEST_CASE("in virtual time a thread is busy, or waits for a task that ends when it goes on") {
  std::size_t waits = 0;
  std::size_t with_workers = 0;
  timed_plan::for_each(300, true, 11, [&](const timed_plan& p) {
    for (const bool meet : {false, true}) {
      const st::simulation run = p.simulated(12, meet);
      const st::timeline record = run.record();
      const st::planner::viewed_plan viewed(p.declared, p.plan);
      const st::planner::plan_view view = viewed.view();
      const st::idle_times idle = st::bound::detail::find_idle(view, record, meet);
      REQUIRE(idle.threads().size() == run.threads());
      for (const st::recorded_wait& w : st::bound::detail::find_waits(view, record, meet)) {
        CHECK(w.awaited.end == w.waiting.begin);
        CHECK(w.awaited_thread != w.waiting_thread);
      }
      for (std::size_t t = 0; t < run.threads(); ++t) {
        const auto& row = idle.threads()[t];
        CHECK(row.name == run.thread(t));
        CHECK((row.busy + row.in_source).count() * 1e9 == doctest::Approx(double(run.busy(t))));
        CHECK(row.other.count() == 0);
        CHECK(row.total.count() ==
              doctest::Approx((row.busy + row.in_source + row.waiting() + row.other).count()));
        waits += row.causes.size();
      }
      with_workers += run.threads() > p.plan.threads.names.size() ? 1U : 0U;
    }
  });
  CHECK(waits > 1000);
  CHECK(with_workers > 50);
}
