// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Having the compiler find a schedule of more tasks than it looks for
//
// What compilers allow a constant to take bounds the search. A program has more time.
//
// expect-error: a_schedule_is_found_of_up_to_32_tasks<chain<33>, .*tasks<33>
// expect-text: schedule .chain<33>. has 33 tasks, and .scheduled. looks for one of up to 32; look for it at run time by .find_schedule.
// expect-lines: 25
#include <stretto/scheduled.hpp>
#include <stretto/stretto.hpp>
#include <utility>

namespace st = stretto;

template <int Number>
struct value : st::slot<int> {};

template <int Number>
struct step {
  static constexpr int weight = 100;
  using reads = st::reads<value<Number>>;
  using writes = st::writes<value<Number + 1>>;
  void operator()(int in, int& out) const { out = in; }
};
template <class Numbers>
struct steps;
template <int... Number>
struct steps<std::integer_sequence<int, Number...>> {
  using schedule =
      st::schedule<st::source<value<0>>, st::result<value<sizeof...(Number)>>, step<Number>...>;
};
template <int Tasks>
struct chain : steps<std::make_integer_sequence<int, Tasks>>::schedule {};

#ifndef FIXED
struct found : st::scheduled<chain<33>, st::offered_threads<"a", "b">, st::max_in_flight<2>> {};
#else
struct found : st::scheduled<chain<3>, st::offered_threads<"a", "b">, st::max_in_flight<2>> {};
#endif
st::pipeline<found> pipeline;
