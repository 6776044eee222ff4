// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A run is given its stop token first
//
// The source comes first, and behind it what stops the run.
//
// expect-error: a_run_is_given_its_source_first_and_what_stops_it_behind<
// expect-text: a run is given its source first, and what stops it behind: `run\(source, token\)`; `std::stop_token` stands where the source is to be
// expect-at: pipeline.run
// expect-lines: 20
#include <stop_token>
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;

struct frame : st::slot<int> {};
struct shown : st::slot<int> {};

struct show {
  void operator()(st::in<frame> in, st::out<shown> out) const { *out = *in; }
};

struct watching : st::schedule<st::source<frame>, st::result<shown>, show> {};

void run(const std::vector<int>& frames, std::stop_token token) {
  st::pipeline<watching> pipeline;
#ifdef FIXED
  for ([[maybe_unused]] const int s : pipeline.run(frames, token)) continue;
#else
  for ([[maybe_unused]] const int s : pipeline.run(token, frames)) continue;
#endif
}
