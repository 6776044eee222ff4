// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A body takes what it writes first
//
// Plain parameters are what is read, in the order of `reads`, and then what is written. One that
// takes both has no other way to tell them apart.
//
// expect-error: a_task_takes_what_it_writes_before_what_it_reads<add
// expect-text: task `add` takes what it writes before what it reads; reads come first, then writes: `void\(const int&, int&\)`
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct number : st::slot<int> {};
struct sum : st::slot<int> {};

struct add {
  using reads = st::reads<number>;
  using writes = st::writes<sum>;
#ifdef FIXED
  void operator()(const int& in, int& out) const { out = in + 1; }
#else
  void operator()(int& out, const int& in) const { out = in + 1; }
#endif
};

struct training : st::schedule<st::source<number>, st::result<sum>, add> {};

void run() { st::pipeline<training> pipeline; }
