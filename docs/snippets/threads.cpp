// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <optional>
#include <ranges>
#include <stop_token>
#include <stretto/bound.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <stretto/stretto.hpp>
#include <stretto/timeline.hpp>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace st = stretto;

struct number : st::slot<int> {};
struct doubled : st::slot<int> {};
struct square : st::slot<int> {};

struct twice {
  using stream = st::stream<"a">;
  static constexpr int lookahead = 1;
  using reads = st::reads<number>;
  using writes = st::writes<doubled>;
  void operator()(int in, int& out) const { out = 2 * in; }
};
struct power {
  using stream = st::stream<"b">;
  using reads = st::reads<doubled>;
  using writes = st::writes<square>;
  void operator()(int in, int& out) const { out = in * in; }
};
struct log_line {  // a host task: no stream
  using reads = st::reads<square>;
  void operator()(int) const {}
};
struct job : st::schedule<st::source<number>, st::result<square>, st::streams<"a", "b">, twice,
                          power, log_line> {};

// [maps]
struct alone : st::replan<job, st::threads<st::on_caller>> {};
struct each : st::replan<job, st::threads<st::per_task>> {};
struct grouped
    : st::replan<job, st::threads<st::group<"front", twice>, st::group<"back", power, log_line>>> {
};

constexpr std::string_view by_lookahead(const st::planner::task& t) {
  return t.lookahead > 0 ? "ahead" : "now";
}
struct chosen : st::replan<job, st::threads<st::chosen_by<by_lookahead>>> {};

struct moved : st::replan<job, st::place<log_line, st::thread<"log">>> {};
struct caller_works : st::replan<job, st::caller_runs<"b">> {};  // the calling thread works, too
// [maps]

// [listed]
struct listed : st::replan<moved, st::thread_names<"log">> {};
static_assert(st::is_valid<listed>);
struct misspelled : st::replan<listed, st::place<log_line, st::thread<"lgo">>> {};
static_assert(!st::is_valid<misspelled>);
// [listed]

// [weights]
struct file : st::slot<int> {};
struct image : st::slot<int> {};
struct small : st::slot<int> {};
struct loss : st::slot<int> {};

struct decode {
  static constexpr int weight = 400;  // microseconds
  static constexpr int lookahead = 2;
  using reads = st::reads<file>;
  using writes = st::writes<image>;
  void operator()(int in, int& out) const { out = in; }
};
struct shrink {
  static constexpr int weight = 200;
  static constexpr int lookahead = 2;
  using reads = st::reads<image>;
  using writes = st::writes<small>;
  void operator()(int in, int& out) const { out = 2 * in; }
};
struct train {
  static constexpr int weight = 500;
  using reads = st::reads<small>;
  using writes = st::writes<loss>;
  void operator()(int in, int& out) const { out = in * in; }
};
struct save {
  static constexpr int weight = 100;
  using reads = st::reads<loss>;
  void operator()(int) const {}
};
struct learning : st::schedule<st::source<file, st::weight<50>>, st::result<loss>, decode, shrink,
                               train, save> {};

struct balanced : st::replan<learning, st::threads<st::generated<2>>> {};
// [weights]

// [modelled]
static_assert(st::modelled_period<learning>.value() == 1250);  // by_stream: nothing overlaps
static_assert(st::modelled_period<balanced>.value() == 650);   // half of the work on each thread

struct on_three : st::replan<learning, st::threads<st::generated<3>>> {};
static_assert(st::modelled_period<on_three>.value() == 600);  // `image` has one copy

struct roomy : st::replan<on_three, st::slack<image>> {};
static_assert(st::modelled_period<roomy>.value() == 500);  // `train` alone takes as long
static_assert(st::period_bound<roomy>.value() == 500);
// [modelled]

// [bound]
static_assert(st::bound_of<roomy>().period() == st::modelled_period<roomy>);
static_assert(st::bound_of<roomy>().busy_thread() == "worker 1");
static_assert(st::bound_of<roomy>().spare("decode").value() == 50);
static_assert(st::bound_of<roomy>().period_if("train", 300).value() == 450);  // `decode` bounds it
static_assert(st::bound_of<roomy>().curve("train").size() == 2);              // bends once, at 450
static_assert(st::bound_of<roomy>().curve("train")[1].from.value() == 450);
static_assert(st::bound_of<roomy>().in_flight().value() == 3);
// [bound]

// [least]
static_assert(st::least_of<roomy>().period().value() == 500);  // `train` alone takes as long
static_assert(st::is_optimal<roomy>());
static_assert(!st::is_optimal<balanced>());  // 650; 600 would be the least that is not ruled out
static_assert(st::least_of<balanced>().period().value() == 650 - 50);
// [least]

// [simulate]
static_assert(st::simulate<roomy>({}, 20).period().value() == 500);
static_assert(st::simulate<roomy>({{"train", 300}}, 20).total() < 11'000);
static_assert(st::bound_of<roomy>({}, st::barrier{}).period() ==
              st::simulate<roomy>({}, 20, st::barrier{}).period());
// [simulate]

// [pinned]
struct saving : st::replan<learning, st::threads<st::group<"disk", save>, st::generated<3>>> {};
struct slower : st::replan<balanced, st::place<shrink, st::weight<350>>> {};
// [pinned]

// [source]
struct fed : st::schedule<st::source<number, st::thread<"reader">>, st::result<square>,
                          st::streams<"a", "b">, twice, power, log_line> {};
// [source]

// [queue]
struct loading {
  using thread = st::thread<"loading">;
  static constexpr int lookahead = 1;
  using reads = st::reads<file>;
  using writes = st::writes<image>;
  void operator()(int in, int& out) const { out = in; }
};
struct fitting {
  using reads = st::reads<image>;
  using writes = st::writes<loss>;
  void operator()(int in, int& out) const { out = 4 * in * in; }
};
struct bursty : st::schedule<st::source<file, st::thread<"loading">>, st::result<loss>, loading,
                             fitting, st::queue<"loading", 8>> {};

static_assert(st::copies_of<bursty, image> == 10);     // 2 without the queue
static_assert(st::memory_bytes<bursty> <= 16 * 1024);  // whatever the source does
// [queue]

// [workers]
struct buffer : st::slot<std::vector<char>> {};  // kept from batch to batch, one per batch at work

struct decoding {
  using thread = st::thread<"decoding">;
  using reads = st::reads<file>;
  using writes = st::writes<image, buffer>;
  void operator()(int in, int& out, std::vector<char>& scratch) const {
    scratch.resize(1 << 10);
    out = in;
  }
};
struct shared : st::schedule<st::source<file>, st::result<loss>, decoding, fitting,
                             st::workers<"decoding", 4>> {};
// [workers]

// [in turn]
struct statistics : st::resource<> {};

struct counting {
  using thread = st::thread<"decoding">;
  using depends_on = st::depends_on<decoding>;
  using mutates = st::mutates<statistics>;
  using cross_iter_depends_on = st::cross_iter_depends_on<counting>;  // after its own last run
  int batches = 0;
  void operator()() { ++batches; }
};
struct counted : st::schedule<st::source<file>, st::result<loss>, decoding, counting, fitting,
                              st::workers<"decoding", 4>> {};
// [in turn]

// [waiting]
using patient = st::pipeline<job>;                             // spin, yield, then sleep
using eager = st::pipeline<job, st::spin>;                     // a core per thread
using settled = st::pipeline<job, st::pinned>;                 // each thread on its own core
using frugal = st::pipeline<job, st::spin_then_sleep<16, 0>>;  // sleep almost at once
// [waiting]

namespace {

// [cores]
void run_on_cores(const std::vector<int>& loaders) {  // for example from a configuration
  try {
    st::pipeline<bursty> pipeline{st::cores{{"caller", {0}}, {"loading", loaders}}};
    for (const int l : pipeline.run(std::vector<int>(10))) static_cast<void>(l);
  } catch (const st::usage_error& error) {
    std::printf("%s\n", error.what());  // which group, which core, and what there is
  }
}
// [cores]

// [attach]
int render(const std::vector<int>& files) {
  st::pipeline<bursty> pipeline{st::attached_threads{"loading"}};  // starts no thread for it
  const std::jthread event_loop([&](const std::stop_token& closing) {
    while (pipeline.attach("loading", closing)) {
      // One run is over: other events have their turn.
    }
  });
  int sum = 0;
  for (const int l : pipeline.run(files)) sum += l;
  return sum;
}
// [attach]

template <class Pipeline, class Source>
bool right(Source&& source) {
  Pipeline pipeline;
  int next = 0;
  bool same = true;
  for (const int s : pipeline.run(std::forward<Source>(source))) {
    same = same && s == 4 * next * next;
    ++next;
  }
  return same && next == 5;
}

// [sources]
// Three kinds of source for a slot of type int.
const std::vector<int> range{0, 1, 2, 3, 4};

auto optional = [next = 0]() mutable -> std::optional<int> {
  if (next == 5) return std::nullopt;
  return next++;
};

auto filling = [next = 0](int& slot) mutable {  // fills the slot in place: no copy
  slot = next++;
  return slot < 5;
};
// [sources]

}  // namespace

void call_for_each() {
  // [for_each]
  st::pipeline<alone> pipeline;  // all on the calling thread
  int sum = 0;
  pipeline.run(std::views::iota(1, 5)).for_each([&sum](int s) { sum += s; });
  std::printf("%d\n", sum);

  auto run = pipeline.run(std::vector{1, 2, 3});
  if (run.next()) std::printf("first: %d\n", run.result());
  run.for_each([](int s, std::size_t batch) { std::printf("batch %zu: %d\n", batch, s); });
  // [for_each]
  std::printf("=== results\n");
  // [results]
  for (const int s : pipeline.results(std::views::iota(1))) {
    if (s > 100) break;
    std::printf("%d\n", s);
  }
  // [results]
}

// [submitted]
struct copy_in {
  using stream = st::stream<"copy">;
  using thread = st::thread<"launcher">;
  static constexpr int lookahead = 1;
  void operator()(st::in<number> in, st::out<doubled> out) const { out = 2 * *in; }
};
struct compute {
  using stream = st::stream<"compute">;
  using thread = st::thread<"launcher">;
  void operator()(st::in<doubled> in, st::out<square> out) const { out = *in * *in; }
};
struct submitted : st::schedule<st::source<number>, st::result<square>,
                                st::streams<"copy", "compute">, copy_in, compute> {};
// [submitted]

int main() {
  const auto sample = [] { return std::vector<int>(range); };
  const bool all =
      right<st::pipeline<alone>>(sample()) && right<st::pipeline<each>>(sample()) &&
      right<st::pipeline<grouped>>(sample()) && right<st::pipeline<chosen>>(sample()) &&
      right<st::pipeline<moved>>(sample()) && right<st::pipeline<caller_works>>(sample()) &&
      right<st::pipeline<fed>>(optional) && right<st::pipeline<bursty>>(sample()) &&
      right<st::pipeline<shared>>(sample()) && right<st::pipeline<counted>>(sample()) &&
      right<st::pipeline<balanced>>(sample()) && right<st::pipeline<roomy>>(sample()) &&
      right<st::pipeline<saving>>(sample()) && right<patient>(filling) &&
      right<settled>(sample()) && right<frugal>(sample()) && render({1, 2}) == 20;
  std::printf("=== cores\n");
  run_on_cores({});
  std::printf("=== for_each\n");
  call_for_each();
  std::printf("=== caller_works\n%s", st::describe<caller_works>().c_str());
  std::printf("=== balanced\n%s", st::describe<balanced>().c_str());
  std::printf("=== bound\n%s%s", st::bound_of<on_three>().text().c_str(),
              st::bound_of<roomy>().text().c_str());
  std::printf("=== least\n%s%s", st::least_of<balanced>().text().c_str(),
              st::least_of<roomy>().text().c_str());
  std::printf("=== simulate\n");
  // [simulated]
  const st::simulation run = st::simulate<roomy>({}, 1000);
  std::printf("%s", run.text().c_str());
  std::ofstream picture("simulated.svg");
  st::draw_svg(picture, run.record(std::chrono::microseconds(1)), 4, 8);  // batches 4 to 8
  // [simulated]
  static_cast<void>(std::remove("simulated.svg"));
  std::printf("=== device\n");
  // [device]
  const st::dynamic::planned_schedule planned(st::dynamic::outline<submitted>());
  const st::dynamic::device_plan on_device(planned);
  const auto bound = st::bound_of(
      on_device,
      {{"copy_in", 300}, {"compute", 500}, {"submit copy_in", 10}, {"submit compute", 40}});
  std::printf("%s", bound.text().c_str());
  // [device]
  const bool in_turn =
      st::bound_of(planned, {{"copy_in", 300}, {"compute", 500}}).period().value() == 800;
  std::printf("=== bursty\n%s", st::describe<bursty>().c_str());
  std::printf("=== shared\n%s", st::describe<shared>().c_str());
  return all && in_turn && std::is_class_v<eager> ? 0 : 1;
}
