// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Who works how far ahead if one task works further ahead, or less far.

#include <doctest/doctest.h>
#include <stretto/advice.hpp>
#include <stretto/dynamic.hpp>
#include <vector>
#include "chains.hpp"

namespace {

namespace dynamic = stretto::dynamic;
using stretto::advising::moved_along;
using ahead = std::vector<int>;

dynamic::schedule three() { return chain({{1, 1, ""}, {1, 1, ""}, {1, 0, ""}}); }

}  // namespace

TEST_CASE("who writes what a task reads moves along ahead, who reads what it writes behind") {
  CHECK(moved_along(three(), 0, 1) == ahead{2, 1, 0});
  CHECK(moved_along(three(), 1, 1) == ahead{2, 2, 0});
  CHECK(moved_along(three(), 2, 1) == ahead{1, 1, 1});
  CHECK(moved_along(three(), 1, -1) == ahead{1, 0, 0});
  CHECK(moved_along(three(), 0, -1) == ahead{0, 0, 0});
}

TEST_CASE("nobody works behind the training step") { CHECK(moved_along(three(), 2, -1).empty()); }

TEST_CASE("dependencies are kept as slots are") {
  dynamic::schedule s = three();
  s.tasks[1].reads.clear();
  CHECK(moved_along(s, 1, 1) == ahead{1, 2, 0});
  s.tasks[1].depends_on = {"t1"};
  CHECK(moved_along(s, 1, 1) == ahead{2, 2, 0});
  s.tasks[1].depends_on.clear();
  s.tasks[1].cross_iter_depends_on = {{"t1", 1}};
  CHECK(moved_along(s, 1, 1) == ahead{1, 2, 0});
  s.tasks[1].lookahead = 2;
  CHECK(moved_along(s, 1, 1) == ahead{2, 3, 0});
  s.tasks[1].reads = {dynamic::use::previous("s1")};
  s.tasks[1].cross_iter_depends_on.clear();
  CHECK(moved_along(s, 1, 1) == ahead{2, 3, 0});
}

TEST_CASE("a slot that is updated behind a reader is updated behind it still") {
  dynamic::schedule s = three();
  s.tasks[2].writes.push_back("s1");  // updates what `t2` has read
  CHECK(moved_along(s, 2, 1) == ahead{2, 2, 1});
  CHECK(moved_along(s, 1, -1).empty());  // it would read the update, which cannot be further behind
  s.tasks[1].reads = {"s0"};
  CHECK(moved_along(s, 2, 1) == ahead{2, 1, 1});  // nor do two writers change places
}

TEST_CASE("tasks that use a resource which one of them changes move together") {
  dynamic::schedule s = three();
  s.tasks[0].observes = {"state"};
  s.tasks[2].observes = {"state"};
  CHECK(moved_along(s, 0, 1) == ahead{2, 1, 0});
  s.tasks[2].mutates = {"state"};
  CHECK(moved_along(s, 0, 1) == ahead{2, 1, 1});
}

TEST_CASE("a task that gives an offset stays where it is") {
  dynamic::schedule s = three();
  s.tasks[0].writes = {dynamic::use("s1", 1)};
  CHECK(moved_along(s, 0, 1).empty());
  CHECK(moved_along(s, 1, 1).empty());
  CHECK(moved_along(s, 2, 1) == ahead{1, 1, 1});
}

TEST_CASE("what contradicts itself is nothing") {
  dynamic::schedule s = three();
  s.tasks[0].cross_iter_depends_on = {{"t1", -1}};
  CHECK(moved_along(s, 0, 1).empty());
}
