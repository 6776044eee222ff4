// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `max_in_flight<true>`
//
// As an `int` it would be 1, and let nothing overlap.
//
// expect-error: max_in_flight_is_1_to_100001_batches_and_max_bytes_1_byte_or_more<
// expect-text: `max_in_flight<true>` bounds nothing: `max_in_flight` is 1 to 100,001 batches, `max_bytes` 1 byte or more
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct parsed : st::slot<int> {};

struct parse {
  void operator()(st::in<sample> in, st::out<parsed> out) const { out = *in; }
};

#ifdef FIXED
using bound = st::max_in_flight<3>;
#else
using bound = st::max_in_flight<true>;
#endif
struct training : st::schedule<st::source<sample>, st::result<parsed>, bound, parse> {};

void run() { st::pipeline<training> pipeline; }
