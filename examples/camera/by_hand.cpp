// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <cstddef>
#include <optional>
#include <thread>
#include "compare.hpp"
#include "twins/channel.hpp"
#include "work.hpp"

namespace camera {
namespace {

struct frame {
  image raw;
  image clean;
  box motion;
  bytes packet;
};

}  // namespace

outcome run_by_hand(std::size_t frames) {
  outcome result;
  std::array<frame, 5> memory;
  twins::channel<frame> spare;
  twins::channel<frame> captured;
  twins::channel<frame> denoised;
  twins::channel<frame> detected;
  twins::channel<frame> encoded;
  for (frame& f : memory) spare.put(&f);
  const std::jthread capture([&] {
    scene next(frames);
    for (frame* f = spare.take(); next(f->raw); f = spare.take()) captured.put(f);
    captured.put(nullptr);
  });
  const std::jthread denoising([&] {
    while (frame* const f = captured.take()) {
      denoise(f->raw, f->clean);
      denoised.put(f);
    }
    denoised.put(nullptr);
  });
  const std::jthread detecting([&] {
    std::optional<image> before;
    while (frame* const f = denoised.take()) {
      f->motion = detect(f->clean, before ? &*before : nullptr);
      before = f->clean;
      detected.put(f);
    }
    detected.put(nullptr);
  });
  const std::jthread encoding([&] {
    while (frame* const f = detected.take()) {
      encode(f->clean, f->motion, f->packet);
      encoded.put(f);
    }
    encoded.put(nullptr);
  });
  while (frame* const f = encoded.take()) {
    result.add(f->motion, f->packet);
    spare.put(f);
  }
  return result;
}

}  // namespace camera
