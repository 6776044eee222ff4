// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks that look back: at finished values of earlier batches, of slots that others update in
// place, that they write themselves or that only tasks after them write, whatever runs ahead of
// what.

#include <doctest/doctest.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <stdexcept>
#include <stretto/stretto.hpp>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <vector>
#include "../../support/tested.hpp"

namespace {

namespace st = stretto;

struct frame : st::slot<int> {};
struct image : st::slot<std::vector<int>> {};  // one number
struct field : st::slot<int> {};
struct mean : st::slot<double> {};
struct way : st::slot<int> {};
struct error : st::slot<int> {};
struct sum : st::slot<long> {};

/// Lets other threads go first, now and then.
void dawdle(int number) {
  if (number * 7919 % 11 < 3)
    std::this_thread::sleep_for(std::chrono::microseconds(number % 7 * 60));
}

struct load {
  static constexpr int lookahead = 2;
  void operator()(st::in<frame> in, st::out<image> out) const {
    out->assign(1, -1);  // nobody is to see that
    dawdle(*in);
    out->front() = *in;
  }
};
struct patch {
  static constexpr int lookahead = 1;
  void operator()(st::inout<image> im) const {
    dawdle(im->front() + 3);
    im->front() += 1000;
  }
};
struct flow {
  void operator()(st::in<image> now, st::previous<image> before, st::previous<image, 3> first,
                  st::out<field> f) const {
    f = now->front() - (before ? before->front() : 0) + 7 * (first ? first->front() : 0);
    dawdle(*f);
  }
};
struct average {
  using reads = st::reads<image, st::previous<mean>>;
  using writes = st::writes<mean>;
  void operator()(const std::vector<int>& in, const st::previous<mean>& before, double& out) const {
    out = -1;
    dawdle(in[0]);
    out = (before.value_or(0) + in[0]) / 2;
  }
};
struct steer {
  using reads = st::reads<field, st::previous<error>>;
  using writes = st::writes<way>;
  void operator()(int f, st::previous<error> e, int& out) const {
    out = f % 100 + (e.has_value() ? e.get() : 5);
  }
};
struct measure {
  using reads = st::reads<way>;
  using writes = st::writes<error>;
  void operator()(int w, int& out) const {
    out = -1;
    dawdle(w);
    out = w % 50;
  }
};
struct add {
  using reads = st::reads<st::window<image, 4>, st::previous<frame, 2>>;
  using writes = st::writes<sum>;
  void operator()(const st::context auto& ctx, const st::window<image, 4>& last,
                  const auto& two_ago, long& out) const {
    CHECK(last.size() == std::min<std::size_t>(ctx.batch() + 1, 4));
    CHECK(two_ago.has_value() == (ctx.batch() >= 2));
    out = two_ago ? *two_ago : 0;
    for (const std::vector<int>& v : last) out = 31 * out + v[0];
  }
};

struct looking : st::schedule<st::source<frame>, st::result<field, mean, error, sum>, load, patch,
                              flow, average, steer, measure, add, st::threads<st::per_task>> {};

static_assert(st::copies_of<looking, image> == 6);  // from 2 ahead to 3 back
static_assert(st::copies_of<looking, frame> == 5);
static_assert(st::copies_of<looking, mean> == 2);
static_assert(st::copies_of<st::serial<looking>, image> == 4);
static_assert(st::copies_of<st::serial<looking>, error> == 2);

using row = std::tuple<int, double, int, long>;

std::vector<row> expected(int batches) {
  std::vector<row> all;
  std::vector<int> images;
  double m = 0;
  int e = 5;
  for (int b = 0; b < batches; ++b) {
    images.push_back(10 * b + 1001);
    const auto ago = [&](int n) { return n <= b ? images[static_cast<std::size_t>(b - n)] : 0; };
    const int f = ago(0) - ago(1) + 7 * ago(3);
    m = (m + ago(0)) / 2;
    e = (f % 100 + e) % 50;
    long s = b >= 2 ? 10 * (b - 2) + 1 : 0;
    for (int n = 0; n < 4 && n <= b; ++n) s = 31 * s + ago(n);
    all.emplace_back(f, m, e, s);
  }
  return all;
}

auto frames(int batches) {
  return [next = 0, batches](int& into) mutable {
    into = 10 * next + 1;
    return next++ < batches;
  };
}

template <class Schedule, class... Options>
void check() {
  tested::pipeline<Schedule, Options...> p;
  // Each run begins anew, also after one that was left.
  for (const int batches : {1, 2, 70, 0, 4, 5}) {
    std::vector<row> found;
    for (const auto& r : p.run(frames(batches))) found.emplace_back(r);
    CHECK(found == expected(batches));
    {
      auto left = p.run(frames(20));
      for (int i = 0; i < batches % 5; ++i) left.next();
    }
  }
}

template <class... Option>
struct looking_with : st::replan<looking, Option...> {};

TEST_CASE("a thread each") { check<looking>(); }
TEST_CASE("with a barrier") { check<looking, st::barrier>(); }
TEST_CASE("on the calling thread") { check<looking_with<st::threads<st::on_caller>>>(); }
TEST_CASE("one batch after the other") { check<st::serial<looking>>(); }
TEST_CASE("on generated threads") { check<looking_with<st::threads<st::generated<3>>>>(); }
TEST_CASE("raised as far as earlier batches allow") {
  struct with : st::pipelined<looking> {};
  check<with>();
}
TEST_CASE("with queues") { check<looking_with<st::queue<"load", 3>, st::queue<"patch", 2>>>(); }
TEST_CASE("with workers, which take turns where a task looks back at itself") {
  check<looking_with<st::workers<"add", 3>, st::workers<"average", 2>, st::workers<"load", 2>>>();
}
TEST_CASE("with more copies") { check<looking_with<st::slack<image, 3>, st::slack<mean>>>(); }

/// One of many tasks: looks back at what it wrote, and at what the one behind it wrote.
template <int I>
struct item : st::slot<int> {};
template <int I>
struct link {
  using thread = std::conditional_t<(I % 2 == 0), st::thread<"even">, st::thread<"odd">>;
  static constexpr int lookahead = I < 15 ? 1 : 0;
  using before = std::conditional_t<I == 0, frame, item<I - 1>>;
  using reads = st::reads<before, st::previous<item<I>>, st::previous<before, 2>>;
  using writes = st::writes<item<I>>;
  void operator()(int in, st::previous<item<I>> own, st::previous<before, 2> older,
                  int& out) const {
    out = (in + 3 * own.value_or(I) + 5 * older.value_or(1)) % 1009;
  }
};
template <class Indices>
struct links;
template <int... I>
struct links<std::integer_sequence<int, I...>> {
  using type = st::schedule<st::source<frame>, st::result<item<sizeof...(I) - 1>>, link<I>...>;
};
struct chained : links<std::make_integer_sequence<int, 60>>::type {};

TEST_CASE("in long chains") {
  constexpr int count = 60;
  tested::pipeline<chained> p;
  for (int run = 0; run < 2; ++run) {
    std::vector<std::vector<int>> slots_of(count + 1);
    int batch = 0;
    for (const int found : p.run(frames(40))) {
      const auto b = static_cast<std::size_t>(batch);
      slots_of[0].push_back(10 * batch + 1);
      for (std::size_t i = 0; i < count; ++i)
        slots_of[i + 1].push_back((slots_of[i][b] +
                                   3 * (b >= 1 ? slots_of[i + 1][b - 1] : static_cast<int>(i)) +
                                   5 * (b >= 2 ? slots_of[i][b - 2] : 1)) %
                                  1009);
      CHECK(found == slots_of[count][b]);
      ++batch;
    }
    CHECK(batch == 40);
  }
}

}  // namespace

TEST_CASE("an earlier value is like an optional") {
  const std::string text = "ab";
  constexpr st::previous<frame> none;
  const struct named : st::slot<std::string> {
  } of{};
  using before = st::previous<std::remove_const_t<decltype(of)>>;
  const before given(text);
  CHECK_FALSE(none.has_value());
  CHECK_FALSE(none);
  CHECK(none.value_or(3) == 3);
  CHECK(given.has_value());
  CHECK(&*given == &text);
  CHECK(&given.get() == &text);
  CHECK(given->size() == 2);
  CHECK(given.value_or("c") == "ab");
  CHECK(before().value_or("c") == "c");
  static_assert(!std::is_constructible_v<before, std::string>);  // it would not live
}

TEST_CASE("a window is a range of what there is, the newest first") {
  using three = st::window<frame, 3>;
  static_assert(std::ranges::random_access_range<three>);
  static_assert(std::ranges::sized_range<three>);
  static_assert(!std::is_constructible_v<three, int&, int&, int&, int&>);
  const std::array<int, 3> values{7, 8, 9};
  const three two(values[0], values[1]);
  CHECK(two.size() == 2);
  CHECK_FALSE(two.full());
  CHECK(two[1] == 8);
  CHECK(two.back() == 8);
  const three all(values[0], values[1], values[2]);
  CHECK(all.full());
  CHECK(all.front() == 7);
  CHECK(&all[2] == &values[2]);
  CHECK(std::equal(all.begin(), all.end(), values.begin()));
  CHECK(all.end() - all.begin() == 3);
  CHECK(*(2 + all.begin()) == 9);
  CHECK(all.begin()[1] == 8);
  CHECK(std::ranges::max(all) == 9);
  CHECK(std::vector<int>(std::make_reverse_iterator(all.end()),
                         std::make_reverse_iterator(all.begin())) == std::vector{9, 8, 7});
  CHECK(all.begin() < all.end());
}

TEST_CASE("a body that looks back is called by hand") {
  int f = 0;
  const std::vector<int> now{5};
  const std::vector<int> before{3};
  flow{}(st::in<image>(now), st::previous<image>(before), {}, st::out<field>(f));
  CHECK(f == 2);
}

namespace {

// As large as what a pipeline does not hold itself.
struct large : st::slot<std::array<int, 40000>> {};
struct ends : st::slot<std::tuple<int, int>> {};

struct fill {
  static constexpr int lookahead = 1;
  void operator()(st::in<frame> in, st::out<large> out) const { out->fill(*in); }
};
struct look {
  void operator()(st::window<large, 2> both, st::previous<large, 2> before,
                  st::out<ends> out) const {
    int all = 0;
    for (const std::array<int, 40000>& each : both) all += each.back();
    out = {all, before ? before->back() : 100};
  }
};
struct large_ones : st::schedule<st::source<frame>, st::result<ends>, fill, look> {};

template <class Schedule>
void check_large() {
  tested::pipeline<Schedule> p;
  using rows = std::vector<std::tuple<int, int>>;
  rows got;
  for (const std::tuple<int, int>& r : p.run(std::vector<int>{1, 2, 3, 4})) got.push_back(r);
  CHECK(got == rows{{1, 100}, {3, 100}, {5, 1}, {7, 2}});
}

}  // namespace

TEST_CASE("slots too large for the pipeline itself are looked back at like others") {
  check_large<large_ones>();
  check_large<st::replan<large_ones, st::threads<st::on_caller>>>();
  check_large<st::serial<large_ones>>();
}
