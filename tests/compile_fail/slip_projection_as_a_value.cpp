// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A rank's part of a schedule as a value
//
// Ranks compare the schedule of all of them, which a value of one rank's part would not have.
//
// expect-error: a_projection_has_no_runtime_version<reader_part
// expect-text: `reader_part` is what one rank of several runs; make a value of the schedule of all ranks, and project that by `stretto::dynamic::projection`
// expect-lines: 30
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw : st::slot<int> {};
struct loss : st::slot<int> {};

struct decode {
  using role = st::role<"reader">;
  static constexpr int lookahead = 1;
  void operator()(st::in<raw> in, st::out<loss> out) const { out = *in; }
};

struct job : st::schedule<st::source<raw>, st::result<loss>, decode> {};
struct reader_part : st::projection<job, "reader"> {};

st::dynamic::schedule as_value() {
#ifdef FIXED
  return st::dynamic::projection(st::dynamic::from_types<job>(), "reader");
#else
  return st::dynamic::from_types<reader_part>();
#endif
}
