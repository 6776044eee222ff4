// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Training in micro-batches: gradients are added up over four, weights change once per four, the
// model is evaluated once per 32 and written to a file once per 64, while other batches go on. A
// training that is broken off goes on from its file, in another plan, and comes to the same
// weights, bit by bit.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <stretto/position.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <utility>
#include <vector>

namespace st = stretto;

namespace {

constexpr std::size_t features = 16;
constexpr std::size_t samples_of_batch = 64;
using vector = std::array<double, features>;

struct sample {
  vector x{};
  double y = 0;
};

/// Numbers that depend on nothing but their place: a stream of data that can be read from anywhere.
double noise(std::uint64_t place) {
  place = (place ^ (place >> 30U)) * 0xbf58476d1ce4e5b9U;
  place = (place ^ (place >> 27U)) * 0x94d049bb133111ebU;
  return static_cast<double>((place ^ (place >> 31U)) >> 11U) / 9007199254740992.0 - 0.5;
}
sample sample_at(std::uint64_t number) {
  sample s;
  for (std::size_t i = 0; i < features; ++i) {
    s.x[i] = noise(number * 64 + i);
    s.y += s.x[i] * (i % 2 == 0 ? 1.5 : -0.5);
  }
  s.y += 0.01 * noise(number * 64 + 63);
  return s;
}
double predicted(const vector& w, const vector& x) {
  double sum = 0;
  for (std::size_t i = 0; i < features; ++i) sum += w[i] * x[i];
  return sum;
}

struct batch : st::slot<std::vector<sample>> {};
struct gradient : st::slot<vector> {};
struct loss : st::slot<double> {};
struct weights : st::slot<vector> {};

/// What is kept of a training.
struct model {
  std::uint64_t batches = 0;  ///< that it has seen
  vector w{};
};

struct backward {
  static constexpr int weight = 100;
  void operator()(st::in<batch> samples, st::latest<weights, 1> now, st::out<gradient> g,
                  st::out<loss> l) const {
    const vector w = now.value_or(vector{});
    *g = {};
    l = 0.0;
    for (const sample& s : *samples) {
      const double error = predicted(w, s.x) - s.y;
      *l += error * error / samples_of_batch;
      for (std::size_t i = 0; i < features; ++i) (*g)[i] += error * s.x[i] / samples_of_batch;
    }
  }
};
struct step {
  static constexpr int every = 4;
  static constexpr int weight = 4;
  void operator()(st::window<gradient, 4> group, st::previous<weights> before,
                  st::out<weights> w) const {
    *w = before.value_or(vector{});
    for (const vector& g : group)
      for (std::size_t i = 0; i < features; ++i) (*w)[i] -= 0.5 * g[i];
  }
};
struct evaluate {
  static constexpr int every = 32;
  static constexpr int weight = 400;
  using thread = st::thread<"evaluation">;
  std::vector<double>* scores = nullptr;
  void operator()(st::in<weights> w) const {
    double sum = 0;
    for (std::uint64_t n = 0; n < 256; ++n) {  // that no batch has
      const sample s = sample_at((std::uint64_t{1} << 40U) + n);
      sum += std::abs(predicted(*w, s.x) - s.y) / 256;
    }
    scores->push_back(sum);
  }
};
struct save {
  static constexpr int every = 64;
  static constexpr int weight = 800;
  using thread = st::thread<"disk">;
  std::filesystem::path file{};
  void operator()(const st::context auto& ctx, st::in<weights> w) const {
    const model m{ctx.batch() + 1, *w};
    const std::filesystem::path fresh = file.string() + ".new";
    std::ofstream(fresh, std::ios::binary).write(reinterpret_cast<const char*>(&m), sizeof m);
    std::filesystem::rename(fresh, file);  // all of it, or what was there
  }
};

struct training : st::schedule<st::source<batch>, st::result<loss>, backward, step, evaluate, save,
                               st::slack<weights, 2>> {};
static_assert(st::copies_of<training, gradient> == 4);

model loaded(const std::filesystem::path& file) {
  model m;
  std::ifstream(file, std::ios::binary).read(reinterpret_cast<char*>(&m), sizeof m);
  return m;
}

/// Trains from a model on, up to a batch; returns the last loss.
template <class Schedule>
double train(const model& from, std::uint64_t until, const std::filesystem::path& file,
             std::vector<double>& scores) {
  st::pipeline<Schedule> pipeline{evaluate{&scores}, save{file}};
  st::position begin(from.batches);
  if (from.batches > 0) begin.seed<weights>(from.batches - 1, from.w);
  double last = 0;
  auto batches = [next = from.batches, until](std::vector<sample>& into) mutable {
    if (next == until) return false;
    into.resize(samples_of_batch);
    for (std::size_t i = 0; i < samples_of_batch; ++i)
      into[i] = sample_at(next * samples_of_batch + i);
    ++next;
    return true;
  };
  for (const double l : pipeline.run(std::move(batches), st::from(begin))) last = l;
  return last;
}

bool same(const model& a, const model& b) { return a.batches == b.batches && a.w == b.w; }

}  // namespace

int main() {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() /
      ("stretto_accumulate_" + std::to_string(std::random_device{}()));
  std::filesystem::create_directories(folder);
  std::vector<double> scores;
  std::vector<double> in_turn;
  std::vector<double> resumed;

  const double last = train<training>({}, 256, folder / "whole", scores);
  train<st::serial<training>>({}, 256, folder / "serial", in_turn);
  train<training>({}, 101, folder / "broken_off", resumed);  // after the file of batch 63
  const model kept = loaded(folder / "broken_off");
  resumed.resize(kept.batches / 32);
  train<st::serial<training>>(kept, 256, folder / "broken_off", resumed);  // planned otherwise

  for (std::size_t i = 0; i < scores.size(); ++i)
    std::printf("after %zu batches off by %.4f\n", 32 * (i + 1), scores[i]);
  std::printf("loss of the last batch: %.6f\n", last);
  const model whole = loaded(folder / "whole");
  const bool good = kept.batches == 64 && whole.batches == 256 && scores.size() == 8 &&
                    scores.back() < scores.front() / 4 && same(whole, loaded(folder / "serial")) &&
                    same(whole, loaded(folder / "broken_off")) && scores == in_turn &&
                    scores == resumed;
  std::puts(good ? "resumed, and one batch after the other: the same weights, bit by bit"
                 : "the weights are others");
  std::filesystem::remove_all(folder);
  return good ? 0 : 1;
}
