// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stretto/stretto.hpp>
#include <stretto/suspend.hpp>
#include <type_traits>
#include <utility>
#include "../../behaviour/execute/probe.hpp"
#include "../../support/interruption.hpp"

/// A schedule of types for every seed, drawn by the compiler: it keeps all rules.
namespace stress {

namespace st = stretto;
using probing::stamp;

class dice {
 public:
  constexpr explicit dice(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15U) {}
  constexpr std::uint64_t next() {  // splitmix64
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }
  constexpr std::size_t below(std::size_t end) { return next() % end; }
  constexpr bool one_in(std::size_t n) { return below(n) == 0; }

 private:
  std::uint64_t state_;
};

/// How a task refers to an earlier one: to each in one way at most.
enum class link : unsigned char {
  none,
  reads,
  updates,
  depends_on,
  cross_iter,
  cross_iter_2,
  sync
};

struct shape {
  static constexpr std::size_t most = 7;
  struct task {
    int lookahead = 0;
    int stream = -1;
    int thread = -1;
    bool collective = false;
    bool reads_source = false;
    bool suspends = false;  ///< in `stress`: it is a coroutine
    std::array<link, most> to{};
  };
  std::size_t tasks = 0;
  std::array<task, most> all{};
  bool reader = false;  ///< the source has a thread of its own
  int source_ahead = 0;
  int queue = 0;
  std::size_t queued = 0;  ///< the group that has it: see `group_names`
  int workers = 1;
  std::size_t shared = 0;  ///< the group that has them

  constexpr bool has_coroutines() const {
    bool any = false;
    for (const task& t : all) any = any || t.suspends;
    return any;
  }
};

inline constexpr std::size_t groups = 5;  ///< host, x, a, b, c

/// Where a task runs, or `groups`: on the calling thread.
constexpr std::size_t group_of(const shape::task& t) {
  if (t.thread >= 0) return t.thread == 0 ? 1 : groups;
  return t.stream < 0 ? 0 : static_cast<std::size_t>(2 + t.stream);
}

/// Whether a task before the n-th updates or reads what another writes, at the n-th's lookahead:
/// then the n-th cannot update it. There is one writer at most, and a reader would wait for the
/// n-th, which may wait for the reader.
constexpr bool used(const shape& s, std::size_t n, std::size_t other) {
  for (std::size_t t = 0; t < n; ++t) {
    const link l = s.all[t].to[other];
    if ((l == link::updates || l == link::reads) && s.all[t].lookahead == s.all[n].lookahead)
      return true;
  }
  return false;
}

constexpr shape shape_of(std::uint64_t seed) {
  dice d(seed);
  shape s;
  s.tasks = 2 + d.below(shape::most - 1);
  const std::size_t deepest = d.below(4);
  const std::size_t dense = 2 + d.below(3);
  int most_ahead = 0;
  for (std::size_t n = 0; n < s.tasks; ++n) {
    shape::task& t = s.all[n];
    t.lookahead = static_cast<int>(d.below(deepest + 1));
    most_ahead = std::max(most_ahead, t.lookahead);
    if (!d.one_in(4)) t.stream = static_cast<int>(d.below(3));
    if (d.one_in(3)) t.thread = static_cast<int>(d.below(2));
    t.collective = d.one_in(4);
    t.reads_source = d.one_in(3);
    for (std::size_t o = 0; o < n; ++o) {
      const int room = s.all[o].lookahead - t.lookahead;
      if (room > 0 && s.all[o].stream == t.stream && d.one_in(3) && !used(s, n, o)) {
        t.to[o] = link::updates;
        continue;
      }
      if (!d.one_in(dense)) continue;
      switch (d.below(6)) {
        case 0:
        case 1: t.to[o] = room >= 0 ? link::reads : link::none; break;
        case 2: t.to[o] = room >= 0 ? link::depends_on : link::none; break;
        case 3: t.to[o] = room + 1 >= 0 ? link::cross_iter : link::none; break;
        case 4: t.to[o] = room + 2 >= 0 ? link::cross_iter_2 : link::none; break;
        default: t.to[o] = link::sync;
      }
    }
  }
  s.reader = d.one_in(3);
  if (d.one_in(3)) s.source_ahead = most_ahead + static_cast<int>(d.below(3));
  std::array<bool, groups + 1> there{};
  std::array<bool, groups + 1> in_order{};
  for (std::size_t n = 0; n < s.tasks; ++n) {
    const std::size_t group = group_of(s.all[n]);
    there[group] = true;
    if (s.all[n].stream >= 0 || s.all[n].collective) in_order[group] = true;
  }
  for (std::size_t g = 0; g < groups; ++g) {
    if (there[g] && d.one_in(2)) {
      s.queued = g;
      s.queue = static_cast<int>(1 + d.below(3));
    }
    if (there[g] && !in_order[g]) {
      s.shared = g;
      s.workers = static_cast<int>(2 + d.below(2));
    }
  }
  if (d.one_in(3))
    for (std::size_t n = 0; n < s.tasks; ++n) s.all[n].suspends = d.one_in(2);
  return s;
}

template <unsigned Seed>
inline constexpr shape shape_for = shape_of(Seed);

/// Slots: what each task writes, and after them the source's.
template <unsigned Seed, std::size_t Number>
struct value : st::slot<stamp> {};
template <unsigned Seed>
using fresh = value<Seed, shape::most>;

template <int Stream>
struct on_stream {};
template <>
struct on_stream<0> {
  using stream = st::stream<"a">;
};
template <>
struct on_stream<1> {
  using stream = st::stream<"b">;
};
template <>
struct on_stream<2> {
  using stream = st::stream<"c">;
};
template <int Thread>
struct on_thread {};
template <>
struct on_thread<0> {
  using thread = st::thread<"x">;
};
template <>
struct on_thread<1> {
  using thread = st::thread<"caller">;
};

template <class... A, class... B>
st::pack<A..., B...> operator+(st::pack<A...>, st::pack<B...>);

template <template <class...> class List, class... T>
List<T...> as_list(st::pack<T...>);

template <unsigned Seed, std::size_t Node>
struct task;

/// What the task of a number names of those before it: their slots and themselves.
template <unsigned Seed, std::size_t Node, template <unsigned, std::size_t> class Slot = value,
          template <unsigned, std::size_t> class Task = task>
struct links {
  template <link Link, std::size_t I, class T>
  using one = std::conditional_t<shape_for<Seed>.all[Node].to[I] == Link, st::pack<T>, st::pack<>>;
  using earlier = std::make_index_sequence<Node>;
  static constexpr earlier earlier_tasks{};

  template <std::size_t... I>
  static auto reads(std::index_sequence<I...>)
      -> decltype((std::conditional_t<shape_for<Seed>.all[Node].reads_source,
                                      st::pack<Slot<Seed, shape::most>>, st::pack<>>{} +
                   ... + one<link::reads, I, Slot<Seed, I>>{}));
  template <std::size_t... I>
  static auto writes(std::index_sequence<I...>)
      -> decltype((st::pack<Slot<Seed, Node>>{} + ... + one<link::updates, I, Slot<Seed, I>>{}));
  template <link Link, std::size_t... I>
  static auto tasks(std::index_sequence<I...>)
      -> decltype((st::pack<>{} + ... + one<Link, I, Task<Seed, I>>{}));
  template <std::size_t... I>
  static auto ago(std::index_sequence<I...>)
      -> decltype((st::pack<>{} + ... +
                   (one<link::cross_iter, I, Task<Seed, I>>{} +
                    one<link::cross_iter_2, I, st::ago<Task<Seed, I>, 2>>{})));
};

/// Called by every body before it does its work.
void disturb(std::size_t node, std::size_t batch);

/// What a coroutine awaits.
interrupting::interruption interrupted(std::size_t node, std::size_t batch, std::size_t time);

template <std::size_t Node, bool Suspends, class Reads, class Writes>
struct work {
  template <st::context Context, class... Slot>
  void operator()(Context& ctx, Slot&... slots) const {
    disturb(Node, ctx.batch());
    probing::task<Node>()(ctx, slots...);
  }
};
template <class>
using stamp_of = stamp;
/// Suspended before it is disturbed or after, and when all is done.
template <std::size_t Node, class... Read, class... Write>
struct work<Node, true, st::pack<Read...>, st::pack<Write...>> {
  st::suspendable operator()(st::task_context ctx, const stamp_of<Read>&... read,
                             stamp_of<Write>&... written) const {
    const bool late = ctx.batch() % 2 == 0;
    if (!late) disturb(Node, ctx.batch());
    co_await interrupted(Node, ctx.batch(), 0);
    if (late) disturb(Node, ctx.batch());
    probing::task<Node>()(ctx, read..., written...);
    co_await interrupted(Node, ctx.batch(), 1);
  }
};

/// What a task does.
template <unsigned Seed, std::size_t Node>
using work_of = work<Node, shape_for<Seed>.all[Node].suspends,
                     decltype(links<Seed, Node>::reads(links<Seed, Node>::earlier_tasks)),
                     decltype(links<Seed, Node>::writes(links<Seed, Node>::earlier_tasks))>;

template <unsigned Seed, std::size_t Node>
struct task : on_stream<shape_for<Seed>.all[Node].stream>,
              on_thread<shape_for<Seed>.all[Node].thread>,
              work_of<Seed, Node> {
 private:
  using linked = links<Seed, Node>;
  static constexpr typename linked::earlier earlier{};

 public:
  static constexpr int lookahead = shape_for<Seed>.all[Node].lookahead;
  static constexpr bool collective = shape_for<Seed>.all[Node].collective;
  using reads = decltype(as_list<st::reads>(linked::reads(earlier)));
  using writes = decltype(as_list<st::writes>(linked::writes(earlier)));
  using depends_on =
      decltype(as_list<st::depends_on>(linked::template tasks<link::depends_on>(earlier)));
  using cross_iter_depends_on = decltype(as_list<st::cross_iter_depends_on>(linked::ago(earlier)));
  using same_progress_sync =
      decltype(as_list<st::same_progress_sync>(linked::template tasks<link::sync>(earlier)));
};

template <unsigned Seed>
auto source_part() {
  constexpr shape s = shape_for<Seed>;
  if constexpr (s.reader) {
    return st::source<fresh<Seed>, st::lookahead<s.source_ahead>, st::thread<"reader">>{};
  } else {
    return st::source<fresh<Seed>, st::lookahead<s.source_ahead>>{};
  }
}

template <unsigned Seed, std::size_t... Node>
auto schedule_of(std::index_sequence<Node...>)
    -> st::schedule<decltype(source_part<Seed>()), st::result<value<Seed, 0>, value<Seed, 1>>,
                    st::streams<"a", "b", "c">, task<Seed, Node>...>;

template <unsigned Seed>
struct plain : decltype(schedule_of<Seed>(std::make_index_sequence<shape_for<Seed>.tasks>{})) {};

/// A part for a thread group: `Part<"host", N>` and so on; none if it would say nothing.
template <template <st::fixed_string, int> class Part, std::size_t Group, int N, bool Says>
auto group_part() {
  if constexpr (!Says) {
    return st::pack<>{};
  } else if constexpr (Group == 0) {
    return st::pack<Part<"host", N>>{};
  } else if constexpr (Group == 1) {
    return st::pack<Part<"x", N>>{};
  } else if constexpr (Group == 2) {
    return st::pack<Part<"a", N>>{};
  } else if constexpr (Group == 3) {
    return st::pack<Part<"b", N>>{};
  } else {
    return st::pack<Part<"c", N>>{};
  }
}
template <unsigned Seed, class... Part>
st::replan<plain<Seed>, Part...> with_parts(st::pack<Part...>);

/// A random schedule with a queue and workers, which may be more than its tasks can do.
template <unsigned Seed, bool Queue, bool Workers>
struct grouped : decltype(with_parts<Seed>(
                     group_part<st::queue, shape_for<Seed>.queued, shape_for<Seed>.queue,
                                Queue && (shape_for<Seed>.queue > 0)>() +
                     group_part<st::workers, shape_for<Seed>.shared, shape_for<Seed>.workers,
                                Workers && (shape_for<Seed>.workers > 1)>())) {};

/// With a queue and workers where they can be, or one of the two.
template <unsigned Seed>
auto richest() {
  if constexpr (shape_for<Seed>.has_coroutines()) {  // which share no workers
    if constexpr (st::is_valid<grouped<Seed, true, false>>)
      return std::type_identity<grouped<Seed, true, false>>{};
    else
      return std::type_identity<plain<Seed>>{};
  } else if constexpr (st::is_valid<grouped<Seed, true, true>>) {
    return std::type_identity<grouped<Seed, true, true>>{};
  } else if constexpr (st::is_valid<grouped<Seed, false, true>>) {
    return std::type_identity<grouped<Seed, false, true>>{};
  } else if constexpr (st::is_valid<grouped<Seed, true, false>>) {
    return std::type_identity<grouped<Seed, true, false>>{};
  } else {
    return std::type_identity<plain<Seed>>{};
  }
}
template <unsigned Seed>
using schedule = typename decltype(richest<Seed>())::type;

}  // namespace stress

/// Every second schedule as one whose threads have too many tasks for one function.
template <unsigned Seed, bool Queue, bool Workers>
inline constexpr std::size_t stretto::unrolled_up_to<stress::grouped<Seed, Queue, Workers>> =
    Seed % 2 == 0 ? 1 : 24;
template <unsigned Seed>
inline constexpr std::size_t stretto::unrolled_up_to<stress::plain<Seed>> = Seed % 2 == 0 ? 1 : 24;
