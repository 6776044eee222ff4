// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Batches are taken one at a time, when asked, and never again after the end.

#include <doctest/doctest.h>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <ranges>
#include <sstream>
#include <stretto/declare/slot.hpp>
#include <stretto/run/source.hpp>
#include <stretto/run/source_misuse.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using stretto::runner::detail::puller;

// Takes all that there is, and says so.
template <class Value = int, class Source>
std::vector<Value> all_of(Source&& source) {
  puller<Source, Value> pull(std::forward<Source>(source));
  std::vector<Value> all;
  for (Value slot{}; pull(slot);) all.push_back(slot);
  return all;
}

}  // namespace

TEST_CASE("a range is gone through once; an lvalue is referred to, an rvalue kept") {
  std::vector<int> batches{1, 2, 3};
  CHECK(all_of(batches) == std::vector{1, 2, 3});
  CHECK(all_of(std::vector{4, 5}) == std::vector{4, 5});
  CHECK(all_of(std::vector<int>()).empty());
  puller<std::vector<int>&, int> pull(batches);
  batches[0] = 10;
  int slot = 0;
  CHECK(pull(slot));
  CHECK(slot == 10);
}

TEST_CASE("numbers of which the slot would lose a part are no source for it") {
  using stretto::source_of;
  using doubles = std::vector<double>;
  static_assert(!source_of<doubles&, int> && !source_of<doubles, int> && !source_of<doubles, bool>);
  static_assert(source_of<doubles, double> && source_of<doubles, float>);
  static_assert(!source_of<std::vector<int>, bool> && source_of<std::vector<bool>, bool>);
  static_assert(source_of<std::vector<bool>, int>);
  static_assert(source_of<std::ranges::iota_view<int, int>, float>);
  static_assert(source_of<std::ranges::iota_view<int, int>, std::size_t>);
  static_assert(!source_of<std::optional<double> (*)(), int>);
  static_assert(!source_of<std::vector<long>&, int> && !source_of<std::vector<unsigned>, int>);
  static_assert(source_of<std::vector<unsigned>, long> && source_of<std::vector<int>, long>);
  static_assert(!source_of<std::vector<int>, std::uint8_t> && source_of<std::vector<char>, int>);
  static_assert(!source_of<std::optional<std::size_t> (*)(), unsigned>);
  static_assert(source_of<std::optional<int> (*)(), double>);
  static_assert(!source_of<std::vector<int*>, bool> && source_of<std::vector<int*>, int*>);
  // To a string a number is a character, though none is made of it.
  static_assert(!source_of<std::vector<int>, std::string> && !source_of<std::string, std::string>);
  static_assert(source_of<std::vector<const char*>, std::string> &&
                source_of<std::vector<std::string_view>, std::string>);
  // -1 would be another batch.
  static_assert(!source_of<int (*)(int&), int> && !source_of<int* (*)(int&), int>);
  // Its elements are gone.
  using list = std::initializer_list<int>;
  static_assert(!source_of<list, int> && !source_of<const list, int>);
  static_assert(source_of<list&, int> && source_of<const list&, int>);
}

TEST_CASE("an input range is never read ahead of need") {
  std::istringstream text("7 8 9");
  auto numbers =
      std::ranges::subrange(std::istream_iterator<int>(text), std::istream_iterator<int>());
  puller<decltype(numbers)&, int> pull(numbers);
  int slot = 0;
  CHECK(pull(slot));
  CHECK(slot == 7);
  int next = 0;
  text >> next;  // not taken by the source
  CHECK(next == 8);
  CHECK(pull(slot));
  CHECK(slot == 9);
  CHECK_FALSE(pull(slot));
}

TEST_CASE("a function may fill the slot, or return an optional of what can only be moved") {
  int left = 3;
  CHECK(all_of([&](int& slot) {
          slot = 10 * left;
          return left-- > 0;
        }) == std::vector{30, 20, 10});

  int made = 0;
  const auto source = [&]() -> std::optional<std::unique_ptr<int>> {
    if (made == 2) return std::nullopt;
    return std::make_unique<int>(made++);
  };
  puller<const decltype(source)&, std::unique_ptr<int>> pull(source);
  std::unique_ptr<int> slot;
  CHECK(pull(slot));
  CHECK(*slot == 0);
  CHECK(pull(slot));
  CHECK(*slot == 1);
  CHECK_FALSE(pull(slot));
  CHECK(*slot == 1);  // untouched at the end
}

TEST_CASE("what can be a source of which batches") {
  using stretto::source_of;
  struct other {};
  static_assert(source_of<std::vector<int>&, int>);
  static_assert(source_of<std::vector<int>&, long>);
  static_assert(!source_of<std::vector<other>&, int>);
  static_assert(source_of<bool (*)(int&), int>);
  static_assert(!source_of<bool (*)(other&), int>);
  static_assert(source_of<std::optional<int> (*)(), int>);
  static_assert(!source_of<std::optional<other> (*)(), int>);
  static_assert(!source_of<int (*)(), int>);
}

TEST_CASE("a function that takes a copy of the slot fills nothing, and is no source") {
  using stretto::pulled;
  using stretto::source_of;
  const auto filling = [](auto& slot) { return slot == 0; };
  const auto forwarding = [](auto&& slot) { return slot == 0; };
  const auto by_wrapper = [](std::reference_wrapper<int> slot) { return slot == 0; };
  const auto copying = [](int slot) { return slot == 0; };
  const auto copying_any = [](auto slot) { return slot == 0; };
  const auto looking = [](const int& slot) { return slot == 0; };
  static_assert(source_of<decltype(filling)&, int> && source_of<decltype(forwarding), int>);
  static_assert(source_of<decltype(by_wrapper), int>);
  static_assert(!source_of<decltype(copying)&, int> && !source_of<decltype(copying_any), int>);
  static_assert(!source_of<decltype(looking), int>);
  static_assert(source_of<std::function<bool(int&)>, int>);
  static_assert(!source_of<std::function<bool(int)>, int>);
  static_assert(!source_of<bool (*)(int), int>);
  static_assert(source_of<pulled (*)(int&), int> && source_of<pulled (*)(int&, bool), int>);
  static_assert(!source_of<pulled (*)(int), int> && !source_of<pulled (*)(int, bool), int>);

  struct batch : stretto::slot<int> {};
  using why = decltype(stretto::runner::run_diagnostic<batch, decltype(copying)>());
  static_assert(why::text().view().find("by value or as const") != std::string_view::npos);
  using why_not = decltype(stretto::runner::run_diagnostic<batch, pulled (*)(int, bool)>());
  static_assert(why_not::text().view().find("by value or as const") != std::string_view::npos);
}
