// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How many batches wait in slots, as a monitor counts them: in runs of a plan whose threads take
// turns at random, against the definition; and in runs of both versions.

#include <doctest/doctest.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <ranges>
#include <stretto/bound/slot_queues.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <stretto/plan/text/viewed_plan.hpp>
#include <stretto/stretto.hpp>
#include <stretto/watch/monitor.hpp>
#include <string_view>
#include <vector>
#include "../support/rest.hpp"
#include "../support/seed.hpp"

namespace st = stretto;

namespace {

st::dynamic::schedule learning() {
  const auto into = [](int, int& out) { out = 0; };
  st::dynamic::schedule s;
  s.source.slot = "file";
  s.results = {"loss"};
  s.tasks.push_back({.name = "load",
                     .thread = "io",
                     .lookahead = 3,
                     .reads = {"file"},
                     .writes = {"image"},
                     .body = into});
  s.tasks.push_back({.name = "peek", .thread = "eye", .lookahead = 3, .reads = {"image"}});
  s.tasks.back().body = [](int) {};
  s.tasks.push_back({.name = "fix",
                     .thread = "gpu",
                     .lookahead = 2,
                     .reads = {"file"},
                     .writes = {"image"},
                     .body = into});
  s.tasks.push_back({.name = "crop",
                     .thread = "gpu",
                     .lookahead = 1,
                     .reads = {"image"},
                     .writes = {"patch"},
                     .body = into});
  s.tasks.push_back({.name = "report", .thread = "log", .reads = {"image", "patch"}});
  s.tasks.back().body = [](int, int) {};
  s.tasks.back().every = 3;
  s.tasks.back().phase = 1;
  s.tasks.push_back({.name = "train", .reads = {"patch"}, .writes = {"loss"}, .body = into});
  return s;
}

/// Runs of the plan: one thread at a time does what it may do next.
class random_run {
 public:
  explicit random_run(const st::planner::plan_view& p)
      : plan_(p), queues_(st::bound::slot_queues(p)), done_(p.order.size()) {
    found.resize(queues_.size());
  }

  /// \p told is the monitor. Calls \p look after each step.
  template <class Look>
  void go(std::size_t first, std::size_t batches, unsigned seed, st::monitor& told, Look look) {
    first_ = first;
    end_ = first + batches;
    std::mt19937 random(seed);
    std::fill(done_.begin(), done_.end(), first);
    ended_.assign(done_.size(), std::vector<char>(end_ + 1));
    begun_ = ended_;
    std::vector<place> threads(plan_.threads.size());
    for (std::size_t t = 0; t < threads.size(); ++t) threads[t] = {plan_.chains[t].first, first};
    told.begins_at(first);
    told.run_begins();
    while (std::any_of(threads.begin(), threads.end(), [&](const place& p) {
      return p.progress < end_ + static_cast<std::size_t>(plan_.max_lookahead) + 1;
    })) {
      const std::size_t t = random() % threads.size();
      step(t, threads[t], told);
      look();
    }
    told.run_ended();
  }

  std::size_t waiting(std::size_t queue) const {
    std::size_t all = 0;
    for (std::size_t b = first_; b < end_; ++b) all += waits(queues_[queue], b) ? 1 : 0;
    return all;
  }
  std::size_t queues() const { return queues_.size(); }

  struct lengths {
    std::size_t count = 0;
    std::size_t total = 0;
    std::size_t longest = 0;
  };
  std::vector<lengths> found;  ///< of all runs, by queue

 private:
  struct place {
    std::size_t at = 0;  ///< in the chain
    std::size_t progress = 0;
    bool runs = false;
  };

  bool is_due(std::size_t node, std::size_t batch) const {
    return node >= plan_.tasks() ||
           st::planner::runs_for(st::planner::rate_of(plan_.declared.tasks[node]), batch);
  }
  bool waits(const st::bound::slot_queue& q, std::size_t batch) const {
    if (!is_due(q.writers.front(), batch)) return false;
    for (const std::size_t w : q.writers)
      if (is_due(w, batch) && ended_[w][batch] == 0) return false;
    return std::any_of(q.readers.begin(), q.readers.end(),
                       [&](std::size_t r) { return is_due(r, batch) && begun_[r][batch] == 0; });
  }
  bool may_run(std::size_t node, std::size_t progress) const {
    const auto keeps = [&](const st::planner::edge& e) {
      const auto delta = static_cast<std::size_t>(e.delta);
      return e.consumer == node && progress >= first_ + delta &&
             done_[e.producer] <= progress - delta &&
             plan_.thread_of[e.producer] != plan_.thread_of[node];
    };
    return std::none_of(plan_.edges.begin(), plan_.edges.end(), keeps) &&
           std::none_of(plan_.run_ahead_waits.begin(), plan_.run_ahead_waits.end(), keeps);
  }
  void step(std::size_t thread, place& here, st::monitor& told) {
    const std::size_t node = plan_.chained[here.at];
    const std::size_t batch = here.progress - plan_.lag[node];
    const std::size_t pull = plan_.tasks();
    const bool asks = node == pull && batch == end_;
    const bool fires = here.progress >= first_ + plan_.lag[node] && (batch < end_ || asks) &&
                       is_due(node, batch) && node != pull + 1;
    if (!here.runs && !may_run(node, here.progress)) return;
    if (fires && !here.runs) {
      here.runs = true;
      begun_[node][batch] = 1;
      told.started(thread, node, batch);
      return;
    }
    if (asks && fires) {
      told.no_batch(thread, node, batch);
    } else if (fires) {
      ended_[node][batch] = 1;
      for (std::size_t q = 0; q < queues_.size(); ++q)
        if (std::count(queues_[q].writers.begin(), queues_[q].writers.end(), node) != 0 &&
            waits(queues_[q], batch)) {
          const std::size_t now = waiting(q);
          found[q] = {found[q].count + 1, found[q].total + now, (std::max)(found[q].longest, now)};
        }
      told.finished(thread, node, batch);
    }
    here.runs = false;
    done_[node] = here.progress + 1;
    if (++here.at == plan_.chains[thread].last) {
      here.at = plan_.chains[thread].first;
      ++here.progress;
    }
  }

  const st::planner::plan_view& plan_;
  std::vector<st::bound::slot_queue> queues_;
  std::vector<std::size_t> done_;                 // progresses, by node
  std::vector<std::vector<char>> ended_, begun_;  // by node and batch
  std::size_t first_ = 0;
  std::size_t end_ = 0;
};

}  // namespace

TEST_CASE("as many batches wait in a slot as are written, and not read by all that read them") {
  const st::dynamic::planned_schedule planned(learning());
  const st::planner::viewed_plan viewed(planned.declaration(), planned.plan());
  const st::planner::plan_view plan = viewed.view();
  st::monitor seen;
  std::vector<std::string_view> tasks;
  for (const auto& t : planned.input().tasks) tasks.push_back(t.name);
  tasks.insert(tasks.end(), {"pull", "deliver"});
  seen.attached(std::vector<std::string_view>(plan.threads.begin(), plan.threads.end()), tasks);
  seen.planned(planned);
  random_run run(plan);
  REQUIRE(run.queues() == 3);
  for (const unsigned seed : seeds::from(0, 30)) {
    std::size_t wrong = 0;
    run.go(7 * (seed % 30), 20 + seed % 3, seed, seen, [&] {
      const st::activity now = seen.look();
      for (std::size_t q = 0; q < run.queues(); ++q)
        if (now.queues[q].waiting != run.waiting(q) || now.queues[q].waiting > now.queues[q].room)
          ++wrong;
    });
    CHECK(wrong == 0);
    const st::activity now = seen.look();
    CHECK(now.dry);
    CHECK(now.in_flight() == 0);
    for (std::size_t q = 0; q < run.queues(); ++q) {
      CHECK(now.queues[q].waiting == 0);
      CHECK(now.queues[q].found.count == run.found[q].count);
      CHECK(now.queues[q].found.total == run.found[q].total);
      CHECK(now.queues[q].found.longest == run.found[q].longest);
    }
  }
  CHECK(seen.look().queues[0].found.longest > 1);  // threads are apart
}

namespace {

struct number : st::slot<int> {};
struct square : st::slot<int> {};
struct sum : st::slot<std::int64_t> {};

struct multiply {
  using thread = st::thread<"io">;
  static constexpr int lookahead = 2;
  using reads = st::reads<number>;
  using writes = st::writes<square>;
  void operator()(int in, int& out) const { out = in * in; }
};
struct add {
  using thread = st::thread<"compute">;
  using reads = st::reads<square>;
  using writes = st::writes<sum>;
  void operator()(int in, std::int64_t& out) { out = total += in; }
  std::int64_t total = 0;
};
struct sums : st::schedule<st::source<number>, st::result<sum>, multiply, add> {};

void check_queue(const st::activity::queue_row& q, std::string_view slot, std::size_t batches) {
  CHECK(q.slot == slot);
  CHECK(q.room >= 1);
  CHECK(q.waiting == 0);
  CHECK(q.found.count == batches);
  CHECK(q.found.total >= batches);
  CHECK(q.found.longest >= 1);
  CHECK(q.found.longest <= q.room);
  CHECK(q.found.median <= q.found.p99);
}

/// Looks at the queues during a run of \p batches batches. Batches whose results were handed out
/// wait no more, and have been waiting, as they had in \p earlier runs.
template <class Pipeline, class Source>
void check_while_running(Pipeline& pipeline, Source source, std::size_t batches,
                         std::size_t earlier) {
  std::size_t through = 0;
  for ([[maybe_unused]] const auto& s : pipeline.run(source)) {
    ++through;
    for (const auto& q : pipeline.observer().look().queues) {
      CHECK(q.waiting <= batches - through);
      CHECK(q.found.count >= earlier + through);
      CHECK(q.found.count <= earlier + batches);
    }
  }
  CHECK(through == batches);
}

template <class Pipeline>
void check_runs(Pipeline& pipeline) {
  CHECK(pipeline.observer().look().queues.size() == 2);
  for (std::size_t run = 1; run < 4; ++run) {
    check_while_running(pipeline, std::views::iota(0, 300), 300, 300 * (run - 1));
    const st::activity now = pipeline.observer().look();
    CHECK(now.dry);
    REQUIRE(now.queues.size() == 2);
    check_queue(now.queues[0], "number", 300 * run);
    check_queue(now.queues[1], "square", 300 * run);
  }
}

/// Has nothing at every third request.
struct gappy {
  st::pulled operator()(int& slot) {
    if (++asked % 3 == 0) return st::pulled::nothing_yet;
    if (next == 50) return st::pulled::end;
    slot = next++;
    return st::pulled::batch;
  }
  int asked = 0;
  int next = 0;
};
template <class Pipeline>
void check_gaps(Pipeline& pipeline) {
  check_while_running(pipeline, gappy{}, 50, 0);
  const st::activity now = pipeline.observer().look();
  CHECK(now.tasks[2].name == "pull");
  CHECK(now.tasks[2].batches == 50);
  CHECK(now.dry);
  check_queue(now.queues.at(0), "number", 50);
  check_queue(now.queues.at(1), "square", 50);
}

}  // namespace

TEST_CASE("runs of types and of values tell the slots that tasks read") {
  st::pipeline<sums, st::monitor> types;
  check_runs(types);
  st::dynamic::pipeline values(st::dynamic::from_types<sums>(), st::monitor{});
  check_runs(values);
  st::pipeline<st::serial<sums>, st::monitor> serial;
  check_runs(serial);
  for (const auto& q : serial.observer().look().queues) CHECK(q.found.longest == 1);
}

TEST_CASE("that a source has nothing yet is no batch") {
  st::pipeline<sums, st::monitor> types;
  check_gaps(types);
  st::dynamic::pipeline values(st::dynamic::from_types<sums>(), st::monitor{});
  check_gaps(values);
}

TEST_CASE("while a task is at a batch, those behind it wait for it") {
  st::dynamic::schedule s;
  s.source.slot = "in";
  s.results = {"out"};
  st::dynamic::pipeline<st::monitor>* watched = nullptr;
  std::vector<std::size_t> seen;
  s.tasks.push_back({.name = "read",
                     .thread = "reader",
                     .lookahead = 3,
                     .reads = {"in"},
                     .writes = {"text"},
                     .body = [](int in, int& out) { out = in; }});
  s.tasks.push_back({.name = "parse", .thread = "parser", .reads = {"text"}, .writes = {"out"}});
  s.tasks.back().body = [&](int in, int& out) {
    out = in;
    if (in != 5) return;
    // `read` has room for three batches more, and nobody else to wait for.
    tested::until_others_sleep();
    const auto q = watched->observer().look().queues.at(1);
    seen = {q.waiting, q.room};
  };
  st::dynamic::pipeline pipeline(s, st::monitor{});
  watched = &pipeline;
  for (const auto& r : pipeline.run(std::views::iota(0, 20))) static_cast<void>(r);
  REQUIRE(seen.size() == 2);
  CHECK(seen[1] == 4);
  CHECK(seen[0] == 3);
  CHECK(pipeline.observer().look().queues[1].found.longest >= 3);
}

TEST_CASE("workers fill a slot, and empty it") {
  st::dynamic::schedule s;
  s.source.slot = "in";
  s.results = {"out"};
  s.groups = {{.thread = "pool", .workers = 3}};
  s.tasks.push_back({.name = "work",
                     .thread = "pool",
                     .reads = {"in"},
                     .writes = {"middle"},
                     .body = [](int in, int& out) { out = in; }});
  s.tasks.push_back(
      {.name = "last", .reads = {"middle"}, .writes = {"out"}, .body = [](int in, int& out) {
         out = in;
       }});
  st::dynamic::pipeline pipeline(st::dynamic::pipelined(s), st::monitor{});
  for (const auto& r : pipeline.run(std::views::iota(0, 200))) static_cast<void>(r);
  const st::activity now = pipeline.observer().look();
  REQUIRE(now.queues.size() == 2);
  check_queue(now.queues[0], "in", 200);
  check_queue(now.queues[1], "middle", 200);
}
