// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Results that are handed out in the order of a stream: the host does not wait for them, and their
// memory is filled again only when that stream has come past what was done with them.

#include <atomic>
#include <cstddef>
#include <string_view>
#include <thread>
#include <type_traits>
#include <vector>
#include "../../support/rest.hpp"
#include "fixture.hpp"

namespace {

using namespace on_recording;

struct raw : st::slot<long> {};
struct seen : st::slot<cell> {};
struct early : st::slot<cell> {};

struct compute {
  driver d;
  using stream = st::stream<"compute">;
  using reads = st::reads<raw>;
  using writes = st::writes<seen>;
  void operator()(recording::stream s, const long& in, cell& out) const {
    long* const to = out.data();
    d.enqueue(s, [in, to] { *to = 7 * in; }, "compute", {recording::writes(to, sizeof(long))});
  }
};

struct asynchronous
    : st::schedule<st::source<raw>, st::result<seen>, st::result_on<"user">,
                   st::streams<"compute", "user">, compute, st::slack<raw>, st::slack<seen>> {};
struct alone : st::replan<asynchronous, st::threads<st::on_caller>> {};
struct synchronous
    : st::schedule<st::source<raw>, st::result<seen>, st::streams<"compute", "user">,
                   st::threads<st::on_caller>, compute, st::slack<raw>, st::slack<seen>> {};

template <class Schedule>
std::vector<long> copied(fixture& f, std::size_t batches, recording::log* steady = nullptr) {
  std::vector<long> all(batches);
  tested::pipeline<Schedule, device> pipeline{f.d, compute{f.d}};
  const recording::stream user = pipeline.device().stream("user");
  f.w.name(user, "user");
  f.w.name(pipeline.device().stream("compute"), "compute");
  long next = 0;
  auto run = pipeline.run([&](long& into) {
    into = next++;
    return into < static_cast<long>(batches);
  });
  for (std::size_t b = 0; run.next(); ++b) {
    const long* const from = run.result().data();
    long* const to = &all[b];
    if constexpr (std::is_same_v<Schedule, synchronous>)
      *to = *from;  // has been computed; no stream may use it once the run goes on
    else
      f.d.enqueue(user, [from, to] { *to = *from; }, "user",
                  {recording::reads(from, sizeof(long))});
    if (steady != nullptr && b == 4) f.w.take_log();
    if (steady != nullptr && b == 5) *steady = f.w.take_log();
  }
  return all;
}

template <class Schedule>
void check() {
  with_each_seed(6, [](fixture& f, unsigned) {
    const std::vector<long> all = copied<Schedule>(f, 40);
    for (std::size_t b = 0; b < all.size(); ++b) CHECK(all[b] == 7 * static_cast<long>(b));
  });
}

TEST_CASE("a result is used in the order of its stream: a thread for each stream") {
  check<asynchronous>();
}
TEST_CASE("a result is used in the order of its stream: the calling thread") { check<alone>(); }

TEST_CASE("the host does not wait for it") {
  fixture f;
  recording::log steady;
  copied<alone>(f, 20, &steady);
  // Two copies of each: the stream waits for what was done with the last result but one.
  CHECK(steady.without({call::last_error}).text() ==
        "record(e2, user)\n"
        "synchronize_event(e1)\n"  // before the source fills its copy again: the last but one
        "wait(compute, e3)\n"
        "kernel(compute, \"compute\")\n"
        "record(e1, compute)\n"
        "wait(user, e1)\n"
        "kernel(user, \"user\")\n");
}

/// A copy a batch ahead: the last result comes through in the run's last progress.
struct ahead {
  driver d;
  static constexpr int lookahead = 1;
  using stream = st::stream<"memcpy">;
  using reads = st::reads<raw>;
  using writes = st::writes<early>;
  void operator()(recording::stream s, const long& in, cell& out) const {
    long* const to = out.data();
    d.enqueue(s, [in, to] { *to = in; }, "ahead", {recording::writes(to, sizeof(long))});
  }
};
struct behind {
  driver d;
  using stream = st::stream<"compute">;
  using reads = st::reads<early>;
  using writes = st::writes<seen>;
  void operator()(recording::stream s, const cell& in, cell& out) const {
    const long* const from = in.data();
    long* const to = out.data();
    d.enqueue(s, [from, to] { *to = 7 * *from; }, "behind",
              {recording::reads(from, sizeof(long)), recording::writes(to, sizeof(long))});
  }
};
struct deep : st::schedule<st::source<raw>, st::result<seen>, st::result_on<"user">,
                           st::streams<"memcpy", "compute", "user">, st::threads<st::on_caller>,
                           ahead, behind> {};

TEST_CASE("the last result of a run, too, is used before its memory is filled again") {
  fixture f;
  tested::pipeline<deep, device> pipeline{f.d, ahead{f.d}, behind{f.d}};
  const recording::stream user = pipeline.device().stream("user");
  std::vector<long> all;
  for (long run = 0; run < 3; ++run) {
    std::vector<long> of_run(3, -1);
    std::thread resuming;
    std::size_t b = 0;
    long next = 10 * run;
    for (const cell& r : pipeline.run([&](long& into) { return (into = next++) < 10 * run + 3; })) {
      const long* const from = r.data();
      long* const to = &of_run[b++];
      if (b == 3) f.w.pause(user);  // the last one is late
      f.d.enqueue(user, [from, to] { *to = *from; }, "user",
                  {recording::reads(from, sizeof(long))});
      if (b == 3)
        resuming = std::thread([&f, user] {
          tested::until_others_sleep();
          f.w.resume(user);
        });
    }
    // The run has waited for it.
    for (const long x : of_run) all.push_back(x);
    resuming.join();
  }
  CHECK(all == std::vector<long>{0, 7, 14, 70, 77, 84, 140, 147, 154});
  CHECK(f.breaches() == "");
}

TEST_CASE("so is that of a run that is still there when the next one begins") {
  fixture f;
  tested::pipeline<deep, device> pipeline{f.d, ahead{f.d}, behind{f.d}};
  const recording::stream user = pipeline.device().stream("user");
  const auto three_from = [](long next) {
    return [next, end = next + 3](long& into) mutable { return (into = next++) < end; };
  };
  std::vector<long> all(6, -1);
  std::size_t b = 0;
  const auto use = [&](const cell& r) {
    const long* const from = r.data();
    long* const to = &all[b++];
    f.d.enqueue(user, [from, to] { *to = *from; }, "user", {recording::reads(from, sizeof(long))});
  };
  auto first = pipeline.run(three_from(0));
  for (int i = 0; i < 3; ++i) {
    CHECK(first.next());
    if (i == 2) f.w.pause(user);  // the last one is late
    use(first.result());
  }
  std::thread resuming([&f, user] {
    tested::until_others_sleep();
    f.w.resume(user);
  });
  auto second = pipeline.run(three_from(10));
  CHECK(all[2] == 14);
  while (second.next()) use(second.result());
  resuming.join();
  CHECK(all == std::vector<long>{0, 7, 14, 70, 77, 84});
  CHECK(f.breaches() == "");
}

TEST_CASE("work on the last result of a run that fails is told by the run") {
  fixture f;
  tested::pipeline<deep, device> pipeline{f.d, ahead{f.d}, behind{f.d}};
  const recording::stream user = pipeline.device().stream("user");
  std::size_t b = 0;
  long next = 0;
  try {
    for ([[maybe_unused]] const cell& r :
         pipeline.run([&](long& into) { return (into = next++) < 3; }))
      if (++b == 3) f.d.enqueue_failing(user, status::assertion, "user");
    FAIL("nothing was thrown");
  } catch (const st::task_error& e) {
    CHECK(e.task() == "deliver");
    CHECK(std::string_view(e.what()).find("device-side assert") != std::string_view::npos);
  }
  CHECK(b == 3);
  CHECK(pipeline.report().end == st::run_end::failed);
  CHECK(pipeline.report().finished == 3);
  CHECK_THROWS_AS(static_cast<void>(pipeline.run([](long&) { return false; })), st::usage_error);
}

TEST_CASE("without that, it does") {
  fixture f;
  recording::log steady;
  const std::vector<long> all = copied<synchronous>(f, 20, &steady);
  for (std::size_t b = 0; b < all.size(); ++b) CHECK(all[b] == 7 * static_cast<long>(b));
  CHECK(steady.count(call::synchronize_event) > 0);
  CHECK(steady.count(call::wait) == 0);
}

TEST_CASE("an error of the event that releases a result is told when the run ends") {
  for (std::size_t nth = 1; nth < 6; nth += 2) {  // records are of `compute` and results in turn
    fixture f;
    f.w.fail(call::record, nth, status::invalid_value);
    CHECK_THROWS_AS(copied<alone>(f, 3), st::task_error);
    CHECK(f.leaks() == "");
  }
}

// Nothing of a stream's comes to a host task.
struct look {
  using reads = st::reads<raw>;
  void operator()(const long& /*in*/) const {}
};
struct tick {
  driver d;
  using stream = st::stream<"compute">;
  using writes = st::writes<seen>;
  void operator()(recording::stream s, cell& out) const {
    long* const to = out.data();
    d.enqueue(s, [to] { *to = 1; }, "tick", {recording::writes(to, sizeof(long))});
  }
};
struct apart {
  driver d;
  using stream = st::stream<"user">;
  void operator()(recording::stream s) const {
    d.enqueue(
        s, [] {}, "apart");
  }
};
struct unwatched : st::schedule<st::source<raw>, st::result<seen>, st::result_on<"compute">,
                                st::streams<"compute", "user">, look, tick, apart> {};
struct unwatched_alone : st::replan<unwatched, st::threads<st::on_caller>> {};

template <class Schedule>
void check_bound(std::string_view paused) {
  constexpr long batches = 300;
  fixture f;
  tested::pipeline<Schedule, device> pipeline{f.d, tick{f.d}, apart{f.d}};
  const recording::stream s = pipeline.device().stream(paused);
  f.w.pause(s);
  std::atomic<long> handed_out = 0;
  std::atomic<bool> resumed = false;
  std::thread resuming([&] {
    tested::until_others_sleep();
    CHECK(handed_out <= static_cast<long>(st::plan_of<Schedule>.in_flight()) + 1);
    resumed = true;
    f.w.resume(s);
  });
  long next = 0;
  for ([[maybe_unused]] const cell& r :
       pipeline.run([&](long& into) { return (into = next++) < batches; }))
    ++handed_out;
  CHECK(resumed);
  resuming.join();
  CHECK(handed_out == batches);
  CHECK(f.breaches() == "");
}

TEST_CASE("the host does not run ahead without end where it waits for nothing") {
  for (const std::string_view paused : {"compute", "user"}) {
    CAPTURE(paused);
    check_bound<unwatched>(paused);
    check_bound<unwatched_alone>(paused);
  }
}

// On the stream of the results there is a task, further ahead, that `finish` waits for by way of
// the delivery before: when there is none yet, too.
struct noted : st::slot<cell> {};
struct finished : st::slot<cell> {};
struct note {
  driver d;
  static constexpr int lookahead = 1;
  using stream = st::stream<"user">;
  using reads = st::reads<raw>;
  using writes = st::writes<noted>;
  void operator()(recording::stream s, const long& in, cell& out) const {
    long* const to = out.data();
    d.enqueue(s, [in, to] { *to = 7 * in; }, "note", {recording::writes(to, sizeof(long))});
  }
};
struct finish {
  driver d;
  using stream = st::stream<"compute">;
  using reads = st::reads<noted>;
  using writes = st::writes<finished>;
  void operator()(recording::stream s, const cell& in, cell& out) const {
    const long* const from = in.data();
    long* const to = out.data();
    d.enqueue(s, [from, to] { *to = *from + 1; }, "finish",
              {recording::reads(from, sizeof(long)), recording::writes(to, sizeof(long))});
  }
};
struct by_way_of_results
    : st::schedule<st::source<raw>, st::result<finished>, st::result_on<"user">,
                   st::streams<"compute", "user">, st::slack<raw, 2>, st::frugal, note, finish> {};

TEST_CASE("waits lead through results that there are none of yet") {
  fixture f;
  std::vector<long> all(20);
  tested::pipeline<by_way_of_results, device> p{f.d, note{f.d}, finish{f.d}};
  const recording::stream user = p.device().stream("user");
  f.w.name(user, "user");
  f.w.name(p.device().stream("compute"), "compute");
  long next = 0;
  auto run = p.run([&](long& into) {
    into = next++;
    return into < static_cast<long>(all.size());
  });
  for (std::size_t b = 0; run.next(); ++b) {
    const long* const from = run.result().data();
    long* const to = &all[b];
    f.d.enqueue(user, [from, to] { *to = *from; }, "user", {recording::reads(from, sizeof(long))});
  }
  for (std::size_t b = 0; b < all.size(); ++b) CHECK(all[b] == 7 * static_cast<long>(b) + 1);
  CHECK(f.breaches() == "");
}

}  // namespace
