// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <array>
#include <cstddef>
#include <memory>
#include <memory_resource>
#include <span>
#include <stretto/run/value_bytes.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace runner = stretto::runner;

namespace {

struct point {
  int x = 0;
  double y = 0;
  friend bool operator==(const point&, const point&) = default;
};

// Rows with members of their own, and rows that have none.
struct shaped : std::vector<float> {
  int columns = 0;
};
struct titled : std::string {
  int pages = 0;
};
struct matrix {
  using value_type = float;
  std::vector<float> all;
  int columns = 0;
  float* data() { return all.data(); }
  const float* data() const { return all.data(); }
  std::size_t size() const { return all.size(); }
  void resize(std::size_t number) { all.resize(number); }
};
struct row : std::vector<float> {
  using std::vector<float>::vector;
};

}  // namespace

template <>
inline constexpr bool stretto::sent_by_elements<row> = true;

namespace {

template <class Value>
void goes_and_comes(const Value& sent, Value received) {
  CHECK(runner::assign_bytes(received, runner::bytes_of(sent)));
  CHECK(received == sent);
}

}  // namespace

TEST_CASE("values and rows of them come as they went, whatever was there") {
  goes_and_comes(7, 3);
  goes_and_comes(point{2, 0.5}, point{});
  goes_and_comes(std::array<short, 3>{1, 2, 3}, {});
  goes_and_comes(std::vector<double>{1, 2, 3}, std::vector<double>{});
  goes_and_comes(std::vector<double>{}, std::vector<double>{1, 2});
  goes_and_comes(std::vector<point>{{1, 2}, {3, 4}}, std::vector<point>(5));
  goes_and_comes(std::string("some text"), std::string("x"));
}

TEST_CASE("bytes of another value are refused") {
  int number = 5;
  CHECK_FALSE(runner::assign_bytes(number, runner::bytes_of(std::string("abc"))));
  CHECK(number == 5);
  std::vector<int> row{1};
  CHECK_FALSE(runner::assign_bytes(row, runner::bytes_of(std::string("abcdef"))));
  CHECK(row == std::vector<int>{1});
}

TEST_CASE("what refers to memory of its process does not travel") {
  CHECK(runner::sent_as_bytes<point>);
  CHECK(runner::sent_as_bytes<std::vector<std::array<float, 2>>>);
  CHECK_FALSE(runner::sent_as_bytes<int*>);
  CHECK_FALSE(runner::sent_as_bytes<int point::*>);
  CHECK_FALSE(runner::sent_as_bytes<std::string_view>);
  CHECK_FALSE(runner::sent_as_bytes<std::span<int>>);
  CHECK_FALSE(runner::sent_as_bytes<std::vector<std::string_view>>);
  CHECK_FALSE(runner::sent_as_bytes<std::vector<std::string>>);
  CHECK_FALSE(runner::sent_as_bytes<std::vector<bool>>);
  CHECK_FALSE(runner::sent_as_bytes<std::unique_ptr<int>>);
}

TEST_CASE("members next to the elements are not lost") {
  CHECK_FALSE(runner::sent_as_bytes<shaped>);
  CHECK_FALSE(runner::sent_as_bytes<titled>);
  CHECK_FALSE(runner::sent_as_bytes<matrix>);
  CHECK(runner::sent_as_bytes<row>);
  CHECK(runner::sent_as_bytes<std::vector<float, std::pmr::polymorphic_allocator<float>>>);
  const auto goes_if_said = [](const auto& sent, auto received) {
    if constexpr (runner::sent_as_bytes<decltype(received)>) goes_and_comes(sent, received);
  };
  goes_if_said(row{1, 2, 3}, row{});
}
