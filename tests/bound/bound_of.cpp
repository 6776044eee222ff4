// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What bounds a schedule of types, as constants, and of values.

#include <doctest/doctest.h>
#include <stretto/bound.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <vector>
#include "learning.hpp"

namespace {

namespace st = stretto;

using namespace of_three_threads;

constexpr bool cycle_is(const st::plan_bound& bound,
                        std::initializer_list<std::string_view> tasks) {
  return std::equal(bound.cycle().begin(), bound.cycle().end(), tasks.begin(), tasks.end());
}

// `image` has one copy: `decode` and `crop` take turns at it, on threads of their own.
static_assert(st::bound_of<learning>().period() == st::modelled_period<learning>);
static_assert(st::bound_of<learning>().period().value() == 500);
static_assert(cycle_is(st::bound_of<learning>(), {"decode", "crop"}));
static_assert(st::bound_of<learning>().progresses() == 1);
static_assert(st::bound_of<learning>().busy_thread().empty());
static_assert(st::bound_of<learning>().spare("decode").value() == 0);
static_assert(st::bound_of<learning>().spare("train").value() == 100);
static_assert(st::bound_of<learning>().exposed("train").value() == 0);
// Without `decode` what the caller does bounds it: 350 and 50.
static_assert(st::bound_of<learning>().exposed("decode").value() == 100);
static_assert(st::bound_of<learning>().period_if("decode", 100).value() == 400);

// Measured costs stand in for weights.
static_assert(st::bound_of<learning>({{"train", 700}}).period().value() == 750);
static_assert(st::bound_of<learning>({{"train", 700}}).busy_thread() == "caller");
static_assert(cycle_is(st::bound_of<learning>({{"train", 700}}), {"pull", "train"}));
static_assert(cycle_is(st::bound_of<learning>({{"train", 700}, {"pull", 0}}), {"train"}));

// With another copy the two batches in flight are too few: each passes all threads.
struct roomy : st::replan<learning, st::slack<image>> {};
static_assert(st::bound_of<roomy>().period().value() == 450);
static_assert(cycle_is(st::bound_of<roomy>(), {"pull", "decode", "crop", "train"}));
static_assert(st::bound_of<roomy>().progresses() == 2);
static_assert(st::bound_of<roomy>().exposed("train").value() == 150);  // 300: `decode` alone

template <class Made>
std::string refusal(Made make) {
  try {
    static_cast<void>(make());
  } catch (const st::usage_error& e) {
    return e.what();
  }
  return "nothing is wrong";
}

}  // namespace

TEST_CASE("costs of what is no task, and costs that cannot be, are refused") {
  CHECK(refusal([] {
          return st::bound_of<learning>({{"trian", 1}});
        }) == "task `trian` is not one of this plan");
  CHECK(refusal([] {
          return st::bound_of<learning>({{"train", 1}, {"train", 2}});
        }) == "task `train` is told the cost of twice");
  CHECK(refusal([] {
          return st::bound_of<learning>({{"train", -1}});
        }) == "task `train` costs less than nothing");
  const std::string too_large = "costs are too large in all: tell them in a larger unit";
  CHECK(refusal([] {
          return st::bound_of<learning>({{"train", 1'000'000'000'000'000}});
        }) == too_large);
  CHECK(refusal([] {
          return st::bound_of<learning>(
              {{"train", 500'000'000'000'000}, {"pull", 500'000'000'000'000}});
        }) == too_large);
  CHECK(refusal([] { return st::bound_of<learning>().spare("deliver"); }) ==
        "task `deliver` is not one of this plan");
  CHECK(refusal([] { return st::bound_of<learning>().period_if("train", -1); }) ==
        "task `train` costs less than nothing");
  CHECK(refusal([] { return st::bound_of<learning>().exposed("nobody"); }) ==
        "task `nobody` is not one of this plan");
}

TEST_CASE("of values it is what it is of types") {
  const st::dynamic::planned_schedule planned(st::dynamic::from_types<learning>());
  CHECK(st::bound_of(planned).text() == st::bound_of<learning>().text());
  const std::vector<st::task_cost> costs{{"decode", 1000}, {"crop", 1}};
  CHECK(st::bound_of(planned, costs).period().value() == 1001);
  CHECK(st::bound_of(planned, costs).text() == st::bound_of<learning>(costs).text());
}

TEST_CASE("it is told as text") {
  CHECK(st::bound_of<learning>().text() ==
        "a progress takes 500 at best: `decode` > `crop` > `decode` 1 progress later, 500 in all\n"
        "a batch takes 1000 from its pull to its result: 2 in flight; the first result comes after "
        "900, the end 950 after the last pull\n"
        "  task    time      exposed   spare\n"
        "  decode  300       100       0\n"
        "  crop    200       100       0\n"
        "  train   350       0         100\n"
        "  pull    50        0         100\n"
        "`decode`: up to 100 faster saves 100; then thread `caller` is busy all the time with "
        "`pull`, `train`\n"
        "`crop`: up to 100 faster saves 100; then thread `caller` is busy all the time with "
        "`pull`, `train`\n");
  CHECK(st::bound_of<learning>({{"train", 7'000'000'000'000}})
            .text()
            .find("  task    time           exposed        spare\n"
                  "  decode  300            0              6999999999550\n") != std::string::npos);
  CHECK(st::bound_of<learning>({{"train", 700}})
            .text()
            .starts_with("a progress takes 750 at best: thread `caller` is busy all the time with "
                         "`pull`, `train`\n"));
}

TEST_CASE("where nothing takes any time, nothing bounds it") {
  const auto bound =
      st::bound_of<learning>({{"decode", 0}, {"crop", 0}, {"train", 0}, {"pull", 0}});
  CHECK(bound.period().value() == 0);
  CHECK(bound.cycle().empty());
  CHECK(bound.text().starts_with("a progress takes 0 at best\n"));
}
