// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What weights may be for which a plan was found: what the compiler is told, and what it says.

#include <doctest/doctest.h>
#include <stretto/certificate.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <type_traits>

namespace st = stretto;

namespace rated {

struct file : st::slot<int> {};
struct image : st::slot<int> {};
struct score : st::slot<int> {};

struct decode {
  static constexpr int weight = 300;
  void operator()(st::in<file>, st::out<image>) const {}
};
struct infer {
  static constexpr int weight = 250;
  void operator()(st::in<image>, st::out<score>) const {}
};
struct rating : st::schedule<st::source<file, st::weight<40>>, st::result<score>, decode, infer,
                             st::place<decode, st::lookahead<1>, st::thread<"a">>,
                             st::place<infer, st::thread<"b">>> {};
/// One task after the other: no task bounds that alone.
struct in_turn : st::replan<rating, st::place<decode, st::lookahead<0>>> {};
/// Two threads with 300 and 250, where 275 each would do: nothing proves that to be the best.
struct beside {
  static constexpr int weight = 25;
  void operator()(st::in<image>) const {}
};
struct unproved
    : st::schedule<st::source<file>, st::result<score>, decode, infer, beside,
                   st::place<decode, st::lookahead<1>, st::thread<"a">>,
                   st::place<beside, st::thread<"a">>, st::place<infer, st::thread<"b">>> {};

}  // namespace rated

namespace {

template <class Schedule, class... Within>
std::string said() {
  using diagnostic = decltype(st::bound::detail::changed_costs_diagnostic<Schedule, Within...>());
  if constexpr (std::is_same_v<diagnostic, st::errors::no_error>) {
    return "";
  } else {
    return std::string(diagnostic::text().view());
  }
}

template <long long Cost, long long... Range>
using decoding = st::cost_within<"decode", Cost, Range...>;
template <long long Cost, long long... Range>
using inferring = st::cost_within<"infer", Cost, Range...>;

}  // namespace

TEST_CASE("weights as they were, and others within their ranges, are fine") {
  static_assert(st::costs_are<rated::rating, decoding<300>, inferring<250>>);
  static_assert(st::costs_are<rated::rating, decoding<200, 0, 300>>);
  static_assert(st::costs_are<rated::rating, decoding<400, 300, 400>>);
  static_assert(st::costs_are<rated::rating, decoding<200, 100>, st::cost_within<"pull", 40>>);
  static_assert(st::costs_are<rated::rating>);
}

TEST_CASE("the first task that takes what is out of its range is named with both") {
  CHECK(said<rated::rating, inferring<250>, decoding<299>, inferring<1>>() ==
        "task `decode` takes 300, but plan `rating` was found for 299; look for a plan again");
  CHECK(said<rated::rating, decoding<299, 0, 299>>() ==
        "task `decode` takes 300, but plan `rating` was found for 299 and is the best from 0 to "
        "299; look for a plan again");
  CHECK(said<rated::rating, decoding<400, 301>>() ==
        "task `decode` takes 300, but plan `rating` was found for 400 and is the best from 301 on; "
        "look for a plan again");
  CHECK(said<rated::rating, st::cost_within<"pull", 0>>() ==
        "task `pull` takes 40, but plan `rating` was found for 0; look for a plan again");
}

TEST_CASE("a range of what is no task any more is no reason to be content") {
  CHECK(said<rated::rating, st::cost_within<"crop", 3>, decoding<299>>() ==
        "task `crop`, with which plan `rating` was found, is none of its tasks any more; look for "
        "a plan again");
}

TEST_CASE("if several have changed within their ranges, the plan has to be proved to be the best") {
  REQUIRE(st::is_optimal<rated::rating>());
  CHECK(said<rated::rating, decoding<301, 0, 400>, inferring<251, 0, 300>>().empty());
  REQUIRE(!st::is_optimal<rated::unproved>());
  CHECK(said<rated::unproved, decoding<301, 0, 400>, inferring<250, 0, 300>>().empty());
  CHECK(said<rated::unproved, decoding<301, 0, 400>, decoding<301, 0, 400>>().empty());
  CHECK(said<rated::unproved, decoding<301, 0, 400>, inferring<251, 0, 300>>() ==
        "tasks `decode` and `infer` take other than what plan `unproved` was found for, each "
        "within its range, but it is proved to be the best for one of them alone; look for a plan "
        "again");
}
