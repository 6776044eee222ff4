// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A schedule with more than 64 roles
//
// A role is for what ranks do differently; ranks that do the same with other data share one.
//
// expect-error: a_schedule_has_more_than_64_roles<job
// expect-text: a schedule has more than 64 roles
// expect-at: pipeline<job> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>
#include <utility>

namespace st = stretto;

struct raw : st::slot<int> {};

template <int Rank>
struct work {
  static constexpr char rank[] = {'r', static_cast<char>('0' + Rank / 10),
                                  static_cast<char>('0' + Rank % 10), 0};
  using role = st::role<st::fixed_string(rank)>;
  static constexpr std::string_view name = role::value;
  void operator()(st::in<raw>) const {}
};

template <int... Rank>
auto on_ranks(std::integer_sequence<int, Rank...>) -> st::schedule<st::source<raw>, work<Rank>...>;

#ifdef FIXED
struct job : decltype(on_ranks(std::make_integer_sequence<int, 1>())) {};
#else
struct job : decltype(on_ranks(std::make_integer_sequence<int, 65>())) {};
#endif

void run() { st::pipeline<job> pipeline; }
