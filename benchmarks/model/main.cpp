// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How well the model of a plan tells what runs do, and what it costs to record one: as JSON.
// With a number, so small a part of all that, to see whether it works.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>
#include "exposed.hpp"
#include "padded.hpp"
#include "random_plans.hpp"
#include "real_runs.hpp"
#include "traced.hpp"

int main(int argc, char** argv) {
  namespace model = benchmarks::model;
  const auto rounded = [](double value) { return std::round(value * 1e4) / 1e4; };
  const std::size_t part = argc > 1 ? std::max(1UL, std::strtoul(argv[1], nullptr, 10)) : 1;
  const auto some = [&](std::size_t of) { return (of + part - 1) / part; };
  nlohmann::ordered_json all;

  const model::worst bound = model::bound_over_simulator(some(10'000));
  all["bound_over_simulator_worst"] = rounded(bound.value);
  all["bound_over_simulator_plans"] = bound.plans;
  const model::worst advice = model::advice_error(some(200));
  all["advice_error_worst"] = rounded(advice.value);
  all["advice_error_schedules"] = advice.plans;

  for (const bool found : {false, true}) {
    const std::string name = found ? "found_over_real" : "simulator_over_real";
    std::vector<double> real;
    std::vector<double> of_short;
    for (const model::real_run& run : model::real_over_simulated(some(100), some(9), found)) {
      // Of what a search found, threads hand over in most progresses: in a short one that shows.
      const bool is_short = found && run.period < model::short_period;
      (is_short ? of_short : real).push_back(std::max(run.ratio, 1 / run.ratio));
    }
    if (real.empty()) continue;  // of a small part
    std::sort(real.begin(), real.end());
    all[name + "_worst"] = rounded(real.back());
    all[name + "_median"] = rounded(real[real.size() / 2]);
    all[name + "_schedules"] = real.size();
    if (of_short.empty()) continue;
    all[name + "_short_worst"] = rounded(*std::max_element(of_short.begin(), of_short.end()));
    all[name + "_short_schedules"] = of_short.size();
  }

  all["exposed_error_worst_us"] = rounded(model::exposed_error(some(5)));
  all["padding_slope_error_worst"] = rounded(model::slope_error(some(5), some(100)));
  all["trace_ns_per_task"] = rounded(model::trace_ns_per_task(some(25)));
  std::cout << all.dump(2) << "\n";
  return std::cout.flush() ? EXIT_SUCCESS : EXIT_FAILURE;
}
