// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A lambda that captures is passed as a task
//
// A task is a type that the schedule lists, and what is passed is an object of it. The type of a
// lambda is `decltype` of a name for it.
//
// expect-error: an_object_was_passed_that_is_no_task_of_the_schedule<
// expect-text: a task is a type: give the lambda a name and list `decltype\(name\)` there, or list a struct whose members are what it captures, and pass an object of it
// expect-at: \[more\]\(
// expect-lines: 20
#include <stretto/stretto.hpp>

namespace st = stretto;

struct number : st::slot<int> {};
struct sum : st::slot<int> {};

struct add {
  int more = 0;
  void operator()(st::in<number> in, st::out<sum> out) const { out = *in + more; }
};

struct training : st::schedule<st::source<number>, st::result<sum>, add> {};

void run(int more) {
#ifdef FIXED
  st::pipeline<training> pipeline(add{more});
#else
  st::pipeline<training> pipeline(
      [more](st::in<number> in, st::out<sum> out) { out = *in + more; });
#endif
}
