// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// [slots]
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stretto/stretto.hpp>
#include <stretto/timeline.hpp>
#include <string>
#include <vector>

namespace st = stretto;

struct line : st::slot<std::string> {};
struct values : st::slot<std::vector<double>> {};
struct mean : st::slot<double> {};
// [slots]

// [tasks]
struct parse {
  using stream = st::stream<"parse">;
  using reads = st::reads<line>;
  using writes = st::writes<values>;

  void operator()(const std::string& text, std::vector<double>& out) const {
    out.clear();
    std::istringstream in(text);
    for (double v = 0; in >> v;) out.push_back(v);
  }
};

struct average {
  using stream = st::stream<"count">;
  using reads = st::reads<values>;
  using writes = st::writes<mean>;

  void operator()(const std::vector<double>& in, double& out) {
    for (const double v : in) sum += v;
    count += in.size();
    out = count == 0 ? 0 : sum / static_cast<double>(count);
  }

  double sum = 0;
  std::size_t count = 0;
};
// [tasks]

// [schedule]
struct averages : st::schedule<st::source<line>, st::result<mean>, st::streams<"parse", "count">,
                               parse, average> {};
// [schedule]

// [ahead]
struct ahead : st::replan<averages, st::place<parse, st::lookahead<1>>> {};
// [ahead]

// [memory]
static_assert(st::in_flight<ahead> == 2);
static_assert(st::copies_of<ahead, values> == 2);
static_assert(st::copies_of<averages, values> == 1);
// [memory]

// [mistake]
struct behind : st::replan<averages, st::place<average, st::lookahead<1>>> {};
#ifdef MISTAKE
st::pipeline<behind> pipeline;
#endif
// [mistake]

// [valid]
static_assert(st::is_valid<ahead>);
static_assert(!st::is_valid<behind>);
// [valid]

// [threads]
struct one_thread : st::replan<ahead, st::threads<st::on_caller>> {};
struct two_threads : st::replan<ahead, st::caller_runs<"count">> {};
// [threads]

// [context]
struct tell {
  using reads = st::reads<mean>;
  void operator()(st::context auto& ctx, double value) const {
    std::printf("line %zu: %.2f\n", ctx.batch(), value);
  }
};
struct told : st::schedule<st::source<line>, st::streams<"parse", "count">, parse, average, tell> {
};
// [context]

namespace {

void first_run() {
  // [run]
  const std::vector<std::string> lines{"1 2 3", "10", "4 4"};
  st::pipeline<averages> pipeline;
  for (const double m : pipeline.run(lines)) std::printf("%.2f\n", m);
  // [run]
}

void step_by_step() {
  const std::vector<std::string> lines{"1 2 3", "10", "4 4"};
  // [step]
  st::pipeline<ahead> pipeline;
  auto run = pipeline.run(lines);
  while (run.next()) std::printf("batch %zu: %.2f\n", run.batch(), run.result());
  std::printf("%zu values\n", pipeline.task<average>().count);
  // [step]
}

void picture() {
  const std::vector<std::string> lines(100, "1 2 3 4 5 6 7 8 9 10");
  // [picture]
  st::pipeline<ahead, st::timeline> pipeline;
  for (const double m : pipeline.run(lines)) static_cast<void>(m);

  const st::timeline& record = pipeline.observer();
  std::ofstream out("averages.svg");
  st::draw_svg(out, record, 40, 44, "Five lines");
  for (const auto& w : record.windows(20))
    std::printf("batch %zu on: %.2f threads busy\n", w.first_batch, w.total() / w.wall);
  // [picture]
}

}  // namespace

int main() {
  std::printf("=== first\n");
  first_run();
  std::printf("=== step\n");
  step_by_step();
  std::printf("=== plan\n%s", st::describe<ahead>().c_str());
  std::printf("=== finding\n%s\n", st::explain_findings<behind>().front().c_str());
  std::printf("=== told\n");
  st::pipeline<told> pipeline;
  for (const std::size_t batch : pipeline.run(std::vector<std::string>{"1", "3"}))
    static_cast<void>(batch);
  std::printf("=== picture\n");
  picture();
}
