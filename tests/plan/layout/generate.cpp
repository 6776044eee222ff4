// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <set>
#include <stretto/plan/fingerprint.hpp>
#include <stretto/plan/layout/modelled_period.hpp>
#include <stretto/plan/order/fewest_waits.hpp>
#include <stretto/plan/rules/diagnose.hpp>
#include <string_view>
#include <utility>
#include <vector>
#include "../../../benchmarks/fourteen/pipeline.hpp"
#include "../../support/random_pipeline.hpp"
#include "../../support/random_schedule.hpp"
#include "../../support/seed.hpp"

using namespace stretto::planner;

namespace {

constexpr long long unlimited = 1LL << 40;

struct step {
  std::size_t to;
  int delta;
};

/// These edges of a plan, and every chain with the way back to its start.
std::vector<std::vector<step>> steps_of(const plan& p, const list<edge>& edges) {
  std::vector<std::vector<step>> steps(p.order.size());
  for (const edge& e : edges) steps[e.producer].push_back({e.consumer, e.delta});
  for (const range chain : p.threads.chains) {
    for (std::size_t i = chain.first; i + 1 < chain.last; ++i)
      steps[p.threads.chained[i]].push_back({p.threads.chained[i + 1], 0});
    if (chain.first < chain.last)
      steps[p.threads.chained[chain.last - 1]].push_back({p.threads.chained[chain.first], 1});
  }
  return steps;
}

/// What a plan's model consists of, put together in the plainest way.
std::vector<std::vector<step>> steps_of(const plan& p) {
  list<edge> edges = p.edges;
  edges.append(delivery_edges(p.resolved));
  return steps_of(p, edges);
}

/// The greatest ratio of all simple cycles, each walked from its least node.
class every_cycle {
 public:
  explicit every_cycle(const plan& p)
      : steps_(steps_of(p)), graph_(&p.resolved), on_path_(p.order.size(), false) {
    for (first_ = 0; first_ < steps_.size(); ++first_) walk(first_, 0, 0);
  }
  ratio most{0, 1};

 private:
  void walk(std::size_t n, long long time, int deltas) {
    on_path_[n] = true;
    time += graph_->nodes[n].weight;
    for (const step& s : steps_[n]) {
      if (s.to == first_) {
        REQUIRE((deltas + s.delta > 0 || first_ == n));
        if (const ratio r{time, deltas + s.delta}; deltas + s.delta > 0 && most < r) most = r;
      } else if (s.to > first_ && !on_path_[s.to]) {
        walk(s.to, time, deltas + s.delta);
      }
    }
    on_path_[n] = false;
  }

  std::vector<std::vector<step>> steps_;
  const graph* graph_;
  std::vector<bool> on_path_;
  std::size_t first_ = 0;
};

/// When the last node of a progress ends, if every node runs as soon as it may.
std::vector<long long> simulate(const plan& p, int progresses) {
  const auto steps = steps_of(p);
  std::vector<std::vector<long long>> start(static_cast<std::size_t>(progresses),
                                            std::vector<long long>(p.order.size(), 0));
  std::vector<long long> ends;
  for (std::size_t i = 0; i < start.size(); ++i) {
    long long last = 0;
    for (const std::size_t n : p.order) {
      const long long end = start[i][n] + p.resolved.nodes[n].weight;
      last = std::max(last, end);
      for (const step& s : steps[n])
        if (const std::size_t then = i + static_cast<std::size_t>(s.delta); then < start.size())
          start[then][s.to] = std::max(start[then][s.to], end);
    }
    ends.push_back(last);
  }
  return ends;
}

/// Whether one run of two tasks comes before the other, whichever runs: the steps are followed from
/// run to run, up to two progresses on.
bool always_ordered(const std::vector<std::vector<step>>& steps, std::size_t a, std::size_t b) {
  constexpr int on = 2;
  const auto reached = [&](std::size_t from) {
    std::vector<std::array<bool, on + 1>> runs(steps.size(), {false, false, false});
    std::vector<std::pair<std::size_t, int>> todo{{from, 0}};
    while (!todo.empty()) {
      const auto [n, progress] = todo.back();
      todo.pop_back();
      for (const step& s : steps[n]) {
        const int then = progress + s.delta;
        if (then > on || runs[s.to][static_cast<std::size_t>(then)]) continue;
        runs[s.to][static_cast<std::size_t>(then)] = true;
        todo.push_back({s.to, then});
      }
    }
    return runs;
  };
  const auto from_a = reached(a);
  const auto from_b = reached(b);
  for (int apart = -on; apart <= on; ++apart) {
    const auto distance = static_cast<std::size_t>(apart < 0 ? -apart : apart);
    const bool before = apart >= 0 && from_a[b][distance];
    const bool after = apart <= 0 && from_b[a][distance];
    if (!before && !after) return false;
  }
  return true;
}

/// A plan's threads and chains are in order, and the executor can rely on what it relies on.
void check_plan(const declaration& d, const plan& p) {
  std::vector<std::size_t> place(p.order.size(), none);
  for (std::size_t i = 0; i < p.order.size(); ++i) place[p.order[i]] = i;
  CHECK(std::count(place.begin(), place.end(), none) == 0);
  CHECK(p.order.front() == p.resolved.pull());
  CHECK(p.order.back() == p.resolved.deliver());
  for (const edge& e : p.edges)
    if (e.delta == 0) CHECK(place[e.producer] < place[e.consumer]);
  std::size_t chained = 0;
  for (std::size_t t = 0; t < p.threads.chains.size(); ++t) {
    const range chain = p.threads.chains[t];
    if (t > 0) CHECK(chain.first < chain.last);
    for (std::size_t i = chain.first; i < chain.last; ++i) {
      const std::size_t n = p.threads.chained[i];
      CHECK(p.threads.thread_of[n] == t);
      CHECK(p.threads.place[n] == i - chain.first);
      if (i > chain.first) CHECK(place[p.threads.chained[i - 1]] < place[n]);
      ++chained;
    }
  }
  CHECK(chained == p.order.size());
  for (std::size_t n = 0; n < d.tasks.size(); ++n)
    if (!d.tasks[n].thread.empty())
      CHECK(p.threads.names[p.threads.thread_of[n]] ==
            (d.tasks[n].thread == d.caller_runs ? caller : d.tasks[n].thread));
  if (d.generated > 0) CHECK(p.threads.names.size() <= threads_of(d).names.size());
}

layout_problem problem_of(const declaration& d) {
  declaration by_stream = d;
  by_stream.generated = 0;
  const plan p = make_plan(by_stream);
  return make_layout_problem(d, p.resolved, p.order, make_layout_timing(d, p.resolved, p.edges));
}

/// The best of all assignments and orders.
layout best_of_all(const layout_problem& p) {
  layout best;
  bool found = false;
  std::vector<std::size_t> order(p.order.begin(), p.order.end());
  std::sort(order.begin() + 1, order.end() - 1);
  do {
    std::vector<std::size_t> place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    bool topological = true;
    for (std::size_t n = 0; n < order.size(); ++n)
      for (std::size_t a = p.edges.into[n].first; a < p.edges.into[n].last; ++a)
        topological =
            topological && (p.edges.arcs[a].delta != 0 || place[p.edges.arcs[a].from] < place[n]);
    if (!topological) continue;
    std::size_t maps = 1;
    for (std::size_t n = 0; n + 2 < order.size(); ++n) maps *= p.threads;
    for (std::size_t m = 0; m < maps; ++m) {
      layout l;
      l.thread_of = p.pinned;
      std::size_t digits = m;
      bool allowed = true;
      for (std::size_t n = 0; n + 2 < order.size(); ++n) {
        const std::size_t thread = digits % p.threads;
        digits /= p.threads;
        allowed = allowed && (p.pinned[n] == none || p.pinned[n] == thread);
        l.thread_of[n] = thread;
      }
      if (!allowed) continue;
      long long fullest = 0;
      for (std::size_t t = 0; t < p.threads; ++t) {
        long long load = 0;
        for (std::size_t n = 0; n < order.size(); ++n)
          if (l.thread_of[n] == t) load += p.edges.weight[n];
        fullest = std::max(fullest, load);
      }
      l.period = period_finder(p.edges).period({fullest, 1}, order, l.thread_of, p.threads);
      for (std::size_t n = 0; n < order.size(); ++n)
        for (std::size_t a = p.edges.into[n].first; a < p.edges.into[n].last; ++a)
          if (l.thread_of[p.edges.arcs[a].from] != l.thread_of[n]) ++l.crossings;
      if (!found || better(l, best)) best = l;
      found = true;
    }
  } while (std::next_permutation(order.begin() + 1, order.end() - 1));
  REQUIRE(found);
  return best;
}

struct nothing {
  template <int, class... Values>
  static void task(Values&...) {}
  static void progressed() {}
};
using fourteen = benchmarks::fourteen<nothing>;
struct generated_fourteen
    : stretto::replan<fourteen::pipelined, stretto::threads<stretto::generated<2>>> {};

}  // namespace

TEST_CASE("the modelled period is that of the worst cycle, for any schedule and map") {
  std::size_t above_load = 0;
  random_schedule::for_each_valid(3000, seeds::first(1), [&](const declaration& d, unsigned seed) {
    CAPTURE(seed);
    std::vector<task> tasks(d.tasks.begin(), d.tasks.end());
    for (std::size_t t = 0; t < tasks.size(); ++t)
      tasks[t].weight = static_cast<int>((seed + 1) * (t + 3) % 11);  // 0 as well
    declaration weighted = d;
    weighted.tasks = tasks;
    weighted.from.weight = static_cast<int>(seed % 3);
    const plan p = make_plan(weighted);
    const modelled m = make_modelled(weighted, p);
    CHECK(m.period == every_cycle(p).most);
    CHECK(!(m.period < m.least));
    long long fullest = 0;
    for (const range chain : p.threads.chains) {
      long long load = 0;
      for (std::size_t i = chain.first; i < chain.last; ++i)
        load += p.resolved.nodes[p.threads.chained[i]].weight;
      fullest = std::max(fullest, load);
    }
    if (ratio{fullest, 1} < m.period) ++above_load;
  });
  CHECK(above_load > 300);  // else the test would not look at cycles through several threads
}

TEST_CASE("run as soon as it may, a pipeline takes its modelled period per progress") {
  for (const unsigned seed : seeds::from(0, 60)) {
    CAPTURE(seed);
    const random_pipeline random(seed, {12, static_cast<int>(seed % 4), 2, 20});
    const declaration d = random.on(2 + seed % 2);
    const plan p = make_plan(d, 1000);
    const modelled m = make_modelled(d, p);
    const std::vector<long long> ends = simulate(p, 1000);
    // After the start, the model is off by no more than what one batch takes on its way.
    const double grown = static_cast<double>(ends[999] - ends[499]) / 500;
    CHECK(grown == doctest::Approx(m.period.value()).epsilon(0.02));
  }
}

TEST_CASE("a small pipeline gets the best of all maps, with the fewest crossings") {
  std::size_t ties = 0;
  for (const unsigned seed : seeds::from(0, 100)) {
    CAPTURE(seed);
    random_pipeline random(seed, {seed % 2 == 0 ? 5 : 4, static_cast<int>(seed % 4),
                                  static_cast<int>(seed % 2) * 2, seed % 5 == 0 ? 2 : 1000});
    if (seed % 7 == 0) random.task(1).thread = "mine";
    if (seed % 7 == 1) random.task(0).thread = "caller";
    const declaration d = random.on(2 + seed % 2);
    REQUIRE(diagnose(d).findings.empty());
    const layout_problem p = problem_of(d);
    const layout best = best_of_all(p);
    const layout made = generate(p, unlimited);
    CHECK(made.exact);
    CHECK(made.period == best.period);
    CHECK(made.crossings == best.crossings);
    CHECK(!(made.period < p.bound));
    if (p.bound < made.period) ++ties;
    const plan whole = make_plan(d);
    check_plan(d, whole);
    CHECK(make_modelled(d, whole).period == best.period);
    CHECK(every_cycle(whole).most == best.period);
  }
  CHECK(ties > 10);  // the bound alone would not have done
}

TEST_CASE("with the budget of a compiler, larger pipelines get a map near the best") {
  double worst = 1;
  double sum = 0;
  int count = 0;
  for (const unsigned seed : seeds::from(0, 400)) {
    CAPTURE(seed);
    const random_pipeline random(seed, {10 + static_cast<int>(seed % 5), static_cast<int>(seed % 4),
                                        static_cast<int>(seed % 3), 1000});
    const declaration d = random.on(2 + seed % 2);
    REQUIRE(diagnose(d).findings.empty());
    const layout_problem p = problem_of(d);
    const layout best = generate(p, unlimited);
    REQUIRE(best.exact);
    const plan made = make_plan(d);
    check_plan(d, made);
    const ratio period = make_modelled(d, made).period;
    CHECK(!(period < best.period));
    const double times = period.value() / best.period.value();
    CHECK(times <= 1.05);
    worst = std::max(worst, times);
    sum += times;
    ++count;
  }
  MESSAGE("times the best period: mean ", sum / count, ", worst ", worst);
}

TEST_CASE("tasks with a thread of their own stay there, and their threads count") {
  for (const unsigned seed : seeds::from(0, 40)) {
    CAPTURE(seed);
    random_pipeline random(seed, {9, 2, 2, 100});
    random.task(2).thread = "disk";
    random.task(5).thread = "disk";
    random.task(7).thread = "compute";
    declaration d = random.on(4);
    d.caller_runs = "compute";
    d.from.thread = seed % 2 == 0 ? "disk" : caller;
    const plan p = make_plan(d);
    check_plan(d, p);
    CHECK(p.threads.thread_of[7] == 0);
    CHECK(p.threads.thread_of[2] == p.threads.thread_of[5]);
    CHECK(p.threads.names[p.threads.thread_of[p.resolved.pull()]] == d.from.thread);
    CHECK(p.threads.place[p.resolved.pull()] == 0);
    const std::set<std::string_view> names(p.threads.names.begin(), p.threads.names.end());
    CHECK(names.size() == p.threads.names.size());
    for (const std::string_view name : names)
      CHECK((name == caller || name == "disk" || name == "worker 1" || name == "worker 2"));
  }
}

TEST_CASE("a worker does not take a name that a task asks for") {
  random_pipeline random(3, {6, 2, 0, 100});
  random.task(1).thread = "worker 1";
  const thread_list listed = threads_of(random.on(3));
  CHECK(listed.names == std::vector<std::string_view>{"caller", "worker 1", "worker 2"});
  CHECK(listed.named == 2);
}

TEST_CASE("a map does not change the fingerprint, so that ranks may have different ones") {
  for (const unsigned seed : seeds::from(0, 40)) {
    const random_pipeline random(seed, {9, 2, 2, 100});
    const declaration one = random.on(0);
    const declaration two = random.on(2);
    const declaration three = random.on(3);
    CHECK(fingerprint(one, make_plan(one)) == fingerprint(two, make_plan(two)));
    CHECK(fingerprint(one, make_plan(one)) == fingerprint(three, make_plan(three)));
  }
}

TEST_CASE("waits between the threads of a generated map keep every edge") {
  for (const unsigned seed : seeds::from(0, 80)) {
    CAPTURE(seed);
    const random_pipeline random(seed, {10, static_cast<int>(seed % 4), 2, 100});
    const declaration d = random.on(3);
    const plan p = make_plan(d);
    const tracks lines = tracks::lay(p.order, p.threads.names.size(),
                                     [&](std::size_t n) { return p.threads.thread_of[n]; });
    list<edge> inside = track_edges(lines, p.order, reason::thread);
    list<edge> ahead = inside;
    inside.append(p.host_waits);
    ahead.append(run_ahead_waits(p));
    const happens_before in_progress(lines, p.order, inside);
    const happens_before with_ahead(lines, p.order, ahead);
    for (const edge& e : p.edges) {
      if (e.delta == 0) CHECK(in_progress.ordered(e.producer, e.consumer, 0));
      CHECK(with_ahead.ordered(e.producer, e.consumer, e.delta));
    }
  }
}

TEST_CASE("tasks that share a resource are ordered on a generated map, or the map is refused") {
  const std::array shared{stretto::name("cache")};
  std::size_t refused = 0;
  std::size_t accepted_apart = 0;
  std::size_t right_by_stream = 0;
  for (const unsigned seed : seeds::from(0, 400)) {
    CAPTURE(seed);
    random_pipeline random(seed, {8, static_cast<int>(seed % 4), static_cast<int>(seed % 3), 100});
    std::vector<std::size_t> users;
    for (std::size_t t = seed % 2; t < 8; t += 2 + seed % 3) {
      (users.size() % 2 == 0 ? random.task(t).mutates : random.task(t).observes) = shared;
      users.push_back(t);
    }
    const declaration d = random.on(2 + seed % 2);
    REQUIRE(check_rules(d).findings.empty());
    const plan p = make_plan(d);
    std::set<std::pair<std::size_t, std::size_t>> racing;
    for (const finding& f : diagnose(d).findings) {
      CHECK(f.what == kind::race);
      racing.insert({f.other, f.task});
    }
    CHECK(check_races(d, p).size() == racing.size());
    const auto declared = steps_of(p, p.edges);
    const auto run = steps_of(p, run_ahead_waits(p));
    bool apart = false;
    for (std::size_t i = 0; i < users.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const std::pair pair{users[j], users[i]};
        if (i % 2 == 1 && j % 2 == 1) {  // both only look
          CHECK(racing.count(pair) == 0);
          continue;
        }
        apart = apart || p.threads.thread_of[pair.first] != p.threads.thread_of[pair.second];
        const bool races = racing.count(pair) != 0;
        if (!races) CHECK(always_ordered(run, pair.first, pair.second));
        // What is on a stream comes when the stream gets there, which no thread can see to.
        if (d.streams.empty()) CHECK(races == !always_ordered(declared, pair.first, pair.second));
      }
    }
    if (racing.empty()) {
      accepted_apart += apart ? 1U : 0U;
      continue;
    }
    ++refused;
    declaration by_stream = d;
    by_stream.generated = 0;
    if (diagnose(by_stream).findings.empty()) ++right_by_stream;
  }
  MESSAGE(refused, " refused, ", right_by_stream, " of them right by stream; ", accepted_apart,
          " on different threads");
  CHECK(right_by_stream > 30);
  CHECK(accepted_apart > 15);
}

TEST_CASE("two tasks that only their thread orders race once the map splits them") {
  const std::array shared{stretto::name("cache")};
  const stretto::planner::access source{stretto::name("source"), 0};
  std::array<task, 2> tasks;
  tasks[0].id = stretto::name("update");
  tasks[1].id = stretto::name("look_up");
  for (task& t : tasks) {
    t.reads = {&source, 1};
    t.weight = 5;
  }
  tasks[0].mutates = shared;
  tasks[1].observes = shared;
  declaration d;
  d.tasks = tasks;
  d.from.slot = source.slot;
  CHECK(diagnose(d).findings.empty());
  d.generated = 1;
  CHECK(diagnose(d).findings.empty());
  d.generated = 2;
  const diagnosis found = diagnose(d);
  REQUIRE(found.findings.size() == 1);
  CHECK(found.findings[0].what == kind::race);
  CHECK(found.findings[0].task == 1);
  CHECK(found.findings[0].other == 0);
}

TEST_CASE("the 14-task pipeline on two threads meets its bounds") {
  declaration d = stretto::typed::declared<generated_fourteen>::bare;
  CHECK(make_modelled(d, make_plan(d)).period == ratio{8, 1});
  CHECK(stretto::modelled_period<generated_fourteen> == ratio{8, 1});
  CHECK(stretto::period_bound<generated_fourteen> == ratio{8, 1});
  // Each stream is on one thread, so that next to nothing waits for another.
  const auto& made = stretto::plan_of<generated_fourteen>;
  for (std::size_t a = 0; a < d.tasks.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (d.tasks[a].stream == d.tasks[b].stream) CHECK(made.thread_of[a] == made.thread_of[b]);
  CHECK(made.run_ahead.size() == 2);

  // As host tasks, free of their streams.
  std::vector<task> tasks(d.tasks.begin(), d.tasks.end());
  for (task& t : tasks) t.stream = {};
  d.tasks = tasks;
  CHECK(make_modelled(d, make_plan(d)).period == ratio{7, 1});
  for (task& t : tasks) {
    t.depends_on = {};
    t.same_progress_sync = {};
  }
  CHECK(make_modelled(d, make_plan(d)).period == ratio{7, 1});

  // The map that the compiler keeps is the one that the planner finds.
  const plan p = make_plan(stretto::typed::declared<generated_fourteen>::bare);
  CHECK(std::equal(p.order.begin(), p.order.end(),
                   stretto::plan_of<generated_fourteen>.order.begin()));
  CHECK(std::equal(p.threads.names.begin(), p.threads.names.end(),
                   stretto::plan_of<generated_fourteen>.thread_names.begin(),
                   stretto::plan_of<generated_fourteen>.thread_names.end()));
}
