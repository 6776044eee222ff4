// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A cost is of what is no task of the schedule
//
// `bound_of`, `simulate` and `advise` take costs by the names of tasks. A name that no task of the
// schedule has is a mistake: a compile error in a constant, otherwise a `usage_error`.
//
// expect-error: call to non-.constexpr. function .void stretto::bound::shared::costs_name_what_is_no_task_of_this_plan\(
// expect-error-clang: constexpr variable 'least' must be initialized by a constant expression
// expect-error-nvcc: expression must have a constant value
// expect-lines: 15
#include <stretto/bound.hpp>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct train {
  using reads = st::reads<raw_batch>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>, train> {};

#ifdef FIXED
constexpr auto least = st::bound_of<training>({{"train", 500}}).period();
#else
constexpr auto least = st::bound_of<training>({{"trian", 500}}).period();
#endif
