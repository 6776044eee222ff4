// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Parameters of which nothing says which slot they are
//
// The types of parameters do not tell slots apart: several may have one type. A task says them by
// `st::in` and `st::out`, or takes values in the order of its lists.
//
// expect-error: nothing_says_which_slot_a_parameter_of_a_task_is<decode, stretto::invalid::argument<2, int
// expect-text: nothing says which slot parameter 2 of task `decode`, `int&`, is: take `stretto::in<slot>` or `stretto::out<slot>`, or list slots in `reads` and `writes`
// expect-at: pipeline<decoding> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct file : st::slot<int> {};
struct image : st::slot<int> {};

struct decode {
#ifdef FIXED
  using reads = st::reads<file>;
  using writes = st::writes<image>;
#endif
  void operator()(const int& in, int& out) const { out = in; }
};

struct decoding : st::schedule<st::source<file>, st::result<image>, decode> {};

void run() { st::pipeline<decoding> pipeline; }
