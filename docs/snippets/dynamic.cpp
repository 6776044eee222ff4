// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// [schedule]
#include <cstdio>
#include <stretto/dynamic.hpp>
#include <stretto/dynamic/graph.hpp>
#include <stretto/from_types.hpp>
#include <string>
#include <vector>

namespace st = stretto;
namespace dynamic = stretto::dynamic;

dynamic::schedule averages() {
  return {
      .name = "averages",
      .streams = {"parse", "count"},
      .source = {.slot = "line"},
      .results = {"mean"},
      .tasks = {
          {.name = "parse",
           .stream = "parse",
           .lookahead = 1,
           .reads = {"line"},
           .writes = {"value"},
           .body = [](const std::string& text, double& value) { value = std::stod(text); }},
          {.name = "average",
           .stream = "count",
           .reads = {"value"},
           .writes = {"mean"},
           .body = [sum = 0.0](st::task_context& at, const double& value, double& mean) mutable {
             sum += value;
             mean = sum / static_cast<double>(at.batch() + 1);
           }}}};
}
// [schedule]

void run() {
  std::puts("=== run");
  // [run]
  const std::vector<std::string> lines{"4", "8", "3"};
  dynamic::pipeline pipeline(averages(), st::barrier{});
  for (const dynamic::result& r : pipeline.run(lines))
    std::printf("batch %zu: %g\n", r.batch(), r.get<double>());
  // [run]
}

void change() {
  std::puts("=== change");
  // [change]
  dynamic::schedule s = averages();
  for (int lookahead = 1; lookahead <= 2; ++lookahead) {
    s.at("parse").lookahead = lookahead;
    const dynamic::planned_schedule planned(s);
    std::printf("parse %d ahead: %zu batches in flight, %zu copies of `value`\n", lookahead,
                planned.in_flight(), planned.plan().copies[1]);
  }
  // [change]
}

void diagnose() {
  std::puts("=== diagnose");
  // [diagnose]
  dynamic::schedule s = averages();
  s.at("parse").stream = "sparse";
  s.at("average").depends_on = {"prase"};
  s.at("average").body = [](const float&, double&) {};
  for (const std::string& sentence : dynamic::diagnose(s).sentences(s))
    std::printf("%s\n", sentence.c_str());

  s.at("parse").stream = "parse";
  s.at("average").depends_on.clear();
  try {
    const dynamic::pipeline pipeline(s);
  } catch (const dynamic::schedule_error& e) {
    std::printf("%s\n", e.what());
  }
  // [diagnose]
}

void by_name() {
  std::puts("=== by name");
  // [access]
  dynamic::schedule s = averages();
  s.at("average").body = [](dynamic::slot_access& slots) {
    slots.write<double>("mean") = slots.read<double>("value");
  };
  s.slot<double>("mean");  // no callable tells its type now
  // [access]
  dynamic::pipeline pipeline(s);
  for (const dynamic::result& r : pipeline.run(std::vector<std::string>{"5"}))
    std::printf("%g\n", r.get<double>("mean"));
}

void ask() {
  std::puts("=== ask");
  // [graph]
  const dynamic::task_graph graph = dynamic::graph_of(averages());
  for (const std::string& task : dynamic::downstream(graph, "parse"))
    std::printf("a change to parse reaches %s\n", task.c_str());
  // [graph]
}

struct line : st::slot<std::string> {};
struct length : st::slot<std::size_t> {};
struct measure {
  using reads = st::reads<line>;
  using writes = st::writes<length>;
  void operator()(const std::string& text, std::size_t& out) const { out = text.size(); }
};
struct lengths : st::schedule<st::source<line>, st::result<length>, measure> {};

void convert() {
  std::puts("=== convert");
  // [from]
  dynamic::schedule s = dynamic::from_types<lengths>();  // tasks as bodies; objects as in pipelines
  s.at("measure").thread = "elsewhere";
  dynamic::pipeline pipeline(s);
  // [from]
  for (const dynamic::result& r : pipeline.run(std::vector<std::string>{"four"}))
    std::printf("%zu\n", r.get<std::size_t>());
}

int main() {
  run();
  change();
  diagnose();
  by_name();
  ask();
  convert();
}
