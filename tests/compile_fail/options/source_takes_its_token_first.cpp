// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A source takes its stop token before the slot
//
// A source is called with the slot to fill and, if it takes one, a stop token behind it.
//
// expect-error: a_source_takes_its_stop_token_behind_what_else_it_takes<
// expect-text: a source takes its std::stop_token behind what else it takes: `bool\(int&, std::stop_token\)`; this one takes it before
// expect-at: pipeline.run
// expect-lines: 20
#include <stop_token>
#include <stretto/sources.hpp>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct frame : st::slot<int> {};
struct shown : st::slot<int> {};

struct show {
  void operator()(st::in<frame> in, st::out<shown> out) const { *out = *in; }
};

struct watching : st::schedule<st::source<frame>, st::result<shown>, show> {};

struct camera {
#ifdef FIXED
  bool operator()(int& next, std::stop_token told) const {
#else
  bool operator()(std::stop_token told, int& next) const {
#endif
      next = 1;
  return !told.stop_requested();
}
}
;

void run() {
  st::pipeline<watching> pipeline;
  for ([[maybe_unused]] const int s : pipeline.run(camera{})) continue;
}
