// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compare.hpp"
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <stretto/plan/model/firing.hpp>
#include <stretto/plan/rules/wording.hpp>
#include <stretto/plan/text/sentence.hpp>
#include "../support/original.hpp"
#include "violations.hpp"

namespace conformance {
namespace {

using nlohmann::json;
namespace planner = stretto::planner;

// What Stretto computed is written down in the shape of a record, so that one comparison of JSON
// does for all fields.

json names(const planner::declaration& d, std::span<const std::size_t> nodes) {
  json result = json::array();
  for (const std::size_t n : nodes)
    if (n < d.tasks.size()) result.push_back(planner::node_name(d, n));
  return result;
}

bool between_tasks(const planner::declaration& d, const planner::edge& e) {
  return e.producer < d.tasks.size() && e.consumer < d.tasks.size();
}

bool declared_by_user(const planner::edge& e) {
  return e.why == planner::reason::data || e.why == planner::reason::depends_on ||
         e.why == planner::reason::cross_iter || e.why == planner::reason::same_progress_sync;
}

/// Consumer to producers, of the edges that are selected.
template <class Select>
json producers(const planner::declaration& d, std::span<const planner::edge> edges, Select select) {
  json result = json::object();
  for (const planner::edge& e : edges)
    if (between_tasks(d, e) && e.delta == 0 && select(e))
      result[std::string(planner::node_name(d, e.consumer))].push_back(
          planner::node_name(d, e.producer));
  return result;
}

/// The original's waits: the plan's, and those on a writer behind the reader, which order nothing
/// and which the plan therefore has not.
json waits(const planner::declaration& d, const plan_view& p) {
  json result = json::object();
  const auto add = [&](const planner::edge& e) {
    result[std::string(planner::node_name(d, e.consumer))].push_back(
        {planner::node_name(d, e.producer), d.tasks[e.producer].stream, e.offset});
  };
  for (const planner::edge& e : p.stream_waits)
    if (declared_by_user(e)) add(e);
  const planner::graph g = planner::make_graph(d);
  for (const planner::edge& e : original::waits(g, planner::declared_edges(g)))
    if (e.delta < 0) add(e);
  return result;
}

json on_threads(const planner::declaration& d, const plan_view& p) {
  json chains = json::object();
  for (std::size_t t = 1; t < p.thread_names.size(); ++t)
    chains[std::string(p.thread_names[t])] =
        names(d, p.chained.subspan(p.chains[t].first, p.chains[t].last - p.chains[t].first));
  const auto crosses = [&](const planner::edge& e) {
    return e.why != planner::reason::ticket && p.thread_of[e.producer] != p.thread_of[e.consumer];
  };
  return {{"chains", chains}, {"deps", producers(d, p.edges, crosses)}};
}

/// Which task runs on which batch, by progress, when N batches come.
json fires(const planner::declaration& d, const plan_view& p, std::size_t batches) {
  json table = json::array();
  for (std::size_t i = 0; i + 1 < batches + p.in_flight; ++i) {
    json fired = json::array();
    for (const std::size_t n : p.order)
      if (n < d.tasks.size() && planner::fires(p.lag[n], i, batches))
        fired.push_back({planner::node_name(d, n), i - p.lag[n]});
    table.push_back(fired);
  }
  return table;
}

/// What ran as JSON. The original knows how many batches come; Stretto, with no lookahead, learns
/// that there is no more in a last progress in which nothing runs.
json table(fire_table t, const json& golden) {
  if (t.size() == golden.size() + 1 && t.back().empty()) t.pop_back();
  return t;
}

/// As sets: threads may interleave the tasks of a progress.
json unordered(json table) {
  for (json& progress : table) std::sort(progress.begin(), progress.end());
  return table;
}

json as_record(const json& record, const judged& got) {
  const planner::declaration& d = *got.declared;
  if (got.plans.empty()) return {{"verdict", "valid"}};
  const plan_view& p = got.plans.front().plan;
  json result = {{"verdict", "valid"},
                 {"order", names(d, p.order)},
                 {"in_flight", p.in_flight},
                 {"tickets", names(d, p.tickets)},
                 {"edges", producers(d, p.edges, declared_by_user)},
                 {"event_deps", waits(d, p)},
                 {"cpu_deps", json::object()},
                 {"fires", json::object()}};
  for (const plan_on_threads& on : got.plans)
    if (!on.map.empty()) result["cpu_deps"][std::string(on.map)] = on_threads(d, on.plan);
  for (const auto& [batches, golden] : record["fires"].items()) {
    const std::size_t count = std::stoul(batches);
    result["fires"][batches] = got.run ? table(got.run(count), golden) : fires(d, p, count);
  }
  return result;
}

/// A table from consumers to lists whose order means nothing: sorted, and without empty ones.
void normalise(json& by_consumer) {
  json result = json::object();
  for (const auto& [consumer, list] : by_consumer.items()) {
    const std::set<json> entries(list.begin(), list.end());
    if (!entries.empty()) result[consumer] = entries;
  }
  by_consumer = result;
}

json normalised(json record) {
  if (record.contains("edges")) normalise(record["edges"]);
  if (record.contains("event_deps")) normalise(record["event_deps"]);
  if (record.contains("cpu_deps"))
    for (json& map : record["cpu_deps"]) normalise(map["deps"]);
  return record;
}

void compare(const std::string& what, const json& expected, const json& got,
             std::vector<std::string>& differ) {
  if (expected == got) return;
  if (!expected.is_object() || !got.is_object()) {
    differ.push_back(what + ": expected " + expected.dump() + ", got " + got.dump());
    return;
  }
  const json nothing;
  for (const auto& [key, value] : expected.items())
    compare(what + " of " + key, value, got.contains(key) ? got[key] : nothing, differ);
  for (const auto& [key, value] : got.items())
    if (!expected.contains(key)) compare(what + " of " + key, nothing, value, differ);
}

/// What was found, as text: `rule 6 unknown_name, rule 7 cycle`.
std::string found(std::span<const planner::finding> findings) {
  std::string text;
  for (const planner::finding& f : findings)
    text += (text.empty() ? "rule " : ", rule ") + std::to_string(planner::rule_of(f)) + " " +
            std::string(planner::kind_name(f.what));
  return text.empty() ? "valid" : text;
}

/// How a report on an invalid record differs: in what the engine found, which stops at the first
/// violation; in what is not true of the record; in what is true and goes unreported.
void compare_findings(const json& record, std::span<const planner::finding> findings,
                      std::vector<std::string>& differ) {
  const std::set<violation> all = violations(record);
  std::vector<violation> told;
  for (const planner::finding& f : findings) told.push_back(as_violation(record, f));
  const json& error = record["error"];
  if (std::none_of(told.begin(), told.end(), [&](const violation& t) {
        return error["kind"] == t.kind && error["rule"] == t.rule;
      }))
    differ.push_back("verdict: expected rule " + error["rule"].dump() + " " +
                     error["kind"].get<std::string>() + ", got " + found(findings));
  for (const violation& t : told)
    if (!all.contains(t))
      differ.push_back("verdict: expected only what is true, got " + text(record, t));
  for (const violation& v : all)
    if (!is_hidden(v, all) && std::none_of(told.begin(), told.end(),
                                           [&](const violation& t) { return is_told_by(v, t); }))
      differ.push_back("verdict: expected " + text(record, v) + ", too, got " + found(findings));
}

}  // namespace

violation as_violation(const json& record, const planner::finding& f) {
  const json& tasks = record["tasks"];
  violation v{planner::rule_of(f), std::string(planner::kind_name(f.what)), f.task, f.other};
  const std::string field(planner::field_name(f.where));
  if (f.position == planner::none) return v;
  const bool is_there = f.task < tasks.size() && tasks[f.task].contains(field) &&
                        f.position < tasks[f.task][field].size();
  v.entry = is_there ? entry_text(tasks[f.task], field, f.position) : field + " out of range";
  return v;
}

std::vector<std::string> differences(const json& record, const judged& got) {
  std::vector<std::string> differ;
  if (record["verdict"] != "valid") {
    compare_findings(record, got.findings, differ);
    return differ;
  }
  if (!got.findings.empty()) {
    differ.push_back("verdict: expected valid, got " + found(got.findings));
    return differ;
  }
  const json expected = normalised(record);
  const json actual = normalised(as_record(record, got));
  for (const char* field :
       {"order", "in_flight", "edges", "event_deps", "tickets", "cpu_deps", "fires"})
    compare(field, expected[field], actual.contains(field) ? actual[field] : json(), differ);
  for (const plan_on_threads& on : got.plans)
    for (const auto& [batches, golden] : record["fires"].items())
      if (on.run)
        compare("fires on threads " + std::string(on.map) + " of " + batches, unordered(golden),
                unordered(table(on.run(std::stoul(batches)), golden)), differ);
  return differ;
}

}  // namespace conformance
