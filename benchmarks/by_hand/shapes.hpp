// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/stretto.hpp>
#include <string_view>
#include <utility>
#include "blocking.hpp"
#include "tasks.hpp"

// Stretto's side: schedules that are declared plainly, with the source on the calling thread, no
// `slack`, and the map that the loops by hand have.

namespace benchmarks::by_hand {

namespace st = stretto;

/// What the tasks pass along: `passed<0>` is the batch.
template <int Step>
struct passed : st::slot<value> {};
struct handed_out : st::slot<value> {};

template <int Task, int Lookahead>
struct loads {
  static constexpr int lookahead = Lookahead;
  void operator()(st::in<passed<Task>> in, st::out<passed<Task + 1>> out) const {
    value v = 0;
    load<Task>(in, v);
    out = v;
  }
};
template <int Task, int Lookahead, int Reads>
struct looks {
  static constexpr int lookahead = Lookahead;
  void operator()(st::in<passed<Reads>> in) const { look_at<Task>(in); }
};
template <int Reads>
struct hands_out {
  void operator()(st::in<passed<Reads>> in, st::out<handed_out> out) const {
    out = hand_out<tasks - 1>(in);
  }
};
/// In place of `hands_out`, where there are no results.
template <int Reads>
struct adds_up {
  value& sum;
  void operator()(st::in<passed<Reads>> in) const { sum += hand_out<tasks - 1>(in); }
};

/// The tasks of a split on the thread `io` and on the calling one.
template <split S, class Loads = std::make_integer_sequence<int, S.on_io>,
          class Looks = std::make_integer_sequence<int, tasks - 1 - S.on_io>>
struct shape;

template <split S, int... Load, int... Look>
struct shape<S, std::integer_sequence<int, Load...>, std::integer_sequence<int, Look...>> {
  template <class Last, class... Part>
  using declared =
      st::schedule<st::source<passed<0>>, Part...,
                   st::threads<st::group<"io", loads<Load, S.furthest()>...>>,
                   st::caller_runs<"host">, loads<Load, S.furthest()>...,
                   looks<S.on_io + Look, S.lookahead(S.on_io + Look), S.on_io>..., Last>;

  struct two_threads : declared<hands_out<S.on_io>, st::result<handed_out>> {};
  struct no_result : declared<adds_up<S.on_io>> {};
  struct io_pulls : st::replan<two_threads, st::source<passed<0>, st::thread<"io">>> {};
  struct one_thread : st::replan<two_threads, st::threads<st::on_caller>> {};

  static_assert(st::in_flight<two_threads> == S.in_flight);
  static_assert(st::plan_of<two_threads>.threads == 2 && st::plan_of<io_pulls>.threads == 2);
  static_assert(st::plan_of<one_thread>.threads == 1);
};

/// The four threads of `relay`.
template <class = std::make_integer_sequence<int, relay::loading>,
          class = std::make_integer_sequence<int, tasks - 1 - relay::loading>>
struct relayed;

template <int... Load, int... Look>
struct relayed<std::integer_sequence<int, Load...>, std::integer_sequence<int, Look...>> {
  static constexpr std::string_view thread_of(const st::planner::task& t) {
    constexpr std::string_view by_lookahead[] = {"", "third", "second", "first"};
    return by_lookahead[t.lookahead];
  }
  struct four_threads
      : st::schedule<
            st::source<passed<0>>, st::result<handed_out>, st::threads<st::chosen_by<thread_of>>,
            st::caller_runs<"host">, loads<Load, relay::lookahead(Load)>...,
            looks<relay::loading + Look, 0, relay::loading>..., hands_out<relay::loading>> {};
  static_assert(st::in_flight<four_threads> == relay::in_flight);
  static_assert(st::plan_of<four_threads>.threads == 4);

  /// Likewise, and what is handed from thread to thread has a copy for each batch in flight, as the
  /// links by hand have.
  template <int Task>
  using copy_per_batch = st::slack<passed<Task>, relay::in_flight - 2>;
  struct with_copies
      : st::replan<four_threads, copy_per_batch<relay::first>,
                   copy_per_batch<relay::first + relay::second>, copy_per_batch<relay::loading>> {};
  static_assert(st::copies_of<four_threads, passed<relay::loading>> == 2);
  static_assert(st::copies_of<with_copies, passed<relay::loading>> == relay::in_flight);
};

}  // namespace benchmarks::by_hand
