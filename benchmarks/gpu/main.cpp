// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a pipeline on a device reaches of its bound, and what it costs the host, against the same
// calls by hand. Writes one JSON object: `gpu`, and the figures by name.

#include <cuda_runtime_api.h>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <string>
#include <vector>
#include "../common/windows.hpp"
#include "by_hand.hpp"
#include "pipeline.hpp"

namespace {

using namespace benchmarks;

// What CTest takes for "skipped".
constexpr int skipped = 77;
constexpr std::size_t window = 16;
constexpr std::size_t count = 60;
constexpr int rounds = 5;

/// Yields batches until told to stop; the host's part of a batch is one number.
class source {
 public:
  explicit source(const bool& stop) : stop_(&stop) {}
  bool operator()(pinned& to) { return (*this)(to.data()); }
  bool operator()(int* to) {
    *to = next_++;
    return !*stop_;
  }

 private:
  const bool* stop_;
  int next_ = 0;
};

template <class Schedule, class Device>
struct by_stretto {
  st::pipeline<Schedule, Device> pipeline;
  explicit by_stretto(const durations& d) : pipeline(copy{d}, compute{d}, communicate{d}) {}

  template <class Each>
  void run(source from, Each each) {
    for ([[maybe_unused]] const auto b : pipeline.run(from)) each();
  }
};

/// The pipeline of the runtime version.
struct by_values {
  st::dynamic::pipeline<st::on_cuda> pipeline;
  explicit by_values(const durations& d)
      : pipeline(
            st::dynamic::from_types<training, st::on_cuda>(copy{d}, compute{d}, communicate{d})) {}

  template <class Each>
  void run(source from, Each each) {
    for ([[maybe_unused]] const auto& b : pipeline.run<pinned>(from)) each();
  }
};

/// Microseconds per progress: the median over windows.
template <class Variant>
double progress_us(const durations& d) {
  Variant variant(d);
  bool stop = false;
  windows w(window, count);
  variant.run(source(stop), [&] { stop = w.progressed() || stop; });
  cudaDeviceSynchronize();
  return quantile(w.per_progress(), 0.5) / 1000.0;
}

struct variant {
  const char* name;
  double (*measure)(const durations&);
  double best = 0.0;
};

/// The best of several rounds, variants in turn, so that all meet the same clocks.
std::vector<variant> measure_all(const durations& d) {
  std::vector<variant> all{
      {"by_hand", &progress_us<by_hand>},
      {"stretto", &progress_us<by_stretto<training, st::on_cuda>>},
      {"stretto_values", &progress_us<by_values>},
      {"stretto_threads", &progress_us<by_stretto<on_threads, st::on_cuda>>},
      {"stretto_graphs", &progress_us<by_stretto<training, st::on_cuda_graphs>>},
      {"serial", &progress_us<by_stretto<serial, st::on_cuda>>},
  };
  for (int round = 0; round < rounds; ++round)
    for (variant& v : all) {
      const double us = v.measure(d);
      if (round == 0 || us < v.best) v.best = us;
    }
  return all;
}

std::string name_of(const durations& d) {
  return std::to_string(d.copy) + "_" + std::to_string(d.compute) + "_" +
         std::to_string(d.communicate);
}

void measure(nlohmann::json& figures) {
  const std::array<durations, 5> shapes{durations{0, 0, 0}, durations{20, 20, 20},
                                        durations{50, 50, 50}, durations{200, 200, 200},
                                        durations{100, 300, 150}};
  for (const durations& d : shapes) {
    const double bound = std::max({d.copy, d.compute, d.communicate});
    const std::vector<variant> all = measure_all(d);
    const double by_hand_us = all.front().best;
    for (const variant& v : all) {
      const std::string name = std::string(v.name) + "_" + name_of(d);
      figures[name + "_us"] = v.best;
      // With kernels that do nothing, submission is all there is.
      if (bound > 0) {
        figures[name + "_over_bound"] = v.best / bound;
      } else {
        figures[name + "_over_by_hand"] = v.best / by_hand_us;
      }
      std::printf("%-28s %9.2f us per progress%s\n", name.c_str(), v.best,
                  bound > 0 ? "" : "  (submission only)");
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FIGURES.json\n", argv[0]);
    return 2;
  }
  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess || devices == 0) {
    std::printf("skipped: no CUDA device (%s)\n", cudaGetErrorString(status));
    return skipped;
  }
  try {
    cudaDeviceProp device{};
    int runtime = 0;
    int driver = 0;
    if (cudaGetDeviceProperties(&device, 0) != cudaSuccess ||
        cudaRuntimeGetVersion(&runtime) != cudaSuccess ||
        cudaDriverGetVersion(&driver) != cudaSuccess)
      throw std::runtime_error("the device does not say what it is");
    nlohmann::json result{{"gpu", device.name}, {"cuda_runtime", runtime}, {"cuda_driver", driver}};
    measure(result["pipeline"]);
    std::ofstream out(argv[1]);
    out << result.dump(2) << '\n';
    return out ? 0 : 2;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "benchmark_gpu: %s\n", e.what());
    return 2;
  }
}
