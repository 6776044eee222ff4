// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Types with an operator& of their own, in every place where a user's type stands.

#include <doctest/doctest.h>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <stretto/dynamic.hpp>
#include <stretto/stretto.hpp>
#include <string_view>

namespace st = stretto;
namespace dynamic = stretto::dynamic;

namespace {

/// Lies about where it is.
struct liar {
  liar* operator&() { return nullptr; }
  const liar* operator&() const { return nullptr; }
};
/// Does not say where it is.
struct secret {
  secret* operator&() = delete;
  const secret* operator&() const = delete;
};

struct number : liar {
  int value = 0;
};
struct sealed : secret {
  long value = 0;
};

struct in : st::slot<number> {};
struct middle : st::slot<sealed> {};
struct out : st::slot<number> {};

struct seal : secret {
  using thread = st::thread<"other">;
  static constexpr int lookahead = 1;
  using reads = st::reads<in>;
  using writes = st::writes<middle>;
  void operator()(const number& from, sealed& to) const { to.value = from.value + 1; }
};
struct open : liar {
  using reads = st::reads<middle>;
  using writes = st::writes<out>;
  void operator()(st::context auto&, const sealed& from, number& to) const {
    to.value = static_cast<int>(from.value);
  }
};

struct sums : st::schedule<st::source<in>, st::result<out>, seal, open> {};

struct numbers : secret {
  std::array<number, 3> all{};
  numbers() {
    for (std::size_t i = 0; i < all.size(); ++i) all[i].value = static_cast<int>(i);
  }
  auto begin() const { return all.begin(); }
  auto end() const { return all.end(); }
};
struct counter : liar {
  int next = 0;
  bool operator()(number& n) {
    n.value = next;
    return next++ < 3;
  }
};
struct optionals : secret {
  int next = 0;
  std::optional<number> operator()() {
    if (next == 3) return {};
    number n;
    n.value = next++;
    return n;
  }
};
struct never : liar {
  bool requested = false;
  bool stop_requested() const { return requested; }
};

struct watcher : secret {
  using stretto_tag = st::tag::observer;
  static constexpr bool observes = true;
  std::array<std::size_t, 3> calls{};
  void attached(std::span<const std::string_view>, std::span<const std::string_view>) {}
  void started(std::size_t host, std::size_t, std::size_t) { ++calls.at(host); }
  void finished(std::size_t, std::size_t, std::size_t) {}
};

template <class Runs>
int total(Runs&& run) {
  int sum = 0;
  for (auto& r : run) sum += r.value;
  return sum;
}

TEST_CASE("a schedule of types that overload operator&") {
  st::pipeline<sums> pipeline{seal{}};
  numbers range;
  counter fill;
  never token;
  CHECK(total(pipeline.run(range)) == 6);
  CHECK(total(pipeline.run(numbers())) == 6);
  CHECK(total(pipeline.run(fill)) == 6);
  CHECK(total(pipeline.run(optionals())) == 6);
  CHECK(total(pipeline.run(range, token)) == 6);
  CHECK(total(pipeline.run(range, st::cancel_on(token))) == 6);
}

TEST_CASE("an observer that overloads it") {
  st::pipeline<sums, watcher> pipeline;
  CHECK(total(pipeline.run(numbers())) == 6);
  CHECK(pipeline.observer().calls == std::array<std::size_t, 3>{4, 3, 3});
}

dynamic::schedule sums_as_values() {
  return {.name = "sums",
          .source = {.slot = "in"},
          .results = {"out"},
          .tasks = {{.name = "seal",
                     .thread = "other",
                     .lookahead = 1,
                     .reads = {"in"},
                     .writes = {"middle"},
                     .body = seal{}},
                    {.name = "open",
                     .reads = {"middle"},
                     .writes = {"out"},
                     .body = dynamic::body::with<const sealed&, number&>(open{})}}};
}

template <class Runs>
int total_of_values(Runs&& run) {
  int sum = 0;
  for (const dynamic::result& r : run) sum += r.get<number>().value;
  return sum;
}

TEST_CASE("a schedule of values with such types") {
  dynamic::pipeline pipeline(sums_as_values());
  numbers range;
  counter fill;
  never token;
  CHECK(total_of_values(pipeline.run(range)) == 6);
  CHECK(total_of_values(pipeline.run(numbers())) == 6);
  CHECK(total_of_values(pipeline.run(fill)) == 6);
  CHECK(total_of_values(pipeline.run(optionals())) == 6);
  CHECK(total_of_values(pipeline.run(range, token)) == 6);
  CHECK(total_of_values(pipeline.run(range, st::cancel_on(token))) == 6);
}

TEST_CASE("an observer of it that overloads it") {
  dynamic::pipeline<watcher> pipeline(sums_as_values());
  CHECK(total_of_values(pipeline.run(numbers())) == 6);
  CHECK(pipeline.observer().calls == std::array<std::size_t, 3>{4, 3, 3});
}

}  // namespace
