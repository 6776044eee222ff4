// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How well the model of a plan tells what runs do, and what it costs to record one: as JSON.

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

int main() {
  namespace model = benchmarks::model;
  const auto rounded = [](double value) { return std::round(value * 1e4) / 1e4; };
  nlohmann::ordered_json all;

  const model::worst bound = model::bound_over_simulator(10'000);
  all["bound_over_simulator_worst"] = rounded(bound.value);
  all["bound_over_simulator_plans"] = bound.plans;
  const model::worst advice = model::advice_error(200);
  all["advice_error_worst"] = rounded(advice.value);
  all["advice_error_schedules"] = advice.plans;

  for (const bool found : {false, true}) {
    std::vector<double> real = model::real_over_simulated(100, 9, found);
    for (double& ratio : real) ratio = std::max(ratio, 1 / ratio);
    std::sort(real.begin(), real.end());
    const std::string name = found ? "found_over_real" : "simulator_over_real";
    all[name + "_worst"] = rounded(real.back());
    all[name + "_median"] = rounded(real[real.size() / 2]);
    all[name + "_schedules"] = real.size();
  }

  all["exposed_error_worst_us"] = rounded(model::exposed_error(5));
  all["padding_slope_error_worst"] = rounded(model::slope_error(5));
  all["trace_ns_per_task"] = rounded(model::trace_ns_per_task(25));
  std::cout << all.dump(2) << "\n";
  return std::cout.flush() ? EXIT_SUCCESS : EXIT_FAILURE;
}
