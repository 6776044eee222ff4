// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/plan/derive/verdicts.hpp>
#include <stretto/plan/make_plan.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/edge_groups.hpp>
#include <stretto/plan/model/firing.hpp>
#include <stretto/plan/model/rate.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/order/deadlock.hpp>
#include <stretto/plan/order/fewest_waits.hpp>
#include <stretto/plan/rules/rule_8_emission.hpp>
#include <stretto/static/errors/diagnosis.hpp>
#include <stretto/static/values/constant_plan.hpp>
#include <stretto/static/values/declared.hpp>
#include <stretto/static/values/mentioned_slot.hpp>
#include <string_view>
#include <type_traits>

namespace stretto {

/// A schedule's plan as a constant. Nodes are task numbers in declaration order, then `pull` and
/// `deliver`.
template <std::size_t Nodes, typed::detail::plan_sizes Size>
struct fixed_plan {
  static constexpr std::size_t nodes = Nodes;
  static constexpr std::size_t tasks = Nodes - 2;
  static constexpr std::size_t pull = Nodes - 2;
  static constexpr std::size_t deliver = Nodes - 1;
  static constexpr std::size_t threads = Size.threads;

  int max_lookahead = 0;
  std::array<std::size_t, Nodes> lag{};  ///< progresses between a batch's pull and the node's run
  std::array<planner::rate, Nodes> runs{};  ///< for which batches a node runs
  bool rated = false;                       ///< not all nodes run for every batch
  bool ends_groups = false;                 ///< some task runs for what is left of a group
  bool drops = false;                       ///< some task may drop batches
  std::array<std::size_t, Nodes> order{};
  std::array<planner::edge, Size.edges> edges{};       ///< every happens-before edge
  std::array<std::size_t, Size.slot_count> copies{};   ///< by slot
  std::array<std::size_t, Size.slot_count> fillers{};  ///< by slot: the node that fills a copy
  std::array<name, Size.slot_count> slot_list{};
  std::array<std::string_view, Nodes> names{};      ///< by node, for people
  std::array<std::size_t, Size.tickets> tickets{};  ///< collectives in submission order

  std::array<planner::edge, Size.stream_waits> stream_waits{};    ///< between streams, full list
  planner::wait_table<Nodes, Size.minimal_stream_waits> streams;  ///< without those implied
  planner::wait_table<Nodes, Size.host_waits> barrier;            ///< between threads that meet
  planner::wait_table<Nodes, Size.run_ahead_waits> run_ahead;     ///< between threads that do not

  std::array<std::string_view, Size.threads> thread_names{};
  std::array<std::size_t, Nodes> thread_of{};
  std::array<std::size_t, Nodes> chained{};           ///< nodes by thread
  std::array<planner::range, Size.threads> chains{};  ///< by thread, into chained
  std::array<std::size_t, Size.threads> workers{};   ///< by thread: host threads that run its chain
  std::array<std::size_t, Size.threads> begun_by{};  ///< by thread, if tasks are coroutines

  /// How many host threads there are: the threads, each as often as it has workers.
  constexpr std::size_t host_threads() const { return first_host(Size.threads); }
  /// The first of a thread's host threads.
  constexpr std::size_t first_host(std::size_t thread) const {
    std::size_t hosts = 0;
    for (std::size_t t = 0; t < thread; ++t) hosts += workers[t];
    return hosts;
  }
  constexpr bool has_workers() const { return host_threads() > Size.threads; }

  constexpr std::size_t in_flight() const { return static_cast<std::size_t>(max_lookahead) + 1; }
  /// Of how many batches a slot is written for one.
  constexpr std::size_t every_of(std::size_t slot) const {
    return static_cast<std::size_t>(runs[fillers[slot]].every);
  }
  constexpr bool runs_for(std::size_t node, std::size_t batch) const {
    return planner::runs_for(runs[node], batch);
  }

  constexpr fixed_plan(const planner::declaration& d, const planner::plan& p,
                       planner::view<planner::edge> minimal, planner::view<planner::edge> ahead)
      : max_lookahead(p.resolved.max_lookahead),
        streams(minimal),
        barrier(p.host_waits),
        run_ahead(ahead) {
    for (std::size_t n = 0; n < Nodes; ++n) {
      lag[n] = planner::lag(max_lookahead, p.resolved.nodes[n].lookahead);
      names[n] = planner::node_name(d, n);
      runs[n] = p.resolved.nodes[n].runs;
      rated = rated || runs[n].every > 1;
      ends_groups = ends_groups || runs[n].at_end;
    }
    drops = planner::may_drop(d);
    planner::copy_items(p.order, order.data());
    planner::copy_items(p.edges, edges.data());
    planner::copy_items(p.copies, copies.data());
    planner::copy_items(p.fillers, fillers.data());
    planner::copy_items(p.resolved.slot_list, slot_list.data());
    planner::copy_items(p.tickets, tickets.data());
    planner::copy_items(p.stream_waits, stream_waits.data());
    planner::copy_items(p.threads.names, thread_names.data());
    planner::copy_items(p.threads.thread_of, thread_of.data());
    planner::copy_items(p.threads.chained, chained.data());
    planner::copy_items(p.threads.chains, chains.data());
    planner::copy_items(p.threads.workers, workers.data());
    planner::copy_items(p.threads.begun_by, begun_by.data());
  }
};

namespace typed::detail {

/// The fewest waits: how many between streams and how many of threads that run ahead, then these.
template <std::size_t Most, std::size_t Capacity>
constexpr constant_words<2 + 6 * Most> find_fewest_waits(const planner::declaration& d,
                                                         const constant_words<Capacity>& plan) {
  const planner::plan p = read_plan(d, plan);
  const planner::list<planner::edge> minimal = planner::minimal_stream_waits(p);
  const planner::list<planner::edge> run_ahead = planner::run_ahead_waits(p);
  constant_words<2 + 6 * Most> row;
  row.push(minimal.size());
  row.push(run_ahead.size());
  row.push(minimal);
  row.push(run_ahead);
  return row;
}

template <std::size_t Nodes, plan_sizes Size, std::size_t Capacity, std::size_t Most>
constexpr fixed_plan<Nodes, Size> make_fixed_plan(const planner::declaration& d,
                                                  const constant_words<Capacity>& plan,
                                                  const constant_words<Most>& fewest_waits) {
  const planner::plan p = read_plan(d, plan);
  word_reader waits(fewest_waits);
  waits.next();
  waits.next();
  const planner::list<planner::edge> minimal = waits.next_edges(Size.minimal_stream_waits);
  const planner::list<planner::edge> run_ahead = waits.next_edges(Size.run_ahead_waits);
  return fixed_plan<Nodes, Size>(d, p, minimal, run_ahead);
}

template <class Schedule>
struct planned {
  static constexpr std::size_t nodes = declared<Schedule>::tasks::size + 2;
  static constexpr plan_sizes most = [] {
    plan_sizes s = sizes_in(constant_plan<Schedule>::row);
    s.minimal_stream_waits = s.stream_waits;
    s.run_ahead_waits = s.edges + nodes;
    return s;
  }();
  // A constant of its own, because compilers limit the steps of one evaluation.
  static constexpr auto fewest_waits =
      find_fewest_waits<most.minimal_stream_waits + most.run_ahead_waits>(
          declared<Schedule>::value, constant_plan<Schedule>::row);
  static constexpr plan_sizes size = [] {
    plan_sizes s = most;
    s.minimal_stream_waits = fewest_waits.numbers[0];
    s.run_ahead_waits = fewest_waits.numbers[1];
    return s;
  }();
  static constexpr fixed_plan<nodes, size> value = make_fixed_plan<nodes, size>(
      declared<Schedule>::value, constant_plan<Schedule>::row, fewest_waits);
  // No declaration that keeps the rules leads here: a fact about the planner, and about the order
  // in which each thread runs its chain.
  static_assert(planner::deadlock(nodes, value.edges, value.chained, value.chains).empty(),
                "a thread of this plan would wait for itself: please report it");
  static_assert(planner::rules::emitted_once(value.streams.edges) &&
                    planner::rules::emitted_once(value.barrier.edges) &&
                    planner::rules::emitted_once(value.run_ahead.edges),
                "rule 8: this plan has a wait twice: please report it");
};

/// The types of a schedule's slots, in the planner's numbering: by first appearance in source,
/// reads and writes of each task, results.
template <class Schedule>
struct slots_of {
 private:
  using from = declared<Schedule>;

  static constexpr auto mentions = [] {
    word_reader row(constant_plan<Schedule>::row);
    read_sizes(row);
    std::array<mention, planned<Schedule>::size.slot_count> first{};
    for (mention& m : first) {
      m.list = row.next();
      m.place = row.next();
    }
    return first;
  }();

  template <std::size_t Slot>
  using slot_type = typename mentioned_slot<from, mentions[Slot].list, mentions[Slot].place>::type;
  template <std::size_t... Index>
  static auto pick(std::index_sequence<Index...>) -> pack<slot_type<Index>...>;

 public:
  using type = decltype(pick(std::make_index_sequence<mentions.size()>{}));
};

/// The plan of a schedule, or an empty one, so that after the compile error of an invalid schedule
/// no other follows.
template <class Schedule>
using plan_or_none =
    planned<std::conditional_t<errors::is_no_error<decltype(diagnostic<Schedule>())>, Schedule,
                               schedule<>>>;

}  // namespace typed::detail

/// The plan of a valid schedule, a constant: order, waits, copies, threads, tickets. An invalid
/// schedule is a compile error.
template <class Schedule>
inline constexpr const decltype(typed::detail::plan_or_none<Schedule>::value)& plan_of =
    (static_cast<void>(typed::detail::checked<Schedule>::value),
     typed::detail::plan_or_none<Schedule>::value);

namespace typed::detail {

// Lists that the code of each task looks into, apart from the plan: for each look, nvcc takes the
// whole constant in hand that holds the list, and a plan of 128 tasks takes it 2 MB.
template <class Schedule>
inline constexpr auto lags_of = plan_of<Schedule>.lag;
template <class Schedule>
inline constexpr auto chained_of = plan_of<Schedule>.chained;
template <class Schedule>
inline constexpr auto copies_by_slot = plan_of<Schedule>.copies;
template <class Schedule>
inline constexpr auto every_by_slot = [] {
  auto all = plan_of<Schedule>.copies;
  for (std::size_t s = 0; s < all.size(); ++s) all[s] = plan_of<Schedule>.every_of(s);
  return all;
}();

}  // namespace typed::detail

/// How many batches are in the pipeline at once: the largest lookahead + 1.
template <class Schedule>
inline constexpr std::size_t in_flight = plan_of<Schedule>.in_flight();

/// How many copies of a slot the pipeline holds.
template <class Schedule, class Slot>
inline constexpr std::size_t copies_of = [] {
  constexpr auto& p = plan_of<Schedule>;
  std::size_t place = 0;
  for (const name& slot : p.slot_list) {
    if (slot == name_of<Slot>) return p.copies[place];
    ++place;
  }
  return std::size_t{0};
}();

}  // namespace stretto
