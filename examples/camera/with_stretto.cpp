// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstddef>
#include <stretto/stretto.hpp>
#include "compare.hpp"
#include "work.hpp"

namespace st = stretto;

namespace camera {
namespace {

struct raw : st::slot<image> {};
struct clean : st::slot<image> {};
struct motion : st::slot<box> {};
struct packet : st::slot<bytes> {};

struct denoising {
  void operator()(st::in<raw> in, st::out<clean> out) const { denoise(in, out); }
};
struct detecting {
  void operator()(st::in<clean> now, st::previous<clean> before, st::out<motion> out) const {
    out = detect(now, before ? &*before : nullptr);
  }
};
struct encoding {
  void operator()(st::in<clean> in, st::in<motion> marked, st::out<packet> out) const {
    encode(in, marked, out);
  }
};
struct recording
    : st::schedule<st::source<raw, st::thread<"capture">>, st::result<motion, packet>,
                   st::threads<st::per_task>, st::pipelined<>, denoising, detecting, encoding> {};

}  // namespace

outcome run_stretto(std::size_t frames) {
  outcome result;
  st::pipeline<recording> pipeline;
  for (const auto& [found, packed] : pipeline.run(scene(frames))) result.add(found, packed);
  return result;
}

}  // namespace camera
