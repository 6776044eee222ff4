// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs of plans in virtual time: of random plans, held against threads that are stepped one by one;
// of types, as constants, and of values.

#include <doctest/doctest.h>
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <sstream>
#include <stretto/bound.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <stretto/plan/model/firing.hpp>
#include <stretto/stretto.hpp>
#include <stretto/timeline.hpp>
#include <string>
#include <utility>
#include <vector>
#include "timed_plans.hpp"

namespace {

namespace st = stretto;
namespace planner = stretto::planner;

/// When each node ends at each progress: every host thread has its own list of what to do, and
/// whichever can go on does.
class stepped {
 public:
  stepped(const timed_plan& p, std::size_t batches, bool meet) : waits_(p.waits(meet)) {
    const auto depth = static_cast<std::size_t>(p.plan.resolved.max_lookahead);
    struct host {
      std::vector<std::pair<std::size_t, std::size_t>> todo;  // node, progress
      std::size_t done = 0;
      long long clock = 0;
    };
    std::vector<host> hosts;
    for (std::size_t t = 0; t < p.plan.threads.names.size(); ++t) {
      const std::size_t workers = p.plan.threads.workers[t];
      for (std::size_t w = 0; w < workers; ++w) {
        host& own = hosts.emplace_back();
        for (std::size_t i = w; i < batches + depth; i += workers)
          for (const std::size_t n : p.plan.order)
            if (p.plan.threads.thread_of[n] == t) own.todo.emplace_back(n, i);
      }
    }
    const auto nodes = p.plan.order.size();
    std::vector<std::size_t> finished(batches + depth, 0);  // nodes, by progress
    met.assign(batches + depth, 0);
    for (bool moved = true; moved;) {
      moved = false;
      for (host& h : hosts)
        while (h.done < h.todo.size()) {
          const auto [n, i] = h.todo[h.done];
          if (meet && i > 0 && finished[i - 1] < nodes) break;
          long long start = meet && i > 0 ? std::max(h.clock, met[i - 1]) : h.clock;
          if (!waits_ended(n, i, start)) break;
          const std::size_t lag = static_cast<std::size_t>(p.plan.resolved.max_lookahead -
                                                           p.plan.resolved.nodes[n].lookahead);
          h.clock = start + (lag <= i && i < batches + lag ? p.times[n] : 0);
          begun[{n, i}] = start;
          ended[{n, i}] = h.clock;
          ++finished[i];
          met[i] = std::max(met[i], h.clock);
          total = std::max(total, h.clock);
          ++h.done;
          moved = true;
        }
    }
    REQUIRE(ended.size() == nodes * (batches + depth));
  }

  std::map<std::pair<std::size_t, std::size_t>, long long> begun;
  std::map<std::pair<std::size_t, std::size_t>, long long> ended;
  std::vector<long long> met;  // by progress: the latest end
  long long total = 0;

 private:
  bool waits_ended(std::size_t n, std::size_t i, long long& start) const {
    for (const planner::edge& e : waits_) {
      if (e.consumer != n || static_cast<std::size_t>(e.delta) > i) continue;
      const auto found = ended.find({e.producer, i - static_cast<std::size_t>(e.delta)});
      if (found == ended.end()) return false;
      start = std::max(start, found->second);
    }
    return true;
  }
  planner::list<planner::edge> waits_;
};

struct file : st::slot<int> {};
struct image : st::slot<int> {};
struct loss : st::slot<int> {};

struct decode {
  static constexpr int weight = 300;
  using thread = st::thread<"decoder">;
  using reads = st::reads<file>;
  using writes = st::writes<image>;
  static constexpr int lookahead = 1;
  void operator()(int in, int& out) const { out = in; }
};
struct train {
  static constexpr int weight = 200;
  using thread = st::thread<"caller">;
  using reads = st::reads<image>;
  using writes = st::writes<loss>;
  void operator()(int in, int& out) const { out = in; }
};
struct learning : st::schedule<st::source<file, st::weight<50>>, st::result<loss>, decode, train> {
};

// 50 to pull, 300 to decode, 200 to train. The next pull comes before `train`, and keeps it from
// beginning until 350: it ends at 550. `decode` is busy all the time from 50 on.
static_assert(st::simulate<learning>({}, 10).fill() == 550);
static_assert(st::simulate<learning>({}, 10).period().value() == 300);
static_assert(st::simulate<learning>({}, 10).total() == 50 + 10 * 300 + 200);
static_assert(st::simulate<learning>({}, 10).latency(0) == 550);
// With a barrier `decode` waits for the pull of its own progress.
static_assert(st::simulate<learning>({}, 10, st::barrier{}).period().value() == 350);
static_assert(st::bound_of<learning>({}, st::barrier{}).period().value() == 350);
static_assert(st::simulate<learning>({{"decode", 100}}, 10).period().value() == 250);
static_assert(st::simulate<learning>({}, 0).total() == 0);

struct shared : st::replan<learning, st::workers<"decoder", 2>> {};

}  // namespace

TEST_CASE("a simulated run is what threads do that are stepped one by one") {
  std::size_t with_workers = 0;
  timed_plan::for_each(300, true, 5, [&](const timed_plan& p) {
    for (const bool meet : {false, true})
      for (const std::size_t batches : {1U, 2U, 9U}) {
        const stepped expected(p, batches, meet);
        const st::simulation found = p.simulated(batches, meet);
        const auto depth = static_cast<std::size_t>(p.plan.resolved.max_lookahead);
        REQUIRE(found.total() == expected.total);
        std::vector<long long> busy(found.threads(), 0);
        std::vector<std::size_t> runs(p.plan.order.size(), 0);
        for (const st::simulation::run& r : found.runs()) {
          const auto lag =
              depth - static_cast<std::size_t>(p.plan.resolved.nodes[r.task].lookahead);
          REQUIRE(r.begin == expected.begun.at({r.task, r.batch + lag}));
          REQUIRE(r.end == expected.ended.at({r.task, r.batch + lag}));
          ++runs[r.task];
          busy[r.thread] += r.end - r.begin;
        }
        for (std::size_t n = 0; n + 1 < runs.size(); ++n) CHECK(runs[n] == batches);
        const std::size_t pull = p.plan.resolved.pull();
        const std::size_t deliver = p.plan.resolved.deliver();
        const auto handed_out = [&](std::size_t batch) {
          return meet ? expected.met[batch + depth] : expected.ended.at({deliver, batch + depth});
        };
        for (std::size_t b = 0; b < batches; ++b)
          CHECK(found.latency(b) == handed_out(b) - expected.begun.at({pull, b}));
        CHECK(found.fill() == handed_out(0));
        CHECK(found.drain() == expected.total - expected.ended.at({pull, batches - 1}));
        for (std::size_t t = 0; t < found.threads(); ++t) CHECK(found.busy(t) == busy[t]);
        with_workers += found.threads() > p.plan.threads.names.size() ? 1U : 0U;
      }
  });
  CHECK(with_workers > 100);
}

TEST_CASE("no two runs of a thread overlap") {
  timed_plan::for_each(50, true, 6, [&](const timed_plan& p) {
    const st::simulation found = p.simulated(12);
    std::vector<long long> free(found.threads(), 0);
    for (std::size_t t = 0; t < found.threads(); ++t)
      for (const st::simulation::run& r : found.runs())
        if (r.thread == t) {
          REQUIRE(r.begin >= free[t]);
          free[t] = r.end;
        }
  });
}

TEST_CASE("of values it is what it is of types") {
  const st::dynamic::planned_schedule planned(st::dynamic::from_types<shared>());
  const std::vector<st::task_cost> costs{{"decode", 700}};
  CHECK(st::simulate(planned, costs, 50).text() == st::simulate<shared>(costs, 50).text());
  CHECK(st::simulate(planned, {{"decode", 700}}, 50, st::barrier{}).total() ==
        st::simulate<shared>({{"decode", 700}}, 50, st::barrier{}).total());
  CHECK(st::bound_of(planned, costs, st::barrier{}).text() ==
        st::bound_of<shared>(costs, st::barrier{}).text());
  CHECK(st::simulate<learning>(costs, 50).period().value() == 700);
  CHECK(st::simulate(planned, costs, 51).period().value() <= 375);
}

TEST_CASE("it is told as text") {
  CHECK(st::simulate<shared>({}, 10).text() ==
        "10 batches take 2750: 600 until the first result, 250 per progress, 600 after the last "
        "pull\n"
        "a batch takes 720 from its pull to its result\n"
        "  thread `caller` is busy 90 %\n"
        "  thread `decoder 1` is busy 54 %\n"
        "  thread `decoder 2` is busy 54 %\n");
  CHECK(st::simulate<learning>({}, 1).text() ==
        "1 batch takes 550: 550 until the first result, 550 per progress, 500 after the last pull\n"
        "a batch takes 550 from its pull to its result\n"
        "  thread `caller` is busy 45 %\n"
        "  thread `decoder` is busy 54 %\n");
  CHECK(st::simulate<learning>({}, 0).text() == "0 batches take 0\n");
}

TEST_CASE("it can be drawn and traced as a timeline") {
  const st::simulation run = st::simulate<shared>({}, 10);
  const st::timeline record = run.record(std::chrono::microseconds(1));
  REQUIRE(record.threads().size() == 3);
  CHECK(record.threads()[1] == "decoder 1");
  CHECK(record.threads()[2] == "decoder 2");
  REQUIRE(record.tasks().size() == 4);
  CHECK(record.tasks()[0] == "decode");
  CHECK(record.tasks()[2] == "pull");
  const auto decoded = record.spans(1);
  REQUIRE(decoded.size() == 5);  // every other batch
  CHECK(decoded[1].batch == 2);
  CHECK(decoded[1].end - decoded[1].begin == std::chrono::microseconds(300));
  CHECK(record.in_source(record.spans(0)[0]));
  std::ostringstream trace;
  st::write_trace(trace, record);
  CHECK(trace.str().find("\"decoder 2\"") != std::string::npos);
  std::ostringstream drawn;
  st::draw_svg(drawn, record, 2, 4);
  CHECK(drawn.str().find("decode, batch 3, 300.00 us") != std::string::npos);
}

TEST_CASE("costs of what is no task are refused") {
  const auto misspelt = [] { return st::simulate<learning>({{"trian", 1}}, 1); };
  CHECK_THROWS_AS(misspelt(), st::usage_error);
  const auto long_run = [] {
    return st::simulate<learning>({{"train", 100'000'000'000'000}}, 1'000);
  };
  CHECK_THROWS_AS(long_run(), st::usage_error);
  CHECK(st::simulate<learning>({{"train", 100'000'000'000'000}}, 10).total() >
        1'000'000'000'000'000);
}
