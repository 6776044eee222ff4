// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Names become numbers, whatever their hashes.

#include <doctest/doctest.h>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <stretto/plan/model/name_index.hpp>
#include <string>

namespace {

using stretto::name;
using stretto::planner::name_index;
using stretto::planner::none;

struct names_of_one_hash {
  explicit names_of_one_hash(std::size_t count, std::uint64_t hash) {
    for (std::size_t i = 0; i < count; ++i) {
      texts.push_back("name " + std::to_string(i));
      all.emplace_back(texts.back());
      all.back().hash = hash;
    }
  }
  std::deque<std::string> texts{};
  std::deque<name> all{};
};

}  // namespace

TEST_CASE("names have the numbers of their first appearance") {
  const name a("a"), b("b"), again("a"), strange("c");
  name_index index(2);
  CHECK(index.number(a) == 0);
  CHECK(index.number(b) == 1);
  CHECK(index.number(again) == 0);
  CHECK(index.find(b) == 1);
  CHECK(index.find(strange) == none);
  REQUIRE(index.names().size() == 2);
  CHECK(index.names()[0] == &a);
  CHECK(index.names()[1] == &b);
}

TEST_CASE("names whose hashes agree are told apart, at the end of the table and beyond it") {
  for (const std::uint64_t hash : {std::uint64_t{0}, ~std::uint64_t{0}}) {
    const names_of_one_hash some(100, hash);
    names_of_one_hash strange(101, hash);
    name_index index(100);
    for (std::size_t i = 0; i < 100; ++i) REQUIRE(index.number(some.all[i]) == i);
    for (std::size_t i = 0; i < 100; ++i) {
      CHECK(index.number(some.all[i]) == i);
      CHECK(index.find(some.all[i]) == i);
    }
    CHECK(index.find(strange.all[100]) == none);
    CHECK(index.names().size() == 100);
  }
}

TEST_CASE("types that are spelled alike are two, few of them or many") {
  const char types[40] = {};
  std::deque<name> alike;
  for (const char& type : types) alike.emplace_back("shown", "spelled", &type);
  name_index index(40);
  for (std::size_t i = 0; i < 40; ++i) REQUIRE(index.number(alike[i]) == i);
  for (std::size_t i = 0; i < 40; ++i) CHECK(index.find(alike[i]) == i);
}
