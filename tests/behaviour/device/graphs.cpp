// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Steady progresses replayed as graphs: what is captured, once for each place in the turn of the
// slots' copies, what is launched from then on, and what cannot be captured.

#include <atomic>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>
#include "fixture.hpp"

namespace {

using namespace on_recording;

using replaying = st::device::backend<driver, true>;

struct raw : st::slot<pinned_cell> {};
struct batch : st::slot<cell> {};
struct activation : st::slot<cell> {};
struct loss : st::slot<pinned_cell> {};

/// How often bodies were called, and which one is to throw at which call.
struct calls {
  std::atomic<int> made{0};
  std::atomic<int> throws_at{-1};
};

/// A body that takes its stream only.
struct step {
  driver d;
  calls* count;

  template <class In, class Out>
  void put(recording::stream s, const char* name, const In& in, Out& out) const {
    if (count->made++ == count->throws_at) throw std::runtime_error("the body gave up");
    const long* from = in.data();
    long* to = out.data();
    d.enqueue(s, [name, from, to] { *to = made_by(name, {*from}); }, name,
              {recording::reads(from, sizeof(long)), recording::writes(to, sizeof(long))});
  }
};

struct upload : step {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw>;
  using writes = st::writes<batch>;
  void operator()(recording::stream s, const pinned_cell& in, cell& out) const {
    put(s, "upload", in, out);
  }
};
struct forward : step {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<activation>;
  void operator()(recording::stream s, const cell& in, cell& out) const {
    put(s, "forward", in, out);
  }
};
struct backward : step {
  using stream = st::stream<"compute">;
  using reads = st::reads<activation>;
  using writes = st::writes<loss>;
  void operator()(recording::stream s, const cell& in, pinned_cell& out) const {
    put(s, "backward", in, out);
  }
};

struct training
    : st::schedule<st::source<raw>, st::result<loss>, st::streams<"memcpy", "compute">, upload,
                   forward, backward, st::slack<raw>, st::slack<batch>, st::slack<loss>> {};
struct alone : st::replan<training, st::threads<st::on_caller>> {};
/// Graphs that span both streams would have each upload wait for the batch before it.
struct one_by_one
    : st::replan<training, st::threads<st::on_caller>, st::place<upload, st::lookahead<1>>,
                 st::place<forward, st::lookahead<1>>, st::place<backward, st::lookahead<1>>> {};

long expected(std::size_t number) {
  return made_by("backward", {made_by("forward", {made_by("upload", {number_of_batch(number)})})});
}

template <class Schedule, class Device = replaying>
struct subject : fixture {
  calls count;
  /// A serial plan that is a value has one stream, of another name.
  static constexpr bool has_streams =
      !tested::runtime_version || !st::typed::declared<Schedule>::is_serial;
  tested::pipeline<Schedule, Device> pipeline{
      d, upload{{d, &count}}, forward{{d, &count}}, backward{{d, &count}},
      has_streams ? streams{{"memcpy"}, {"compute"}} : streams{}};

  subject() {
    if (!has_streams) return;
    w.name(pipeline.device().stream("memcpy"), "memcpy");
    w.name(pipeline.device().stream("compute"), "compute");
  }
  void check_run(std::size_t batches) {
    const std::vector<long> all = results(pipeline, w, batches);
    REQUIRE(all.size() == batches);
    for (std::size_t b = 0; b < batches; ++b) CHECK(all[b] == expected(b));
    CHECK(breaches() == "");
  }
};

template <class Schedule>
void check_replays() {
  for (unsigned seed = 0; seed <= 4; ++seed) {
    subject<Schedule> s;
    if (seed > 0) s.w.jitter(seed);
    s.check_run(40);
    const int called = s.count.made;
    CHECK(called < 60);  // of 120 if nothing were replayed
    s.check_run(40);
    CHECK(s.count.made - called < 15);  // prefill and drain only, and what no steady one came to
    CHECK(s.pipeline.device().left_out().empty());
  }
}

TEST_CASE("results are those of streams: on the calling thread") { check_replays<alone>(); }
TEST_CASE("results are those of streams: a thread for each stream") { check_replays<training>(); }
TEST_CASE("results are those of streams: one batch after the other") {
  check_replays<st::serial<training>>();
}

/// The progress in which something is captured on a stream for the first time.
template <class Run>
recording::log first_capture(recording::world& w, Run& run, const char* stream) {
  recording::log all;
  for (int i = 0; i < 40 && all.on(stream).count(call::begin_capture) == 0; ++i) {
    w.take_log();
    run.progress();
    all = w.take_log();
  }
  return all;
}

TEST_CASE("a graph holds the tasks of a stream that nothing stands between") {
  subject<one_by_one> s;
  auto run = s.pipeline.run(numbers(s.w, 100));
  const recording::log copies = first_capture(s.w, run, "memcpy");
  CHECK(copies.without({call::last_error, call::synchronize_event}).text() ==
        "begin_capture(memcpy)\n"
        "kernel(memcpy, \"upload\")\n"
        "end_capture(memcpy, g0)\n"
        "instantiate(x0, g0)\n"
        "destroy_graph(g0)\n"
        "launch(x0, memcpy)\n"
        "record(e0, memcpy)\n"
        "wait(compute, e0)\n"
        "kernel(compute, \"forward\")\n"
        "kernel(compute, \"backward\")\n"
        "record(e1, compute)\n");
  const recording::log work = first_capture(s.w, run, "compute");
  CHECK(work.without({call::last_error, call::synchronize_event}).text() ==
        "launch(x0, memcpy)\n"
        "record(e0, memcpy)\n"
        "wait(compute, e0)\n"
        "begin_capture(compute)\n"
        "kernel(compute, \"forward\")\n"
        "kernel(compute, \"backward\")\n"
        "end_capture(compute, g2)\n"
        "instantiate(x2, g2)\n"
        "destroy_graph(g2)\n"
        "launch(x2, compute)\n"
        "record(e1, compute)\n");
}

TEST_CASE("one executable for each place in the turn, and then only launches") {
  // `upload` uses 2 copies of `raw` and 3 of `batch`; the others 3, 1 and 2.
  static_assert(st::copies_of<alone, raw> == 2);
  static_assert(st::copies_of<alone, batch> == 3);
  static_assert(st::copies_of<alone, loss> == 2);
  subject<alone> s;  // one graph spans both streams
  auto run = s.pipeline.run(numbers(s.w, 100));
  for (int i = 0; i < 2 + 2 * 6; ++i) run.progress();
  const int called = s.count.made;
  s.w.take_log();
  for (int i = 0; i < 6; ++i) run.progress();
  CHECK(s.count.made == called);
  const recording::log all = s.w.take_log();
  CHECK(all.count(call::launch) == 6);
  CHECK(all.without({call::launch, call::record, call::synchronize_event}).text().empty());
  CHECK(all.count(call::begin_capture) == 0);
  CHECK(all.count(call::last_error) == 0);  // a launch says itself what is wrong
  CHECK(all.count(call::create_event) == 0);
  CHECK(s.pipeline.device().graph_count() == 6);
}

/// One of the tasks asks for its batch.
struct counting : step {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<activation>;
  void operator()(st::context auto& ctx, const cell& in, cell& out) const {
    CHECK(ctx.batch() < 1000);
    put(ctx.stream(), "forward", in, out);
  }
};
struct with_counting
    : st::schedule<st::source<raw>, st::result<loss>, st::streams<"memcpy", "compute">,
                   st::threads<st::on_caller>, upload, counting, backward> {};

TEST_CASE("a task that asks for its batch is called each time, and the reason is told") {
  fixture f;
  calls count;
  calls counted;
  tested::pipeline<with_counting, replaying> pipeline{
      f.d, upload{{f.d, &count}}, counting{{f.d, &counted}}, backward{{f.d, &count}}};
  CHECK(results(pipeline, f.w, 30).back() == expected(29));
  CHECK(counted.made == 30);
  CHECK(count.made < 20);
  const auto out = pipeline.device().left_out();
  REQUIRE(out.size() == 1);
  CHECK(out[0].task == "counting");
  CHECK(out[0].reason ==
        "its body takes the context, which tells the batch; let it take the stream instead");
}

/// Takes a context whose parameter is not constrained to be one.
struct counting_anyhow : step {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<activation>;
  void operator()(auto& ctx, const auto& in, auto& out) const {
    CHECK(ctx.batch() < 1000);
    put(ctx.stream(), "forward", in, out);
  }
};
struct with_anyhow
    : st::schedule<st::source<raw>, st::result<loss>, st::streams<"memcpy", "compute">,
                   st::threads<st::on_caller>, upload, counting_anyhow, backward> {};

TEST_CASE("so is one that takes whatever it gets") {
  fixture f;
  calls count;
  calls counted;
  tested::pipeline<with_anyhow, replaying> pipeline{
      f.d, upload{{f.d, &count}}, counting_anyhow{{f.d, &counted}}, backward{{f.d, &count}}};
  CHECK(results(pipeline, f.w, 30).back() == expected(29));
  CHECK(counted.made == 30);
}

TEST_CASE("what the runtime refuses to capture is called each time, and the reason is told") {
  for (const call refused : {call::end_capture, call::instantiate}) {
    subject<one_by_one> s;
    // After those of `upload`, the graph of `forward` and `backward`, and in the next progress.
    s.w.fail(refused, 2, status::invalid_value);
    s.w.fail(refused, 3, status::invalid_value);
    s.check_run(30);
    const auto out = s.pipeline.device().left_out();
    REQUIRE(out.size() == 2);
    CHECK(out[0].task == "forward");
    CHECK(out[1].task == "backward");
    CHECK(out[0].reason.find(driver::call_name(refused)) == 0);
    CHECK(s.count.made > 2 * 30);
  }
}

TEST_CASE("what the runtime refuses to capture once is captured later") {
  for (const call refused : {call::begin_capture, call::end_capture, call::instantiate}) {
    subject<alone> s;
    s.w.fail(refused, 1, status::invalid_value);
    s.check_run(40);
    CHECK(s.w.faults_left() == 0);
    CHECK(s.pipeline.device().left_out().empty());
    CHECK(s.pipeline.device().graph_count() == 6);
  }
}

TEST_CASE("what changed in a task is seen when its graphs are made anew") {
  subject<alone> s;
  calls other;
  s.check_run(40);
  s.pipeline.task<forward>().count = &other;
  s.check_run(40);
  const int called = other.made;
  CHECK(called < 5);
  s.pipeline.device().forget_graphs();
  CHECK(s.pipeline.device().graph_count() == 0);
  s.check_run(40);
  CHECK(other.made - called >= 2 * 6);  // each place once called and once captured
  CHECK(s.pipeline.device().graph_count() == 6);
}

TEST_CASE("a body that throws while it is captured fails as it would otherwise") {
  subject<alone> s;
  // `upload` once, the seven progresses before any capture, `upload`, and `forward`.
  s.count.throws_at = 1 + 7 * 3 + 2;
  std::string what;
  try {
    results(s.pipeline, s.w, 30);
  } catch (const st::task_error& e) {
    what = e.what();
    CHECK(e.task() == "backward");
  }
  CHECK(what.find("the body gave up") != std::string::npos);
  const recording::log all = s.w.take_log();
  CHECK(all.count(call::begin_capture) == 1);
  CHECK(all.count(call::instantiate) == 0);
  CHECK(s.breaches() == "");
  s.pipeline.reset();
  s.check_run(30);
}

TEST_CASE("nothing is left behind") {
  fixture f;
  {
    calls count;
    tested::pipeline<alone, replaying> pipeline{f.d, upload{{f.d, &count}}, forward{{f.d, &count}},
                                                backward{{f.d, &count}}};
    results(pipeline, f.w, 20);
  }
  CHECK(f.leaks() == "");
  CHECK(f.breaches() == "");
}

}  // namespace
