// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <stretto/bound.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/stretto.hpp>
#include <stretto/timeline.hpp>
#include <string>
#include <vector>

namespace st = stretto;
namespace dynamic = stretto::dynamic;

// [tasks]
struct sample : st::slot<float> {};
struct gradient : st::slot<float> {};
struct weights : st::slot<float> {};
struct loss : st::slot<float> {};

struct backward {  // of each micro-batch, with the weights as they were one batch earlier
  static constexpr int weight = 30;
  void operator()(st::in<sample> x, st::latest<weights, 1> w, st::out<gradient> g,
                  st::out<loss> l) const {
    g = *x * w.value_or(1);
    l = 1 - *g;
  }
};
struct step {  // once per 4 batches, when the last of them is done
  static constexpr int every = 4;
  static constexpr int weight = 40;
  void operator()(st::window<gradient, 4> group, st::previous<weights> before,
                  st::out<weights> w) const {
    float sum = 0;
    for (const float g : group) sum += g;
    w = before.value_or(1) - sum / 40;
  }
};
struct training : st::schedule<st::source<sample>, st::result<loss>, backward, step> {};
// [tasks]

// [at_end]
struct last_step {  // of what there is of each 4, also when the stream ends
  static constexpr int every = 4;
  static constexpr bool and_at_end = true;
  void operator()(st::window<gradient, 4> group, st::previous<weights> before,
                  st::out<weights> w) const {
    float sum = 0;
    for (const float g : group) sum += g;
    w = before.value_or(1) - sum / static_cast<float>(10 * group.size());
  }
};
// [at_end]
struct ended : st::schedule<st::source<sample>, st::result<loss>, backward, last_step> {};
static_assert(st::copies_of<ended, gradient> == 4);

// [group]
struct scale : st::slot<float> {};
struct scaled : st::slot<float> {};

struct plan_group {  // with the first batch of each 4
  static constexpr int every = 4;
  static constexpr int phase = 0;
  static constexpr int lookahead = 1;
  void operator()(st::in<sample> x, st::out<scale> s) const { s = 1 / (1 + *x); }
};
struct apply {  // to all 4: `scale` is that of the group
  void operator()(st::in<sample> x, st::in<scale> s, st::out<scaled> out) const { out = *x * *s; }
};
// [group]
struct scaling : st::schedule<st::source<sample>, st::result<scaled>, plan_group, apply> {};

// [dropping]
struct frame : st::slot<int> {};
struct face : st::slot<int> {};
struct label : st::slot<int> {};
struct brightness : st::slot<int> {};

struct find_face {  // there may be none
  static constexpr int lookahead = 1;
  st::verdict operator()(st::in<frame> image, st::out<face> found) const {
    if (*image % 3 == 0) return st::drop;
    found = *image / 3;
    return st::keep;
  }
};
struct recognize {  // not for frames without a face
  void operator()(st::in<face> shown, st::previous<face> before, st::out<label> who) const {
    who = *shown == before.value_or(-1) ? 0 : 100 + *shown;  // the same, or a new one
  }
};
struct expose {  // for each frame: it uses nothing of `find_face`
  void operator()(st::in<frame> image, st::out<brightness> b) const { b = *image; }
};
struct watching : st::schedule<st::source<frame>, st::result<label>, find_face, recognize, expose> {
};
// [dropping]

// [failing]
struct request : st::slot<std::string> {};
struct amount : st::slot<int> {};

struct read_amount {  // some are not numbers
  using on_failure = st::on_failure<st::drop, st::max_failures<1000>>;
  void operator()(st::in<request> text, st::out<amount> a) const { a = std::stoi(*text); }
};
struct paying : st::schedule<st::source<request>, st::result<amount>, read_amount> {};
// [failing]

// [overlapped]
struct save {  // every other time that there are new weights
  static constexpr int every = 8;
  static constexpr int weight = 90;
  using thread = st::thread<"disk">;
  void operator()(st::in<weights>) const { /* write them to a file */
  }
};
struct overlapped
    : st::schedule<st::source<sample>, st::result<loss>, backward, step, save, st::slack<weights>> {
};
// [overlapped]

// [without]
struct model {  // what both pipelines work with
  float factor = 0;
};
struct guess : st::slot<float> {};

struct predict {
  using cross_iter_depends_on = st::cross_iter_depends_on<struct learn>;  // the batch before
  model* shared = nullptr;
  void operator()(st::in<sample> x, st::out<guess> g) const { g = *x * shared->factor; }
};
struct learn {
  model* shared = nullptr;
  void operator()(st::in<sample> x, st::in<guess> g) const {
    shared->factor += *x * (3 * *x - *g) / 10;
  }
};
struct fitting : st::schedule<st::source<sample>, st::result<guess>, predict, learn> {};
struct checking : st::without<fitting, learn> {};
// [without]

// [items]
struct cd_frame : st::slot<std::array<float, 6>> {};
struct cd : st::slot<float> {};      // 44.1 kHz
struct studio : st::slot<float> {};  // half as many again
struct clean : st::slot<float> {};
struct mean : st::slot<float> {};

struct split {
  static constexpr int lookahead = 1;
  void operator()(st::in<cd_frame> frame, st::produces<cd, 6> samples) const {
    std::copy(frame->begin(), frame->end(), samples.begin());
  }
};
struct resample {  // 3 for 2
  static constexpr int lookahead = 1;
  void operator()(st::consumes<cd, 2> in, st::produces<studio, 3> out) const {
    out[0] = in[0];
    out[1] = (in[0] + in[1]) / 2;
    out[2] = in[1];
  }
};
struct smooth {  // one by one, with what it knows of those before
  using thread = st::thread<"filter">;
  float level = 0;
  void operator()(st::consumes<studio> in, st::produces<clean> out) {
    level += (*in - level) / 2;
    out = level;
  }
};
struct average {
  using thread = st::thread<"filter">;
  void operator()(st::consumes<clean, 9> all, st::out<mean> m) const {
    float sum = 0;
    for (const float x : all) sum += x;
    m = sum / 9;
  }
};
struct converting
    : st::schedule<st::source<cd_frame>, st::result<mean>, split, resample, smooth, average> {};
// [items]

// [items_value]
dynamic::task resample_as_a_value() {
  dynamic::task resample;
  resample.name = "resample";
  resample.reads = {dynamic::use::items_of("cd", 2)};
  resample.writes = {dynamic::use::items_of("studio", 3)};
  resample.body = [](dynamic::consumes<float> in, dynamic::produces<float> out) {
    out[0] = in[0];
    out[1] = (in[0] + in[1]) / 2;
    out[2] = in[1];
  };
  return resample;
}
// [items_value]

// [value]
dynamic::schedule as_a_value() {
  dynamic::schedule s;
  s.source.slot = "sample";
  s.results = {"loss"};
  dynamic::task backward;
  backward.name = "backward";
  backward.reads = {"sample", dynamic::use::latest_of("weights", 1)};
  backward.writes = {"gradient", "loss"};
  backward.body = [](float x, dynamic::latest<float> w, float& g, float& l) {
    g = x * w.value_or(1);
    l = 1 - g;
  };
  dynamic::task step;
  step.name = "step";
  step.every = 4;
  step.reads = {"gradient", dynamic::use::previous("weights")};
  step.writes = {"weights"};
  step.body = [](float g, dynamic::previous<float> before, float& w) {
    w = before.value_or(1) - g / 10;
  };
  s.tasks = {backward, step};
  return s;
}
// [value]

int main(int argc, char** argv) {
  const std::string told = st::describe<training>();
  std::printf("=== describe\n%s=== end\n", told.c_str());
  const std::vector<float> samples{1, 2, 1, 2, 1, 2};
  st::pipeline<training> pipeline;
  std::printf("=== run\n");
  for (const float l : pipeline.run(samples)) std::printf("%g ", l);
  std::printf("\n=== end\n");
  st::pipeline<scaling> of_groups;
  for (const float s : of_groups.run(samples))
    if (s <= 0) return 1;
  const std::string calls = st::describe<converting>();
  std::printf("=== items_described\n%s=== end\n", calls.c_str());
  std::printf("=== calls_bound\n");
  // [calls_bound]
  std::printf("%s", st::calls_bound_of<converting>().text().c_str());
  // [calls_bound]
  std::printf("=== end\n");
  std::printf("=== items\n");
  st::pipeline<converting> converter;
  for (const float m : converter.run(std::vector<std::array<float, 6>>{{1, 1, 1, 1, 1, 1}, {}}))
    std::printf("%.3f ", m);
  std::printf("\n=== end\n");
  std::printf("=== dropped\n");
  // [watch]
  st::pipeline<watching> camera;
  auto run = camera.run(std::vector<int>{1, 2, 3, 4, 5, 6});
  while (run.next()) std::printf("frame %zu: %d\n", run.batch(), run.result());
  const st::run_report& report = camera.report();
  std::printf("%zu frames, %zu labels, %zu dropped\n", report.finished, report.delivered,
              report.dropped);
  for (const auto& drop : report.drops)
    std::printf("frame %zu by %s\n", drop.batch, drop.task.c_str());
  // [watch]
  std::printf("=== end\n");
  std::printf("=== failed\n");
  // [pay]
  st::pipeline<paying> till;
  auto payments = till.run(std::vector<std::string>{"12", "a dozen", "7", "", "1"});
  while (payments.next()) std::printf("%d\n", payments.result());
  for (const auto& drop : till.report().drops)
    std::printf("request %zu: %s: %s\n", drop.batch, drop.task.c_str(), drop.what().c_str());
  // [pay]
  std::printf("=== end\n");
  std::printf("=== without\n");
  // [fit]
  model shared;
  st::pipeline<fitting> fit(predict{&shared}, learn{&shared});
  st::pipeline<checking> check(predict{&shared});
  for (int pass = 0; pass < 2; ++pass) {
    fit.run(samples).for_each([](float /*guess*/) {});
    for (const float g : check.run(std::vector<float>{1, 10})) std::printf("%.2f ", g);
  }
  // [fit]
  std::printf("\n=== end\n");
  if (resample_as_a_value().reads.front().items != 2) return 1;
  dynamic::pipeline values(as_a_value());
  std::size_t results = 0;
  for (const dynamic::result& r : values.run(samples)) results += r.get<float>("loss") <= 1 ? 1 : 0;
  if (results != samples.size()) return 1;
  // docs/images/rates.svg
  if (argc > 1) {
    std::ofstream file(argv[1]);
    st::draw_svg(file, st::simulate<overlapped>({}, 24).record(std::chrono::microseconds(1)), 8,
                 16);
  }
  return 0;
}
