// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The ranking model on a device. Trains by the serial plan and by the pipelined plan, compares
// their losses bit by bit and the first ones with the host's, and says what a batch costs.

#include <algorithm>
#include <bit>
#include <chrono>
#include <CLI/CLI.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>
#include "../schedule.hpp"
#include "../split.hpp"
#include "schedule.hpp"

namespace {

using namespace ranking;
using clock_type = std::chrono::steady_clock;

// What CTest takes for "skipped".
constexpr int skipped = 77;
// The device sums in another order than the host: so far their losses may lie apart.
constexpr float tolerance = 1e-3F;
constexpr std::size_t compared_with_host = 10;

struct options {
  std::string data = RANKING_DATA;
  std::size_t batch_rows = gpu::batch_samples;
  std::size_t passes = 6;
  std::size_t rounds = 1;
  bool quick = false;
  std::string figures;
};

struct trained {
  std::vector<float> losses;
  double batch_us = 0.0;  // the best of all rounds
};

class experiment {
 public:
  explicit experiment(const options& o)
      : o_(o),
        file_(flight_file::load(o.data)),
        rows_(split_by_day(file_)),
        words_(file_, rows_.training) {
    if (o.quick) rows_.training.resize(rows_.training.size() / 8);
  }

  template <class Schedule, class Device = stretto::on_cuda>
  void train(trained& result) const {
    batch_source source(file_, rows_.training, o_.batch_rows, o_.passes);
    learning how;
    how.batches = source.batches();
    const gpu::pipelined::state state(words_, how);
    gpu::pipelined::trainer<Schedule, Device> trainer(state);
    std::vector<float> losses;
    losses.reserve(source.batches());
    clock_type::time_point start;
    for (const step_report& r : trainer.pipeline.run(source)) {
      // The first batches pay for kernels that are loaded and memory that is taken.
      if (losses.size() == warm_up) start = clock_type::now();
      losses.push_back(r.loss);
    }
    const std::chrono::duration<double, std::micro> wall = clock_type::now() - start;
    if (!result.losses.empty() && different_bits(result.losses, losses) != 0)
      throw std::runtime_error("the same plan computed other losses in another round");
    result.losses = std::move(losses);
    if (result.losses.size() <= warm_up + 1) return;
    const double us = wall.count() / static_cast<double>(result.losses.size() - warm_up - 1);
    if (result.batch_us == 0.0 || us < result.batch_us) result.batch_us = us;
  }

  /// The host's losses of the first batches.
  std::vector<float> no_device(std::size_t batches) const {
    batch_source source(file_, rows_.training, o_.batch_rows, o_.passes);
    learning how;
    how.batches = source.batches();
    ranking::pipelined::state state(words_, how, 8192);
    ranking::pipelined::trainer<ranking::pipelined::serial> trainer(state);
    std::vector<float> losses;
    for (const step_report& r : trainer.pipeline.run(source)) {
      losses.push_back(r.loss);
      if (losses.size() == batches) break;
    }
    return losses;
  }

  static std::size_t different_bits(const std::vector<float>& a, const std::vector<float>& b) {
    std::size_t different = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
      if (std::bit_cast<std::uint32_t>(a[i]) != std::bit_cast<std::uint32_t>(b[i])) ++different;
    return different;
  }

 private:
  static constexpr std::size_t warm_up = 16;

  options o_;
  flight_file file_;
  split_rows rows_;
  vocabulary words_;
};

int compare(const options& o) {
  const experiment flights(o);
  trained one;
  trained two;
  trained graphs;
  for (std::size_t round = 0; round < o.rounds; ++round) {
    flights.train<gpu::pipelined::serial>(one);
    flights.train<gpu::pipelined::training>(two);
    flights.train<gpu::pipelined::training, stretto::on_cuda_graphs>(graphs);
  }
  const std::size_t different = experiment::different_bits(one.losses, two.losses) +
                                experiment::different_bits(one.losses, graphs.losses);
  std::printf("losses: %zu batches, %zu differ%s\n", one.losses.size(), different,
              different == 0 ? ": the plans agree to the last bit" : "");

  const std::vector<float> host = flights.no_device(compared_with_host);
  float apart = 0.0F;
  for (std::size_t i = 0; i < host.size() && i < one.losses.size(); ++i)
    apart = std::max(apart, std::fabs(host[i] - one.losses[i]));
  std::printf("first losses: at most %.1e from the host's%s\n", static_cast<double>(apart),
              apart < tolerance ? "" : ", which is too much");
  std::printf("per batch: serial %.1f us, pipelined %.1f us, pipelined with graphs %.1f us\n",
              one.batch_us, two.batch_us, graphs.batch_us);

  if (!o.figures.empty()) {
    const nlohmann::json figures{{"ranking_serial_batch_us", one.batch_us},
                                 {"ranking_pipelined_batch_us", two.batch_us},
                                 {"ranking_graphs_batch_us", graphs.batch_us},
                                 {"ranking_pipelined_over_serial", two.batch_us / one.batch_us}};
    std::ofstream(o.figures) << figures.dump(2) << '\n';
  }
  return different == 0 && apart < tolerance && !one.losses.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  options o;
  CLI::App app("Trains the ranking model on a GPU by two plans, and compares their losses.");
  app.add_option("--data", o.data, "the flights, CSV or gzip-compressed CSV")
      ->capture_default_str();
  app.add_option("--batch", o.batch_rows, "flights per batch")
      ->check(CLI::Range(std::size_t{1}, gpu::batch_samples))
      ->capture_default_str();
  app.add_option("--passes", o.passes, "passes over the data")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--rounds", o.rounds, "how often to train by each plan, alternately")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_flag("--short", o.quick, "an eighth of the data, one pass");
  app.add_option("--figures", o.figures, "write what a batch costs to this JSON file");
  CLI11_PARSE(app, argc, argv);
  if (o.quick) o.passes = 1;

  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess || devices == 0) {
    std::printf("skipped: no CUDA device (%s)\n", cudaGetErrorString(status));
    return skipped;
  }
  try {
    return compare(o);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "ranking_gpu: %s\n", e.what());
    return 2;
  }
}
