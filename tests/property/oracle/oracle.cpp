// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the planner promises, against every interleaving of small pipelines: what it accepts never
// races, deadlocks or mixes up batches; what it refuses has an interleaving that does; no wait that
// it keeps can go.

#include <doctest/doctest.h>
#include <stretto/plan/order/deadlock.hpp>
#include <stretto/plan/order/fewest_waits.hpp>
#include <stretto/plan/rules/diagnose.hpp>
#include <stretto/plan/text/witness.hpp>
#include "../../support/seed.hpp"
#include "hazards.hpp"
#include "small_schedule.hpp"

namespace {

namespace planner = stretto::planner;
namespace kind = planner::kind;
using oracle::edges;
using oracle::executor;
using oracle::hazard;
using oracle::seen;
using planner::edge;
using with = small_schedule::with;

constexpr std::size_t most_states = 400'000;

/// Builds that are not optimised try fewer.
#ifdef NDEBUG
constexpr std::size_t share = 1;
#else
constexpr std::size_t share = 10;
#endif

/// How the cases came out; those too large to search must stay few.
struct tally {
  std::size_t cases = 0;
  std::size_t capped = 0;
  std::size_t states = 0;

  bool add(const seen& s) {
    ++cases;
    capped += s.search.capped;
    states += s.search.states;
    return !s.search.capped;
  }
  void check() const {
    MESSAGE(cases << " searches, " << states << " states, " << capped << " capped");
    CHECK(capped * 100 <= cases);
  }
};

/// Enough batches that every edge, and every pair of tasks one progress apart, is seen at work.
std::size_t batches(const planner::declaration& d, const planner::plan& p) {
  int most = 1;
  const auto ahead = [&](std::size_t n) { return p.resolved.nodes[n].lookahead; };
  for (const edge& e : p.edges)
    most = std::max(most, std::abs(e.delta - ahead(e.producer) + ahead(e.consumer)));
  for (std::size_t a = 0; a < d.tasks.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (!d.tasks[a].mutates.empty() || !d.tasks[b].mutates.empty())
        most = std::max(most, std::abs(ahead(a) - ahead(b)) + 1);
  int groups = 0;  // each task that runs now and then does so twice
  for (const planner::task& t : d.tasks) groups = std::max(groups, t.every > 1 ? 2 * t.every : 0);
  most = std::max(most, groups);
  return static_cast<std::size_t>(most) +
         *std::max_element(p.threads.workers.begin(), p.threads.workers.end());
}

std::vector<planner::finding_kind> kinds(const planner::diagnosis& all) {
  std::vector<planner::finding_kind> result;
  for (const auto& f : all.findings) result.push_back(f.what);
  return result;
}

bool only(const std::vector<planner::finding_kind>& found,
          std::initializer_list<planner::finding_kind> wanted) {
  return std::all_of(found.begin(), found.end(), [&](planner::finding_kind k) {
    return std::find(wanted.begin(), wanted.end(), k) != wanted.end();
  });
}

/// Calls \p use with random schedules until it has taken \p count of them.
template <class Use>
void for_each(std::size_t count, unsigned seed, Use use, with groups = with::neither) {
  seed = seeds::first(seed);
  for (std::size_t taken = 0; taken < count / share; ++seed) {
    const small_schedule s(seed, groups);
    const planner::declaration d = s.declaration();
    CAPTURE(seed);
    taken += use(d, planner::diagnose(d));
  }
}

edges without(const edges& all, std::size_t place) {
  edges rest = all;
  rest.erase(rest.begin() + static_cast<long>(place));
  return rest;
}

/// Without the wait for the same run: an event that may not be recorded yet holds nobody up.
edges without_same(const edges& all, const edge& wait) {
  edges rest = all;
  std::erase_if(rest, [&](const edge& e) {
    return e.producer == wait.producer && e.consumer == wait.consumer && e.delta == wait.delta;
  });
  return rest;
}

bool have_workers(const planner::plan& p) {
  return *std::max_element(p.threads.workers.begin(), p.threads.workers.end()) > 1;
}

void check_that_plans_hold(std::size_t count, unsigned seed, with groups) {
  tally total;
  std::size_t plans = 0;
  std::size_t shared = 0;
  for_each(
      count, seed,
      [&](const planner::declaration& d, const planner::diagnosis& found) {
        if (!found.findings.empty()) return false;
        const auto p = planner::make_plan(d);
        const std::size_t m = batches(d, p);
        ++plans;
        shared += p.resolved.grouped && have_workers(p);
        const edges run_ahead = planner::run_ahead_waits(p);
        const edges barrier = p.host_waits;
        const edges stream = planner::minimal_stream_waits(p);
        const edges blocking = planner::blocking_waits(p);
        const auto check = [&](executor kind, std::vector<oracle::lane> lanes, bool ahead = false) {
          oracle::watch w(d, p, kind, m);
          if (ahead) w.running_ahead();
          if (kind == executor::device) w.events(stream);
          const seen s = w.look(std::move(lanes), false, most_states);
          CAPTURE(kind);
          REQUIRE(s.text() == "");
          if (total.add(s)) REQUIRE(s.search.finished);
        };
        check(executor::host, oracle::host_executor(p, barrier, true));
        check(executor::host, oracle::host_executor(p, run_ahead, false), true);
        check(executor::device, oracle::device_executor(p, barrier, stream, blocking, true));
        check(executor::device, oracle::device_executor(p, run_ahead, stream, blocking, false),
              true);
        check(executor::relaxed, oracle::relaxed_executor(p, stream, blocking));
        // Whatever a stream or a host task waits for on a stream has been submitted by then, even
        // if no host task blocks for it.
        oracle::watch events(d, p, executor::device, m);
        events.events(stream).events(blocking);
        const seen s = events.look(oracle::device_executor(p, run_ahead, stream, {}, false), false,
                                   most_states);
        REQUIRE(s.hazards.count(hazard::stale_event) == 0);
        total.add(s);
        return true;
      },
      groups);
  total.check();
  if (groups == with::workers) CHECK(shared * 2 > plans);
}

void check_that_races_are_found(std::size_t count, unsigned seed, with groups) {
  tally total;
  std::size_t by_itself = 0;
  std::size_t racing = 0;
  for_each(
      count, seed,
      [&](const planner::declaration& d, const planner::diagnosis& found) {
        if (!only(kinds(found), {kind::race}) || !planner::shares_resources(d)) return false;
        const auto p = planner::make_plan(d);
        const seen s = oracle::watch(d, p, executor::relaxed, batches(d, p))
                           .look(oracle::relaxed_executor(p, planner::minimal_stream_waits(p),
                                                          planner::blocking_waits(p)),
                                 false, most_states);
        std::set<std::pair<std::size_t, std::size_t>> reported;
        for (const auto& f : found.findings) {
          reported.insert({f.task, f.other});
          by_itself += f.task == f.other;
        }
        if (total.add(s)) REQUIRE(s.races == reported);
        racing += !reported.empty();
        return true;
      },
      groups);
  CHECK(racing * 10 > total.cases);
  CHECK(racing * 10 < total.cases * 9);
  total.check();
  if (groups == with::workers) CHECK(by_itself * 20 > total.cases);
}

void check_that_waits_are_needed(std::size_t count, unsigned seed, with groups) {
  tally total;
  for_each(
      count, seed,
      [&](const planner::declaration& d, const planner::diagnosis& found) {
        if (!found.findings.empty()) return false;
        const auto p = planner::make_plan(d);
        const edges waits = planner::run_ahead_waits(p);
        const edges stream = planner::minimal_stream_waits(p);
        const std::size_t m = std::max(batches(d, p), p.in_flight() + 1);
        for (std::size_t i = 0; i < waits.size(); ++i) {
          CAPTURE(waits[i].producer);
          CAPTURE(waits[i].consumer);
          CAPTURE(waits[i].delta);
          const seen host =
              oracle::watch(d, p, executor::host, m)
                  .running_ahead()
                  .look(oracle::host_executor(p, without(waits, i), false), true, most_states);
          if (total.add(host)) REQUIRE(!host.hazards.empty());
          const seen device =
              oracle::watch(d, p, executor::device, m)
                  .events(stream)
                  .running_ahead()
                  .look(oracle::device_executor(p, without(waits, i), stream,
                                                without_same(planner::blocking_waits(p), waits[i]),
                                                false),
                        true, most_states);
          if (total.add(device)) REQUIRE(!device.hazards.empty());
        }
        return true;
      },
      groups);
  total.check();
}

}  // namespace

TEST_CASE("what compiles never races, deadlocks or mixes up batches, in any interleaving") {
  check_that_plans_hold(6000, 1, with::neither);
}
TEST_CASE("the same of groups with a queue") { check_that_plans_hold(1500, 800'000, with::queues); }
TEST_CASE("the same of groups with workers") {
  check_that_plans_hold(3000, 1'100'000, with::workers);
}
TEST_CASE("the same where tasks run once per so many batches") {
  check_that_plans_hold(1500, 1'400'000, with::rates);
}
TEST_CASE("the same of those with workers") {
  check_that_plans_hold(1000, 1'500'000, with::rates_and_workers);
}

TEST_CASE("two tasks race if and only if they meet in some interleaving") {
  check_that_races_are_found(6000, 100'000, with::neither);
}
TEST_CASE("the same with queues") { check_that_races_are_found(1500, 900'000, with::queues); }
TEST_CASE("the same with workers") { check_that_races_are_found(3000, 1'200'000, with::workers); }

TEST_CASE("the search: one event for a run shows the same as two") {
  tally total;
  std::set<hazard> met;
  std::size_t clean = 0;
  for_each(400, 150'000, [&](const planner::declaration& d, const planner::diagnosis& found) {
    if (!only(kinds(found), {kind::race})) return false;
    const auto p = planner::make_plan(d);
    // Some waits left out, so that there is something to see.
    edges threads;
    edges stream;
    for (const edge& e : planner::run_ahead_waits(p))
      if ((e.producer + e.consumer + total.cases) % 5 != 0) threads.push_back(e);
    for (const edge& e : planner::minimal_stream_waits(p))
      if ((e.producer + e.consumer + total.cases) % 3 != 0) stream.push_back(e);
    const auto lanes =
        oracle::device_executor(p, threads, stream, planner::blocking_waits(p), false);
    oracle::watch w(d, p, executor::device, 3);
    w.events(stream);
    const seen one = w.look(lanes, false, most_states);
    const seen two = w.look(oracle::in_two_events(lanes), false, most_states);
    if (total.add(one) && total.add(two)) {
      REQUIRE(one.hazards == two.hazards);
      REQUIRE(one.races == two.races);
      REQUIRE(one.search.stuck == two.search.stuck);
    }
    met.insert(one.hazards.begin(), one.hazards.end());
    clean += one.text().empty();
    return true;
  });
  CHECK(met.size() >= (share == 1 ? 6 : 5));
  CHECK(clean * 10 > total.cases / 2);
  total.check();
}

TEST_CASE("no wait between threads that may run ahead can go") {
  check_that_waits_are_needed(2500, 200'000, with::neither);
}
TEST_CASE("nor with queues") { check_that_waits_are_needed(400, 1'000'000, with::queues); }
TEST_CASE("nor with workers") { check_that_waits_are_needed(1000, 1'300'000, with::workers); }

TEST_CASE("no wait in addition to the barrier can go") {
  tally total;
  for_each(4000, 300'000, [&](const planner::declaration& d, const planner::diagnosis& found) {
    if (!found.findings.empty()) return false;
    const auto p = planner::make_plan(d);
    const edges waits = p.host_waits;
    for (std::size_t i = 0; i < waits.size(); ++i) {
      const seen s =
          oracle::watch(d, p, executor::host, batches(d, p))
              .look(oracle::host_executor(p, without(waits, i), true), true, most_states);
      if (total.add(s)) REQUIRE(!s.hazards.empty());
    }
    return true;
  });
  total.check();
}

TEST_CASE("no wait between streams can go, and none of a host task for a stream") {
  tally total;
  std::size_t blocked = 0;
  for_each(3000, 400'000, [&](const planner::declaration& d, const planner::diagnosis& found) {
    if (!found.findings.empty()) return false;
    const auto p = planner::make_plan(d);
    const edges stream = planner::minimal_stream_waits(p);
    const edges blocking = planner::blocking_waits(p);
    const oracle::watch w(d, p, executor::relaxed, batches(d, p));
    const auto check = [&](std::vector<oracle::lane> lanes) {
      const seen s = w.look(std::move(lanes), true, most_states);
      if (total.add(s)) REQUIRE(!s.hazards.empty());
    };
    for (std::size_t i = 0; i < stream.size(); ++i)
      check(oracle::relaxed_executor(p, without(stream, i), blocking));
    for (std::size_t i = 0; i < blocking.size(); ++i)
      check(oracle::relaxed_executor(p, stream, without(blocking, i)));
    blocked += blocking.size();
    return !stream.empty() || !blocking.empty();
  });
  CHECK(blocked * 4 > total.cases);
  total.check();
}

TEST_CASE("a cycle gets every execution stuck") {
  std::size_t by_order = 0;
  for_each(600, 500'000, [&](const planner::declaration& d, const planner::diagnosis& found) {
    if (found.findings.empty() || !only(kinds(found), {kind::cycle, kind::order_cycle}))
      return false;
    by_order += found.findings[0].what == kind::order_cycle;
    // The best that threads can do: one for each task, and no waits but those declared.
    const auto g = planner::make_graph(d);
    std::vector<oracle::lane> lanes(d.tasks.size());
    for (std::size_t t = 0; t < lanes.size(); ++t) lanes[t].steps = {{t, oracle::act::run, {}}};
    edges all = planner::declared_edges(g);
    for (const edge& e : planner::order_edges(g)) all.push_back(e);
    for (const edge& e : all)
      if (e.producer < lanes.size() && e.consumer < lanes.size())
        lanes[e.consumer].steps[0].waits.push_back({e.producer, e.delta, false});
    const auto outcome =
        oracle::machine(lanes, d.tasks.size() + 2, 3).explore(most_states, [](auto, const auto&) {
          return true;
        });
    REQUIRE(!outcome.capped);
    REQUIRE(outcome.stuck);
    REQUIRE(!outcome.finished);
    return true;
  });
  CHECK(by_order > 50 / share);
  CHECK(by_order < 550 / share);
}

TEST_CASE("threads get stuck if and only if their chains and the edges make a cycle") {
  tally total;
  std::size_t stuck = 0;
  std::mt19937 random(seeds::first(3));
  for_each(1500, 800'000, [&](const planner::declaration& d, const planner::diagnosis& found) {
    if (!only(kinds(found), {kind::race})) return false;
    auto p = planner::make_plan(d);
    for (const planner::range& chain : p.threads.chains)
      if (chain.last - chain.first < 5 || random() % 4 == 0)
        std::shuffle(p.threads.chained.begin() + chain.first,
                     p.threads.chained.begin() + chain.last, random);
    const edges all = p.edges;
    const bool cycle = !planner::deadlock(p).empty();
    for (const bool barrier : {false, true}) {
      const oracle::machine m(oracle::host_executor(p, all, barrier), p.order.size(), 3);
      seen s;
      s.search = m.explore(most_states, [](auto, const auto&) { return true; });
      if (!total.add(s)) continue;
      REQUIRE(s.search.stuck == cycle);
      REQUIRE(s.search.finished == !cycle);
    }
    stuck += cycle;
    return true;
  });
  CHECK(stuck > 300 / share);
  CHECK(stuck < 1200 / share);
  total.check();
}

TEST_CASE("a run in the future is one that no interleaving has brought by then") {
  std::set<planner::finding_kind> met;
  std::size_t looked = 0;
  for_each(900, 600'000, [&](const planner::declaration& d, const planner::diagnosis& found) {
    if (found.findings.empty() ||
        !only(kinds(found),
              {kind::slot_future_read, kind::depends_future_read, kind::cross_iter_future_read}))
      return false;
    // Forced: what asks for the future is not waited for.
    const auto g = planner::make_graph(d);
    planner::plan p;
    p.resolved = g;
    const auto declared = planner::declared_edges(g);
    p.edges = declared;
    p.order = planner::sort(g, declared).order;
    p.copies = planner::needed_copies(g);
    p.threads = planner::make_thread_map(d, p.order);
    edges waits;
    for (const edge& e : p.edges)
      if (e.delta == 0) waits.push_back(e);
    constexpr std::size_t batches = 4;
    const oracle::watch w(d, p, executor::host, batches);
    const oracle::machine m(oracle::host_executor(p, waits, true), p.order.size(), w.progresses());
    for (const auto& f : found.findings) {
      met.insert(f.what);
      std::size_t starts = 0;
      const std::size_t ago =
          f.what == kind::cross_iter_future_read
              ? static_cast<std::size_t>(d.tasks[f.task].cross_iter_depends_on[f.position].ago)
              : 0;
      const auto outcome = m.explore(most_states, [&](oracle::machine::state s, const auto& ready) {
        for (const auto& run : ready) {
          if (run.what->node != f.task || !w.fires(f.task, run.progress)) continue;
          const std::size_t batch = run.progress - w.lag(f.task);
          if (batch < ago) continue;
          ++starts;
          REQUIRE(m.ran(s, f.other) <= batch - ago + w.lag(f.other));
        }
        return true;
      });
      REQUIRE(!outcome.capped);
      REQUIRE(starts > 0);
      ++looked;
    }
    return true;
  });
  CHECK(met.size() == 3);
  CHECK(looked >= 900 / share);
}

TEST_CASE("a witness of a race is an interleaving, and none is shorter") {
  std::size_t longest = 0;
  std::size_t looked = 0;
  for_each(400, 700'000, [&](const planner::declaration& d, const planner::diagnosis& found) {
    if (found.findings.empty() || !only(kinds(found), {kind::race})) return false;
    const auto p = planner::make_plan(d);
    // As many batches as the first progresses may pull, so that none is missed there.
    const oracle::watch w(d, p, executor::relaxed, p.in_flight() + 1);
    const oracle::machine m(
        oracle::relaxed_executor(p, planner::minimal_stream_waits(p), planner::blocking_waits(p)),
        p.order.size(), w.progresses());
    for (const auto& f : found.findings) {
      const planner::meeting meeting = planner::shortest_meeting(p, f.task, f.other);
      // How often each node has run after each line; the states that there are.
      std::vector<std::vector<std::size_t>> lines(1, std::vector<std::size_t>(p.order.size(), 0));
      std::size_t length = 0;
      for (const planner::run& r : meeting.before) {
        lines.push_back(lines.back());
        REQUIRE(r.progress == lines.back()[r.node]++);
        REQUIRE(r.fires == w.fires(r.node, r.progress));
        length += r.fires;
      }
      std::set<std::vector<std::size_t>> states;
      auto least = static_cast<std::size_t>(-1);
      bool met = false;
      const auto outcome = m.explore(most_states, [&](oracle::machine::state s, const auto& ready) {
        std::vector<std::size_t> ran;
        std::size_t fired = 0;
        for (std::size_t n = 0; n < p.order.size(); ++n) {
          ran.push_back(m.ran(s, n));
          for (std::size_t i = 0; i < ran.back(); ++i) fired += w.fires(n, i);
        }
        const auto under_way = [&](std::size_t node) {
          return std::find_if(ready.begin(), ready.end(), [&](const oracle::machine::next& n) {
            return n.what->node == node && w.fires(node, n.progress);
          });
        };
        const auto task = under_way(f.task);
        const auto other = under_way(f.other);
        if (task != ready.end() && other != ready.end()) {
          least = std::min(least, fired);
          met = met || (ran == lines.back() && task->progress == meeting.task.progress &&
                        other->progress == meeting.other.progress);
        }
        states.insert(ran);
        return true;
      });
      if (outcome.capped) continue;
      ++looked;
      REQUIRE(met);
      REQUIRE(length == least);
      for (const auto& line : lines) REQUIRE(states.count(line) == 1);
      REQUIRE(planner::witness(d, f).find(" while ") != std::string::npos);
      longest = std::max(longest, length);
    }
    return true;
  });
  CHECK(longest >= 5);
  CHECK(looked >= 400 / share);
}
