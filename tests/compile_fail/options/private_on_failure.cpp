// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A private `on_failure`
//
// Nobody else can see it.
//
// expect-error: a_member_of_a_task_is_private_and_nobody_else_can_see_it<parse, .*on_failure
// expect-text: task `parse` declares `on_failure` as private, so that nobody else can see it; make it public
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct parsed : st::slot<int> {};

class parse {
#ifdef FIXED
 public:
#endif
  using on_failure = st::on_failure<st::drop>;

 public:
  void operator()(st::in<sample> in, st::out<parsed> out) const { out = *in; }
};

struct training : st::schedule<st::source<sample>, st::result<parsed>, parse> {};

void run() { st::pipeline<training> pipeline; }
