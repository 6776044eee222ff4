// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A pipeline is asked for a slot that it does not have
//
// `recover` finds what slots of the schedule hold of batches in flight.
//
// expect-error: a_slot_is_asked_for_that_is_none_of_the_schedule<root, training>
// expect-text: schedule `training` has no slot `root`, which a pipeline of it is asked for; ask for one that it fills or its tasks use
// expect-at: recover<root>\(
// expect-lines: 18
#include <stretto/stretto.hpp>

namespace st = stretto;

struct number : st::slot<int> {};
struct square : st::slot<int> {};

struct multiply {
  void operator()(st::in<number> in, st::out<square> out) const { out = *in; }
};
struct training : st::schedule<st::source<number>, st::result<square>, multiply> {};

struct root : st::slot<int> {};
int* recovered(st::pipeline<training>& pipeline) {
#ifdef FIXED
  return pipeline.recover<square>(0);
#else
  return pipeline.recover<root>(0);
#endif
}
