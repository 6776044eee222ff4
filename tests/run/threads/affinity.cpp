// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which cores a user gives to which thread groups, and what is said where that cannot be.

#include <doctest/doctest.h>
#include <array>
#include <stretto/run/error.hpp>
#include <stretto/run/threads/affinity.hpp>
#include <stretto/run/threads/core_set.hpp>
#include <string>
#include <string_view>

#if defined(__linux__)

namespace {

using stretto::cores;
using stretto::runner::detail::core_set;

constexpr std::array<std::string_view, 2> groups{"caller", "loading"};

int a_core() {
  int core = 0;
  while (!core_set::of_this_thread().has(core)) ++core;
  return core;
}

std::string refused(const cores& wanted) {
  try {
    static_cast<void>(stretto::runner::detail::cores_of_groups(wanted, groups));
  } catch (const stretto::usage_error& e) {
    return e.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a group gets the cores that are given for it, others none") {
  const int core = a_core();
  const auto all = stretto::runner::detail::cores_of_groups({{"loading", {core}}}, groups);
  REQUIRE(all.size() == 2);
  CHECK(all[0].empty());
  CHECK(all[1].size() == 1);
  CHECK(all[1].has(core));
  CHECK(stretto::runner::detail::cores_of_groups({}, groups).empty());
}

TEST_CASE("what cannot be done is refused, and it is said why") {
  const int core = a_core();
  const std::string number = std::to_string(core);
  CHECK(refused({{"laoding", {core}}}) ==
        "cores of thread group `laoding`: the pipeline has none of this name, but `caller`, "
        "`loading`");
  CHECK(refused(cores{{"loading", {core}}, {"loading", {core}}}) ==
        "cores of thread group `loading`: it is named twice; list all of its cores in one place");
  CHECK(refused({{"loading", {}}}) ==
        "cores of thread group `loading`: none are given; leave the group out to let it run "
        "anywhere");
  CHECK(refused({{"loading", {core, core}}}) ==
        "cores of thread group `loading`: core " + number + " is named twice; name it once");
  CHECK(refused({{"loading", {-1}}})
            .starts_with("cores of thread group `loading`: there is no core -1 for this process"));
  CHECK(refused({{"loading", {core}}}).empty());
}

TEST_CASE("host threads: those of a named group share its cores, pinned ones have one in turn") {
  const core_set own = core_set::of_this_thread();
  const std::array<std::size_t, 2> workers{1, 2};
  core_set two;
  two.add(3);
  two.add(5);
  const std::array named{core_set(), two};

  CHECK(stretto::runner::detail::cores_of_hosts({}, workers, false).empty());

  const auto shared = stretto::runner::detail::cores_of_hosts(named, workers, false);
  REQUIRE(shared.size() == 3);
  CHECK(shared[0].empty());
  CHECK(shared[1].size() == 2);
  CHECK(shared[2].size() == 2);

  const auto pinned = stretto::runner::detail::cores_of_hosts(named, workers, true);
  REQUIRE(pinned.size() == 3);
  CHECK(pinned[0].size() == 1);
  CHECK(pinned[0].without(own).empty());
  CHECK(pinned[1].has(3));
  CHECK(pinned[1].size() == 1);
  CHECK(pinned[2].has(5));

  if (own.size() > 1) {
    const std::array first{core_set(), own.turn(0)};
    const auto others = stretto::runner::detail::cores_of_hosts(first, workers, true);
    CHECK(others[0].size() == 1);
    CHECK(others[0].without(own.turn(0)).size() == 1);
  }
  // Who has all cores there are leaves none: then all are shared.
  const std::array greedy{core_set(), own};
  const auto crowded = stretto::runner::detail::cores_of_hosts(greedy, workers, true);
  CHECK(crowded[0].size() == 1);
  CHECK(crowded[0].without(own).empty());
}

#endif
