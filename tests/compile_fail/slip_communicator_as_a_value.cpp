// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A communicator given as a value
//
// A communicator is a type that names a communicator of the program. An object that is one, MPI's
// or NCCL's, is handed to what does the collectives.
//
// expect-error: the_communicator_of_a_task_is_not_a_type_like_stretto_communicator<reduce
// expect-text: the communicator of task `reduce` is not a communicator: write `using communicator = stretto::communicator<"name">;`
// expect-at: pipeline<job> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw : st::slot<int> {};
struct sum : st::slot<int> {};

struct reduce {
  static constexpr bool collective = true;
#ifdef FIXED
  using communicator = st::communicator<"rows">;
#else
  static constexpr const char* communicator = "rows";
#endif
  void operator()(st::in<raw> in, st::out<sum> out) const { out = *in; }
};

struct job : st::schedule<st::source<raw>, st::result<sum>, reduce> {};

void run() { st::pipeline<job> pipeline; }
