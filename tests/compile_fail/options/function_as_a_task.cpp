// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # The type of a function stands among the tasks
//
// A task is a class. `stretto::task` makes one of a function.
//
// expect-error: a_task_is_a_class_and_stretto_task_makes_one_of_a_function<void ?\(
// expect-text: is the type of a function, and stands where a schedule has its tasks; make a task of the function: `using my_task = stretto::task<\\?"my_task\\?", function>;`
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct number : st::slot<int> {};
struct sum : st::slot<int> {};

inline void add(st::in<number> in, st::out<sum> out) { out = *in + 1; }

#ifdef FIXED
using adding = st::task<"add", add>;
#else
using adding = decltype(add);
#endif
struct training : st::schedule<st::source<number>, st::result<sum>, adding> {};

void run() { st::pipeline<training> pipeline; }
