// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A slot's parameter is a reference
//
// `in`, `out` and the like refer to the value of a slot themselves. They are taken by value, or as
// const.
//
// expect-error: a_parameter_of_a_task_is_neither_in_nor_out_nor_inout_nor_takes_as_others_are<filter, .*argument<1, .*in<sample> ?&
// expect-text: parameter 1 of task `filter`, `stretto::in<sample> ?&`, is a reference to what tells of a slot; take it by value
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct parsed : st::slot<float> {};

struct filter {
#ifdef FIXED
  void operator()(st::in<sample> in, st::out<parsed> out) const {
#else
  void operator()(st::in<sample>& in, st::out<parsed>& out) const {
#endif
      out = static_cast<float>(*in);
}
}
;

struct training : st::schedule<st::source<sample>, st::result<parsed>, filter> {};

void run() { st::pipeline<training> pipeline; }
