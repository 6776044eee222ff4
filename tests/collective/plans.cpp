// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ranks say whose plans are not the same.
#include <doctest/doctest.h>
#include <stretto/collective/plans.hpp>
#include "ranks.hpp"

namespace coll = stretto::collective;

namespace {

coll::plan_digest plan(std::uint64_t whole, std::vector<coll::plan_digest::task> tasks) {
  return {whole, std::move(tasks)};
}

const coll::plan_digest here = plan(1, {{"load", 10}, {"sum", 20}, {"train", 30}});

std::string said(const std::vector<coll::plan_digest>& plans) {
  return ranks::thrown<stretto::plan_mismatch_error>([&] { coll::compare_plans(plans); });
}

}  // namespace

TEST_CASE("the same plans are no error") {
  CHECK(said({here}).empty());
  CHECK(said({here, here, here}).empty());
}

TEST_CASE("a task that is declared otherwise is named, with the ranks") {
  const auto other = plan(2, {{"load", 10}, {"sum", 21}, {"train", 31}});
  CHECK(said({here, other, here}) ==
        "ranks 0 and 2 and rank 1 run different plans: they differ in task `sum`: its lookahead, "
        "stream, role, communicator or what it waits for");
  try {
    coll::compare_plans({here, other, here, other});
  } catch (const stretto::plan_mismatch_error& e) {
    CHECK(e.ranks() == std::vector<std::size_t>{1, 3});
    CHECK(e.task() == "sum");
  }
}

TEST_CASE("a task that differs is told before the source that differs along with it") {
  const auto one = plan(1, {{"pull", 5}, {"load", 10}, {"sum", 20}});
  CHECK(said({one, plan(2, {{"pull", 6}, {"load", 10}, {"sum", 21}})})
            .find("they differ in task `sum`") != std::string::npos);
  CHECK(said({one, plan(2, {{"pull", 6}, {"load", 10}, {"total", 20}})})
            .find("in place 2 of the order") != std::string::npos);
  CHECK(said({one, plan(2, {{"pull", 6}, {"load", 10}, {"sum", 20}})})
            .find("they differ in task `pull`") != std::string::npos);
  CHECK(said({one, plan(2, {{"load", 10}, {"pull", 6}, {"sum", 21}})})
            .find("in place 0 of the order") != std::string::npos);
}

TEST_CASE("another task in a place, and one too few, are told by rank") {
  const auto renamed = plan(2, {{"load", 10}, {"total", 20}, {"train", 30}});
  const auto shorter = plan(3, {{"load", 10}});
  CHECK(said({here, renamed, shorter, here}) ==
        "ranks 0 and 3, rank 1 and rank 2 run different plans: in place 1 of the order ranks 0 and "
        "3 have task `sum`, rank 1 has task `total` and rank 2 has no task");
}

TEST_CASE("a task that only another rank has is told, and ranks are in order whatever they run") {
  const auto shorter = plan(3, {{"load", 10}, {"sum", 20}});
  CHECK(
      said({shorter, here}) ==
      "rank 0 and rank 1 run different plans: in place 2 of the order rank 0 has no task and rank "
      "1 has task `train`");
  CHECK(said({here, shorter}).find("in place 2 of the order rank 0 has task `train`") !=
        std::string::npos);
  try {
    coll::compare_plans({here, shorter, plan(2, here.tasks), shorter});
    FAIL_CHECK("nothing is thrown");
  } catch (const stretto::plan_mismatch_error& e) {
    CHECK(e.ranks() == std::vector<std::size_t>{1, 2, 3});
  }
}

TEST_CASE("plans may differ though their tasks do not") {
  CHECK(said({here, plan(2, here.tasks)}) ==
        "rank 0 and rank 1 run different plans: their tasks are the same, their slots' copies or "
        "edges are not");
}

TEST_CASE("a plan travels whole") {
  const coll::plan_digest there = coll::unpacked_plan(coll::packed(here));
  CHECK(there.fingerprint == here.fingerprint);
  REQUIRE(there.tasks.size() == here.tasks.size());
  for (std::size_t i = 0; i < here.tasks.size(); ++i) {
    CHECK(there.tasks[i].name == here.tasks[i].name);
    CHECK(there.tasks[i].fingerprint == here.tasks[i].fingerprint);
  }
}
