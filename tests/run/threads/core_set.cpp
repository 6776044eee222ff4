// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <initializer_list>
#include <stretto/run/threads/core_set.hpp>
#include <string_view>
#include <utility>

namespace {

using stretto::runner::detail::core_set;

core_set of(std::initializer_list<long> cores) {
  core_set s;
  for (const long c : cores) s.add(c);
  return s;
}

std::string_view named(const core_set& cores, stretto::runner::text_builder& text) {
  stretto::runner::detail::name_cores(text, cores);
  return text.text();
}

}  // namespace

// Where threads cannot be told where to run, no set has any core.
#if defined(__linux__)

TEST_CASE("a set has what was put into it") {
  core_set s = of({1, 3});
  CHECK(s.has(1));
  CHECK_FALSE(s.has(2));
  CHECK_FALSE(s.has(-1));
  CHECK_FALSE(s.has(core_set::most));
  CHECK(s.size() == 2);
  s.remove(1);
  CHECK(s.size() == 1);
  CHECK_FALSE(s.empty());
  s.remove(3);
  CHECK(s.empty());
}

TEST_CASE("cores in turn: each alone, then the first again") {
  const core_set s = of({2, 5, 7});
  for (const auto& [index, core] : {std::pair{0U, 2L}, {1U, 5L}, {2U, 7L}, {3U, 2L}, {10U, 5L}}) {
    const core_set one = s.turn(index);
    CHECK(one.size() == 1);
    CHECK(one.has(core));
  }
  CHECK(core_set().turn(3).empty());
}

TEST_CASE("a set without another") {
  const core_set left = of({1, 2, 3, 9}).without(of({2, 9, 4}));
  CHECK(left.size() == 2);
  CHECK(left.has(1));
  CHECK(left.has(3));
}

TEST_CASE("cores are named in ranges") {
  stretto::runner::text_builder a, b, c;
  CHECK(named(of({0, 1, 2, 3, 6}), a) == "0-3, 6");
  CHECK(named(of({4}), b) == "4");
  CHECK(named(of({core_set::most - 2, core_set::most - 1, 1}), c) == "1, 1022-1023");
}

TEST_CASE("the calling thread is put on cores, and where it was before") {
  const core_set before = core_set::of_this_thread();
  REQUIRE_FALSE(before.empty());
  const core_set one = before.turn(before.size() - 1);
  one.apply();
  CHECK(core_set::of_this_thread().size() == 1);
  CHECK(core_set::of_this_thread().without(one).empty());
  const core_set all = core_set::of_this_process();
  CHECK(all.size() >= before.size());
  CHECK(core_set::of_this_thread().size() == 1);  // asking changes nothing
  core_set().apply();                             // nor does putting it nowhere
  CHECK(core_set::of_this_thread().size() == 1);
  before.apply();
  CHECK(core_set::of_this_thread().size() == before.size());
}

#endif
