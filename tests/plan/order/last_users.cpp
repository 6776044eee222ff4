// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Who is the last to use what a slot holds of a batch, on plans written down by hand.

#include <doctest/doctest.h>
#include <stretto/plan/make_plan.hpp>
#include <stretto/plan/order/last_users.hpp>
#include <string_view>
#include "../draft.hpp"

namespace {

namespace planner = stretto::planner;
using planner::none;

/// Of a slot; tasks are numbered as they were added.
std::size_t last_user(draft& written, std::string_view slot) {
  const planner::plan p = planner::make_plan(written.declaration());
  const planner::list<std::size_t> last = planner::last_users(p, p.resolved);
  for (std::size_t s = 0; s < last.size(); ++s)
    if (p.resolved.slot_list[s].text == slot) return last[s];
  return p.order.size();
}

}  // namespace

TEST_CASE("on one stream it is the last of those that use it") {
  draft d{"main"};
  d.add("fill", 0, "main").writes({"a"});
  d.add("first", 0, "main").reads({"a"});
  d.add("second", 0, "main").reads({"a"});
  d.add("other", 0, "main");
  CHECK(last_user(d, "a") == 2);
}

TEST_CASE("what nobody reads ends with who fills it") {
  draft d{"main"};
  d.add("fill", 1, "main").writes({"a"});
  d.add("other", 0, "main");
  CHECK(last_user(d, "a") == 0);
}

TEST_CASE("readers on two streams end in no order, unless something orders them") {
  draft d{"main", "copy", "side"};
  d.add("fill", 1, "copy").writes({"a"});
  d.add("work", 0, "main").reads({"a"});
  SUBCASE("nothing") {
    d.add("look", 0, "side").reads({"a"});
    CHECK(last_user(d, "a") == none);
  }
  SUBCASE("a dependency") {
    d.add("look", 0, "side").reads({"a"}).depends_on({"work"});
    CHECK(last_user(d, "a") == 2);
  }
  SUBCASE("one that leads through another task") {
    d.add("between", 0, "copy").depends_on({"work"});
    d.add("look", 0, "side").reads({"a"}).depends_on({"between"});
    CHECK(last_user(d, "a") == 3);
  }
  SUBCASE("a host task in between, which waits") {
    d.add("wait", 0).depends_on({"work"}).thread("host");
    d.add("look", 0, "side").reads({"a"}).depends_on({"wait"});
    CHECK(last_user(d, "a") == 3);
  }
  SUBCASE("the other one is of a later progress") {
    d.add("look", 1, "side").reads({"a"});
    d.add("later", 0, "main").depends_on({"look"});
    CHECK(last_user(d, "a") == none);
  }
}

TEST_CASE("who works on the batch in a later progress is behind on the same stream only") {
  draft d{"main"};
  d.add("fill", 2, "main").writes({"a"});
  d.add("late", 0, "main").reads({"a"});
  d.add("early", 1, "main").reads({"a"});
  CHECK(last_user(d, "a") == 1);
}

TEST_CASE("who writes what others have read is a user, too") {
  draft d{"main"};
  d.add("fill", 1, "main").writes({"a"});
  d.add("read", 1, "main").reads({"a"});
  d.add("update", 0, "main").writes({"a"});
  CHECK(last_user(d, "a") == 2);
}

TEST_CASE("what is read of earlier batches has no last user") {
  draft d{"main"};
  d.add("fill", 0, "main").writes({"a"});
  d.add("read", 0, "main").reads({"a"});
  d.add("look_back", 0, "main").previous("a");
  CHECK(last_user(d, "a") == none);
}

TEST_CASE("what is handed out is not over with a task") {
  draft d{"main"};
  d.add("fill", 0, "main").writes({"a"});
  d.result("a");
  CHECK(last_user(d, "a") == none);
}
