// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Compares records judged, planned and run by the runtime version, which `dynamic` starts, with
// what the original engine computed: reads the file of records given to it.

#include <cstdio>
#include <deque>
#include <fstream>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <stretto/dynamic.hpp>
#include <string>
#include <utility>
#include <vector>
#include "../support/original.hpp"
#include "compare.hpp"

namespace {

using nlohmann::json;
namespace st = stretto;
namespace dynamic = stretto::dynamic;

constexpr const char* source_slot = "batch_cpu";

/// What ran in each progress. Locked because bodies of several threads write it.
std::mutex log_mutex;
conformance::fire_table fired;

/// The body of every task: only says that it ran.
void log(const st::task_context& context, dynamic::slot_access&) {
  const std::lock_guard lock(log_mutex);
  if (fired.size() <= context.progress()) fired.resize(context.progress() + 1);
  fired[context.progress()].emplace_back(context.task(), context.batch());
}

std::vector<dynamic::use> uses(const json& listed) {
  std::vector<dynamic::use> all;
  for (const json& u : listed) all.emplace_back(u[0].get<std::string>(), u[1].get<int>());
  return all;
}

dynamic::schedule schedule_of(const json& record) {
  dynamic::schedule s;
  s.name = record["id"];
  s.streams = record["streams"];
  s.source.slot = source_slot;
  s.strict = true;
  std::set<std::string> slots{source_slot};
  for (const json& declared : record["tasks"]) {
    dynamic::task& t = s.tasks.emplace_back();
    t.name = declared["name"];
    t.stream = declared["stream"];
    t.lookahead = declared["lookahead"];
    t.collective = declared["nccl"];
    t.reads = uses(declared["reads"]);
    t.writes = uses(declared["writes"]);
    t.depends_on = declared["depends_on"];
    for (const json& e : declared["cross_iter_depends_on"])
      t.cross_iter_depends_on.emplace_back(e[0].get<std::string>(), -e[1].get<int>());
    t.same_progress_sync = declared["same_progress_sync"];
    t.body = log;
    for (const auto* used : {&t.reads, &t.writes})
      for (const dynamic::use& u : *used) slots.insert(u.slot);
  }
  for (const std::string& slot : slots) s.slot<int>(slot);
  return s;
}

/// A schedule's tasks on the threads of one of the record's maps.
dynamic::schedule on_threads(dynamic::schedule s, const json& chains) {
  for (const auto& [thread, chain] : chains.items())
    for (const json& name : chain)
      if (dynamic::task* const t = s.find(name.get<std::string>())) t->thread = thread;
  return s;
}

/// A pipeline made of a record, and views of its plan. Stays where it is made.
class runner {
 public:
  explicit runner(dynamic::schedule s) : pipeline_(std::move(s)) {
    for (const std::string_view name : plan().threads.names) threads_.push_back(name);
  }

  conformance::plan_view view() const {
    const st::planner::plan& p = plan();
    return {p.order,           pipeline_.plan().lag(), p.in_flight(), p.tickets,
            p.edges,           p.stream_waits,         threads_,      p.threads.thread_of,
            p.threads.chained, p.threads.chains};
  }

  conformance::fire_table run(std::size_t batches) {
    fired.clear();
    std::size_t next = 0;
    std::size_t progresses = 0;
    auto run = pipeline_.run([&](int&) { return next++ < batches; });
    for (; run.has_more(); ++progresses) run.progress();
    const std::lock_guard lock(log_mutex);
    if (fired.size() < progresses) fired.resize(progresses);
    return fired;
  }

 private:
  const st::planner::plan& plan() const { return pipeline_.plan().plan(); }

  dynamic::pipeline<> pipeline_;
  std::vector<std::string_view> threads_;
};

/// Where what the runtime version makes of a record differs.
std::vector<std::string> differences(const json& record) {
  const dynamic::schedule s = schedule_of(record);
  const dynamic::declared declared(s);
  const dynamic::diagnosis found = dynamic::diagnose(s);
  if (!found.misuses.empty()) return {"misuse: expected none, got " + found.misuses.front()};

  conformance::judged got;
  got.declared = &declared.value();
  const st::planner::list<st::planner::finding> findings = original::findings(declared.value());
  got.findings = findings;
  std::deque<runner> runners;
  if (found.ok() && record["verdict"] == "valid") {
    // What ran is named by strings of the pipeline that ran it, so all stay until they are
    // compared.
    runner& alone = runners.emplace_back(dynamic::on_caller(s));
    runner& by_stream = runners.emplace_back(s);
    got.run = [&](std::size_t batches) { return alone.run(batches); };
    got.plans.push_back({"", by_stream.view()});
    const auto add = [&](std::string_view map, const json& golden) {
      runner& r =
          map == "by_stream" ? by_stream : runners.emplace_back(on_threads(s, golden["chains"]));
      got.plans.push_back({map, r.view(), [&r](std::size_t batches) { return r.run(batches); }});
    };
    for (const auto& [map, golden] : record["cpu_deps"].items()) add(map, golden);
  }
  return conformance::differences(record, got);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::ifstream file(argv[1]);
  std::size_t passed = 0;
  std::size_t failed = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const json record = json::parse(line);
    std::vector<std::string> differ;
    try {
      differ = differences(record);
    } catch (const std::exception& e) {
      differ.push_back(std::string("run: expected no exception, got ") + e.what());
    }
    ++(differ.empty() ? passed : failed);
    for (const std::string& d : differ)
      std::printf("%s: %s\n", record["id"].get_ref<const std::string&>().c_str(), d.c_str());
  }
  std::printf("%zu passed, %zu failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}
