// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A camera takes a picture at a fixed rate, whoever is ready for it or not. What is worked on too
// late is of no use: a picture that waited longer than a deadline is dropped, and the ones after it
// are in time again. Prints how late pictures came out, and how busy each thread was.
// `camera_live FRAMES PERIOD DEADLINE`, both in microseconds.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stretto/stretto.hpp>
#include <stretto/watch.hpp>
#include <thread>
#include <utility>
#include <vector>
#include "compare.hpp"
#include "work.hpp"

namespace st = stretto;

namespace camera {
namespace {

using clock = std::chrono::steady_clock;
using std::chrono::microseconds;

/// A picture, and when it was taken.
struct shot {
  image picture;
  clock::time_point taken;
};

struct raw : st::slot<shot> {};
struct clean : st::slot<shot> {};
struct motion : st::slot<box> {};
struct packet : st::slot<bytes> {};

/// Takes pictures at a fixed rate. Who asks late for one gets it all the same, with the time at
/// which it was taken: drivers of cameras have a queue.
class camera_feed {
 public:
  camera_feed(std::size_t frames, microseconds period) : scene_(frames), period_(period) {}

  bool operator()(shot& out) {
    if (!scene_(out.picture)) return false;
    if (next_ == clock::time_point{}) next_ = clock::now();
    out.taken = std::exchange(next_, next_ + period_);
    std::this_thread::sleep_until(out.taken);
    return true;
  }

 private:
  scene scene_;
  microseconds period_;
  clock::time_point next_{};
};

struct denoising {
  microseconds deadline{};
  st::verdict operator()(st::in<raw> in, st::out<clean> out) const {
    if (clock::now() - in->taken > deadline) return st::drop;
    denoise(in->picture, out->picture);
    out->taken = in->taken;
    return st::keep;
  }
};
/// Compares with the last picture that was not dropped, so it keeps that itself: `st::previous`
/// would be empty after a drop.
struct detecting {
  std::optional<image> before{};
  void operator()(st::in<clean> now, st::out<motion> out) {
    out = detect(now->picture, before ? &*before : nullptr);
    before = now->picture;
  }
};
struct encoding {
  void operator()(st::in<clean> in, st::in<motion> marked, st::out<packet> out) const {
    encode(in->picture, marked, out);
  }
};
struct live
    : st::schedule<st::source<raw, st::thread<"capture">>, st::result<clean, motion, packet>,
                   st::threads<st::per_task>, st::pipelined<>, denoising, detecting, encoding> {};

void print_latencies(std::vector<double> late) {
  if (late.empty()) return;
  std::sort(late.begin(), late.end());
  const auto at = [&](double part) {
    return late[static_cast<std::size_t>(part * static_cast<double>(late.size() - 1))];
  };
  std::printf(
      "from the picture to its packet: median %.2f ms, 90 %% within %.2f, all within %.2f\n",
      at(0.5), at(0.9), late.back());
}

void print_occupancy(const st::activity& now) {
  for (const st::activity::thread_row& thread : now.threads)
    if (thread.busy.count() > 0)
      std::printf("%-10s busy %3.0f %% of the time\n", thread.name.c_str(),
                  100 * (thread.busy / now.up));
}

int watch(std::size_t frames, microseconds period, microseconds deadline) {
  st::pipeline<live, st::monitor> pipeline(denoising{deadline});
  outcome seen;
  std::vector<double> late;  // milliseconds
  bool in_order = true;
  std::size_t next = 0;
  auto run = pipeline.run(camera_feed(frames, period));
  while (run.next()) {
    const auto& [picture, found, packed] = run.result();
    late.push_back(std::chrono::duration<double, std::milli>(clock::now() - picture.taken).count());
    seen.add(found, packed);
    in_order = in_order && run.batch() >= next;
    next = run.batch() + 1;
  }

  const st::run_report& report = pipeline.report();
  std::printf("%zu frames: %zu packed in time, %zu dropped\n", report.finished, seen.frames,
              report.dropped);
  print_latencies(std::move(late));
  print_occupancy(pipeline.observer().look());
  const bool all_told = in_order && seen.frames + report.dropped == frames;
  // Nothing dropped: it has to be the recording that the other programs make.
  const bool as_recorded = report.dropped > 0 || seen == run_stretto(frames);
  std::printf("%s\n", !all_told        ? "FRAMES ARE MISSING"
                      : !as_recorded   ? "THE PICTURES DIFFER"
                      : report.dropped ? "each frame is packed or dropped"
                                       : "the pictures of a recording");
  return all_told && as_recorded ? 0 : 1;
}

}  // namespace
}  // namespace camera

int main(int argc, char** argv) {
  const std::array<long, 3> by_default{200, 3000, 20000};
  std::array<long, 3> given = by_default;
  for (std::size_t i = 0; i < given.size() && static_cast<int>(i) + 1 < argc; ++i)
    given[i] = std::strtol(argv[i + 1], nullptr, 10);
  if (std::any_of(given.begin(), given.end(), [](long n) { return n < 0; }) || given[0] == 0) {
    std::fprintf(stderr, "usage: camera_live FRAMES PERIOD DEADLINE, times in microseconds\n");
    return 2;
  }
  return camera::watch(static_cast<std::size_t>(given[0]), std::chrono::microseconds(given[1]),
                       std::chrono::microseconds(given[2]));
}
