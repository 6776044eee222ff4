// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random schedules as values whose streams are on one to three devices, each run at random paces
// and disturbed in several ways: as it was drawn, as its serial plan and pipelined, with bodies
// that are called and with graphs of what they do, forgotten now and then. Some devices' streams
// take little work, some wait where CUDA may. Prints what is wrong with which seed, how many
// schedules and how many graphs there were.
//
//   random_device [--schedules N] [--seed FIRST] [--runs N]

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include "../../behaviour/execute/deadline.hpp"
#include "../../support/seed.hpp"
#include "../random_runs/draw.hpp"
#include "trial.hpp"

namespace random_device {
namespace {

using replaying = st::device::backend<driver, true>;

/// What there was over all runs.
struct tally {
  std::uint64_t tried = 0;
  std::uint64_t graphs = 0;
  std::uint64_t spanning = 0;  ///< launches of a progress, of tasks on several streams
};

template <class Device, class... Options>
bool exercise(const dynamic::schedule& s, std::uint64_t seed, const char* which, std::uint64_t runs,
              tally& all) {
  const surroundings where = draw_surroundings(seed);
  recording::spoken_to to(where.devices);
  where.arrange(to.w);
  board b(s, to.w);
  std::string leaks;
  {
    // Tasks that are called each time keep graphs from spanning streams.
    const bool is_mixed = dice(seed ^ 0xcaU).one_in(3);
    const auto captured = [&](std::size_t n) {
      return Device::replays && !(is_mixed && dice(100 * seed + n).one_in(4));
    };
    dynamic::pipeline<Device, Options...> pipeline(bodied(s, b, captured), to.d,
                                                   where.streams_of(s));
    trial<decltype(pipeline)> t(pipeline, b, to, s);
    for (std::uint64_t i = 0; i < runs; ++i) {
      run_plan p = draw_run((seed << 8U) + i, s.tasks.size());
      if (i + 1 == runs) p.what = fault::none;
      if (i > 0) to.w.jitter(static_cast<unsigned>(seed + i));
      const std::string wrong = t.run(p);
      if constexpr (Device::replays) {
        all.graphs += pipeline.device().graph_count();
        if (wrong.empty() && dice(seed + i).one_in(4)) {
          pipeline.device().forget_graphs();
          b.renew();
        }
      }
      if (wrong.empty()) continue;
      std::printf("seed %llu (%s%s; %s), run %llu, %s:\n%s", static_cast<unsigned long long>(seed),
                  which, Device::replays ? ", graphs" : "", where.text().c_str(),
                  static_cast<unsigned long long>(i), p.text().c_str(), wrong.c_str());
      return false;
    }
    if constexpr (Device::replays)
      for (const st::device::launch_group& l : pipeline.device().launches())
        if (l.reason.find("graphs span") == 0 && l.tasks.size() > 1) ++all.spanning;
  }
  leaks = to.leaks();
  if (leaks.empty()) return true;
  std::printf("seed %llu (%s): %s", static_cast<unsigned long long>(seed), which, leaks.c_str());
  return false;
}

template <class Device>
bool try_schedule(const dynamic::schedule& s, std::uint64_t seed, std::uint64_t runs, tally& all) {
  using meeting = st::barrier;
  using ahead = st::run_ahead;
  return (dice(seed).one_in(3) ? exercise<Device, meeting>(s, seed, "barrier", runs, all)
                               : exercise<Device, ahead>(s, seed, "running ahead", runs, all)) &&
         exercise<Device, ahead>(dynamic::serial(s), seed, "serial", 2, all) &&
         exercise<Device, ahead>(dynamic::pipelined(s), seed, "pipelined", 2, all);
}

/// All tasks on the calling thread, where they take no time: graphs then span its streams whenever
/// that takes fewer calls.
dynamic::schedule on_one_thread(dynamic::schedule s) {
  s.groups.clear();
  s.caller_runs = "caller";
  s.source.thread = "caller";
  for (dynamic::task& t : s.tasks) {
    t.thread = "caller";
    t.weight = 0;
    t.collective = false;
  }
  return s;
}

bool try_seed(std::uint64_t seed, std::uint64_t runs, tally& all) {
  const random_runs::candidate c = random_runs::draw(seed);
  if (c.schedule.tasks.empty()) return true;
  ++all.tried;
  if (!try_schedule<device>(c.schedule, seed, runs, all) ||
      !try_schedule<replaying>(c.schedule, seed, runs, all))
    return false;
  const dynamic::schedule alone = on_one_thread(c.schedule);
  if (!dynamic::diagnose(alone).ok()) return true;  // tickets may have kept tasks in order
  return exercise<replaying, st::run_ahead>(alone, seed, "on one thread", runs, all);
}

}  // namespace
}  // namespace random_device

int main(int argc, char** argv) {
  std::uint64_t schedules = 100;
  std::uint64_t first = seeds::first(1);
  std::uint64_t runs = 5;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const std::uint64_t number = std::strtoull(argv[i + 1], nullptr, 10);
    if (name == "--schedules") schedules = number;
    if (name == "--seed") first = number;
    if (name == "--runs") runs = number;
  }
  seeds::print(first, schedules, "schedules", argc, argv);
  random_device::tally all;
  std::uint64_t seed = first;
  bool good = true;
  for (; good && all.tried < schedules; ++seed) {
    const deadline limit("the runs of a random schedule on a device", std::chrono::seconds(60));
    good = random_device::try_seed(seed, runs, all);
  }
  const auto number = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
  std::printf("%llu schedules of %llu seeds, %llu graphs, %llu launches of several streams: %s\n",
              number(all.tried), number(seed - first), number(all.graphs), number(all.spanning),
              good ? "nothing wrong" : "wrong");
  return good ? 0 : 1;
}
