// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # What others say of a task is a part of the schedule
//
// Workers are of a thread group, and stand among the parts.
//
// expect-error: a_task_has_a_misspelled_member<resize, stretto::invalid::member::concurrency, stretto::invalid::did_you_mean::workers
// expect-text: task `resize` has a member `concurrency`, which nobody looks at; did you mean `stretto::workers<"thread", 4>`, a part of the schedule\?
// expect-at: pipeline<resizing> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct image : st::slot<int> {};
struct small : st::slot<int> {};

struct resize {
  using thread = st::thread<"resizing">;
#ifndef FIXED
  static constexpr int concurrency = 4;
#endif
  void operator()(st::in<image> in, st::out<small> out) const { out = *in / 2; }
};

struct resizing
    : st::schedule<st::source<image>, st::result<small>, resize, st::workers<"resizing", 4>> {};

void run() { st::pipeline<resizing> pipeline; }
