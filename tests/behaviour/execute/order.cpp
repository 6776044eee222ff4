// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// M batches in, M results out, in order: for every thread map, and for every way in which a
// schedule can order its tasks.

#include <doctest/doctest.h>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>
#include "../../support/tested.hpp"
#include "deadline.hpp"

namespace {

namespace st = stretto;

/// Takes long enough for a task that does not wait for this one to get ahead of it.
void dawdle() { std::this_thread::sleep_for(std::chrono::microseconds(50)); }

constexpr std::size_t counts[] = {0, 1, 2, 3, 5, 8, 100};

std::vector<int> numbers(std::size_t count) {
  std::vector<int> result(count);
  for (std::size_t b = 0; b < count; ++b) result[b] = static_cast<int>(b) * 7 + 1;
  return result;
}

// A miniature training loop. Its result depends on every batch before, so that an order other than
// the declared one shows in the numbers.

struct raw : st::slot<int> {};
struct copied : st::slot<int> {};
struct keys : st::slot<std::vector<int>> {};
struct loss : st::slot<long> {};
struct gradient : st::slot<long> {};
struct weights : st::resource<> {};

struct upload {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 2;
  using reads = st::reads<raw>;
  using writes = st::writes<copied>;
  void operator()(const int& in, int& out) const { out = in; }
};
struct distribute {
  using stream = st::stream<"distribution">;
  static constexpr int lookahead = 1;
  using reads = st::reads<copied>;
  using writes = st::writes<keys>;
  void operator()(const int& in, std::vector<int>& out) const { out = {in, in + 1}; }
};
struct clear {
  using stream = st::stream<"compute">;
  using mutates = st::mutates<weights>;
  long* sum;
  void operator()() const { *sum = 0; }
};
struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<copied, keys>;
  using writes = st::writes<loss>;
  using depends_on = st::depends_on<clear>;
  using observes = st::observes<weights>;
  const long* weight;
  void operator()(const int& in, const std::vector<int>& k, long& out) const {
    out = in * *weight + k.at(0) - 2 * k.at(1);
  }
};
struct backward {
  using stream = st::stream<"compute">;
  using reads = st::reads<loss>;
  using writes = st::writes<gradient>;
  using mutates = st::mutates<weights>;
  long* sum;
  void operator()(const long& in, long& out) const { *sum += out = in % 1000; }
};
struct step {
  using stream = st::stream<"compute">;
  using depends_on = st::depends_on<backward>;
  using mutates = st::mutates<weights>;
  long* weight;
  const long* sum;
  void operator()() const { *weight = (*weight * 3 + *sum) % 10007; }
};

struct training : st::schedule<st::source<raw>, st::result<loss>,
                               st::streams<"memcpy", "distribution", "compute">, upload, distribute,
                               clear, forward, backward, step> {};

std::vector<long> expected_losses(const std::vector<int>& batches) {
  std::vector<long> losses;
  long weight = 1;
  for (const int in : batches) {
    losses.push_back(in * weight + in - 2 * (in + 1));
    weight = (weight * 3 + losses.back() % 1000) % 10007;
  }
  return losses;
}

template <class Schedule, class... Options>
auto train() {
  struct model {
    long weight = 1;
    long sum = 0;
  };
  struct trainer {
    std::unique_ptr<model> state = std::make_unique<model>();
    tested::pipeline<Schedule, Options...> pipeline{clear{&state->sum}, forward{&state->weight},
                                                    backward{&state->sum},
                                                    step{&state->weight, &state->sum}};
  };
  return std::make_unique<trainer>();
}

template <class Schedule, class... Options>
void check_training() {
  const deadline limit("a training run");
  auto trainer = train<Schedule, Options...>();
  for (const std::size_t count : counts) {
    CAPTURE(count);
    *trainer->state = {};
    std::vector<long> losses;
    for (const long l : trainer->pipeline.run(numbers(count))) losses.push_back(l);
    CHECK(losses == expected_losses(numbers(count)));
    const auto& report = trainer->pipeline.report();
    CHECK(report.pulled == count);
    CHECK(report.finished == count);
    CHECK(report.delivered == count);
    CHECK(report.in_flight.empty());
    CHECK(report.failures.empty());
  }
}

constexpr std::string_view odd_or_even(const st::planner::task& t) {
  if (t.id.text == "forward") return "";  // by stream
  return t.id.text.size() % 2 == 0 ? "even" : "odd";
}

TEST_CASE("threads: sequential, on the calling thread") {
  check_training<st::replan<training, st::threads<st::on_caller>>>();
}
TEST_CASE("threads: the serial plan") { check_training<st::serial<training>>(); }
TEST_CASE("threads: by stream") { check_training<training>(); }
TEST_CASE("threads: by stream, meeting after every progress") {
  check_training<training, st::barrier>();
}
TEST_CASE("threads: per task") {
  check_training<st::replan<training, st::threads<st::per_task>>>();
}
TEST_CASE("threads: groups, the calling thread runs one of them") {
  using grouped = st::replan<training,
                             st::threads<st::group<"io", upload, distribute>,
                                         st::group<"math", clear, forward, backward, step>>,
                             st::caller_runs<"math">>;
  static_assert(st::plan_of<grouped>.threads == 2);
  check_training<grouped>();
}
TEST_CASE("threads: chosen by a function") {
  using chosen = st::replan<training, st::threads<st::chosen_by<odd_or_even>>>;
  static_assert(st::plan_of<chosen>.threads == 4);  // caller, even, odd, compute
  check_training<chosen>();
}
TEST_CASE("threads: the source on a thread of its own, further ahead than any task") {
  using fed =
      st::replan<st::schedule<st::source<raw, st::lookahead<5>, st::thread<"reader">>,
                              st::result<loss>, st::streams<"memcpy", "distribution", "compute">,
                              upload, distribute, clear, forward, backward, step>>;
  static_assert(st::copies_of<fed, raw> == 4);
  static_assert(st::in_flight<fed> == 6);
  check_training<fed>();
  check_training<st::replan<fed, st::threads<st::per_task>>>();
}
TEST_CASE("threads: a task placed elsewhere, on another stream and further ahead") {
  using placed = st::replan<
      training, st::place<distribute, st::lookahead<2>, st::stream<"memcpy">, st::thread<"aside">>>;
  static_assert(st::copies_of<placed, keys> == 3);
  check_training<placed>();
}

// Several results, or none.

struct doubled : st::slot<int> {};
struct text : st::slot<std::string> {};
struct double_it {
  static constexpr int lookahead = 1;
  using reads = st::reads<raw>;
  using writes = st::writes<doubled>;
  void operator()(const int& in, int& out) const { out = 2 * in; }
};
struct spell {
  using reads = st::reads<doubled>;
  using writes = st::writes<text>;
  void operator()(const int& in, std::string& out) const { out = std::to_string(in); }
};

TEST_CASE("results: a tuple of references if there are several slots") {
  // Host tasks: no stream orders them, only their slots.
  using schedule = st::schedule<st::source<raw>, st::result<text, raw, doubled>, double_it, spell>;
  static_assert(st::copies_of<schedule, raw> == 2);
  const deadline limit("tuple results");
  const auto check = [](auto&& pipeline) {
    for (const std::size_t count : counts) {
      std::size_t batch = 0;
      for (auto&& [t, r, d] : pipeline.run(numbers(count))) {
        const int in = numbers(count)[batch++];
        CHECK(r == in);
        CHECK(d == 2 * in);
        CHECK(t == std::to_string(2 * in));
        t.clear();  // the user may take it, or change it
        d = -1;
      }
      CHECK(batch == count);
    }
  };
  check(tested::pipeline<schedule>());
  check(tested::pipeline<st::replan<schedule, st::threads<st::per_task>>>());
  check(tested::pipeline<st::serial<schedule>>());
}

TEST_CASE("results: without a result slot, the number of the batch") {
  struct numbered : st::schedule<st::source<raw>, double_it, spell> {};
  const deadline limit("numbered results");
  tested::pipeline<st::replan<numbered, st::threads<st::per_task>>> pipeline;
  for (const std::size_t count : counts) {
    std::size_t batch = 0;
    for (const std::size_t b : pipeline.run(numbers(count))) CHECK(b == batch++);
    CHECK(batch == count);
  }
}

// Every number of copies up to eight, each found at every lag.

template <int Lookahead>
struct held : st::slot<int> {};
template <int Lookahead>
struct hold {
  static constexpr int lookahead = Lookahead;
  using reads = st::reads<raw>;
  using writes = st::writes<held<Lookahead>>;
  void operator()(const int& in, int& out) const { out = in + Lookahead; }
};

TEST_CASE("results: slots of one to eight copies, read at every lag") {
  using schedule = st::schedule<
      st::source<raw>,
      st::result<raw, held<0>, held<1>, held<2>, held<3>, held<4>, held<5>, held<6>, held<7>>,
      hold<0>, hold<1>, hold<2>, hold<3>, hold<4>, hold<5>, hold<6>, hold<7>>;
  static_assert(st::copies_of<schedule, raw> == 8);
  static_assert(st::copies_of<schedule, held<4>> == 5);
  const deadline limit("many copies");
  const auto check = [](auto&& pipeline) {
    for (const std::size_t count : counts) {
      std::size_t batch = 0;
      for (auto&& r : pipeline.run(numbers(count))) {
        const int in = numbers(count)[batch++];
        CHECK(r == std::tuple(in, in, in + 1, in + 2, in + 3, in + 4, in + 5, in + 6, in + 7));
      }
      CHECK(batch == count);
    }
  };
  check(tested::pipeline<schedule>());
  check(tested::pipeline<st::replan<schedule, st::threads<st::on_caller>>>());
}

// What the declarations order, seen through plain (not atomic) memory: under ThreadSanitizer a
// missing wait is a race even when the numbers come out right.

struct made : st::slot<int> {};
struct seen : st::slot<int> {};

struct make {
  static constexpr int lookahead = 3;
  using stream = st::stream<"a">;
  using reads = st::reads<raw>;
  using writes = st::writes<made>;
  void operator()(const int& in, int& out) const { out = in; }
};
struct peek_before {
  static constexpr int lookahead = 2;
  using stream = st::stream<"b">;
  using reads = st::reads<made>;
  using writes = st::writes<seen>;
  void operator()(const int& in, int& out) const { out = in; }
};
struct amend {
  static constexpr int lookahead = 1;
  using stream = st::stream<"a">;
  using writes = st::writes<made>;
  void operator()(int& value) const { value += 1000; }
};
struct peek_between {
  static constexpr int lookahead = 1;
  using stream = st::stream<"c">;
  using reads = st::reads<made>;
  using writes = st::writes<text>;
  void operator()(const int& in, std::string& out) const { out = std::to_string(in); }
};
struct amend_again {
  using stream = st::stream<"a">;
  using writes = st::writes<made>;
  void operator()(int& value) const { value *= 2; }
};

TEST_CASE("order: tasks that update a slot in place, each seen by those at its offset or behind") {
  struct updating
      : st::schedule<st::source<raw>, st::result<made, seen, text>, st::streams<"a", "b", "c">,
                     make, peek_before, amend, peek_between, amend_again> {};
  static_assert(st::copies_of<updating, made> == 4);
  const deadline limit("updaters");
  const auto check = [](auto&& pipeline) {
    for (const std::size_t count : counts) {
      std::size_t batch = 0;
      for (auto&& [m, s, t] : pipeline.run(numbers(count))) {
        const int in = numbers(count)[batch++];
        CHECK(m == (in + 1000) * 2);
        CHECK(s == in);
        CHECK(t == std::to_string(in + 1000));
      }
      CHECK(batch == count);
    }
  };
  check(tested::pipeline<updating>());
  check(tested::pipeline<st::replan<updating, st::threads<st::per_task>>>());
  check(tested::pipeline<st::replan<updating, st::threads<st::on_caller>>>());
}

using journal = std::vector<int>;

struct optimize;
template <int Lookahead, int Ago>
struct prefetch {
  static constexpr std::string_view name = "prefetch";
  static constexpr int lookahead = Lookahead;
  using stream = st::stream<"a">;
  using reads = st::reads<raw>;
  using writes = st::writes<seen>;
  using cross_iter_depends_on = st::cross_iter_depends_on<st::ago<optimize, Ago>>;
  const journal* done;
  void operator()(st::context auto& ctx, const int& in, int& out) const {
    out = in + (ctx.batch() >= Ago ? done->at(ctx.batch() - Ago) : 0);
  }
};
struct optimize {
  using stream = st::stream<"b">;
  using reads = st::reads<seen>;
  journal* done;
  void operator()(st::context auto& ctx, const int& in) const {
    dawdle();
    done->at(ctx.batch()) = in;
  }
};

template <int Lookahead, int Ago>
void check_cross() {
  using ahead = prefetch<Lookahead, Ago>;
  using schedule =
      st::schedule<st::source<raw>, st::result<seen>, st::streams<"a", "b">, ahead, optimize>;
  CAPTURE(Lookahead);
  CAPTURE(Ago);
  const deadline limit("cross_iter_depends_on");
  journal done;
  const auto check = [&](auto&& pipeline) {
    for (const std::size_t count : counts) {
      const auto in = numbers(count);
      done.assign(count, -1);
      std::vector<int> expected;
      for (std::size_t b = 0; b < count; ++b)
        expected.push_back(in[b] + (b >= Ago ? expected[b - Ago] : 0));
      std::vector<int> actual;
      for (const int s : pipeline.run(in)) actual.push_back(s);
      CHECK(actual == expected);
    }
  };
  check(tested::pipeline<schedule>(ahead{&done}, optimize{&done}));
  check(tested::pipeline<st::serial<schedule>>(ahead{&done}, optimize{&done}));
}

TEST_CASE("order: cross_iter_depends_on across streams, one and two batches ago") {
  check_cross<0, 1>();  // delta 1; the original has no history for it
  check_cross<0, 2>();
  check_cross<1, 1>();  // delta 0
  check_cross<1, 2>();
  check_cross<2, 3>();
}

struct late;
struct early {
  static constexpr int lookahead = 2;
  using stream = st::stream<"a">;
  using reads = st::reads<raw>;
  journal* done;
  void operator()(st::context auto& ctx, const int& in) const {
    dawdle();
    done->at(ctx.batch()) = in;
  }
};
struct late {
  using stream = st::stream<"b">;
  using writes = st::writes<seen>;
  using same_progress_sync = st::same_progress_sync<early>;
  const journal* done;
  void operator()(st::context auto& ctx, int& out) const {
    const std::size_t other = ctx.batch() + 2;
    out = other < done->size() ? done->at(other) : 0;
  }
};

TEST_CASE("order: same_progress_sync waits for the other's work on a later batch") {
  using schedule =
      st::schedule<st::source<raw>, st::result<seen>, st::streams<"a", "b">, early, late>;
  const deadline limit("same_progress_sync");
  journal done;
  const auto check = [&](auto&& pipeline) {
    for (const std::size_t count : counts) {
      const auto in = numbers(count);
      done.assign(count, -1);
      std::size_t batch = 0;
      for (const int s : pipeline.run(in)) {
        CHECK(s == (batch + 2 < count ? in[batch + 2] : 0));
        ++batch;
      }
      CHECK(batch == count);
    }
  };
  check(tested::pipeline<schedule>(early{&done}, late{&done}));
  check(tested::pipeline<st::replan<schedule, st::threads<st::on_caller>>>(early{&done},
                                                                           late{&done}));
}

using submissions = std::vector<std::pair<std::string_view, std::size_t>>;

template <char Name, int Lookahead>
struct collect {
  static constexpr char letters[] = {Name, 0};
  static constexpr std::string_view name = letters;
  static constexpr int lookahead = Lookahead;
  static constexpr bool collective = true;
  submissions* log;
  void operator()(st::context auto& ctx) const { log->emplace_back(ctx.task(), ctx.batch()); }
};

template <char Name, int Lookahead>
struct queued {
  static constexpr char letters[] = {Name, 0};
  static constexpr std::string_view name = letters;
  static constexpr int lookahead = Lookahead;
  using stream = st::stream<"a">;
  submissions* log;
  void operator()(st::context auto& ctx) const { log->emplace_back(ctx.task(), ctx.batch()); }
};

/// What p, q, r and s of lookaheads 0, 2, 1, 0 log if they run in order.
submissions in_order(std::size_t count) {
  submissions expected;
  for (std::size_t i = 0; count != 0 && i < count + 2; ++i) {
    if (i >= 2) expected.emplace_back("p", i - 2);
    if (i < count) expected.emplace_back("q", i);
    if (i >= 1 && i < count + 1) expected.emplace_back("r", i - 1);
    if (i >= 2) expected.emplace_back("s", i - 2);
  }
  return expected;
}

TEST_CASE("order: tasks of one stream run in order, whatever the threads") {
  using schedule = st::schedule<st::source<raw>, st::streams<"a">, queued<'p', 0>, queued<'q', 2>,
                                queued<'r', 1>, queued<'s', 0>>;
  submissions log;
  const deadline limit("one stream");
  tested::pipeline<st::replan<schedule, st::threads<st::per_task>>> pipeline(
      queued<'p', 0>{&log}, queued<'q', 2>{&log}, queued<'r', 1>{&log}, queued<'s', 0>{&log});
  for (const std::size_t count : counts) {
    log.clear();
    for (const std::size_t b : pipeline.run(numbers(count))) static_cast<void>(b);
    CHECK(log == in_order(count));
  }
}

TEST_CASE("order: a task that reads nothing still waits to know whether its batch exists") {
  using schedule = st::schedule<st::source<raw>, st::streams<"a">, queued<'q', 2>, queued<'r', 1>>;
  submissions log;
  const deadline limit("a slow source");
  tested::pipeline<
      st::replan<schedule, st::threads<st::group<"aside", queued<'q', 2>, queued<'r', 1>>>>>
      pipeline(queued<'q', 2>{&log}, queued<'r', 1>{&log});
  for (const std::size_t count : counts) {
    log.clear();
    auto slow = [&, next = std::size_t{0}](int&) mutable {
      dawdle();
      return next++ < count;
    };
    for (const std::size_t b : pipeline.run(slow)) static_cast<void>(b);
    CHECK(log.size() == 2 * count);
  }
}

TEST_CASE("order: collectives are submitted in the order of their tickets, whatever the threads") {
  using schedule = st::schedule<st::source<raw>, collect<'p', 0>, collect<'q', 2>, collect<'r', 1>,
                                collect<'s', 0>>;
  submissions log;
  const deadline limit("collectives");
  const auto check = [&](auto&& pipeline) {
    for (const std::size_t count : counts) {
      log.clear();
      for (const std::size_t b : pipeline.run(numbers(count))) static_cast<void>(b);
      CHECK(log == in_order(count));
    }
  };
  check(tested::pipeline<st::replan<schedule, st::threads<st::per_task>>>(
      collect<'p', 0>{&log}, collect<'q', 2>{&log}, collect<'r', 1>{&log}, collect<'s', 0>{&log}));
}

/// Whatever it is made of.
struct called : std::function<void(const int&, int&)> {
  using reads = st::reads<raw>;
  using writes = st::writes<copied>;
  using function::function;
};
struct calling : st::schedule<st::source<raw>, st::result<copied>, called> {};

template <class... Task>
std::string refused(const Task&... object) {
  try {
    tested::pipeline<calling> p(object...);
  } catch (const std::exception& e) {
    return e.what();
  }
  return {};
}

TEST_CASE("a task that may hold nothing to call is asked for it before anything runs") {
  CHECK(refused(called([](const int& in, int& out) { out = in; })).empty());
  CHECK(refused(called()).find("task `called` has no body") != std::string::npos);
  // Of values, tasks are passed.
  if constexpr (!tested::runtime_version)
    CHECK(refused().find("task `called` has no body") != std::string::npos);
}

}  // namespace
