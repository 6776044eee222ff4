// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Who writes a slot, and who reads it.

#include <doctest/doctest.h>
#include <cstddef>
#include <stretto/bound/slot_queues.hpp>
#include <stretto/static/query/plan_view.hpp>
#include <stretto/stretto.hpp>
#include <string_view>
#include <vector>

namespace st = stretto;

namespace {

struct file : st::slot<int> {};
struct image : st::slot<int> {};
struct loss : st::slot<int> {};
struct mean : st::slot<int> {};

struct train {
  using reads = st::reads<image>;
  using writes = st::writes<loss>;
  void operator()(int in, int& out) const { out = in; }
};
struct load {
  static constexpr int lookahead = 1;
  using reads = st::reads<file>;
  using writes = st::writes<image>;
  void operator()(int in, int& out) const { out = in; }
};
struct fix {
  using reads = st::reads<file>;
  using writes = st::writes<image>;
  void operator()(int in, int& out) const { out += in; }
};
struct smooth {
  using reads = st::reads<st::previous<loss>, file>;
  using writes = st::writes<mean>;
  void operator()(int before, int in, int& out) const { out = before + in; }
};
struct learning : st::schedule<st::source<file>, st::result<mean>, train, load, fix, smooth> {};

}  // namespace

TEST_CASE("a queue is a slot that somebody reads for the batch that it was written for") {
  const st::planner::plan_view& plan = st::typed::plan_view_of<learning>;
  const std::vector<st::bound::slot_queue> all = st::bound::slot_queues(plan);
  using nodes = std::vector<std::size_t>;
  REQUIRE(all.size() == 2);  // `loss` is read a batch later, `mean` by the loop over results
  CHECK(plan.slot_list[all[0].slot].text == "file");
  CHECK(all[0].writers == nodes{4});
  CHECK(all[0].readers == nodes{1, 2, 3});
  CHECK(plan.slot_list[all[1].slot].text == "image");
  CHECK(all[1].writers == nodes{1, 2});
  CHECK(all[1].readers == nodes{0});
}
