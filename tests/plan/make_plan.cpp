// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is derived from small declarations: order, edges, copies, waits, threads, the text of it.

#include <doctest/doctest.h>
#include <algorithm>
#include <array>
#include <bitset>
#include <stretto/plan/make_plan.hpp>
#include <stretto/plan/model/firing.hpp>
#include <stretto/plan/rules/rule_8_emission.hpp>
#include <stretto/plan/text/describe.hpp>
#include <tuple>
#include "../support/random_schedule.hpp"
#include "../support/seed.hpp"
#include "draft.hpp"

namespace {

namespace planner = stretto::planner;
using planner::edge;
using planner::reason;

using text_edge = std::tuple<std::string, std::string, int, reason>;

/// Producer, consumer, delta, reason, with names; sorted, because the order of edges means nothing.
std::vector<text_edge> named(const planner::declaration& d, const std::vector<edge>& edges) {
  std::vector<text_edge> result;
  result.reserve(edges.size());
  for (const edge& e : edges)
    result.emplace_back(planner::node_name(d, e.producer), planner::node_name(d, e.consumer),
                        e.delta, e.why);
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<text_edge> sorted(std::vector<text_edge> edges) {
  std::sort(edges.begin(), edges.end());
  return edges;
}

std::vector<std::string> order_of(draft& d) {
  const planner::declaration declared = d.declaration();
  std::vector<std::string> names;
  for (const std::size_t n : planner::make_plan(declared).order)
    names.emplace_back(planner::node_name(declared, n));
  return names;
}

std::size_t copies_of(draft& d, std::string_view slot) {
  const planner::plan p = planner::make_plan(d.declaration());
  for (std::size_t s = 0; s < p.copies.size(); ++s)
    if (p.resolved.slot_list[s].text == slot) return p.copies[s];
  return 0;
}

std::vector<text_edge> sharing(draft& d) {
  const planner::declaration declared = d.declaration();
  const planner::graph g = planner::make_graph(declared);
  std::vector<edge> edges = planner::sharing_edges(g, planner::needed_copies(g));
  std::erase_if(edges,
                [&](const edge& e) { return e.producer == g.pull() || e.consumer == g.pull(); });
  return named(declared, edges);
}

using names = std::vector<std::string>;

names chain_of(const planner::declaration& d, const planner::thread_map& m, std::size_t thread) {
  names result;
  for (std::size_t i = m.chains[thread].first; i < m.chains[thread].last; ++i)
    result.emplace_back(planner::node_name(d, m.chained[i]));
  return result;
}

}  // namespace

TEST_CASE("the sort breaks ties by declaration order, each time it chooses") {
  draft d;
  d.add("a").depends_on({"d"});
  d.add("b");
  d.add("c").depends_on({"b"});
  d.add("d");
  d.add("e");
  // `a` becomes ready last of all, and yet comes before `e`.
  CHECK(order_of(d) == names{"pull", "b", "c", "d", "a", "e", "deliver"});
}

TEST_CASE("only edges inside one progress bear on the order") {
  draft d;
  d.add("forward").reads({"batch"}).cross_iter("step");
  d.add("load", 1).writes({"batch"});
  d.add("step").depends_on({"load"});
  CHECK(order_of(d) == names{"pull", "forward", "load", "step", "deliver"});

  // One batch ago is this progress, for a task that works one batch ahead.
  draft e;
  e.add("load", 1).cross_iter("step");
  e.add("step");
  CHECK(order_of(e) == names{"pull", "step", "load", "deliver"});
}

TEST_CASE("declared edges: how far back, and where the original engine looks their events up") {
  draft d;
  d.add("load", 2).reads({"source"}).writes({"batch"});
  d.add("augment", 1).writes({"batch"}).depends_on({"load"});
  d.add("forward", 0).reads({"batch"}).cross_iter("step", 3).sync({"load"});
  d.add("step", 0).depends_on({"forward"});
  d.add("prefetch", 1).cross_iter("step");
  const planner::declaration declared = d.declaration();
  const auto edges = planner::declared_edges(planner::make_graph(declared));
  CHECK(named(declared, edges) == sorted({{"pull", "load", 0, reason::data},
                                          {"load", "augment", 1, reason::depends_on},
                                          {"load", "forward", 2, reason::data},
                                          {"augment", "forward", 1, reason::data},
                                          {"step", "forward", 3, reason::cross_iter},
                                          {"load", "forward", 0, reason::same_progress_sync},
                                          {"forward", "step", 0, reason::depends_on},
                                          {"step", "prefetch", 0, reason::cross_iter}}));
  for (const edge& e : edges) {
    CAPTURE(planner::node_name(declared, e.consumer));
    CAPTURE(planner::node_name(declared, e.producer));
    const int own = declared.tasks[e.consumer].lookahead;
    switch (e.why) {
      case reason::data:
      case reason::depends_on: CHECK(e.offset == own); break;
      case reason::cross_iter: CHECK(e.offset == (e.delta == 0 ? 0 : own - 3)); break;
      default: CHECK(e.offset == 2);
    }
  }
}

TEST_CASE("a read does not wait for writers behind it") {
  draft d;
  d.add("load", 2).writes({"batch"});
  d.add("peek", 1).reads({"batch"});
  d.add("augment", 0).writes({"batch"});
  const planner::declaration declared = d.declaration();
  CHECK(named(declared, planner::declared_edges(planner::make_graph(declared))) ==
        sorted({{"load", "peek", 1, reason::data}}));
}

TEST_CASE("copies: from the writer furthest ahead to the user furthest behind") {
  draft d;
  d.add("load", 3).writes({"batch", "tag", "alone"});
  d.add("augment", 2).writes({"batch"});
  d.add("forward", 1).reads({"batch", "tag"});
  d.add("step", 0).reads({"tag"});
  CHECK(copies_of(d, "batch") == 3);
  CHECK(copies_of(d, "tag") == 4);
  CHECK(copies_of(d, "alone") == 1);
  CHECK(copies_of(d, "source") == 1);
  d.result("alone");
  CHECK(copies_of(d, "alone") == 4);
  CHECK(planner::make_plan(d.declaration()).in_flight() == 4);
}

TEST_CASE("sharing: who refills a copy comes after all that used it") {
  draft d;
  d.add("load", 1).writes({"batch"});
  d.add("forward", 0).reads({"batch"});
  // Two copies: `load` refills the copy of two batches ago, which `forward` read one progress ago.
  CHECK(sharing(d) == sorted({{"forward", "load", 1, reason::reuse}}));

  draft e;
  e.add("load", 0).writes({"batch"});
  e.add("forward", 0).reads({"batch"});
  CHECK(sharing(e) == sorted({{"forward", "load", 1, reason::reuse}}));
}

TEST_CASE("sharing: two writers at different lookaheads") {
  draft d;
  d.add("load", 2).writes({"batch"});
  d.add("peek", 1).reads({"batch"});
  d.add("augment", 1).writes({"batch"});
  d.add("forward", 0).reads({"batch"});
  d.add("patch", 0).writes({"batch"});
  CHECK(copies_of(d, "batch") == 3);
  CHECK(sharing(d) == sorted({// Three copies: each user's order before `load`, three batches on.
                              {"peek", "load", 2, reason::reuse},
                              {"augment", "load", 2, reason::reuse},
                              {"forward", "load", 1, reason::reuse},
                              {"patch", "load", 1, reason::reuse},
                              // Those that write in place, after those further ahead on that batch.
                              {"load", "augment", 1, reason::update},
                              {"load", "patch", 2, reason::update},
                              {"augment", "patch", 1, reason::update},
                              {"peek", "patch", 1, reason::update}}));
}

TEST_CASE("sharing: the writer furthest ahead refills, wherever it is declared") {
  draft d;
  d.add("later", 0).writes({"slot"});
  d.add("first", 2).writes({"slot"});
  const auto g = planner::make_graph(d.declaration());
  bool refills = false;
  for (const planner::edge& e : planner::sharing_edges(g, planner::needed_copies(g)))
    if (e.why == planner::reason::reuse) {
      CHECK(e.consumer == 1);
      refills = true;
    }
  CHECK(refills);
}

TEST_CASE("the pipeline is filled when the task furthest behind has a batch") {
  CHECK_FALSE(planner::filled(2, 1));
  CHECK(planner::filled(2, 2));
  CHECK(planner::filled(0, 0));
}

TEST_CASE("queues: streams, tickets, and word of the next batch") {
  draft d{"compute", "memcpy"};
  d.add("b", 0, "compute").collective();
  d.add("a", 0, "compute").depends_on({"b"});
  d.add("c", 2, "memcpy").collective().sync({"a"});
  d.add("host");
  const planner::declaration declared = d.declaration();
  const planner::plan p = planner::make_plan(declared);
  CHECK(p.tickets == std::vector<std::size_t>{0, 2});
  CHECK(named(declared, planner::queue_edges(p.resolved, p.order)) ==
        sorted({{"b", "a", 0, reason::stream},
                {"a", "b", 1, reason::stream},
                {"b", "c", 0, reason::ticket},
                {"c", "b", 1, reason::ticket},
                {"pull", "b", 2, reason::batch},
                {"pull", "a", 2, reason::batch},
                {"pull", "c", 0, reason::batch},
                {"pull", "host", 2, reason::batch},
                {"pull", "deliver", 2, reason::batch}}));
}

TEST_CASE("waits between streams: all of them, each once, none for host tasks") {
  draft d{"memcpy", "compute"};
  d.add("load", 1).writes({"raw"});
  d.add("h2d", 1, "memcpy").reads({"raw"}).writes({"batch", "tag"});
  d.add("forward", 0, "compute").reads({"batch", "tag"});
  d.add("step", 0, "compute").reads({"tag"}).depends_on({"h2d"});
  const planner::declaration declared = d.declaration();
  const auto waits = planner::make_plan(declared).stream_waits;
  CHECK(named(declared, waits) == sorted({{"forward", "h2d", 1, reason::reuse},
                                          {"step", "h2d", 1, reason::reuse},
                                          {"h2d", "forward", 1, reason::data},
                                          {"h2d", "step", 1, reason::data}}));
  CHECK(planner::rules::emitted_once(waits));
  std::vector<edge> twice = waits;
  twice.insert(twice.begin(), waits.front());
  CHECK_FALSE(planner::rules::emitted_once(twice));
}

TEST_CASE("threads: by stream, one for host tasks, as named, numbered by first use") {
  draft d{"memcpy", "compute"};
  d.add("forward", 0, "compute");
  d.add("decode");
  d.add("h2d", 1, "memcpy");
  d.add("step", 0, "compute").thread("aside");
  d.add("report").thread("caller");
  planner::declaration declared = d.declaration();
  planner::plan p = planner::make_plan(declared);
  CHECK(p.threads.names ==
        std::vector<std::string_view>{"caller", "compute", "host", "memcpy", "aside"});
  CHECK(p.threads.thread_of == std::vector<std::size_t>{1, 2, 3, 4, 0, 0, 0});
  const auto chain = [&](std::size_t t) { return chain_of(declared, p.threads, t); };
  CHECK(chain(0) == names{"pull", "report", "deliver"});
  CHECK(chain(1) == names{"forward"});

  declared.caller_runs = "compute";
  declared.from.thread = "memcpy";
  p = planner::make_plan(declared);
  CHECK(p.threads.names == std::vector<std::string_view>{"caller", "memcpy", "host", "aside"});
  CHECK(chain(0) == names{"forward", "report", "deliver"});
  CHECK(chain(1) == names{"pull", "h2d"});
  for (const std::size_t n : p.order) {
    const planner::range c = p.threads.chains[p.threads.thread_of[n]];
    CHECK(p.threads.chained[c.first + p.threads.place[n]] == n);
  }
}

TEST_CASE("a source further ahead than any task widens the pipeline") {
  draft d;
  d.add("forward", 1).reads({"source"});
  planner::declaration declared = d.declaration();
  CHECK(planner::make_plan(declared).in_flight() == 2);
  declared.from.lookahead = 3;
  const planner::plan p = planner::make_plan(declared);
  CHECK(p.in_flight() == 4);
  CHECK(p.resolved.nodes[p.resolved.pull()].lookahead == 3);
  CHECK(copies_of(d, "source") == 2);  // not so far ahead, it has a spare copy
  CHECK(p.copies.front() == 3);
}

TEST_CASE("the fire rule") {
  CHECK(planner::lag(3, 1) == 2);
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK(planner::fires(2, i, 3) == (i >= 2 && i < 5));
    CHECK_FALSE(planner::fires(2, i, 0));
  }
}

namespace {

/// Which nodes must have run before which, inside one progress: all paths over chains and waits.
class reach {
 public:
  explicit reach(const planner::plan& p) : nodes_(p.order.size()), before_(nodes_ * nodes_, 0) {
    for (const planner::range chain : p.threads.chains)
      for (std::size_t i = chain.first + 1; i < chain.last; ++i)
        set(p.threads.chained[i - 1], p.threads.chained[i]);
  }
  void set(std::size_t producer, std::size_t consumer) {
    before_[producer * nodes_ + consumer] = 1;
  }
  void close() {
    for (std::size_t k = 0; k < nodes_; ++k)
      for (std::size_t i = 0; i < nodes_; ++i)
        for (std::size_t j = 0; j < nodes_; ++j)
          if (has(i, k) && has(k, j)) set(i, j);
  }
  bool has(std::size_t producer, std::size_t consumer) const {
    return before_[producer * nodes_ + consumer] != 0;
  }

 private:
  std::size_t nodes_;
  std::vector<char> before_;
};

reach closed(const planner::plan& p, const std::vector<edge>& waits, std::size_t without) {
  reach r(p);
  for (std::size_t i = 0; i < waits.size(); ++i)
    if (i != without) r.set(waits[i].producer, waits[i].consumer);
  r.close();
  return r;
}

}  // namespace

TEST_CASE("waits at a barrier keep every edge, and not one of them can go") {
  std::size_t waits = 0;
  std::size_t spared = 0;
  random_schedule::for_each_valid(
      3000, seeds::first(20'000),
      [&](const planner::declaration& d, unsigned seed) {
        CAPTURE(seed);
        const planner::plan p = planner::make_plan(d);
        const reach all = closed(p, p.host_waits, planner::none);
        for (const edge& e : p.edges) {
          if (e.delta != 0) continue;
          CHECK(all.has(e.producer, e.consumer));
          const bool crosses = p.threads.thread_of[e.producer] != p.threads.thread_of[e.consumer];
          spared += crosses ? 1U : 0U;
        }
        for (std::size_t w = 0; w < p.host_waits.size(); ++w) {
          const edge& e = p.host_waits[w];
          CHECK(e.delta == 0);
          CHECK_FALSE(closed(p, p.host_waits, w).has(e.producer, e.consumer));
          CHECK((w == 0 || p.host_waits[w - 1].consumer <= e.consumer));
        }
        waits += p.host_waits.size();
        CHECK(planner::rules::emitted_once(p.host_waits));
      },
      9);
  // The draw is worth something: there are waits, and there are edges that need none.
  CHECK(waits > 3000);
  CHECK(spared > waits + 1000);
}

namespace {

/// Some progresses of a plan, run by run, and which run comes before which.
class unrolled {
 public:
  static constexpr std::size_t most_runs = 128;

  unrolled(const planner::plan& p, std::size_t progresses)
      : nodes_(p.order.size()), after_(nodes_ * progresses) {
    REQUIRE(after_.size() <= most_runs);
    for (std::size_t i = progresses; i-- > 0;)
      for (std::size_t at = nodes_; at-- > 0;) {
        const std::size_t n = p.order[at];
        if (i + 1 < progresses) follow(run(n, i), run(n, i + 1));
        for (const edge& e : p.edges) {
          const std::size_t later = i + static_cast<std::size_t>(e.delta);
          if (e.producer == n && later < progresses) follow(run(n, i), run(e.consumer, later));
        }
      }
  }
  std::size_t run(std::size_t node, std::size_t progress) const { return progress * nodes_ + node; }
  bool ordered(std::size_t a, std::size_t b) const { return after_[a][b] || after_[b][a]; }

 private:
  // Runs are visited from the last to the first, so what follows `next` is known.
  void follow(std::size_t run, std::size_t next) {
    after_[run].set(next);
    after_[run] |= after_[next];
  }

  std::size_t nodes_;
  std::vector<std::bitset<most_runs>> after_;
};

struct touch {
  std::size_t run;
  std::size_t node;
  bool writes;
};

}  // namespace

TEST_CASE("whoever writes a copy of a slot is ordered with all who use that copy") {
  std::size_t pairs = 0;
  random_schedule::for_each_valid(
      2000, seeds::first(50'000), [&](const planner::declaration& d, unsigned seed) {
        CAPTURE(seed);
        const planner::plan p = planner::make_plan(d);
        constexpr std::size_t progresses = 10;
        const unrolled runs(p, progresses);
        for (std::size_t slot = 0; slot < p.copies.size(); ++slot) {
          std::vector<std::vector<touch>> copies(p.copies[slot]);
          const auto add = [&](const planner::use& u, bool writes) {
            const std::size_t lag = planner::lag(p.resolved.max_lookahead, u.offset);
            for (std::size_t i = lag; u.slot == slot && i < progresses; ++i)
              copies[(i - lag) % p.copies[slot]].push_back({runs.run(u.node, i), u.node, writes});
          };
          for (const planner::use& u : p.resolved.reads) add(u, false);
          for (const planner::use& u : p.resolved.writes) add(u, true);
          for (const auto& touched : copies)
            for (std::size_t a = 0; a < touched.size(); ++a)
              for (std::size_t b = 0; b < a; ++b) {
                if (touched[a].node == touched[b].node) continue;
                if (!touched[a].writes && !touched[b].writes) continue;
                ++pairs;
                CHECK(runs.ordered(touched[a].run, touched[b].run));
              }
        }
      });
  CHECK(pairs > 35'000);
}

TEST_CASE("the text of a plan") {
  draft d{"memcpy", "compute"};
  d.add("h2d", 1, "memcpy").reads({"source"}).writes({"batch"});
  d.add("reduce", 0, "compute").reads({"batch"}).writes({"loss"}).collective();
  d.result("loss");
  const planner::declaration declared = d.declaration();
  const std::array<std::size_t, 3> bytes{8, 16, 4};
  CHECK(planner::describe("training", declared, planner::make_plan(declared), bytes) ==
        R"(schedule training: 2 tasks, 2 batches in flight

order of one progress (+n: n batches ahead)
  pull      +1  thread caller      writes source
  h2d       +1  thread memcpy      stream memcpy  reads source  writes batch
  reduce    +0  thread compute     stream compute  reads batch  writes loss
  deliver   +0  thread caller      reads loss

threads
  caller    pull > deliver
  memcpy    h2d
  compute   reduce

waits between threads that run ahead of each other
  `h2d` waits for `pull` in the same progress: reads `source`
  `reduce` waits for `h2d` 1 progress earlier: reads `batch`
  `deliver` waits for `reduce` in the same progress: reads `loss`
  (with a barrier after each progress instead: 2 waits inside it)

waits between streams (all that the declarations and the reuse of copies ask for)
  `h2d` waits for `reduce` 1 progress earlier: refills the copy of `batch` that it used
  `reduce` waits for `h2d` 1 progress earlier: reads `batch`

collectives, in submission order
  reduce

memory
  source    2 copies of 8 bytes, 1 of them spare: `pull` need not wait for `h2d`
  batch     2 copies of 16 bytes
  loss      2 copies of 4 bytes, 1 of them spare: `reduce` need not wait for `deliver`
  56 bytes in all, without what slots own elsewhere
)");
}

TEST_CASE("a plan as text says which slots nobody reads") {
  draft d{"compute"};
  d.add("load", 1).writes({"sum"});  // and does not read the source's slot
  d.add("add").writes({"sum", "state"}).reads({"old"});
  d.add("keep", 2).writes({"old"});
  d.result("sum");
  const planner::declaration declared = d.declaration();
  const std::string told = planner::describe("s", declared, planner::make_plan(declared));
  const auto line_of = [&told](const char* slot) {
    const std::size_t at = told.find(slot, told.find("\nmemory"));
    return told.substr(at, told.find('\n', at) - at);
  };
  CHECK(line_of("source").ends_with("; nobody reads it"));
  CHECK(line_of("state").ends_with("; nobody reads it"));
  CHECK_FALSE(line_of("sum").ends_with("; nobody reads it"));
  CHECK_FALSE(line_of("old").ends_with("; nobody reads it"));
}
