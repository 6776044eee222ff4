// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A task made of a body and fields is what a class with such members would be.

#include <doctest/doctest.h>
#include <stretto/declare/access.hpp>
#include <stretto/declare/name.hpp>
#include <stretto/declare/slot.hpp>
#include <stretto/declare/task.hpp>
#include <type_traits>

namespace st = stretto;

namespace {

struct from : st::slot<int> {};
struct to : st::slot<int> {};
struct table : st::resource<> {};

int plus_one(int n) { return n + 1; }
int plus_two(int n) noexcept { return n + 2; }
template <int Add>
int plus(int n) {
  return n + Add;
}
struct adder {
  int summand;
  constexpr int operator()(int n) const { return n + summand; }
};
struct final_adder final {
  int operator()(int n) const { return n; }
};

using before = st::task<"before", plus_one>;
using one = st::task<"one", plus_one, st::stream<"copy">, st::thread<"io">, st::lookahead<2>,
                     st::weight<-3>, st::reads<from>, st::writes<to>, st::depends_on<before>,
                     st::cross_iter_depends_on<st::ago<before, 2>>, st::same_progress_sync<>,
                     st::observes<table>, st::mutates<>, st::communicator<"world">>;
static_assert(one::name == "one" && st::name_of<one>.text == "one");
static_assert(one::stream::value == "copy" && one::thread::value == "io");
static_assert(one::lookahead == 2 && one::weight == -3 && one::collective);
static_assert(one::communicator::value == "world");
static_assert(std::is_same_v<one::reads, st::reads<from>>);
static_assert(std::is_same_v<one::writes, st::writes<to>>);
static_assert(std::is_same_v<one::depends_on, st::depends_on<before>>);
static_assert(
    std::is_same_v<one::cross_iter_depends_on, st::cross_iter_depends_on<st::ago<before, 2>>>);
static_assert(std::is_same_v<one::same_progress_sync, st::same_progress_sync<>>);
static_assert(std::is_same_v<one::observes, st::observes<table>>);
static_assert(std::is_same_v<one::mutates, st::mutates<>>);

template <class Task>
concept has_fields =
    requires { Task::lookahead; } || requires { Task::weight; } || requires { Task::collective; } ||
    requires { typename Task::reads; } || requires { typename Task::writes; } ||
    requires { typename Task::stream; } || requires { typename Task::thread; };
static_assert(!has_fields<before> && has_fields<one>);
static_assert(std::is_empty_v<one> && std::is_default_constructible_v<one>);
static_assert(!std::is_same_v<before, st::task<"other", plus_one>>);

TEST_CASE("bodies are called") {
  CHECK(one()(1) == 2);
  CHECK(st::task<"two", plus_two>()(1) == 3);
  static_assert(noexcept(st::task<"two", plus_two>()(1)));
  static_assert(!noexcept(before()(1)));
  CHECK(st::task<"three", plus<3>>()(1) == 4);
  CHECK(st::task<"lambda", [](int n) { return n + 4; }>()(1) == 5);
  CHECK(st::task<"generic", [](auto n) { return n + 5; }>()(1) == 6);
  CHECK(st::task<"object", adder{6}>()(1) == 7);
}

// What is said of a field.
using st::declare::times_said;
static_assert(times_said<one, st::lookahead<2>>() == 1);
static_assert(times_said<one, st::reads<from>>() == 1);
static_assert(times_said<one, table>() == 0 && times_said<one, int>() == 0);
using twice = st::task<"twice", plus_one, st::weight<1>, st::weight<1>, st::reads<from>,
                       st::writes<to>, st::reads<to>, st::thread<"io">>;
static_assert(times_said<twice, st::weight<1>>() == 2 && times_said<twice, st::reads<to>>() == 2);
static_assert(times_said<twice, st::writes<to>>() == 1);
static_assert(times_said<twice, st::thread<"io">>() == 1);
struct with_thread : adder {
  using thread = st::thread<"own">;
};
using body_says_it = st::task<"body", with_thread{1}, st::thread<"io">>;
static_assert(times_said<body_says_it, st::thread<"io">>() == 2);

// Of what is no body there is a task that cannot be called.
static_assert(!std::is_invocable_v<st::task<"number", 5>, int>);
static_assert(!std::is_invocable_v<st::task<"final", final_adder{}>, int>);

}  // namespace
