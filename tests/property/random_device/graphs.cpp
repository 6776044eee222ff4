// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random schedules of types whose tasks on streams are captured and launched as graphs, again and
// again at random paces, on one to three devices, disturbed in several ways, with graphs forgotten
// in between. Prints what is wrong with which seed, and how many graphs there were.
//
//   random_graphs [--schedules N] [--seed FIRST] [--runs N]

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "../../behaviour/execute/deadline.hpp"
#include "../../support/seed.hpp"
#include "trial.hpp"
#include "types.hpp"

#ifndef STRETTO_FIRST_SCHEDULE
#  define STRETTO_FIRST_SCHEDULE 0
#endif

namespace random_device {
namespace {

using replaying = st::device::backend<driver, true>;

/// What there was over all runs.
struct tally {
  std::size_t runs = 0;
  std::size_t graphs = 0;
  std::size_t spanning = 0;  ///< launches of a progress, of tasks on several streams
};

template <unsigned Seed>
bool exercise(std::uint64_t seed, std::uint64_t runs, tally& all) {
  using schedule = typename decltype(varied<Seed>())::type;
  using pace = std::conditional_t<Seed / variants % 2 == 0, st::run_ahead, st::barrier>;
  const dynamic::schedule s = dynamic::outline<schedule>();
  const surroundings where = draw_surroundings(seed);
  recording::spoken_to to(where.devices);
  where.arrange(to.w);
  board b(s, to.w);
  common = &b;
  const auto complain = [&](const std::string& wrong, const std::string& when) {
    std::printf("schedule %u, seed %llu (%s)%s:\n%s", Seed, static_cast<unsigned long long>(seed),
                where.text().c_str(), when.c_str(), wrong.c_str());
    return false;
  };
  {
    st::pipeline<schedule, replaying, pace> pipeline(to.d, where.streams_of(s));
    trial<decltype(pipeline)> t(pipeline, b, to, s);
    for (std::uint64_t i = 0; i < runs; ++i) {
      run_plan p = draw_run((seed << 8U) + i, s.tasks.size());
      if (i + 1 == runs) p.what = fault::none;
      if (i > 0) to.w.jitter(static_cast<unsigned>(seed + i));
      const std::string wrong = t.run(p);
      if (!wrong.empty()) return complain(wrong, ", run " + std::to_string(i) + ", " + p.text());
      ++all.runs;
      all.graphs += pipeline.device().graph_count();
      if (!dice(seed + i).one_in(4)) continue;
      pipeline.device().forget_graphs();
      b.renew();
    }
    for (const st::device::launch_group& l : pipeline.device().launches())
      if (l.reason.find("graphs span") == 0 && l.tasks.size() > 1) ++all.spanning;
  }
  const std::string leaks = to.leaks();
  return leaks.empty() || complain(leaks, "");
}

using trying = bool (*)(std::uint64_t seed, std::uint64_t runs, tally& all);
template <unsigned First, unsigned... I>
std::vector<trying> drawn(std::integer_sequence<unsigned, I...>) {
  return {&exercise<First + I>...};
}

}  // namespace
}  // namespace random_device

int main(int argc, char** argv) {
  std::uint64_t schedules = 240;
  std::uint64_t first = seeds::first(1);
  std::uint64_t runs = 5;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const std::uint64_t number = std::strtoull(argv[i + 1], nullptr, 10);
    if (name == "--schedules") schedules = number;
    if (name == "--seed") first = number;
    if (name == "--runs") runs = number;
  }
  seeds::print(first, schedules, "pipelines", argc, argv);
  const auto all =
      random_device::drawn<STRETTO_FIRST_SCHEDULE>(std::make_integer_sequence<unsigned, 12>{});
  random_device::tally found;
  bool good = true;
  for (std::uint64_t i = 0; good && i < schedules; ++i) {
    const deadline limit("the runs of a random schedule with graphs", std::chrono::seconds(60));
    good = all[i % all.size()](first + i, runs, found);
  }
  std::printf("%zu runs of %zu schedules, %zu graphs, %zu launches of several streams: %s\n",
              found.runs, all.size(), found.graphs, found.spanning,
              good && found.graphs > 0 ? "nothing wrong" : "wrong");
  return good && found.graphs > 0 ? 0 : 1;
}
