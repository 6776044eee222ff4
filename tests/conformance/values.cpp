// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the planner derives from each record, against what the original engine computed.

#include <doctest/doctest.h>
#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <stretto/plan/original.hpp>
#include <stretto/plan/plan.hpp>
#include <stretto/plan/sentence.hpp>
#include "record.hpp"

namespace {

using nlohmann::json;
namespace plan = stretto::plan;

std::vector<std::unique_ptr<conformance::record>> records(const std::string& file) {
  std::ifstream in(std::string(STRETTO_GOLDENS) + "/" + file);
  REQUIRE_MESSAGE(in, "cannot open ", file);
  std::vector<std::unique_ptr<conformance::record>> result;
  for (std::string line; std::getline(in, line);)
    result.push_back(std::make_unique<conformance::record>(json::parse(line)));
  return result;
}

template <class Check>
void for_each_record(Check check) {
  std::size_t count = 0;
  for (const char* file : {"hstu.jsonl", "documented.jsonl", "random.jsonl"}) {
    for (const auto& r : records(file)) {
      CAPTURE(r->id());
      check(*r);
      ++count;
    }
  }
  CHECK(count == 694);
}

std::vector<std::string> names(const plan::declaration& d, const std::vector<std::size_t>& nodes) {
  std::vector<std::string> result;
  for (const std::size_t n : nodes)
    if (n < d.tasks.size()) result.emplace_back(plan::node_name(d, n));
  return result;
}

using producers_of = std::map<std::string, std::set<std::string>>;

producers_of expected(const json& edges) {
  producers_of result;
  for (const auto& [consumer, producers] : edges.items())
    for (const auto& p : producers) result[consumer].insert(p.get<std::string>());
  return result;
}

}  // namespace

TEST_CASE("verdicts: a record the original accepts has no finding, a rejected one has its kind") {
  for_each_record([](const conformance::record& r) {
    const auto d = r.declaration(true);
    const auto found = plan::diagnose(d).findings;
    if (r.valid()) {
      for (const auto& f : found) FAIL_CHECK(plan::sentence(d, f));
      return;
    }
    const auto kind = r.json()["error"]["kind"].get<std::string>();
    const auto rule = r.json()["error"]["rule"].get<int>();
    CHECK(std::any_of(found.begin(), found.end(), [&](const plan::finding& f) {
      return plan::kind_name(f.what) == kind && plan::rule_of(f) == rule;
    }));
  });
}

TEST_CASE("history: outside strict mode a wait on a slot that left the ring is no violation") {
  std::size_t accepted = 0;
  for_each_record([&](const conformance::record& r) {
    if (r.valid() || r.json()["error"]["kind"] != "cross_iter_rotated_out") return;
    for (const auto& f : plan::diagnose(r.declaration(false)).findings)
      CHECK(f.what != plan::kind::cross_iter_rotated_out);
    accepted += plan::diagnose(r.declaration(false)).findings.empty();
  });
  CHECK(accepted >= 40);
}

TEST_CASE("order, batches in flight and tickets") {
  for_each_record([](const conformance::record& r) {
    if (!r.valid()) return;
    const auto d = r.declaration(true);
    const auto p = plan::make_plan(d);
    CHECK(json(names(d, p.order)) == r.json()["order"]);
    CHECK(p.in_flight() == r.json()["in_flight"].get<std::size_t>());
    CHECK(json(names(d, p.tickets)) == r.json()["tickets"]);
    CHECK(plan::rules::emitted_once(p.stream_waits));
    CHECK(plan::rules::emitted_once(p.host_waits));
  });
}

TEST_CASE("edges inside one progress") {
  for_each_record([](const conformance::record& r) {
    if (!r.valid()) return;
    const auto d = r.declaration(true);
    const auto g = plan::make_graph(d);
    producers_of actual;
    for (const auto& e : plan::declared_edges(g))
      if (e.delta == 0 && e.producer < g.tasks && e.consumer < g.tasks)
        actual[std::string(plan::node_name(d, e.consumer))].emplace(plan::node_name(d, e.producer));
    CHECK(actual == expected(r.json()["edges"]));
  });
}

TEST_CASE("waits between streams, the original's full list") {
  using wait = std::tuple<std::string, std::string, int>;
  for_each_record([](const conformance::record& r) {
    if (!r.valid()) return;
    const auto d = r.declaration(true);
    const auto g = plan::make_graph(d);
    std::map<std::string, std::set<wait>> actual;
    for (const auto& e : plan::original_waits(g, plan::declared_edges(g)))
      actual[std::string(plan::node_name(d, e.consumer))].emplace(
          plan::node_name(d, e.producer), d.tasks[e.producer].stream, e.offset);
    std::map<std::string, std::set<wait>> wanted;
    for (const auto& [consumer, waits] : r.json()["event_deps"].items())
      for (const auto& w : waits) wanted[consumer].insert(w.get<wait>());
    CHECK(actual == wanted);
  });
}

TEST_CASE("thread chains, and what a thread must wait for on others") {
  for_each_record([](const conformance::record& r) {
    if (!r.valid()) return;
    for (const auto& [map, golden] : r.json()["cpu_deps"].items()) {
      CAPTURE(map);
      std::map<std::string, std::string> thread_of;
      for (const auto& [thread, chain] : golden["chains"].items())
        for (const auto& t : chain) thread_of[t.get<std::string>()] = thread;
      const auto tasks = r.tasks_on_threads([&](const plan::task& t) -> std::string_view {
        return map == "by_stream" ? "" : std::string_view(thread_of[std::string(t.id.text)]);
      });
      auto d = r.declaration(true);
      d.tasks = tasks;
      const auto p = plan::make_plan(d);
      json chains = json::object();
      for (std::size_t t = 1; t < p.threads.names.size(); ++t) {
        const plan::range c = p.threads.chains[t];
        chains[std::string(p.threads.names[t])] =
            names(d, {p.threads.chained.begin() + static_cast<std::ptrdiff_t>(c.first),
                      p.threads.chained.begin() + static_cast<std::ptrdiff_t>(c.last)});
      }
      CHECK(chains == golden["chains"]);

      producers_of actual;
      for (const auto& e : p.edges)
        if (e.delta == 0 && e.why != plan::reason::ticket && e.producer < d.tasks.size() &&
            e.consumer < d.tasks.size() &&
            p.threads.thread_of[e.producer] != p.threads.thread_of[e.consumer])
          actual[std::string(plan::node_name(d, e.consumer))].emplace(
              plan::node_name(d, e.producer));
      CHECK(actual == expected(golden["deps"]));
    }
  });
}

TEST_CASE("fire tables by the fire rule") {
  for_each_record([](const conformance::record& r) {
    if (!r.valid()) return;
    const auto d = r.declaration(true);
    const auto p = plan::make_plan(d);
    for (const auto& [batches, table] : r.json()["fires"].items()) {
      json actual = json::array();
      const std::size_t m = std::stoul(batches);
      const auto max = p.resolved.max_lookahead;
      for (std::size_t i = 0; i < m + static_cast<std::size_t>(max); ++i) {
        json fired = json::array();
        for (const std::size_t n : p.order) {
          if (n >= d.tasks.size()) continue;
          const std::size_t lag = plan::lag(max, d.tasks[n].lookahead);
          if (plan::fires(lag, i, m)) fired.push_back({plan::node_name(d, n), i - lag});
        }
        actual.push_back(fired);
      }
      CHECK(actual == table);
    }
  });
}
