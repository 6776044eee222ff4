// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/static/query/plan_of.hpp>
#include <string_view>
#include <type_traits>
#include <utility>

/// A schedule of any number of tasks: three stages (read ahead, copy ahead, compute) on four
/// streams and two threads, with every dependency field and a resource. Each task reads what the
/// one before it wrote.
namespace many {

namespace st = stretto;

struct number : st::slot<int> {};
struct total : st::resource<> {};
template <int I>
struct item : st::slot<int> {};

template <int I, int Of>
constexpr int stage = I * 3 / Of;

/// The first task of the last stage, whose tasks all change one resource.
template <int Of>
constexpr int changes_first = (2 * Of + 2) / 3;

template <bool Listed, class List, class None>
using if_listed = std::conditional_t<Listed, List, None>;

template <int I, int Of>
struct task {
  using stream = std::conditional_t<
      stage<I, Of> == 0, st::stream<"read">,
      std::conditional_t<stage<I, Of> == 1, st::stream<"copy">,
                         std::conditional_t<I % 2 == 0, st::stream<"even">, st::stream<"odd">>>>;
  static constexpr int lookahead = 2 - stage<I, Of>;
  using reads = if_listed<I == 0, st::reads<number>,
                          if_listed<(I < 8), st::reads<item<I - 1>>,  //
                                    st::reads<item<I - 1>, item<I - 7>>>>;
  using writes = st::writes<item<I>>;
  using depends_on =
      if_listed<(I >= 8 && I % 2 == 0), st::depends_on<task<I - 2, Of>>, st::depends_on<>>;
  using same_progress_sync =
      if_listed<(I >= 40 && I % 4 == 0), st::same_progress_sync<task<I - 3, Of>>,
                st::same_progress_sync<>>;
  using cross_iter_depends_on =
      if_listed<I == changes_first<Of>, st::cross_iter_depends_on<task<Of - 1, Of>>,
                if_listed<(I >= 40 && I % 4 == 1), st::cross_iter_depends_on<task<I - 4, Of>>,
                          st::cross_iter_depends_on<>>>;
  using mutates = if_listed<stage<I, Of> == 2, st::mutates<total>, st::mutates<>>;
  static constexpr bool collective = I % 10 == 0;
  void operator()(int in, int& out) const { out = in + 1; }
  void operator()(int in, int earlier, int& out) const { out = in + (in - earlier) / 6; }
};

constexpr std::string_view two_threads(const st::planner::task& t) {
  return t.lookahead > 0 ? "ahead" : "compute";
}

/// The tasks, and whatever else is to be part of the schedule.
template <int Of, class... More, int... I>
auto schedule_of(std::integer_sequence<int, I...>) -> st::schedule<
    st::source<number>, st::result<item<Of - 1>>, st::streams<"read", "copy", "even", "odd">,
    st::threads<st::chosen_by<&two_threads>>, st::caller_runs<"compute">, task<I, Of>..., More...>;
template <int Of, class... More>
struct schedule : decltype(schedule_of<Of, More...>(std::make_integer_sequence<int, Of>{})) {};

}  // namespace many
