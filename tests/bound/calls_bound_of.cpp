// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What calls could do one by one, next to what has been published of synchronous dataflow graphs,
// and to plans, which have all calls of a task for a batch in one piece.

#include <doctest/doctest.h>
#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <numeric>
#include <random>
#include <stretto/bound.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "../support/seed.hpp"

namespace {

namespace st = stretto;
namespace dynamic = st::dynamic;
using dynamic::use;
using st::planner::ratio;

dynamic::task actor(std::string name, int time, std::vector<use> reads, std::vector<use> writes) {
  dynamic::task t;
  t.name = std::move(name);
  t.weight = time;
  t.reads = std::move(reads);
  t.writes = std::move(writes);
  return t;
}
use items(const char* channel, int rate) { return use::items_of(channel, rate); }

dynamic::schedule graph(std::vector<dynamic::task> tasks) {
  dynamic::schedule s;
  s.source.slot = "input";
  s.tasks = std::move(tasks);
  return s;
}

/// What has been published of a graph.
struct published {
  std::vector<int> calls;
  long long period;          ///< of an iteration, at the greatest throughput
  std::vector<int> buffers;  ///< the least with which no call waits for ever
  int in_copies = 0;         ///< items; not published
};

/// A batch takes that, by calls and in one piece, and pipelined on a thread per task.
void check(const dynamic::schedule& s, const published& p) {
  const dynamic::planned_schedule planned(s);
  std::vector<int> calls;
  for (const auto& t : planned.declaration().tasks) calls.push_back(t.calls);
  CHECK(calls == p.calls);
  const st::calls_bound bound = st::calls_bound_of(planned);
  CHECK(bound.period() == ratio{p.period, 1});
  CHECK(!bound.is_slower_in_one_piece());
  CHECK(bound.in_one_piece() == bound.period());
  CHECK(bound.calls() ==
        static_cast<std::size_t>(std::accumulate(p.calls.begin(), p.calls.end(), 0)));
  std::vector<int> least;
  int in_copies = 0;
  for (const auto& b : bound.buffers()) {
    least.push_back(b.at_least);
    in_copies += b.in_a_batch;
  }
  CHECK(least == p.buffers);
  CHECK(in_copies == p.in_copies);
  dynamic::schedule threads = s;
  threads.generated = static_cast<int>(s.tasks.size());
  const dynamic::planned_schedule pipelined(dynamic::pipelined(threads));
  CHECK(st::bound_of(pipelined).period() == bound.period());
}

}  // namespace

// The graphs are those that come with SDF3 (Stuijk, Geilen and Basten, "SDF3: SDF for free", 2006).
// Their throughputs, an iteration per so much time, are those that Kiter prints for them
// (github.com/bbodin/kiter, runres.txt, "ASAPScheduling"): samplerate 0.00104167, satellite
// 0.00094697, h263decoder 0.0001, modem 0.0625. The buffers are those from which SDF3 sets out
// (github.com/TUE-EE-ES/Monotonic-Optimization-of-Dataflow-Buffer-Sizes, BenchmarkTest.java, on
// Hendriks et al., "Monotonic optimization of dataflow buffer sizes", 2019; where it names none, it
// is 1).
TEST_CASE("the converter from CD to DAT comes to the published throughput and buffers") {
  const dynamic::schedule s = graph({
      actor("a", 5, {"input"}, {items("ch1", 1)}),
      actor("b", 2, {items("ch1", 1)}, {items("ch2", 2)}),
      actor("c", 3, {items("ch2", 3)}, {items("ch3", 2)}),
      actor("d", 1, {items("ch3", 7)}, {items("ch4", 8)}),
      actor("e", 4, {items("ch4", 7)}, {items("ch5", 5)}),
      actor("f", 6, {items("ch5", 1)}, {}),
  });
  check(s, {{147, 147, 98, 28, 32, 160}, 960, {1, 4, 8, 14, 5}, 1021});
  const dynamic::planned_schedule planned(s);
  const st::calls_bound bound = st::calls_bound_of(planned);
  CHECK(bound.text() ==
        "a batch of 612 calls takes 960 at least: `f`\n"
        "no less than with all calls of a task for a batch in one piece, as plans have them\n"
        "`ch1`: a copy has the 147 items of a batch; calls that take turns need room for 1\n"
        "`ch2`: a copy has the 294 items of a batch; calls that take turns need room for 4\n"
        "`ch3`: a copy has the 196 items of a batch; calls that take turns need room for 8\n"
        "`ch4`: a copy has the 224 items of a batch; calls that take turns need room for 14\n"
        "`ch5`: a copy has the 160 items of a batch; calls that take turns need room for 5\n");
}

TEST_CASE("the decoder of H.263 comes to the published throughput and buffers") {
  // Kiter's figure is of this one, whose times are rounded.
  check(graph({actor("vld", 10000, {"input"}, {items("alpha", 2376)}),
               actor("iq", 1, {items("alpha", 1)}, {items("beta", 1)}),
               actor("idct", 4, {items("beta", 1)}, {items("gamma", 1)}),
               actor("mc", 4000, {items("gamma", 2376)}, {})}),
        {{1, 2376, 2376, 1}, 10000, {2376, 1, 2376}, 3 * 2376});
}

TEST_CASE("the satellite receiver comes to the published throughput and buffers") {
  // Two paths, and what is common; each of the 22 takes 1.
  std::vector<dynamic::task> tasks{
      actor("a", 1, {"input"}, {items("ch1", 1)}),
      actor("b", 1, {items("ch1", 4)}, {items("ch2", 1)}),
      actor("c", 1, {items("ch2", 11)}, {items("ch3", 1), items("ch4", 10)}),
      actor("d", 1, {"input"}, {items("ch5", 1)}),
      actor("e", 1, {items("ch5", 4)}, {items("ch6", 1)}),
      actor("f", 1, {items("ch6", 11)}, {items("ch7", 1), items("ch8", 10)}),
      actor("g", 1, {items("ch3", 1)}, {items("ch9", 1)}),
      actor("h", 1, {items("ch9", 1)}, {items("ch10", 11)}),
      actor("i", 1, {items("ch10", 11)}, {items("ch11", 10)}),
      actor("j", 1, {items("ch11", 1)}, {items("ch22", 1), items("ch23", 1)}),
      actor("k", 1, {items("ch7", 1)}, {items("ch12", 1)}),
      actor("l", 1, {items("ch12", 1)}, {items("ch13", 11)}),
      actor("m", 1, {items("ch13", 11)}, {items("ch14", 10)}),
      actor("n", 1, {items("ch14", 1)}, {items("ch19", 1), items("ch20", 1)}),
      actor("p", 1, {items("ch8", 1), items("ch4", 1), items("ch19", 1), items("ch22", 1)},
            {items("ch15", 1), items("ch16", 1)}),
      actor("q", 1, {items("ch15", 240)}, {items("ch17", 240)}),
      actor("r", 1, {items("ch16", 240)}, {items("ch18", 240)}),
      actor("s", 1, {items("ch20", 1)}, {items("ch21", 1)}),
      actor("t", 1, {items("ch23", 1)}, {items("ch24", 1)}),
      actor("u", 1, {items("ch21", 1), items("ch24", 1)}, {items("ch25", 1)}),
      actor("v", 1, {items("ch25", 240)}, {items("ch26", 240)}),
      actor("w", 1, {items("ch17", 1), items("ch18", 1), items("ch26", 1)}, {}),
  };
  check(graph(std::move(tasks)), {{1056, 264, 24,  1056, 264, 24, 24,  24,  24,  240, 24,
                                   24,   24,  240, 240,  1,   1,  240, 240, 240, 1,   240},
                                  1056,
                                  {4, 11, 1,  10, 4, 11,  1,   10,  1,   11, 10, 1,   1,
                                   1, 11, 10, 1,  1, 240, 240, 240, 240, 1,  1,  240, 240},
                                  7104});
}

TEST_CASE("the modem comes to the published throughput") {
  // Of what goes round to the next batch a slot has one value: two tokens and one in SDF3.
  const dynamic::schedule s = graph({
      actor("in", 1, {"input"}, {items("l", 1)}),
      actor("filt", 1, {items("l", 1)}, {items("m", 1)}),
      actor("hil", 1, {items("m", 8)}, {items("n", 2)}),
      actor("eq", 1, {items("n", 4), use::previous("k")}, {"o"}),
      actor("fork1", 1, {use::previous("s")}, {"a", "b"}),
      actor("biq", 1, {"a"}, {"c"}),
      actor("bi", 1, {"b"}, {"d"}),
      actor("add", 1, {"c", "d"}, {"e"}),
      actor("ac", 1, {"e"}, {items("f", 2)}),
      actor("fork2", 1, {items("f", 1)}, {items("g", 1), items("h", 1)}),
      actor("conj", 1, {items("g", 2)}, {"i"}),
      actor("mul1", 1, {items("h", 2), "o"}, {"j"}),
      actor("deci", 1, {"j"}, {"p", "q", "s"}),
      actor("mul2", 1, {"i", "p"}, {"k"}),
      actor("deco", 1, {"q"}, {"r"}),
      actor("out", 1, {"r"}, {}),
  });
  const dynamic::planned_schedule planned(s);
  const st::calls_bound bound = st::calls_bound_of(planned);
  CHECK(bound.calls() == 48);
  CHECK(bound.period() == ratio{16, 1});
  CHECK(bound.in_one_piece() == ratio{16, 1});
  // Were `in` and `filt` as fast as need be, the cycle is what is left: 1 + 1 + 1 + 1 + 2 + 1 + 1.
  const st::calls_bound fast = st::calls_bound_of(planned, {{"in", 1}, {"filt", 1}});
  CHECK(fast.period() == ratio{8, 1});
  CHECK(fast.because().size() == 7);
}

namespace {

// A cycle over batches through calls: 2, and then three times 5, as the first call needs one item.
// In one piece it is 3 * 2 + 3 * 5.
struct block : st::slot<int> {};
struct piece : st::slot<int> {};
struct cut {
  static constexpr int weight = 2;
  using cross_iter_depends_on = st::cross_iter_depends_on<struct judge>;
  void operator()(st::in<block>, st::produces<piece, 2>) const {}
};
struct judge {
  static constexpr int weight = 5;
  using thread = st::thread<"judge">;
  void operator()(st::consumes<piece, 2>) const {}
};
struct count_three {  // so that the two are called three times
  void operator()(st::consumes<piece, 6>) const {}
};
struct judging : st::schedule<st::source<block>, cut, count_three, judge> {};

}  // namespace

TEST_CASE("it is told where calls in one piece cost time") {
  constexpr auto same = [](const auto& names, std::initializer_list<std::string_view> others) {
    return std::equal(names.begin(), names.end(), others.begin(), others.end());
  };
  static_assert(st::calls_bound_of<judging>().period() == ratio{17, 1});
  static_assert(st::calls_bound_of<judging>().in_one_piece() == ratio{21, 1});
  static_assert(st::calls_bound_of<judging>().is_slower_in_one_piece());
  static_assert(same(st::calls_bound_of<judging>().because(), {"cut", "judge"}));
  // Of costs: `judge` takes 5, 5 and 4, and the last call may not begin before the third item.
  static_assert(st::calls_bound_of<judging>({{"judge", 14}}).period() == ratio{16, 1});
  static_assert(st::calls_bound_of<judging>({{"cut", 300}}).period() == ratio{305, 1});
  CHECK(st::calls_bound_of<judging>().text() ==
        "a batch of 7 calls takes 17 at least: `cut` > `judge` > `cut` 1 batch later\n"
        "plans have all calls of a task for a batch in one piece, which takes 21 at least: `cut` > "
        "`judge` > `cut` 1 batch later\n"
        "`piece`: a copy has the 6 items of a batch; calls that take turns need room for 6\n");
  CHECK_THROWS_WITH_AS(st::calls_bound_of<judging>(std::vector<st::task_cost>{{"jugde", 1}}),
                       "task `jugde` is not one of this plan", st::usage_error);
}

TEST_CASE("calls that begin as soon as they may come to the bound in the long run") {
  std::mt19937 random(seeds::first(5));
  const auto from = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  std::size_t slower = 0;
  for (int trial = 0; trial < 60; ++trial) {
    CAPTURE(trial);
    // A chain, whose first task waits for a later one of some batches before.
    const auto tasks = static_cast<std::size_t>(from(2, 4));
    std::vector<int> made;
    std::vector<int> used{0};
    dynamic::schedule s = graph({});
    for (std::size_t t = 0; t < tasks; ++t) {
      const auto channel = [](std::size_t n) { return "s" + std::to_string(n); };
      dynamic::task& own = s.tasks.emplace_back();
      own.name = "t" + std::to_string(t);
      own.weight = from(1, 9);
      own.thread = own.name;
      if (t == 0) own.reads = {"input"};
      if (t > 0) {
        used.push_back(from(1, 4));
        own.reads = {use::items_of(channel(t - 1), used[t])};
      }
      made.push_back(from(1, 4));
      own.writes = {use::items_of(channel(t), made[t])};
    }
    const auto last = static_cast<std::size_t>(from(1, static_cast<int>(tasks) - 1));
    const auto ago = static_cast<std::size_t>(from(1, 2));
    s.tasks[0].cross_iter_depends_on = {{s.tasks[last].name, static_cast<int>(ago)}};
    const dynamic::planned_schedule planned(s);
    const st::calls_bound bound = st::calls_bound_of(planned);
    slower += bound.is_slower_in_one_piece() ? 1 : 0;

    const auto batch_takes = [&](bool apart) {
      constexpr std::size_t batches = 240;               // a multiple of all that a cycle may take
      std::vector<std::vector<long long>> ended(tasks);  // by call, of all batches
      std::vector<std::size_t> calls;
      for (const auto& t : planned.declaration().tasks)
        calls.push_back(static_cast<std::size_t>(t.calls));
      for (std::size_t b = 0; b < batches; ++b)
        for (std::size_t t = 0; t < tasks; ++t)
          for (std::size_t call = 0; call < calls[t]; ++call) {
            long long begin = ended[t].empty() ? 0 : ended[t].back();
            if (t == 0 && b >= ago)
              begin = std::max(begin, ended[last][(b - ago + 1) * calls[last] - 1]);
            if (t > 0) {
              const std::size_t items =
                  (b * calls[t] + call + 1) * static_cast<std::size_t>(used[t]);
              const auto each = static_cast<std::size_t>(made[t - 1]);
              const std::size_t needed = apart ? (items + each - 1) / each : (b + 1) * calls[t - 1];
              begin = std::max(begin, ended[t - 1][needed - 1]);
            }
            ended[t].push_back(begin + s.tasks[t].weight);
          }
      const std::size_t half = batches / 2;
      long long slowest = 0;  // those before it need not wait for it
      for (std::size_t t = 0; t < tasks; ++t)
        slowest = std::max(slowest, ended[t].back() - ended[t][half * calls[t] - 1]);
      return ratio{slowest, static_cast<long long>(half)};
    };
    CHECK(batch_takes(true) == bound.period());
    CHECK(batch_takes(false) == bound.in_one_piece());
  }
  CHECK(slower > 10);
}

TEST_CASE("workers take turns at batches, and streams are in order") {
  dynamic::schedule s = graph({
      actor("cut", 2, {"input"}, {items("piece", 1)}),
      actor("judge", 5, {items("piece", 2)}, {items("verdict", 1)}),
      actor("sum", 1, {items("verdict", 3)}, {"all"}),
  });
  s.results = {"all"};
  s.tasks[1].thread = "judges";
  const auto period = [&] {
    const dynamic::planned_schedule planned(s);
    const st::calls_bound bound = st::calls_bound_of(planned);
    CHECK(!bound.is_slower_in_one_piece());
    return bound.period();
  };
  CHECK(period() == ratio{15, 1});
  s.tasks[0].lookahead = 3;
  s.groups = {{"judges", 0, 2}};
  CHECK(period() == ratio{12, 1});  // `cut`
  s.groups = {};
  s.streams = {"gpu"};
  s.tasks[0].stream = s.tasks[1].stream = "gpu";
  CHECK(period() == ratio{27, 1});
}
