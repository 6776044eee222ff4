// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A camera's pictures: denoise, find what moves, draw a box around it, pack. Two programs do that,
// with_stretto.cpp and by_hand.cpp; this one compares what comes out and how long it takes.
// `camera ROUNDS` times that many runs of each.
#include <cinttypes>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include "compare.hpp"
#include "twins/alternate.hpp"

int main(int argc, char** argv) {
  constexpr std::size_t frames = 60;
  const std::size_t rounds = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1;
  camera::outcome piped;
  camera::outcome by_hand;
  const twins::times times = twins::alternate(
      rounds, [&] { piped = camera::run_stretto(frames); },
      [&] { by_hand = camera::run_by_hand(frames); });

  std::printf("%zu frames, something moves in %zu, packed to %.0f %%\n", piped.frames, piped.moving,
              100 * static_cast<double>(piped.packed) /
                  static_cast<double>(frames * camera::width * camera::height));
  std::printf("stretto  digest %016" PRIx64 ", %.3f ms per frame\n", piped.digest,
              times.stretto / frames);
  std::printf("by hand  digest %016" PRIx64 ", %.3f ms per frame\n", by_hand.digest,
              times.twin / frames);
  std::printf("stretto takes %.2f of the time\n", times.ratio());
  const bool same = piped == by_hand && piped.moving + 1 == frames;
  std::printf("%s\n", same ? "the same pictures" : "THE PICTURES DIFFER");
  return same ? 0 : 1;
}
