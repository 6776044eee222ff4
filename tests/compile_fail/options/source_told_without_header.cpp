// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A source takes a stop token, and the header for that is not included
//
// What tells a source that nothing more is wanted of it is in a header of its own, so that those
// who have no such source do not pay for `<stop_token>`.
//
// expect-error: a_source_that_takes_a_stop_token_needs_the_header_stretto_sources_hpp<
// expect-text: a source that takes a std::stop_token is told when nothing more is wanted of it by `#include <stretto/sources.hpp>`, which is missing here
// expect-at: pipeline.run
// expect-lines: 20
#ifdef FIXED
#  include <stretto/sources.hpp>
#endif
#include <stop_token>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct frame : st::slot<int> {};
struct shown : st::slot<int> {};

struct show {
  void operator()(st::in<frame> in, st::out<shown> out) const { *out = *in; }
};

struct watching : st::schedule<st::source<frame>, st::result<shown>, show> {};

struct camera {
  bool operator()(int& next, std::stop_token told) const {
    next = 1;
    return !told.stop_requested();
  }
};

void run() {
  st::pipeline<watching> pipeline;
  for ([[maybe_unused]] const int s : pipeline.run(camera{})) continue;
}
