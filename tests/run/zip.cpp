// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One item of each source for a batch, into its member of the slot, until one of them ends.

#include <doctest/doctest.h>
#include <array>
#include <memory>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <stop_token>
#include <stretto/declare/slot.hpp>
#include <stretto/run/merge.hpp>
#include <stretto/run/told_source.hpp>
#include <stretto/run/zip.hpp>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace {

namespace st = stretto;
using st::source_of;
using st::runner::detail::member_count;
using st::runner::detail::puller;

// Takes all that there is.
template <class Value, class Source>
std::vector<Value> all_of(Source&& source) {
  puller<Source, Value> pull(std::forward<Source>(source));
  std::vector<Value> all;
  for (Value slot{}; pull(slot);) all.push_back(slot);
  return all;
}

struct sample {
  std::string text;
  std::vector<int> values;
  std::unique_ptr<int> label;
};
struct nested {
  std::pair<int, int> both;
  sample inner;
};
struct base {
  int a;
};
class closed {
 public:
  closed(int, int) {}
};
struct letters : st::slot<std::pair<int, char>> {};

template <class Source, class Slot>
std::string why_not() {
  return decltype(st::runner::source_diagnostic<Source, Slot>())::text();
}
bool says(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("zip: each source gives its member of every batch, until one has ended") {
  const std::vector<int> numbers{1, 2, 3, 4};
  const std::string letters = "abc";
  using pair = std::pair<int, char>;
  const std::vector<pair> expected{{1, 'a'}, {2, 'b'}, {3, 'c'}};
  CHECK(all_of<pair>(st::zip(numbers, letters)) == expected);
  CHECK(all_of<std::pair<char, int>>(st::zip(letters, numbers)).size() == 3);
  CHECK(all_of<std::array<int, 3>>(st::zip(numbers, std::views::iota(7), numbers)).back() ==
        std::array{4, 10, 4});
  CHECK(all_of<pair>(st::zip(numbers, std::string())).empty());
}

TEST_CASE("zip: functions of each kind, and structs that are filled in place") {
  int n = 0;
  const auto count = [&]() { return n < 3 ? std::optional(n++) : std::nullopt; };
  std::vector<std::unique_ptr<int>> labels;
  for (int i = 0; i < 5; ++i) labels.push_back(std::make_unique<int>(10 * i));
  int rounds = 0;
  const auto fill = [&](std::vector<int>& values) {
    values.assign(2, ++rounds);
    return true;
  };
  const auto text = [&] { return std::optional(std::to_string(*count())); };
  puller<decltype(st::zip(text, fill, std::move(labels))), sample> pull(
      st::zip(text, fill, std::move(labels)));
  sample slot;
  for (int i = 0; i < 3; ++i) {
    REQUIRE(pull(slot));
    CHECK(slot.text == std::to_string(i));
    CHECK(slot.values == std::vector{i + 1, i + 1});
    CHECK(*slot.label == 10 * i);
  }
}

TEST_CASE("zip: who comes after the one that has ended is not asked for that batch") {
  int asked = 0;
  const auto endless = [&] { return std::optional(++asked); };
  const std::vector<int> two{1, 2};
  CHECK(all_of<std::array<int, 2>>(st::zip(two, endless)).size() == 2);
  CHECK(asked == 2);
  CHECK(all_of<std::array<int, 2>>(st::zip(endless, two)).size() == 2);
  CHECK(asked == 2 + 3);
}

TEST_CASE("zip: what has a name is referred to, and begins anew when it is given again") {
  std::vector<int> numbers{1, 2};
  auto both = st::zip(numbers, std::vector{3, 4});
  numbers[1] = 7;
  using pair = std::pair<int, int>;
  const std::vector<pair> expected{{1, 3}, {7, 4}};
  CHECK(all_of<pair>(both) == expected);
  CHECK(all_of<pair>(both) == expected);
  CHECK(all_of<pair>(std::as_const(both)) == expected);
  CHECK(all_of<pair>(std::move(both)) == expected);
}

TEST_CASE("zip: sources that are zipped or merged may be zipped") {
  using inner = std::pair<int, int>;
  using outer = std::pair<inner, int>;
  const std::vector<int> numbers{1, 2};
  const std::vector<outer> expected{{{1, 1}, 5}, {{2, 2}, 1}};
  CHECK(all_of<outer>(st::zip(st::zip(numbers, numbers), st::merge(std::vector{5}, numbers))) ==
        expected);
}

TEST_CASE("zip: how many members a type has") {
  static_assert(member_count<std::tuple<int, char, long>>() == 3);
  static_assert(member_count<std::array<int, 4>>() == 4);
  static_assert(member_count<sample>() == 3);
  static_assert(member_count<nested>() == 2);
  static_assert(member_count<base>() == 1);
  static_assert(member_count<closed>() == 0 && member_count<int>() == 0);
}

struct with_array {
  int place[2];
  std::string name;
};
struct ends_in_array {
  int number;
  char letters[4];
};
struct has_number {
  int number;
};
struct derived : has_number {
  std::string name;
};
struct of_containers {
  std::optional<int> number;
  std::string name;
};

TEST_CASE("zip: what does not fit is told by number of members, source and kind") {
  using numbers = std::vector<int>&;
  using texts = std::vector<std::string>&;
  using both = decltype(st::zip(std::declval<numbers>(), std::declval<texts>()));
  using three =
      decltype(st::zip(std::declval<numbers>(), std::declval<numbers>(), std::declval<numbers>()));
  static_assert(!source_of<both, std::pair<int, char>> &&
                source_of<both, std::pair<int, std::string>>);
  static_assert(!source_of<three, std::pair<int, char>> && !source_of<both, int>);
  static_assert(!source_of<both, std::tuple<int, std::string, int>>);
  CHECK(says(why_not<both, letters>(), "source 2 of those that are zipped yields nothing"));
  CHECK(says(why_not<three, letters>(), "3 sources are zipped for slot `letters`"));
  CHECK(says(why_not<three, letters>(), "has 2 members"));
  CHECK(says(why_not<both, st::slot<int>>(), "has no members that can be told apart"));
  // Of an array, which seems to be as many members, and of a base.
  CHECK(says(why_not<three, st::slot<with_array>>(), "has no members that can be told apart"));
  CHECK(says(why_not<both, st::slot<derived>>(), "has no members that can be told apart"));
  CHECK(says(why_not<both, st::slot<ends_in_array>>(), "has no members that can be told apart"));
  static_assert(source_of<both, of_containers>);
  const auto pauses = [](char&) { return st::pulled::nothing_yet; };
  using paused = decltype(st::zip(std::declval<numbers>(), pauses));
  static_assert(!source_of<paused, std::pair<int, char>>);
  CHECK(says(why_not<paused, letters>(), "may have nothing yet, and nobody can wait for several"));
}

namespace {

using marked = std::pair<int, char>;
/// Fills a slot until it is told.
struct told {
  bool operator()(char& slot, const std::stop_token& token) const {
    slot = 'x';
    return !token.stop_requested();
  }
};
template <class Source>
concept is_asked_to_stop = requires(puller<Source, marked>& p, const std::stop_token& t) {
  p.request_stop();
  p.follow(t);
};
template <class Source, class Value>
concept is_never_asked = !requires(puller<Source, Value>& p) {
  p.request_stop();
} && !requires(puller<Source, Value>& p, const std::stop_token& t) { p.follow(t); };

}  // namespace

TEST_CASE("zip: sources that take a token are told, also those of sources within") {
  using numbers = std::vector<int>;
  const numbers all{1, 2, 3, 4};
  marked slot;
  SUBCASE("by who asks them to stop") {
    using both = decltype(st::zip(all, told()));
    puller<both, marked> pull(st::zip(all, told()));
    CHECK(pull(slot));
    CHECK(slot == marked{1, 'x'});
    pull.request_stop();
    CHECK_FALSE(pull(slot));
  }
  SUBCASE("by a token") {
    using both = decltype(st::zip(all, told()));
    std::stop_source stop;
    puller<both, marked> pull(st::zip(all, told()));
    pull.follow(stop.get_token());
    CHECK(pull(slot));
    stop.request_stop();
    CHECK_FALSE(pull(slot));
  }
  SUBCASE("within another") {
    using inner = decltype(st::merge(std::string("a"), told()));
    using both = decltype(st::zip(all, st::merge(std::string("a"), told())));
    static_assert(source_of<inner, char>);
    puller<both, marked> pull(st::zip(all, st::merge(std::string("a"), told())));
    CHECK(pull(slot));
    CHECK(slot == marked{1, 'a'});
    CHECK(pull(slot));
    CHECK(slot == marked{2, 'x'});
    pull.request_stop();
    CHECK_FALSE(pull(slot));
  }
  static_assert(is_asked_to_stop<st::zipped<numbers, told>>);
  static_assert(is_never_asked<st::zipped<numbers, std::string>, marked>);
}

TEST_CASE("zip: nor does one that is told wait for several") {
  const auto pauses = [](char&, const std::stop_token&) { return st::pulled::nothing_yet; };
  const auto waits = [](char&, bool, const std::stop_token&) { return st::pulled::nothing_yet; };
  using numbers = std::vector<int>;
  static_assert(!source_of<st::zipped<numbers, decltype(pauses)>, marked>);
  static_assert(!source_of<st::zipped<numbers, decltype(waits)>, marked>);
  CHECK(says(why_not<st::zipped<numbers, decltype(waits)>, letters>(), "may have nothing yet"));
  static_cast<void>(pauses);
  static_cast<void>(waits);
}

TEST_CASE("zip: if one throws, the others give up their items of that batch, if all are to go on") {
  const std::vector<int> numbers{1, 2, 3, 4, 5};
  using both = std::pair<int, int>;
  // On its first and its third item.
  const auto fails = [] {
    return [n = 0](int& slot) mutable {
      slot = ++n;
      if (n == 1 || n == 3) throw std::runtime_error(std::to_string(n));
      return true;
    };
  };
  const auto all = [](auto source) {
    std::string seen;
    puller<decltype(source), both> pull(std::move(source));
    both slot;
    for (bool more = true; more;) {
      try {
        more = st::runner::pull_whole(pull, slot);
        if (more) seen += std::to_string(slot.first) + std::to_string(slot.second) + " ";
      } catch (const std::runtime_error& e) {
        seen += std::string("-") + e.what() + " ";
      }
    }
    return seen;
  };
  CHECK(all(st::zip(fails(), numbers)) == "-1 22 -3 44 55 ");
  CHECK(all(st::zip(numbers, fails())) == "-1 22 -3 44 55 ");
  // Of two errors the first is told; where one has ended, there is no such batch.
  auto late = [n = 10](int& slot) mutable {
    slot = ++n;
    if (n == 13) throw std::runtime_error(std::to_string(n));
    return n < 15;
  };
  CHECK(all(st::zip(std::move(late), fails())) == "-1 122 -13 144 ");
  CHECK(all(st::zip(fails(), std::vector{7, 8})) == "-1 28 ");
}
