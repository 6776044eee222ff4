// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A function whose batches do not fit the slot
//
// What a function returns in its `std::optional` is assigned to the slot of the source, so it must
// be assignable.
//
// expect-error: the_source_yields_what_its_slot_does_not_take<sample, raw_batch>
// expect-text: the source yields `sample`, which cannot be assigned to slot `raw_batch` of type `int`; give the slot a type that takes it, or convert the elements
// expect-at: run\(
// expect-lines: 15
#include <optional>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct h2d {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw_batch>;
  using writes = st::writes<batch>;
  void operator()(int in, int& out) const { out = in; }
};

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward> {};

struct sample {};

float sum(st::pipeline<training>& pipeline) {
#ifdef FIXED
  auto batches = [n = 0]() mutable { return n < 3 ? std::optional(n++) : std::nullopt; };
#else
  auto batches = [] { return std::optional<sample>(); };
#endif
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
