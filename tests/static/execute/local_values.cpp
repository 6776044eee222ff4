// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which slots a loop on the calling thread has to itself, and how their values move on.

#include <doctest/doctest.h>
#include <array>
#include <cstddef>
#include <memory>
#include <stretto/run/stop.hpp>
#include <stretto/static/execute/local_loop.hpp>
#include <stretto/static/execute/local_values.hpp>
#include <stretto/stretto.hpp>
#include <stretto/timeline.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace st = stretto;
namespace detail = stretto::typed::detail;

namespace {

template <class Schedule, class Slot>
constexpr bool is_local = detail::local_values<Schedule>::template has<Slot>;

/// A task that has one slot and fills another one, so many batches ahead.
template <class From, class To, int Ahead>
struct passes {
  static constexpr int lookahead = Ahead;
  using reads = st::reads<From>;
  using writes = st::writes<To>;
  void operator()(const typename From::value_type&, typename To::value_type&) const {}
};
template <class From, int Ahead = 0>
struct ends {
  static constexpr int lookahead = Ahead;
  using reads = st::reads<From>;
  void operator()(const typename From::value_type&) const {}
};
template <class... Part>
struct on_caller : st::schedule<st::threads<st::on_caller>, Part...> {};

// --- By their type

enum class color { red };
struct pair {
  int a;
  long b;
};
struct three {
  long all[3];
};
struct fixed {
  const int a = 0;
};
struct own {
  own() = default;
  own(const own&) {}
  own& operator=(const own&) { return *this; }
};

template <class Type>
struct holds : st::slot<Type> {};
template <class Type>
constexpr bool is_local_type =
    is_local<on_caller<st::source<holds<Type>>, ends<holds<Type>>>, holds<Type>>;

static_assert(is_local_type<int> && is_local_type<double> && is_local_type<color>);
static_assert(is_local_type<const char*> && is_local_type<pair>);
static_assert(is_local_type<std::string_view>);
static_assert(!is_local_type<three>);  // too many bytes
static_assert(!is_local_type<fixed>);  // cannot be assigned to
static_assert(!is_local_type<own>);    // copied by code of its own
static_assert(!is_local_type<std::string> && !is_local_type<std::unique_ptr<int>>);

// --- By who else refers to them

struct number : st::slot<int> {};
struct square : st::slot<long> {};
struct view : st::slot<const int*> {};
struct declared_view : st::slot<const int*>, st::points_into<number> {};
struct list : st::slot<std::vector<int>> {};

// Several copies, of which a task that has them could keep the address in another slot.
using plain = on_caller<st::source<number>, passes<number, square, 2>, ends<square>, ends<number>>;
static_assert(st::copies_of<plain, number> == 3 && is_local<plain, number>);
static_assert(st::copies_of<plain, square> == 3 && is_local<plain, square>);
using viewed = on_caller<st::source<number>, passes<number, view, 2>, ends<view>, ends<number>>;
static_assert(st::copies_of<viewed, number> == 3 && !is_local<viewed, number>);
static_assert(is_local<viewed, view>);
using filled = on_caller<st::source<number>, passes<number, list, 2>, ends<list>, ends<number>>;
static_assert(!is_local<filled, number> && !is_local<filled, list>);
// With one copy, whoever has it is done with it before the next batch comes.
using at_once = on_caller<st::source<number>, passes<number, view, 0>, ends<view>, ends<number>>;
static_assert(st::copies_of<at_once, number> == 1 && is_local<at_once, number>);
using declared =
    on_caller<st::source<number>, passes<number, declared_view, 2>, ends<declared_view>>;
static_assert(!is_local<declared, number> && is_local<declared, declared_view>);

struct looks_back {
  using reads = st::reads<number, st::previous<square>>;
  using writes = st::writes<square>;
  void operator()(int, st::previous<square>, long&) const {}
};
using looking = on_caller<st::source<number>, looks_back, ends<square>>;
static_assert(is_local<looking, number> && !is_local<looking, square>);

// --- By how many there are

struct first : st::slot<char> {};
struct second : st::slot<char> {};
struct third : st::slot<char> {};
using many = on_caller<st::source<number>, passes<number, first, 4>, passes<number, second, 4>,
                       passes<first, third, 3>, ends<number>, ends<first, 1>, ends<second, 1>,
                       ends<third, 2>>;
static_assert(st::copies_of<many, number> == 5 && is_local<many, number>);
static_assert(st::copies_of<many, first> == 4 && !is_local<many, first>);
static_assert(st::copies_of<many, second> == 4 && !is_local<many, second>);
static_assert(st::copies_of<many, third> == 2 && is_local<many, third>);

// --- How they move on

/// Stands for a progress, and where its values are.
struct places {
  std::array<long, 3>* values;
  std::size_t newest;

  template <class Slot, std::size_t Lag>
  long& value(st::typed::detail::ring<plain>&) const {
    return (*values)[(newest + 3 - Lag % 3) % 3];
  }
};

TEST_CASE("values move on as the copies of a ring do, and are put back where they belong") {
  auto memory = std::make_unique<detail::ring<plain>>();
  std::array<long, 3> values{10, 11, 12};
  detail::local_value<square, 3> local(places{&values, 1}, *memory);
  CHECK(local.at(0) == 11);
  CHECK(local.at(1) == 10);
  CHECK(local.at(2) == 12);
  CHECK(local.at(3) == 11);
  local.advance();
  CHECK(local.at(0) == 12);  // what the oldest batch has left
  CHECK(local.at(1) == 11);
  CHECK(local.at(2) == 10);
  local.at(0) = 13;
  local.advance();
  local.at(1) = 14;
  CHECK(values == std::array<long, 3>{10, 11, 12});
  local.put_back(places{&values, 0}, *memory);
  CHECK(values == std::array<long, 3>{10, 11, 14});
}

// --- Where there is such a loop

template <class Pipeline>
struct parts;
template <class Schedule, class... Option>
struct parts<st::pipeline<Schedule, Option...>> {
  template <class Source, class Stop = st::runner::unstoppable>
  using taken = st::runner::detail::stoppable_puller<
      Source, typename st::typed::declared<Schedule>::source_part::slot::value_type, Stop>;
  using pace = st::declare::first<st::tag::pace, st::pack<Option...>, st::run_ahead>;
  using watcher = st::declare::first<st::tag::observer, st::pack<Option...>, st::no_observer>;
  using machine = detail::machine<Schedule, pace, st::spin_then_sleep<>, watcher, st::no_device,
                                  st::no_collectives>;
};
template <class Pipeline, class... Stop>
constexpr bool has_loop =
    detail::local_loop<typename parts<Pipeline>::machine, typename parts<Pipeline>::template taken<
                                                              std::vector<int>&, Stop...>>::exists;

struct token {
  static bool stop_requested() { return false; }
};
struct apart : st::replan<plain, st::threads<st::per_task>> {};

static_assert(has_loop<st::pipeline<plain>>);
static_assert(has_loop<st::pipeline<plain, st::barrier>>);
static_assert(has_loop<st::pipeline<plain>, token>);
static_assert(!has_loop<st::pipeline<plain>, st::runner::cancelling<token>>);
static_assert(!has_loop<st::pipeline<plain, st::timeline>>);
static_assert(!has_loop<st::pipeline<apart>>);

// --- Which sources it has to itself

struct few_words {
  long at = 0;
  bool operator()(int&) { return at++ < 9; }
};
struct many_words : few_words {
  long all[20]{};
};
template <class Source, class Stop = st::runner::unstoppable>
constexpr bool is_private = st::runner::detail::stoppable_puller<Source, int, Stop>::is_private;

static_assert(is_private<few_words> && !is_private<few_words&> && !is_private<many_words>);
static_assert(!is_private<few_words, token>);
static_assert(!is_private<few_words, st::runner::cancelling<token>>);
// Containers, into which iterators lead.
static_assert(!is_private<std::vector<int>> && !is_private<std::array<int, 2>>);

}  // namespace
