// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks that consume and produce items of slots: how often they are called and with what, next to
// the same work done by loops, in plans of one thread and of several, pipelined and serial.

#include <doctest/doctest.h>
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <stretto/bound.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#include "../../support/tested.hpp"

namespace {

namespace st = stretto;

// From 44.1 kHz to 48 kHz, as published: 147 samples are 160.
using frame = std::array<int, 147>;
struct cd_frame : st::slot<frame> {};
struct cd : st::slot<int> {};
struct a : st::slot<long> {};
struct b : st::slot<long> {};
struct c : st::slot<long> {};
struct d : st::slot<long> {};
struct dat : st::slot<std::vector<long>> {};

long mixed(long before, long x) { return (before * 31 + x) % 1'000'003; }

/// What each stage does: takes some, keeps a sum of all that it has seen, gives some.
class stage {
 public:
  template <class In, class Out>
  void convert(const In& in, Out&& out) {
    for (const auto x : in) state_ = mixed(state_, static_cast<long>(x));
    long k = 0;
    for (auto& y : out) y = mixed(state_, ++k);
  }

 private:
  long state_ = 1;
};

struct split {
  static constexpr int lookahead = 2;
  void operator()(st::in<cd_frame> in, st::produces<cd, 147> out) const {
    static_assert(st::produces<cd, 147>::size() == 147);
    for (std::size_t i = 0; i < 147; ++i) out[i] = (*in)[i];
  }
};
struct first : stage {
  static constexpr int lookahead = 2;
  void operator()(st::consumes<cd> in, st::produces<a, 2> out) { convert(in, out); }
};
struct second : stage {
  static constexpr int lookahead = 2;
  void operator()(st::consumes<a, 3> in, st::produces<b, 2> out) { convert(in, out); }
};
struct third : stage {  // by lists, and with a context
  static constexpr int lookahead = 1;
  using thread = st::thread<"third">;
  using reads = st::reads<st::consumes<b, 7>>;
  using writes = st::writes<st::produces<c, 8>>;
  void operator()(const st::task_context& ctx, std::span<const long> in, std::span<long> out) {
    CHECK(in.size() == 7);
    CHECK(out.size() == 8);
    CHECK(ctx.batch() * 28 == calls++ / 28 * 28);
    convert(in, out);
  }
  std::size_t calls = 0;
};
struct fourth : stage {
  void operator()(st::consumes<c, 7> in, st::produces<d, 5> out) { convert(in, out); }
};
struct join {
  void operator()(st::consumes<d, 160> in, st::out<dat> out) const {
    out->assign(in.begin(), in.end());
  }
};
struct converter : st::schedule<st::source<cd_frame>, st::result<dat>, split, first, second, third,
                                fourth, join> {};

/// One queue after the other, each stage as long as it finds enough.
std::vector<long> converted(const std::vector<frame>& frames) {
  std::vector<long> now;
  for (const frame& f : frames) now.insert(now.end(), f.begin(), f.end());
  for (const auto& [take, give] : {std::pair{1, 2}, {3, 2}, {7, 8}, {7, 5}}) {
    stage s;
    std::vector<long> next;
    for (std::size_t i = 0; i < now.size(); i += static_cast<std::size_t>(take)) {
      std::vector<long> out(static_cast<std::size_t>(give));
      s.convert(std::span(now).subspan(i, static_cast<std::size_t>(take)), out);
      next.insert(next.end(), out.begin(), out.end());
    }
    now = next;
  }
  return now;
}

std::vector<frame> frames(int count) {
  std::vector<frame> all(static_cast<std::size_t>(count));
  int next = 0;
  for (frame& f : all)
    for (int& x : f) x = next++ * 7 % 100;
  return all;
}

template <class Schedule, class... Options>
std::vector<long> run(int batches) {
  tested::pipeline<Schedule, Options...> pipeline;
  std::vector<long> all;
  auto source = frames(batches);
  auto run = pipeline.run(source);
  const auto use = [&](const std::vector<long>& out) {
    CHECK(out.size() == 160);
    all.insert(all.end(), out.begin(), out.end());
  };
  if (run.next()) use(run.result());
  run.for_each(use);
  return all;
}

struct serially : st::serial<converter> {};
struct on_each : st::replan<converter, st::threads<st::per_task>> {};
struct pipelined : st::pipelined<on_each> {};
struct with_caller : st::replan<converter, st::threads<st::on_caller>> {
};  // `third` has one of its own

}  // namespace

TEST_CASE("items: a sample rate converter does what queues and loops do, in any plan") {
  for (const int batches : {0, 1, 2, 9}) {
    const std::vector<long> expected = converted(frames(batches));
    CHECK(expected.size() == static_cast<std::size_t>(batches) * 160);
    CHECK(run<converter>(batches) == expected);
    CHECK(run<converter, st::barrier>(batches) == expected);
    CHECK(run<serially>(batches) == expected);
    CHECK(run<on_each>(batches) == expected);
    CHECK(run<pipelined>(batches) == expected);
    CHECK(run<with_caller>(batches) == expected);
  }
}

TEST_CASE(
    "items: with a thread for each task the slowest one, with all of its calls, is the bound") {
  CHECK(st::bound_of<pipelined>().period() == st::planner::ratio{147, 1});
  CHECK(st::bound_of<serially>().period() == st::planner::ratio{1 + 147 + 98 + 28 + 32 + 1, 1});
}

namespace {

struct number : st::slot<int> {};
struct ones : st::slot<long> {};
struct halves : st::slot<long> {};
struct total : st::slot<long> {};

/// Counts how many there are.
struct counted {
  static inline int alive = 0;
  static inline int throws_at = -1;
  counted() {
    if (alive == throws_at) throw std::runtime_error("no more");
    ++alive;
  }
  counted(const counted&) { ++alive; }
  counted& operator=(const counted&) = default;
  ~counted() { --alive; }
};
struct objects : st::slot<counted> {};

struct spread {
  void operator()(st::in<number> n, st::produces<ones, 6> out, st::produces<objects, 6>) const {
    for (long& x : out) x = *n;
  }
};
struct each {  // one by one, with the number of the batch next to it
  void operator()(st::consumes<ones> x, st::in<number> n, st::produces<halves> y) const {
    y = *x * 10 + *n;
  }
};
struct change {  // in place
  static constexpr int lookahead = 0;
  using depends_on = st::depends_on<each>;
  void operator()(st::consumes<ones, 3>, st::consumes<objects, 3>) { ++calls; }
  int calls = 0;
};
struct sum {
  void operator()(st::consumes<halves, 6> y, st::previous<total> before, st::out<total> t) const {
    t = before.value_or(0);
    for (const long v : y) t = *t + v;
  }
};
struct summing : st::schedule<st::source<number>, st::result<total>, spread, each, change, sum> {};

}  // namespace

TEST_CASE("items: whoever reads a slot of one value gets it in each call") {
  tested::pipeline<summing> pipeline;
  std::vector<long> all;
  const std::vector<int> numbers{1, 2, 3};
  for (const long t : pipeline.run(numbers)) all.push_back(t);
  CHECK(all == std::vector<long>{66, 198, 396});
  if constexpr (!tested::runtime_version) {
    CHECK(pipeline.template task<change>().calls == 6);
  }
}

TEST_CASE("items: all that are made are ended") {
  counted::alive = 0;
  {
    tested::pipeline<summing> pipeline;
    const std::vector<int> numbers{1};
    for (const long t : pipeline.run(numbers)) CHECK(t == 66);
    CHECK(counted::alive == 6);
  }
  CHECK(counted::alive == 0);
}

TEST_CASE("items: if one cannot be made, those before it are ended, and the next run makes all") {
  counted::alive = 0;
  counted::throws_at = 4;
  {
    tested::pipeline<summing> pipeline;
    const std::vector<int> numbers{1};
    CHECK_THROWS(pipeline.run(numbers).for_each([](long) {}));
    CHECK(counted::alive == 0);
    counted::throws_at = -1;
    pipeline.reset();
    for (const long t : pipeline.run(numbers)) CHECK(t == 66);
    CHECK(counted::alive == 6);
  }
  CHECK(counted::alive == 0);
}

namespace {

struct failing {
  void operator()(st::consumes<ones, 2> x, st::in<number> n) {
    if (*n == 2 && ++calls == 2) throw std::runtime_error("second call");
    CHECK(x.size() == 2);
  }
  int calls = 0;
};
struct fill {
  void operator()(st::in<number> n, st::produces<ones, 6> out) const { out[0] = *n; }
};
struct breaking : st::schedule<st::source<number>, fill, failing> {};

}  // namespace

TEST_CASE("items: a call that throws ends the run at its batch") {
  tested::pipeline<breaking> pipeline;
  const std::vector<int> numbers{1, 2, 3};
  auto run = pipeline.run(numbers);
  CHECK(run.next());
  try {
    run.next();
    FAIL("it goes on");
  } catch (const st::task_error& e) {
    CHECK(std::string(e.what()).find("failing") != std::string::npos);
    CHECK(e.batch() == 1);
  }
}

namespace {

// Items of batches that a task before them may drop, and of those that none may.
struct wanted : st::slot<int> {};
struct four : st::slot<int> {};
struct two : st::slot<int> {};
struct kept_sum : st::slot<int> {};
struct twice : st::slot<int> {};
struct sift {
  static constexpr int lookahead = 1;
  st::verdict operator()(st::in<number> n, st::out<wanted> w) const {
    w = *n;
    return *n % 3 == 0 ? st::drop : st::keep;
  }
};
struct cut_wanted {
  static constexpr int lookahead = 1;
  void operator()(st::in<wanted> w, st::produces<four, 4> out) const {
    for (std::size_t i = 0; i < 4; ++i) out[i] = *w * (i < 2 ? 1 : 10);
  }
};
struct add_pairs {  // and what was wanted in the batch before, if that was not dropped
  std::size_t calls = 0;
  void operator()(st::consumes<four, 2> in, st::previous<wanted> before, st::produces<two> out) {
    ++calls;
    out = in[0] + in[1] + 1000 * before.value_or(0);
  }
};
struct add_both {
  void operator()(st::consumes<two, 2> in, st::out<kept_sum> out) const { out = in[0] + in[1]; }
};
struct cut_all {
  using thread = st::thread<"other">;
  void operator()(st::in<number> n, st::produces<twice, 2> out) const { out[0] = out[1] = *n; }
};
struct count_all {
  using thread = st::thread<"other">;
  int sum = 0;
  void operator()(st::consumes<twice> in) { sum += *in; }
};
struct sifting : st::schedule<st::source<number>, st::result<kept_sum>, sift, cut_wanted, add_pairs,
                              add_both, cut_all, count_all> {};

}  // namespace

TEST_CASE("items: of batches that are dropped there are no calls") {
  tested::pipeline<sifting> pipeline;
  const std::vector<int> numbers{1, 2, 3, 4, 5};
  std::vector<int> all;
  for (const int s : pipeline.run(numbers)) all.push_back(s);
  CHECK(all == std::vector<int>{22, 44 + 2 * 1000, 88, 110 + 2 * 4000});
  if constexpr (!tested::runtime_version) {
    CHECK(pipeline.template task<add_pairs>().calls == 8);
    CHECK(pipeline.template task<count_all>().sum == 2 * 15);
  }
}

TEST_CASE("items: what they are, as ranges and alone") {
  std::array<int, 3> values{1, 2, 3};
  const st::consumes<number, 3> in(values.data());
  CHECK(in.front() + in.back() + in[1] == 6);
  CHECK(std::span<const int>(in).size() == 3);
  const st::produces<number> one(values.data());
  one = 7;
  CHECK(*one == 7);
  CHECK(values[0] == 7);
  const st::produces<number, 2> two(&values[1]);
  two[1] = 9;
  CHECK(values[2] == 9);
  static_assert(!std::is_assignable_v<const st::produces<number, 2>&, int>);
  static_assert(std::is_same_v<decltype(in[0]), const int&>);
}
