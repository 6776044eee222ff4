// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks whose parameters say what they read and write, on streams of a device: in front they get
// their stream or context, and their kernels find the values of their batches.

#include <atomic>
#include <cstddef>
#include <vector>
#include "fixture.hpp"

namespace {

using namespace on_recording;

struct raw : st::slot<pinned_cell> {};
struct batch : st::slot<cell> {};
struct activation : st::slot<cell> {};
struct loss : st::slot<pinned_cell> {};

/// Takes its stream only, so that it can be captured.
struct upload {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 2;
  driver d;
  std::atomic<int>* calls;
  void operator()(recording::stream s, st::out<batch> out, st::in<raw> in) const {
    ++*calls;
    const long* from = in->data();
    long* to = out->data();
    d.enqueue(s, [from, to] { *to = made_by("upload", {*from}); }, "upload",
              {recording::reads(from, sizeof(long)), recording::writes(to, sizeof(long))});
  }
};

struct patch {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 1;
  void operator()(st::context auto& here, st::inout<batch> out) const {
    kernel(here, {out->data()}, {out->data()});
  }
};

void make_activation(const st::device::context<driver>& here, st::out<activation> out,
                     const st::in<batch>& in) {
  kernel(here, {out->data()}, {in->data()});
}
using forward = st::task<"forward", make_activation, st::stream<"compute">>;

using backward = st::task<"backward",
                          [](st::context auto& here, st::in<batch> b, st::out<loss> out,
                             st::in<activation> a) -> void {
                            kernel(here, {out->data()}, {b->data(), a->data()});
                          },
                          st::stream<"compute">>;

struct training : st::schedule<st::source<raw>, st::result<loss>, st::streams<"memcpy", "compute">,
                               upload, patch, forward, backward> {};

long expected(std::size_t number) {
  const long patched = made_by("patch", {made_by("upload", {number_of_batch(number)})});
  return made_by("backward", {patched, made_by("forward", {patched})});
}

template <class Pipeline>
void check_run(fixture& f, Pipeline& p, std::size_t batches) {
  const std::vector<long> all = results(p, f.w, batches);
  REQUIRE(all.size() == batches);
  for (std::size_t b = 0; b < batches; ++b) CHECK(all[b] == expected(b));
  CHECK(f.breaches() == "");
}

}  // namespace

TEST_CASE("bodies get what their parameters name, on the device") {
  for (unsigned seed = 0; seed <= 3; ++seed) {
    fixture f;
    if (seed > 0) f.w.jitter(seed);
    std::atomic<int> calls{0};
    tested::pipeline<training, device> p{f.d, upload{f.d, &calls},
                                         streams{{"memcpy"}, {"compute"}}};
    check_run(f, p, 20);
    CHECK(calls == 20);
  }
}

TEST_CASE("a body that takes its stream in front of its slots is replayed") {
  fixture f;
  std::atomic<int> calls{0};
  tested::pipeline<training, st::device::backend<driver, true>> p{f.d, upload{f.d, &calls},
                                                                  streams{{"memcpy"}, {"compute"}}};
  check_run(f, p, 40);
  CHECK(calls < 20);
}
