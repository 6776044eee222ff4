// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sources that take turns, until all have ended.

#include <doctest/doctest.h>
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
#include <utility>
#include <vector>

namespace {

namespace st = stretto;
using st::source_of;
using st::runner::detail::puller;

// Takes all that there is.
template <class Value = int, class Source>
std::vector<Value> all_of(Source&& source) {
  puller<Source, Value> pull(std::forward<Source>(source));
  std::vector<Value> all;
  for (Value slot{}; pull(slot);) all.push_back(std::move(slot));
  return all;
}

struct number : st::slot<int> {};
template <class Source>
concept is_told = requires(puller<Source, int>& p) { p.request_stop(); };
template <class Source>
std::string why_not() {
  return decltype(st::runner::source_diagnostic<Source, number>())::text();
}
bool says(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("merge: one of each in turn; who has ended is passed over, and not asked again") {
  const std::vector<int> a{1, 2, 3, 4};
  const std::vector<int> b{10};
  int asked = 0;
  const auto c = [&](int& slot) {
    slot = 100 * ++asked;
    return asked < 3;
  };
  CHECK(all_of(st::merge(a, b, c)) == std::vector{1, 10, 100, 2, 200, 3, 4});
  CHECK(asked == 3);
  CHECK(all_of(st::merge(b, a)) == std::vector{10, 1, 2, 3, 4});
  CHECK(all_of(st::merge(std::vector<int>(), a, std::vector<int>())) == a);
  CHECK(all_of(st::merge(std::vector<int>(), std::vector<int>())).empty());
}

TEST_CASE("merge: what has a name is referred to, what can only be moved is given away") {
  std::vector<int> a{1, 2};
  auto both = st::merge(a, std::views::iota(5, 7));
  a[1] = 3;
  CHECK(all_of(both) == std::vector{1, 5, 3, 6});
  CHECK(all_of(std::as_const(both)) == std::vector{1, 5, 3, 6});
  using paper = std::unique_ptr<int>;
  std::vector<paper> papers;
  papers.push_back(std::make_unique<int>(4));
  auto one_more = [n = 0]() mutable {
    return n++ == 0 ? std::optional(std::make_unique<int>(5)) : std::nullopt;
  };
  const std::vector<paper> all = all_of<paper>(st::merge(one_more, std::move(papers)));
  REQUIRE(all.size() == 2);
  CHECK(*all[0] == 5);
  CHECK(*all[1] == 4);
}

TEST_CASE("merge: sources that are zipped or merged may be merged") {
  using pair = std::pair<int, int>;
  const std::vector<int> a{1, 2};
  const std::vector<pair> pairs{{7, 8}};
  CHECK(all_of<pair>(st::merge(st::zip(a, a), pairs)) == std::vector<pair>{{1, 1}, {7, 8}, {2, 2}});
  CHECK(all_of(st::merge(st::merge(a, a), a)) == std::vector{1, 1, 1, 2, 2, 2});
}

TEST_CASE("merge: what does not go into the slot is told as it is without the others") {
  using numbers = std::vector<int>&;
  using texts = std::vector<std::string>&;
  using both = decltype(st::merge(std::declval<numbers>(), std::declval<texts>()));
  static_assert(!source_of<both, int> && !source_of<both, std::string>);  // which takes a char
  CHECK(says(why_not<both>(), "the source yields"));
  CHECK(says(why_not<both>(), "which cannot be assigned to slot `number`"));
  const auto pauses = [](int&) { return st::pulled::nothing_yet; };
  using paused = decltype(st::merge(pauses, std::declval<numbers>()));
  static_assert(!source_of<paused, int>);
  CHECK(says(why_not<paused>(), "may have nothing yet, and nobody can wait for several"));
}

TEST_CASE("merge: sources that take a token are told, the others go on") {
  const std::vector<int> a{1, 2, 3};
  const auto told = [](int& slot, const std::stop_token& token) {
    slot = 7;
    return !token.stop_requested();
  };
  const auto makes = [](const std::stop_token& token) {
    return token.stop_requested() ? std::nullopt : std::optional(8);
  };
  using all = decltype(st::merge(a, told, makes));
  std::stop_source stop;
  puller<all, int> pull(st::merge(a, told, makes));
  const bool by_token = [] {
    bool is = false;
    SUBCASE("by a token") { is = true; }
    SUBCASE("by who asks them to stop") {}
    return is;
  }();
  if (by_token) pull.follow(stop.get_token());
  std::vector<int> seen;
  for (int slot = 0; pull(slot);) {
    seen.push_back(slot);
    if (seen.size() != 3) continue;
    stop.request_stop();
    if (!by_token) pull.request_stop();
  }
  CHECK(seen == std::vector{1, 7, 8, 2, 3});
  static_assert(!is_told<decltype(st::merge(a, a))>);
  static_assert(is_told<all>);
}

TEST_CASE("merge: nor does one that is told wait for several") {
  const auto pauses = [](int&, const std::stop_token&) { return st::pulled::nothing_yet; };
  using both = st::merged<std::vector<int>, decltype(pauses)>;
  static_assert(!source_of<both, int>);
  CHECK(says(why_not<both>(), "may have nothing yet"));
  static_cast<void>(pauses);
}

TEST_CASE("merge: one that throws has had its turn") {
  const std::vector<int> a{1, 2, 3};
  auto fails = [n = 10](int& slot) mutable {
    slot = n++;
    if (n == 12) throw std::runtime_error("late");
    return n < 14;
  };
  auto both = st::merge(a, std::move(fails));
  puller<decltype(both)&, int> pull(both);
  std::vector<int> seen;
  int slot = 0;
  for (bool more = true; more;) {
    try {
      more = st::runner::pull_whole(pull, slot);
      if (more) seen.push_back(slot);
    } catch (const std::runtime_error&) {
      seen.push_back(-1);
    }
  }
  CHECK(seen == std::vector{1, 10, 2, -1, 3, 12});
}
