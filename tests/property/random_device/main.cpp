// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random schedules as values whose streams are on one to three devices, each run at random paces
// and disturbed in several ways: as it was drawn, as its serial plan and pipelined. Some devices'
// streams take little work, some wait where CUDA may. Prints what is wrong with which seed, and how
// many.
//
//   random_device [--schedules N] [--seed FIRST] [--runs N]

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include "../../behaviour/execute/deadline.hpp"
#include "../random_runs/draw.hpp"
#include "trial.hpp"

namespace random_device {
namespace {

template <class... Options>
bool exercise(const dynamic::schedule& s, std::uint64_t seed, const char* which,
              std::uint64_t runs) {
  const surroundings where = draw_surroundings(seed);
  recording::spoken_to to(where.devices);
  where.arrange(to.w);
  board b(s, to.w);
  std::string leaks;
  {
    dynamic::pipeline<device, Options...> pipeline(bodied(s, b), to.d, where.streams_of(s));
    trial<decltype(pipeline)> t(pipeline, b, to, s);
    for (std::uint64_t i = 0; i < runs; ++i) {
      run_plan p = draw_run((seed << 8U) + i, s.tasks.size());
      if (i + 1 == runs) p.what = fault::none;
      if (i > 0) to.w.jitter(static_cast<unsigned>(seed + i));
      const std::string wrong = t.run(p);
      if (wrong.empty()) continue;
      std::printf("seed %llu (%s; %s), run %llu, %s:\n%s", static_cast<unsigned long long>(seed),
                  which, where.text().c_str(), static_cast<unsigned long long>(i), p.text().c_str(),
                  wrong.c_str());
      return false;
    }
  }
  leaks = to.leaks();
  if (leaks.empty()) return true;
  std::printf("seed %llu (%s): %s", static_cast<unsigned long long>(seed), which, leaks.c_str());
  return false;
}

bool try_seed(std::uint64_t seed, std::uint64_t runs, std::uint64_t& tried) {
  const random_runs::candidate c = random_runs::draw(seed);
  if (c.schedule.tasks.empty()) return true;
  ++tried;
  const dynamic::schedule& s = c.schedule;
  return (dice(seed).one_in(3) ? exercise<st::barrier>(s, seed, "barrier", runs)
                               : exercise<st::run_ahead>(s, seed, "running ahead", runs)) &&
         exercise<st::run_ahead>(dynamic::serial(s), seed, "serial", 2) &&
         exercise<st::run_ahead>(dynamic::pipelined(s), seed, "pipelined", 2);
}

}  // namespace
}  // namespace random_device

int main(int argc, char** argv) {
  std::uint64_t schedules = 100;
  std::uint64_t first = 1;
  std::uint64_t runs = 5;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const std::uint64_t number = std::strtoull(argv[i + 1], nullptr, 10);
    if (name == "--schedules") schedules = number;
    if (name == "--seed") first = number;
    if (name == "--runs") runs = number;
  }
  std::uint64_t tried = 0;
  std::uint64_t seed = first;
  bool good = true;
  for (; good && tried < schedules; ++seed) {
    const deadline limit("the runs of a random schedule on a device", std::chrono::seconds(60));
    good = random_device::try_seed(seed, runs, tried);
  }
  std::printf("%llu schedules of %llu seeds: %s\n", static_cast<unsigned long long>(tried),
              static_cast<unsigned long long>(seed - first), good ? "nothing wrong" : "wrong");
  return good ? 0 : 1;
}
