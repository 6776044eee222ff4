// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # The position of a pipeline whose slots cannot be copied
//
// A position has copies of the values that later batches look back at.
//
// expect-error: those of a slot of this schedule cannot be copied
// expect-lines: 40
#include <memory>
#include <optional>
#include <stretto/position.hpp>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct number : st::slot<int> {};
struct kept : st::slot<std::unique_ptr<int>> {};

struct keep {
  void operator()(st::in<number>, st::previous<kept>, st::out<kept>) const {}
};
struct keeping : st::schedule<st::source<number>, keep> {};

bool keeps(st::pipeline<keeping>& p) {
#ifdef FIXED
  return p.run([] { return std::optional<int>(); }, st::onwards).next();
#else
  return p.position().batch() > 0;
#endif
}
