// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs that do not come to their end while streams still work: left, stopped, thrown out of, with
// kernels that are refused or fail. Whoever gets control back finds the streams done.

#include <cstddef>
#include <latch>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>
#include "../../support/rest.hpp"
#include "fixture.hpp"

namespace {

using namespace on_recording;

constexpr std::size_t batches = 6;

/// What goes wrong, where and when.
struct script {
  enum class kind { nothing, throws, throws_late, refused, fails };
  kind what = kind::nothing;
  std::string_view task{};
  std::size_t batch = 0;
  status how = status::assertion;
  std::latch* gate = nullptr;  // what every kernel waits for

  bool at(const auto& c) const { return task == c.task() && batch == c.batch(); }
  void before(const auto& c) const {
    if (what == kind::throws && at(c)) throw std::runtime_error("planned");
    if (what == kind::refused && at(c)) c.driver().enqueue_refused(c.stream(), how, "refused");
    if (what == kind::fails && at(c)) c.driver().enqueue_failing(c.stream(), how, "failing");
    if (gate != nullptr)
      c.driver().enqueue(
          c.stream(), [g = gate] { g->wait(); }, "gate");
  }
  void after(const auto& c) const {
    if (what == kind::throws_late && at(c)) throw std::runtime_error("planned");
  }
};

struct raw : st::slot<pinned_cell> {};
struct loaded : st::slot<cell> {};
struct worked : st::slot<pinned_cell> {};
struct seen : st::slot<long> {};

struct load {
  using stream = st::stream<"a">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw>;
  using writes = st::writes<loaded>;
  const script& s;
  void operator()(st::context auto& c, const pinned_cell& in, cell& out) const {
    s.before(c);
    kernel(c, {out.data()}, {in.data()});
    s.after(c);
  }
};
struct work {
  using stream = st::stream<"b">;
  using reads = st::reads<loaded>;
  using writes = st::writes<worked>;
  const script& s;
  void operator()(st::context auto& c, const cell& in, pinned_cell& out) const {
    s.before(c);
    kernel(c, {out.data()}, {in.data()});
    s.after(c);
  }
};
struct look {
  using reads = st::reads<worked>;
  using writes = st::writes<seen>;
  const script& s;
  recording::world& w;
  void operator()(st::context auto& c, const pinned_cell& in, long& out) const {
    if (s.what == script::kind::throws && s.at(c)) throw std::runtime_error("planned");
    w.host_reads(in.data(), sizeof(long));
    out = in[0];
  }
};

struct line
    : st::schedule<st::source<raw>, st::result<seen>, st::streams<"a", "b">, load, work, look> {};
struct alone : st::replan<line, st::threads<st::on_caller>> {};

long expected(std::size_t b) { return made_by("work", {made_by("load", {number_of_batch(b)})}); }

template <class Schedule>
struct subject : fixture {
  explicit subject(unsigned seed) {
    if (seed != 0) w.jitter(seed);
    pipeline.emplace(load{s}, work{s}, look{s, w}, d);
  }
  ~subject() {
    s = {};
    pipeline.reset();
    CHECK(breaches().empty());
    CHECK(leaks().empty());
  }
  void check_run() {
    s = {};
    std::size_t b = 0;
    for (const long r : pipeline->run(numbers(w, batches))) CHECK(r == expected(b++));
    CHECK(b == batches);
    CHECK(breaches().empty());
  }
  /// Runs to a failure of \p task, and on after it.
  std::string check_failure(std::string_view task, std::size_t batch) {
    std::size_t b = 0;
    std::string what;
    try {
      for (const long r : pipeline->run(numbers(w, batches))) CHECK(r == expected(b++));
    } catch (const st::task_error& e) {
      what = e.what();
      CHECK(e.task() == task);
      CHECK(e.batch() == batch);
      CHECK(w.idle());
    }
    CHECK(b <= batch);
    CHECK(b == pipeline->report().finished);  // what was complete came first
    CHECK(pipeline->report().end == st::run_end::failed);
    pipeline->reset();
    check_run();
    return what;
  }

  script s;
  std::optional<tested::pipeline<Schedule, device>> pipeline;
};

template <class Schedule>
void check_leaving() {
  for (unsigned seed = 0; seed < 3; ++seed) {
    subject<Schedule> s(seed);
    for (std::size_t results = 0; results < batches; ++results) {
      CAPTURE(results);
      {
        auto run = s.pipeline->run(numbers(s.w, batches));
        for (std::size_t b = 0; b < results; ++b) CHECK(run.next());
      }
      CHECK(s.w.idle());
      CHECK(s.breaches().empty());
      CHECK(s.pipeline->report().end == st::run_end::left_early);
      CHECK(s.pipeline->report().delivered == results);
    }
    s.check_run();
  }
}
TEST_CASE("left after any number of results: on the calling thread") { check_leaving<alone>(); }
TEST_CASE("left after any number of results: a thread for each stream") { check_leaving<line>(); }

TEST_CASE("leaving waits for kernels that were submitted") {
  subject<alone> s(0);
  std::latch gate(1);
  s.s.gate = &gate;
  std::jthread opens;
  {
    auto run = s.pipeline->run(numbers(s.w, batches));
    CHECK_FALSE(run.progress());  // `load` has submitted the first batch
    CHECK_FALSE(s.w.idle());
    opens = std::jthread([&] {
      tested::until_others_sleep();
      gate.count_down();
    });
  }
  CHECK(s.w.idle());
  CHECK(s.w.ran() == std::vector<std::string>{"gate", "load b0"});
}

template <class Schedule>
void check_thrown() {
  for (unsigned seed = 0; seed < 3; ++seed) {
    for (std::size_t batch = 0; batch < batches; ++batch) {
      for (const std::string_view task : {"load", "work", "look"}) {
        subject<Schedule> s(seed);
        s.s = {.what = script::kind::throws, .task = task, .batch = batch};
        CHECK(s.check_failure(task, batch).find("planned") != std::string::npos);
        if (task == "look") continue;
        s.s = {.what = script::kind::throws_late, .task = task, .batch = batch};
        CHECK(s.check_failure(task, batch).find("planned") != std::string::npos);
      }
    }
  }
}
TEST_CASE("a body throws: on the calling thread") { check_thrown<alone>(); }
TEST_CASE("a body throws: a thread for each stream") { check_thrown<line>(); }

template <class Schedule>
void check_refused() {
  for (std::size_t batch = 0; batch < batches; ++batch) {
    for (const std::string_view task : {"load", "work"}) {
      CAPTURE(batch);
      CAPTURE(std::string(task));
      subject<Schedule> s(1);
      s.s = {.what = script::kind::refused,
             .task = task,
             .batch = batch,
             .how = status::invalid_configuration};
      const std::string what = s.check_failure(task, batch);
      CHECK(what.find("invalid configuration argument") != std::string::npos);
      CHECK(what.find("the device is lost") == std::string::npos);
    }
  }
}
TEST_CASE("a kernel is refused: the error names the task that launched it") {
  check_refused<alone>();
  check_refused<line>();
}

template <class Schedule>
void check_failing() {
  for (unsigned seed = 0; seed < 3; ++seed) {
    for (const std::size_t batch : {std::size_t{0}, std::size_t{3}, batches - 1}) {
      for (const std::string_view task : {"load", "work"}) {
        subject<Schedule> s(seed);
        s.s = {.what = script::kind::fails, .task = task, .batch = batch};
        std::string what;
        std::size_t b = 0;
        try {
          for (const long r : s.pipeline->run(numbers(s.w, batches))) CHECK(r == expected(b++));
        } catch (const std::exception& e) {
          what = e.what();
        }
        CHECK(b <= batch);
        CHECK(what.find("device-side assert triggered") != std::string::npos);
        CHECK(what.find("work submitted earlier may have caused it") != std::string::npos);
        CHECK(s.w.idle());
        s.s = {};
        s.pipeline->reset();
        for (int again = 0; again < 2; ++again) {
          CHECK_THROWS_AS(s.check_run(), std::exception);
          s.pipeline->reset();
        }
      }
    }
  }
}
TEST_CASE("a kernel fails while it runs: on the calling thread") { check_failing<alone>(); }
TEST_CASE("a kernel fails while it runs: a thread for each stream") { check_failing<line>(); }

template <class Schedule>
void check_stopping() {
  for (unsigned seed = 0; seed < 3; ++seed) {
    subject<Schedule> s(seed);
    for (std::size_t results = 0; results < batches; ++results) {
      std::stop_source stop;
      std::size_t b = 0;
      if (results == 0) stop.request_stop();
      for (const long r : s.pipeline->run(numbers(s.w, batches), stop.get_token())) {
        CHECK(r == expected(b++));
        if (b == results) stop.request_stop();
      }
      CHECK(b >= results);
      CHECK(s.w.idle());
      CHECK(s.pipeline->report().finished == b);

      std::stop_source abandon;
      b = 0;
      if (results == 0) abandon.request_stop();
      for (const long r :
           s.pipeline->run(numbers(s.w, batches), st::cancel_on(abandon.get_token()))) {
        CHECK(r == expected(b++));
        if (b == results) abandon.request_stop();
      }
      CHECK(s.w.idle());
      CHECK(s.breaches().empty());
    }
    s.check_run();
  }
}
TEST_CASE("a stop is requested: on the calling thread") { check_stopping<alone>(); }
TEST_CASE("a stop is requested: a thread for each stream") { check_stopping<line>(); }

TEST_CASE("the source throws while streams work") {
  subject<line> s(2);
  std::size_t b = 0;
  numbers all(s.w, batches);
  const auto source = [&](pinned_cell& into) {
    if (++b == 4) throw std::runtime_error("no more");
    return all(into);
  };
  CHECK_THROWS_AS(
      [&] {
        for (const long r : s.pipeline->run(source)) static_cast<void>(r);
      }(),
      st::task_error);
  CHECK(s.w.idle());
  s.pipeline->reset();
  s.check_run();
}

}  // namespace
