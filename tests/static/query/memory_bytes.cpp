// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How much memory a schedule takes, and what more of it buys.

#include <doctest/doctest.h>
#include <stretto/stretto.hpp>
#include <vector>

namespace {

namespace st = stretto;

struct number : st::slot<int> {};
struct loaded : st::slot<int> {};
struct computed : st::slot<int> {};

struct load {
  using stream = st::stream<"copy">;
  static constexpr int lookahead = 1;
  using reads = st::reads<number>;
  using writes = st::writes<loaded>;
  void operator()(int in, int& out) const { out = in; }
};
struct compute {
  using stream = st::stream<"compute">;
  using reads = st::reads<loaded>;
  using writes = st::writes<computed>;
  void operator()(int in, int& out) const { out = in + 1; }
};
struct tight : st::schedule<st::source<number>, st::result<computed>,
                            st::streams<"copy", "compute">, load, compute> {};
struct loose : st::replan<tight, st::slack<loaded, 2>, st::slack<computed>> {};
struct looser : st::replan<loose, st::slack<loaded, 3>> {};

/// How many progresses lie between the reading of `loaded` and the refilling of its copy.
template <class Schedule>
int progresses_until_reuse() {
  constexpr auto& plan = st::plan_of<Schedule>;
  for (const auto& e : plan.edges)
    if (e.why == st::planner::reason::reuse && plan.slot_list[e.slot] == st::name_of<loaded>)
      return e.delta;
  return 0;
}

}  // namespace

TEST_CASE("a slot has the copies that the batches in flight need, and the slack asked for") {
  CHECK(st::copies_of<tight, loaded> == 2);
  CHECK(st::copies_of<loose, loaded> == 4);
  CHECK(st::copies_of<loose, computed> == 2);
  CHECK(st::copies_of<looser, loaded> == 5);
  CHECK(st::copies_of<st::serial<loose>, loaded> == 1);
}

TEST_CASE("a writer waits for the readers of as many batches ago as there are copies") {
  CHECK(progresses_until_reuse<tight>() == 1);
  CHECK(progresses_until_reuse<loose>() == 3);
  CHECK(progresses_until_reuse<looser>() == 4);
}

TEST_CASE("memory is a constant, and covers every copy") {
  static_assert(st::memory_bytes<tight> >= 4 * sizeof(int));
  static_assert(st::memory_bytes<loose> > st::memory_bytes<tight>);
  static_assert(st::memory_bytes<st::serial<tight>> < st::memory_bytes<tight>);
}

TEST_CASE("slack changes no result") {
  const std::vector<int> in{1, 2, 3, 4, 5, 6, 7};
  st::pipeline<looser> pipeline;
  std::vector<int> out;
  for (const int r : pipeline.run(in)) out.push_back(r);
  CHECK(out == std::vector<int>{2, 3, 4, 5, 6, 7, 8});
}
