// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copy and compute on two streams: while a stencil runs on one frame, the next is being copied into
// the device's memory (here: another buffer of the host). Prints what overlapped and draws both
// plans. `copy_compute DIR` also writes the pictures and a trace into DIR.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <ranges>
#include <stretto/stretto.hpp>
#include <stretto/timeline.hpp>
#include <string>
#include <vector>

namespace st = stretto;

constexpr std::size_t side = 768;
constexpr std::size_t frames = 60;
using image = std::vector<float>;

// --- what travels with a frame -----------------------------------------------------------------

struct number : st::slot<unsigned> {};
struct pinned : st::slot<image> {};  // where frames come in
struct device : st::slot<image> {};  // the copy that the stencil reads
struct result : st::slot<image> {};
struct energy : st::slot<double> {};

// --- tasks --------------------------------------------------------------------------------------

struct grab {
  using stream = st::stream<"copy">;
  static constexpr int lookahead = 1;
  using reads = st::reads<number>;
  using writes = st::writes<pinned>;
  void operator()(unsigned n, image& out) const {
    out.resize(side * side);
    std::uint32_t noise = n + 1;
    for (float& pixel : out) {
      noise = noise * 1664525U + 1013904223U;
      pixel = static_cast<float>(noise >> 24);
    }
  }
};

struct upload {
  using stream = st::stream<"copy">;
  static constexpr int lookahead = 1;
  using reads = st::reads<pinned>;
  using writes = st::writes<device>;
  void operator()(const image& in, image& out) const {
    out.resize(in.size());
    std::memcpy(out.data(), in.data(), in.size() * sizeof(float));
  }
};

struct stencil {
  using stream = st::stream<"compute">;
  using reads = st::reads<device>;
  using writes = st::writes<result>;
  void operator()(const image& in, image& out) const {
    out.resize(in.size());
    for (std::size_t y = 1; y + 1 < side; ++y)
      for (std::size_t x = 1; x + 1 < side; ++x) {
        const std::size_t i = y * side + x;
        out[i] = in[i] - 0.25F * (in[i - 1] + in[i + 1] + in[i - side] + in[i + side]);
      }
  }
};

struct reduce {
  using stream = st::stream<"compute">;
  using reads = st::reads<result>;
  using writes = st::writes<energy>;
  void operator()(const image& in, double& out) const {
    out = 0;
    for (const float v : in) out += static_cast<double>(v * v);
  }
};

// The calling thread runs the `compute` stream instead of waiting for it: two threads, not three.
struct imaging
    : st::schedule<st::source<number>, st::result<energy>, st::streams<"copy", "compute">,
                   st::caller_runs<"compute">, grab, upload, stencil, reduce> {};

// What the pipeline holds is known to the compiler: two frames on the device, one elsewhere.
static_assert(st::copies_of<imaging, device> == 2);
static_assert(st::copies_of<imaging, pinned> == 1 && st::copies_of<imaging, result> == 1);

struct outcome {
  std::vector<double> energies;
  double milliseconds_per_frame = 0;  // median
  double busy_threads = 0;            // in the mean, of all threads
};

template <class Schedule>
outcome measure(const std::string& plan, const std::string& folder) {
  st::pipeline<Schedule, st::timeline> pipeline;
  outcome out;
  for (const double e : pipeline.run(std::views::iota(0U, unsigned{frames})))
    out.energies.push_back(e);

  const st::timeline& record = pipeline.observer();
  std::vector<st::timeline::window> windows = record.windows(4);
  std::ranges::sort(windows, {}, &st::timeline::window::wall);
  const auto& median = windows[windows.size() / 2];
  out.milliseconds_per_frame = median.wall.count() * 1e3 / static_cast<double>(median.batches);
  out.busy_threads = median.total() / median.wall;
  std::printf("%-10s %.2f ms per frame, %.2f threads busy\n", plan.c_str(),
              out.milliseconds_per_frame, out.busy_threads);

  if (!folder.empty()) {
    const auto& calm = windows.front();
    const std::string file = folder + "/copy_compute_" + plan;
    std::ofstream svg(file + ".svg");
    st::draw_svg(svg, record, calm.first_batch, calm.first_batch + calm.batches - 1,
                 "Copy and compute, " + plan);
    std::ofstream json(file + ".json");
    st::write_trace(json, record);
  }
  return out;
}

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : "";
  if (!folder.empty()) std::filesystem::create_directories(folder);
  const outcome serial = measure<st::serial<imaging>>("serial", folder);
  const outcome pipelined = measure<imaging>("pipelined", folder);
  std::printf("time per frame, pipelined over serial: %.2f\n",
              pipelined.milliseconds_per_frame / serial.milliseconds_per_frame);
  const bool same = serial.energies == pipelined.energies && serial.energies.size() == frames;
  std::printf("%s\n", same ? "the same results" : "THE RESULTS DIFFER");
  return same ? 0 : 1;
}
