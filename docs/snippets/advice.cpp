// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <stretto/advice.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <stretto/schedule_file.hpp>
#include <stretto/stretto.hpp>
#include <stretto/timeline.hpp>
#include <vector>

namespace st = stretto;
namespace dynamic = stretto::dynamic;

struct file : st::slot<int> {};
struct image : st::slot<int> {};
struct patch : st::slot<int> {};
struct loss : st::slot<int> {};

// [pipeline]
struct decode {
  using thread = st::thread<"decoder">;
  using reads = st::reads<file>;
  using writes = st::writes<image>;
  static constexpr int lookahead = 1;
  static constexpr int weight = 300;
  void operator()(int in, int& out) const { out = in; }
};
struct crop {
  using thread = st::thread<"cropper">;
  using reads = st::reads<image>;
  using writes = st::writes<patch>;
  static constexpr int lookahead = 1;
  static constexpr int weight = 200;
  void operator()(int in, int& out) const { out = in; }
};
struct train {
  using thread = st::thread<"caller">;
  using reads = st::reads<patch>;
  using writes = st::writes<loss>;
  static constexpr int weight = 350;
  int seen = 0;
  void operator()(int in, int& out) { seen += out = in; }
};
struct learning : st::schedule<st::source<file>, st::result<loss>, decode, crop, train> {};
// [pipeline]

// [applied]
struct advised : st::replan<learning, st::pipelined<>> {};
static_assert(st::bound_of<learning>().period().value() == 500);
static_assert(st::bound_of<advised>().period().value() == 350);
// [applied]

int main() {
  std::puts("=== advise");
  // [advise]
  const st::advice advice = st::advise<learning>();
  std::printf("%s", advice.text().c_str());
  // [advise]

  std::puts("=== values");
  // [values]
  const dynamic::planned_schedule planned(dynamic::from_types<learning>());
  const st::advice other = st::advise(planned, {{"decode", 700}}, {.most_threads = 4});
  for (const st::priced_edit& e : other.edits())
    std::printf("%.0f instead of %.0f, %zu threads: %s\n", e.after.period.value(),
                e.before.period.value(), e.after.threads, e.what().c_str());
  // [values]
  std::puts("=== patch");
  std::printf("%s\n", other.edits()[0].patch.c_str());
  // [first]
  const dynamic::pipeline faster(other.edits()[0].edited);  // bodies and all
  // [first]

  std::puts("=== ranking");
  // [ranking]
  dynamic::schedule ranking = dynamic::load(SCHEDULES "/ranking.json");
  const std::vector<st::task_cost> measured{
      {"h2d", 1549},           {"start_shuffle", 8},         {"finish_shuffle", 27},
      {"zero_grad", 0},        {"wait_input_dist", 73},      {"global_tokens_allreduce", 2},
      {"forward", 1046},       {"prefetch_embeddings", 31},  {"nccl_safety_barrier", 34},
      {"backward", 1829},      {"finalize_model_grads", 65}, {"start_input_dist", 35},
      {"optimizer_step", 170}, {"watchdog_step", 0}};  // microseconds
  for (dynamic::task& t : ranking.tasks) t.thread = "caller";
  ranking.caller_runs = "caller";
  const st::advice first = st::advise(dynamic::planned_schedule(ranking), measured);
  const st::priced_edit& best = first.edits()[0];
  std::printf("%s: %.0f instead of %.0f\n", best.what().c_str(), best.after.period.value(),
              best.before.period.value());
  const dynamic::planned_schedule two_threads(best.edited);
  std::printf("%s", st::advise(two_threads, measured, {.most_threads = 2}).text().c_str());
  // [ranking]

  std::puts("=== device");
  // [device]
  dynamic::schedule submitted;
  submitted.name = "submitted";
  submitted.streams = {"copy", "compute"};
  submitted.source.slot = "image";
  submitted.results = {"loss"};
  submitted.tasks = {{.name = "copy_in",
                      .stream = "copy",
                      .thread = "launcher",
                      .reads = {"image"},
                      .writes = {"patch"}},
                     {.name = "train",
                      .stream = "compute",
                      .thread = "launcher",
                      .reads = {"patch"},
                      .writes = {"loss"}}};
  const st::advice on_device =
      st::advise(dynamic::planned_schedule(submitted),
                 {{"copy_in", 300}, {"train", 500}, {"submit copy_in", 10}, {"submit train", 40}},
                 {.device = dynamic::device_model{}});
  std::printf("%s", on_device.text().c_str());
  // [device]

  std::puts("=== measured");
  // [measured]
  st::pipeline<learning, st::timeline> pipeline;
  for ([[maybe_unused]] const int l : pipeline.run(std::vector<int>(200))) {
  }
  const st::measured_run run(pipeline.observer());
  const st::advice by_run = st::advise<learning>(run, {.most_threads = 4});
  if (!by_run.checked().holds()) std::puts("the model does not tell what this run took");
  // [measured]
}
