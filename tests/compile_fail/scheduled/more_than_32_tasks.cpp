// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Having the compiler find a schedule of more tasks than it looks for
//
// What compilers allow a constant to take bounds the search. A program has more time.
//
// expect-error: .scheduled. looks for a schedule of up to 32 tasks: for more, look for one at run time by .find_schedule., or by .stretto tune.
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
struct chain;
template <int... Number>
struct chain<std::integer_sequence<int, Number...>>
    : st::schedule<st::source<value<0>>, st::result<value<sizeof...(Number)>>, step<Number>...> {};

#ifndef FIXED
struct found
    : st::scheduled<chain<std::make_integer_sequence<int, 33>>, st::offered_threads<"a", "b">> {};
#else
struct found
    : st::scheduled<chain<std::make_integer_sequence<int, 3>>, st::offered_threads<"a", "b">> {};
#endif
st::pipeline<found> pipeline;
