// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Types that a compiler spells alike are types of their own: slots, resources, and tasks.

#include <doctest/doctest.h>
#include <stretto/stretto.hpp>
#include <string>
#include <type_traits>
#include <vector>

namespace {

namespace st = stretto;

[[maybe_unused]] inline const auto first_block = [] {
  struct kept : st::slot<int> {};
  return kept{};
};
[[maybe_unused]] inline const auto second_block = [] {
  struct kept : st::slot<int> {};
  return kept{};
};
[[maybe_unused]] inline const auto third_block = [] {
  struct kept : st::resource<> {};
  return kept{};
};
[[maybe_unused]] inline const auto fourth_block = [] {
  struct kept : st::resource<> {};
  return kept{};
};
struct in : st::slot<int> {};
using doubled = decltype(first_block());
using out = decltype(second_block());
using journal = decltype(third_block());
using cache = decltype(fourth_block());

struct twice {
  using reads = st::reads<in>;
  using writes = st::writes<doubled>;
  void operator()(int from, int& to) const { to = 2 * from; }
};
struct more {
  using reads = st::reads<doubled>;
  using writes = st::writes<out>;
  void operator()(int from, int& to) const { to = from + 1; }
};
struct job : st::schedule<st::source<in>, st::result<out>, twice, more> {};

struct write_journal {
  using mutates = st::mutates<journal>;
  void operator()() const {}
};
template <class Resource>
struct fill {
  using thread = st::thread<"filling">;
  static constexpr std::string_view name = "fill";
  using mutates = st::mutates<Resource>;
  void operator()() const {}
};
template <class Resource>
struct two_threads : st::schedule<st::source<in>, write_journal, fill<Resource>> {};

TEST_CASE("slots that are spelled alike hold values of their own") {
  static_assert(!std::is_same_v<doubled, out>);
  static_assert(st::name_of<doubled>.text == st::name_of<out>.text);
  CHECK_FALSE(st::name_of<doubled> == st::name_of<out>);
  st::pipeline<job> pipeline;
  std::vector<int> results;
  for (const int result : pipeline.run(std::vector{1, 2, 3})) results.push_back(result);
  CHECK(results == std::vector{3, 5, 7});
}

TEST_CASE("resources that are spelled alike are two") {
  static_assert(st::name_of<journal>.text == st::name_of<cache>.text);
  CHECK(st::is_valid<two_threads<cache>>);
  CHECK_FALSE(st::is_valid<two_threads<journal>>);
}

TEST_CASE("tasks that are spelled alike are a duplicate name") {
  struct same_name : st::schedule<st::source<in>, fill<journal>, fill<cache>> {};
  const std::vector<std::string> said = st::explain_findings<same_name>();
  REQUIRE(said.size() == 1);
  CHECK(said[0].find("two tasks are named `fill`") != std::string::npos);
}

}  // namespace
