// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Workers for a coroutine
//
// Workers call a task for several batches at once. A coroutine's next call begins when the one
// before has ended, on whatever thread that is, so workers would change nothing but how many
// batches are in flight. A queue before it is another thing.
//
// expect-error: a_task_that_is_a_coroutine_cannot_have_workers<fetch>
// expect-text: task `fetch` is a coroutine, whose calls come one after the other, and so cannot have workers
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>
#include <stretto/suspend.hpp>

namespace st = stretto;

struct key : st::slot<int> {};
struct row : st::slot<int> {};

struct fetch {
  using thread = st::thread<"fetching">;
  static constexpr int lookahead = 1;
  st::suspendable operator()(st::in<key> in, st::out<row> out) const {
    out = *in;
    co_return;
  }
};

#ifdef FIXED
struct training : st::schedule<st::source<key>, st::result<row>, fetch> {};
#else
struct training
    : st::schedule<st::source<key>, st::result<row>, fetch, st::workers<"fetching", 4>> {};
#endif

void run() { st::pipeline<training> pipeline; }
