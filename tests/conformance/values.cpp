// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the planner derives from each record, given as values, against what the original engine
// computed.

#include <doctest/doctest.h>
#include <deque>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <stretto/plan/make_plan.hpp>
#include <stretto/plan/model/firing.hpp>
#include <stretto/plan/rules/diagnose.hpp>
#include <stretto/plan/rules/rule_8_emission.hpp>
#include "../support/original.hpp"
#include "compare.hpp"
#include "record.hpp"
#include "violations.hpp"

namespace {

using nlohmann::json;
namespace planner = stretto::planner;

std::vector<std::unique_ptr<conformance::record>> records_at(const std::string& path) {
  std::ifstream in(path);
  REQUIRE_MESSAGE(in, "cannot open ", path);
  std::vector<std::unique_ptr<conformance::record>> result;
  for (std::string line; std::getline(in, line);)
    result.push_back(std::make_unique<conformance::record>(json::parse(line)));
  return result;
}

std::vector<std::unique_ptr<conformance::record>> records(const std::string& file) {
  return records_at(std::string(STRETTO_GOLDENS) + "/" + file);
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

/// A record judged by the planner at run time. Stays where it is made.
class judged_by_value {
 public:
  explicit judged_by_value(const conformance::record& r)
      : declared_(r.declaration(true)), findings_(original::findings(declared_)) {
    result_.declared = &declared_;
    result_.findings = findings_;
    if (!findings_.empty() || !r.valid()) return;
    add("", declared_);
    for (const auto& [map, golden] : r.json()["cpu_deps"].items()) {
      std::map<std::string, std::string> thread_of;
      for (const auto& [thread, chain] : golden["chains"].items())
        for (const auto& t : chain) thread_of[t.get<std::string>()] = thread;
      const auto tasks = r.tasks_on_threads([&](const planner::task& t) -> std::string_view {
        return map == "by_stream" ? "" : std::string_view(thread_of[std::string(t.id.text)]);
      });
      planner::declaration d = declared_;
      d.tasks = tasks;
      add(map, d);
    }
  }
  judged_by_value(const judged_by_value&) = delete;
  judged_by_value& operator=(const judged_by_value&) = delete;

  const conformance::judged& result() const { return result_; }
  const std::deque<planner::plan>& plans() const { return plans_; }

 private:
  void add(const std::string& map, const planner::declaration& d) {
    const planner::plan& p = plans_.emplace_back(planner::make_plan(d));
    std::vector<std::size_t>& lag = lags_.emplace_back();
    for (const auto& n : p.resolved.nodes)
      lag.push_back(planner::lag(p.resolved.max_lookahead, n.lookahead));
    std::vector<std::string_view>& threads = threads_.emplace_back();
    for (const std::string_view t : p.threads.names)
      threads.push_back(texts_.emplace_back(t));  // the plan's are the caller's
    result_.plans.push_back({texts_.emplace_back(map),
                             {p.order, lag, p.in_flight(), p.tickets, p.edges, p.stream_waits,
                              threads, p.threads.thread_of, p.threads.chained, p.threads.chains}});
  }

  planner::declaration declared_;
  planner::list<planner::finding> findings_;
  std::deque<planner::plan> plans_;
  std::deque<std::vector<std::size_t>> lags_;
  std::deque<std::vector<std::string_view>> threads_;
  std::deque<std::string> texts_;
  conformance::judged result_;
};

}  // namespace

TEST_CASE("each record is judged and planned as the original engine did") {
  for_each_record([](const conformance::record& r) {
    const judged_by_value judged(r);
    for (const std::string& d : conformance::differences(r.json(), judged.result())) FAIL_CHECK(d);
    for (const planner::plan& p : judged.plans()) {
      CHECK(planner::rules::emitted_once(p.stream_waits));
      CHECK(planner::rules::emitted_once(p.host_waits));
    }
  });
}

TEST_CASE("history: outside strict mode a wait on a slot that left the ring is no violation") {
  std::size_t accepted = 0;
  for_each_record([&](const conformance::record& r) {
    if (r.valid() || r.json()["error"]["kind"] != "cross_iter_rotated_out") return;
    for (const auto& f : planner::diagnose(r.declaration(false)).findings)
      CHECK(f.what != planner::kind::cross_iter_rotated_out);
    accepted += planner::diagnose(r.declaration(false)).findings.empty();
  });
  CHECK(accepted >= 40);
}

TEST_CASE("a record whose expectation is altered differs, in that place alone") {
  struct alteration {
    const char* pointer;
    json value;
    const char* difference;
  };
  const alteration alterations[] = {
      {"/verdict", "invalid", "verdict: expected rule 7 cycle, got valid"},
      {"/order/1", "h2d", "order: expected [\"h2d\",\"h2d\""},
      {"/in_flight", 2, "in_flight: expected 2, got 3"},
      {"/edges/backward", {"forward"}, "edges of backward: expected [\"forward\"], got ["},
      {"/edges/h2d", {"forward"}, "edges of h2d: expected [\"forward\"], got null"},
      {"/event_deps/forward/1/2", 1, "event_deps of forward: expected"},
      {"/event_deps/forward/0/1", "default", "event_deps of forward: expected"},
      {"/event_deps/forward", json::array(), "event_deps of forward: expected null, got [["},
      {"/tickets/0", "h2d", "tickets: expected"},
      {"/cpu_deps/two_group/chains/io/0", "forward", "cpu_deps of two_group of chains of io"},
      {"/cpu_deps/per_task/deps/backward/0", "h2d", "cpu_deps of per_task of deps of backward"},
      {"/fires/2/1/0/1", 0, "fires of 2: expected"},
  };
  const auto ranking = records("hstu.jsonl");
  for (const alteration& a : alterations) {
    CAPTURE(a.pointer);
    json altered = ranking.front()->json();
    altered["error"] = {{"kind", "cycle"}, {"rule", 7}};
    altered[json::json_pointer(a.pointer)] = a.value;
    const judged_by_value judged(*ranking.front());
    const auto differ = conformance::differences(altered, judged.result());
    REQUIRE(differ.size() == 1);
    CHECK(differ.front().starts_with(a.difference));
  }
}

TEST_CASE("an invalid record with another kind, rule or verdict differs") {
  for_each_record([](const conformance::record& r) {
    if (r.valid()) return;
    const judged_by_value judged(r);
    REQUIRE(!judged.result().findings.empty());
    json altered = r.json();
    altered["error"]["rule"] = 8;
    CHECK(conformance::differences(altered, judged.result()).size() == 1);
    altered = r.json();
    altered["error"]["kind"] = "no_such_kind";
    CHECK(conformance::differences(altered, judged.result()).size() == 1);
    altered["verdict"] = "valid";
    CHECK(conformance::differences(altered, judged.result()).size() == 1);
  });
}

TEST_CASE("what is found besides one violation is what else is wrong with the record") {
  const auto planted = records_at(STRETTO_PLANTED);
  CHECK(planted.size() == 840);
  for (const auto& r : planted) {
    CAPTURE(r->id());
    const judged_by_value judged(*r);
    for (const std::string& d : conformance::differences(r->json(), judged.result())) FAIL_CHECK(d);
  }
}

namespace {

/// Whether a report of other findings differs from what a record is.
std::size_t differences_of(const conformance::record& r, const conformance::judged& got,
                           const std::vector<planner::finding>& findings) {
  conformance::judged altered = got;
  altered.findings = findings;
  return conformance::differences(r.json(), altered).size();
}

}  // namespace

TEST_CASE("a finding that is missing is missed") {
  for (const auto& r : records_at(STRETTO_PLANTED)) {
    CAPTURE(r->id());
    const judged_by_value judged(*r);
    for (const planner::finding& f : judged.result().findings) {
      const auto missing = conformance::as_violation(r->json(), f);
      CAPTURE(text(r->json(), missing));
      std::vector<planner::finding> left;
      for (const planner::finding& other : judged.result().findings)
        if (!is_told_by(missing, conformance::as_violation(r->json(), other)))
          left.push_back(other);
      CHECK(differences_of(*r, judged.result(), left) >= 1);
    }
  }
}

TEST_CASE("a finding that is false differs") {
  std::map<std::string_view, std::size_t> tried;
  std::size_t number = 0;
  for (const auto& r : records_at(STRETTO_PLANTED)) {
    CAPTURE(r->id());
    const judged_by_value judged(*r);
    const auto all = conformance::violations(r->json());
    const std::size_t tasks = r->json()["tasks"].size();
    const auto add = [&](const planner::finding& f) {
      const auto claim = conformance::as_violation(r->json(), f);
      if (all.contains(claim)) return;
      CAPTURE(text(r->json(), claim));
      std::vector<planner::finding> more(judged.result().findings.begin(),
                                         judged.result().findings.end());
      more.push_back(f);
      CHECK(differences_of(*r, judged.result(), more) == 1);
      ++tried[planner::kind_name(f.what)];
    };
    // What is found, of another task, with another one, or by another entry.
    for (planner::finding f : judged.result().findings) {
      add({f.what, (f.task + 1) % tasks, f.other, f.where, f.position});
      add({f.what, f.task, f.other == planner::none ? 0 : (f.other + 1) % tasks, f.where,
           f.position});
      add({f.what, f.task, f.other, f.where, f.position == planner::none ? 0 : f.position + 1});
    }
    add({planner::kind::reserved_name, number++ % tasks});
    add({planner::kind::unresolved_read, number % tasks, planner::none, planner::field::reads, 0});
  }
  CHECK(tried.size() == 21);
  for (const auto& [kind, times] : tried) {
    CAPTURE(kind);
    CHECK(times >= 10);
  }
}
