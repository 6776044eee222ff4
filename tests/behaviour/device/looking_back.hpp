// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <utility>
#include <vector>
#include "fixture.hpp"

/// Tasks on streams that look back.
namespace on_recording::looking_back {

struct raw : st::slot<pinned_cell> {};
struct batch : st::slot<cell> {};
struct state : st::slot<cell> {};
struct loss : st::slot<pinned_cell> {};

/// \c called counts calls of bodies.
struct step {
  driver d;
  std::atomic<int>* called = nullptr;

  template <class Out>
  void put(recording::stream s, const char* name, std::vector<const long*> in, Out& out) const {
    if (called != nullptr) ++*called;
    on_recording::put(d, s, name, std::move(in), out.data());
  }
};

struct upload : step {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw>;
  using writes = st::writes<batch>;
  void operator()(recording::stream s, const pinned_cell& in, cell& out) const {
    put(s, "upload", {in.data()}, out);
  }
};
struct forward : step {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch, st::previous<batch, 2>, st::previous<state>>;
  using writes = st::writes<state>;
  void operator()(recording::stream s, const cell& in, const st::previous<batch, 2>& older,
                  const st::previous<state>& before, cell& out) const {
    put(s, "forward",
        {in.data(), older ? older->data() : nullptr, before ? before->data() : nullptr}, out);
  }
};
struct backward : step {
  using stream = st::stream<"third">;
  using reads = st::reads<st::window<state, 3>>;
  using writes = st::writes<loss>;
  void operator()(recording::stream s, const st::window<state, 3>& last, pinned_cell& out) const {
    std::vector<const long*> in;
    for (const cell& c : last) in.push_back(c.data());
    put(s, "backward", in, out);
  }
};

struct training
    : st::schedule<st::source<raw>, st::result<loss>, st::streams<"memcpy", "compute", "third">,
                   upload, forward, backward> {};
struct alone : st::replan<training, st::threads<st::on_caller>> {};

inline std::vector<long> expected(std::size_t batches) {
  std::vector<long> uploaded;
  std::vector<long> states;
  std::vector<long> all;
  for (std::size_t b = 0; b < batches; ++b) {
    uploaded.push_back(made_by("upload", {number_of_batch(b)}));
    states.push_back(made_by(
        "forward", {uploaded[b], b >= 2 ? uploaded[b - 2] : 1, b >= 1 ? states[b - 1] : 1}));
    std::vector<long> last;
    for (std::size_t n = 0; n < 3 && n <= b; ++n) last.push_back(states[b - n]);
    all.push_back(made_by("backward", last));
  }
  return all;
}

/// A pipeline of them; \p called counts calls of bodies.
template <class Schedule, class Device>
tested::pipeline<Schedule, Device> made(fixture& f, const streams& where = {},
                                        std::atomic<int>* called = nullptr) {
  return tested::pipeline<Schedule, Device>{f.d, where, upload{{f.d, called}},
                                            forward{{f.d, called}}, backward{{f.d, called}}};
}

}  // namespace on_recording::looking_back
