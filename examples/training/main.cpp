// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trains a network to name shapes: the optimizer steps once per four batches, held-out pictures
// are tried every eight steps, and the next batch is loaded meanwhile. Two programs do that,
// with_stretto.cpp and by_hand.cpp; this one compares what they learn, to the last bit, how long
// they take, and what becomes of a damaged picture. `training ROUNDS` times that many runs of each.
#include <cinttypes>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include "compare.hpp"
#include "twins/alternate.hpp"

namespace {

constexpr std::size_t batches = 256;

template <class Run>
std::string said_of_damage(Run run, const training::batch& held_out) {
  training::dataset data(1000, 1);
  data.damage(500);
  try {
    run(data, held_out, batches);
    return "nothing";
  } catch (const std::exception& e) {
    return e.what();
  }
}

void show(const char* title, const training::trained& t) {
  std::printf("%-8s digest %016" PRIx64 ", loss %.3f -> %.3f, held out %.1f %% right\n", title,
              training::digest(t), static_cast<double>(t.losses.front()),
              static_cast<double>(t.losses.back()), 100 * static_cast<double>(t.accuracies.back()));
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t rounds = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1;
  const training::dataset data(1000, 1);
  const training::batch held_out = training::dataset(256, 2).all();
  training::trained piped;
  training::trained by_hand;
  const twins::times times = twins::alternate(
      rounds, [&] { piped = training::run_stretto(data, held_out, batches); },
      [&] { by_hand = training::run_by_hand(data, held_out, batches); });
  const training::trained serial = training::run_serial(data, held_out, batches);
  show("stretto", piped);
  show("serial", serial);
  show("by hand", by_hand);
  std::printf("stretto %.3f ms per batch, by hand %.3f: %.2f of the time\n",
              times.stretto / batches, times.twin / batches, times.ratio());

  const std::string said = said_of_damage(training::run_stretto, held_out);
  const std::string said_by_hand = said_of_damage(training::run_by_hand, held_out);
  std::printf("of a damaged picture\n  stretto  %s\n  by hand  %s\n", said.c_str(),
              said_by_hand.c_str());

  const std::string_view damage = "picture 500 is damaged";
  const bool same = digest(piped) == digest(serial) && digest(piped) == digest(by_hand) &&
                    piped.losses.size() == batches && piped.accuracies.back() > 0.9F &&
                    said.ends_with(damage) && said_by_hand == damage;
  std::printf("%s\n", same ? "all learn the same" : "THEY DIFFER");
  return same ? 0 : 1;
}
