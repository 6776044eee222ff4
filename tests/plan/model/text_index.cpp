// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Texts become numbers; few are compared one by one, many are hashed.

#include <doctest/doctest.h>
#include <array>
#include <cstddef>
#include <deque>
#include <stretto/declare/name.hpp>
#include <stretto/plan/model/text_index.hpp>
#include <string>
#include <string_view>
#include <vector>

using stretto::planner::none;
using stretto::planner::text_index;

namespace {

// Twenty texts that want the last place of the first table. In a constant whoever goes on beyond
// its end does not compile.
constexpr bool goes_on_at_the_beginning() {
  std::array<std::array<char, 2>, 20> texts{};
  std::size_t found = 0;
  for (char a = '0'; a <= 'z'; ++a)
    for (char b = '0'; b <= 'z' && found < texts.size(); ++b) {
      texts[found] = {a, b};
      if ((stretto::name(std::string_view(texts[found].data(), 2)).hash & 63U) == 63U) ++found;
    }
  if (found != texts.size()) return false;
  text_index index;
  for (const auto& t : texts) index.add({t.data(), 2});
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (index.find({texts[i].data(), 2}) != i) return false;
  return true;
}
static_assert(goes_on_at_the_beginning());

}  // namespace

TEST_CASE("a text that is there has its number, another one gets the next") {
  std::deque<std::string> texts;
  text_index index;
  for (std::size_t i = 0; i < 300; ++i) {
    texts.push_back("text " + std::to_string(i));
    CHECK(index.find(texts[i]) == none);
    CHECK(index.number(texts[i]) == i);
    for (const std::size_t known : {std::size_t{0}, i / 2, i})
      REQUIRE(index.number(std::string(texts[known])) == known);
  }
  CHECK(index.texts().size() == 300);
  CHECK(index.texts()[299] == "text 299");
  CHECK(index.find("") == none);
}

TEST_CASE("a text that is added twice takes two numbers and is found by the first") {
  for (const unsigned others : {0U, 14U, 15U, 16U, 40U, 200U}) {
    std::deque<std::string> texts;
    text_index index;
    index.add("twice");
    for (std::size_t i = 0; i < others; ++i) index.add(texts.emplace_back(std::to_string(i)));
    index.add("twice");
    index.add("after");
    CHECK(index.find("twice") == 0);
    CHECK(index.find("after") == others + 2);
    CHECK(index.texts().size() == others + 3);
    for (std::size_t i = 0; i < others; ++i) CHECK(index.find(texts[i]) == i + 1);
  }
}

TEST_CASE("an index of a list numbers it as it stands") {
  const std::vector<std::string_view> streams{"copy", "main", "copy"};
  const text_index index(streams);
  CHECK(index.find("main") == 1);
  CHECK(index.find("copy") == 0);
  CHECK(index.texts().size() == 3);
}

// Those that would be at the last place of every table that there is for so few.
TEST_CASE("texts that want one place are told apart, beyond the end of the table, too") {
  std::deque<std::string> texts;
  for (int i = 0; texts.size() < 41; ++i) {
    const std::string text = std::to_string(i);
    if ((stretto::name(text).hash & 255U) == 255U) texts.push_back(text);
  }
  text_index index;
  for (std::size_t i = 0; i < 40; ++i) {
    CHECK(index.number(texts[i]) == i);
    for (std::size_t known = 0; known <= i; ++known) REQUIRE(index.find(texts[known]) == known);
  }
  CHECK(index.find(texts[40]) == none);
  index.add(texts[39]);
  CHECK(index.find(texts[39]) == 39);
}
