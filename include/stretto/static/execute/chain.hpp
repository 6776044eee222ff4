// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/firing.hpp>
#include <stretto/run/progress_result.hpp>
#include <stretto/run/session/protocol.hpp>
#include <stretto/static/execute/machine.hpp>
#include <stretto/static/execute/moment_at_end.hpp>
#include <stretto/static/execute/step.hpp>
#include <utility>

namespace stretto {

/// How many tasks a thread may have for its steady progress to be compiled as one function. Of a
/// thread that has more it is a few functions called in turn, so that compile time grows no faster
/// than the number of tasks; bodies are inlined there, too. For a schedule of yours, after its
/// definition and before its pipeline: `template <> inline constexpr std::size_t
/// stretto::unrolled_up_to<training> = 100;`.
template <class Schedule>
inline constexpr std::size_t unrolled_up_to = 24;

}  // namespace stretto

namespace stretto::typed::detail {

/// A thread group's tasks as code. Of a short chain every place is unrolled for steady progresses,
/// and called by number in the others; a long one is cut into pieces, functions that serve all
/// progresses. What a thread does besides, run/session/protocol.hpp says; all workers of a group
/// share this code.
template <class Machine, std::size_t Thread>
class chain : public runner::protocol<Machine, chain<Machine, Thread>> {
  using rules = runner::protocol<Machine, chain>;
  friend rules;
  template <class OfMachine, std::size_t OfThread>
  friend class chain;
  template <class OfMachine, class Source>
  friend class local_loop;
  using schedule = typename Machine::schedule;
  using position = typename Machine::position;
  using moment = typename position::moment;
  static constexpr const auto& waits = Machine::waits;
  using step = detail::step<Machine, Thread>;
  static constexpr const auto& plan = Machine::plan;
  static constexpr planner::range nodes = plan.chains[Thread];
  static constexpr std::size_t length = nodes.last - nodes.first;
  static constexpr bool is_caller = Thread == 0;
  using hosts = typename Machine::hosts;
  static constexpr std::size_t workers = hosts::workers(Thread);

  static constexpr std::size_t node_at(std::size_t place) {
    return plan.chained[nodes.first + place];
  }
  template <std::size_t Place>
  static constexpr std::size_t node = chained_of<schedule>[nodes.first + Place];
  template <std::size_t Place>
  using slot_list = typename step::template arguments<node<Place>>::slot_list;
  template <std::size_t Place>
  using parameters = typename step::template arguments<node<Place>>::parameters;

  // By place, because each place asks: see lags_of.
  static constexpr auto waiting = [] {
    std::array<bool, length> all{};
    for (std::size_t i = 0; i < length; ++i) {
      const planner::range own = waits.of[node_at(i)];
      all[i] = !Machine::alone && own.first != own.last;
    }
    return all;
  }();
  static constexpr bool waits_at(std::size_t place) { return waiting[place]; }

  /// Whether this thread pulls, which is then the first thing it does.
  static constexpr bool pulls = plan.thread_of[plan.pull] == Thread;

  /// How far the tasks of this thread that work on the newest and the oldest batch lie behind the
  /// source.
  static constexpr std::size_t newest = [] {
    std::size_t least = plan.lag[node_at(0)];
    for (std::size_t i = 1; i < length; ++i) least = planner::smaller(least, plan.lag[node_at(i)]);
    return least;
  }();
  static constexpr std::size_t oldest = [] {
    std::size_t most = 0;
    for (std::size_t i = 0; i < length; ++i) most = planner::larger(most, plan.lag[node_at(i)]);
    // In a steady progress the device does not ask whether what it waits for lies before the first.
    if constexpr (Machine::submits)
      for (std::size_t i = 0; i < length; ++i)
        most = planner::larger(most, Machine::device_type::farthest_wait(node_at(i)));
    return most;
  }();
  /// Whether this thread must check for stops. Alone, it can only be stopped by a token.
  template <class Pull>
  static constexpr bool polls = !Machine::alone || Pull::abandons;
  /// The first task on the newest batch: until there it need not be asked whether that exists.
  static constexpr std::size_t first_new = [] {
    std::size_t first = 0;
    while (plan.lag[node_at(first)] != newest) ++first;
    return first;
  }();

  /// Whether others wait for what is at a place. That a result was used is told when the user comes
  /// back, not by the chain.
  static constexpr bool awaited(std::size_t n) {
    return !Machine::alone && n != plan.deliver &&
           (waits.awaited[n] || (n == plan.pull && !is_caller));
  }
  static constexpr auto telling = [] {
    std::array<bool, length> all{};
    for (std::size_t i = 0; i < length; ++i) all[i] = awaited(node_at(i));
    return all;
  }();

  /// Whether a steady progress is one function. Always where a device replays tasks, which it does
  /// by groups that are known here.
  static constexpr bool is_unrolled = Machine::replays || length <= unrolled_up_to<schedule>;

  /// How many places of a long chain are one function; at most 64, the bits of a mask.
  static constexpr std::size_t long_piece = 32;

  static constexpr bool may_alternate = workers > 1;
  static constexpr bool may_be_steady = !may_alternate;

  /// Who the thread is. What does not depend on the progress is a constant.
  struct identity {
    static constexpr bool is_caller() { return chain::is_caller; }
    static constexpr std::size_t workers() { return chain::workers; }
    static constexpr std::size_t newest() { return chain::newest; }
    static constexpr bool is_filled([[maybe_unused]] std::size_t progress) {
      if constexpr (chain::oldest > 0) return progress >= chain::oldest;
      return true;
    }
    static constexpr std::size_t first_node() { return node_at(0); }
    static constexpr std::size_t number(std::size_t progress) {
      return hosts::at(Thread, progress);
    }
    static void enter_device(Machine& m) { m.device.template enter<Thread>(); }
    static constexpr bool is_opened_by_pull() { return Machine::template opened_by_pull<Thread>; }
    static auto closed(Machine& m, const moment& at) { return m.template closed_at<Thread>(at); }
    /// Calls \p use with each signal that others may wait for.
    template <class Use>
    static void each_owned(Machine& m, std::size_t progress, Use use) {
      if constexpr (!Machine::alone)
        for (std::size_t place = 0; place < length; ++place) {
          const std::size_t n = node_at(place);
          if (awaited(n) || n == plan.deliver) use(m.signal_of(n, progress));
        }
    }
    /// Waits until the calls that this thread began have ended; there are no others in this run.
    static void end_calls(Machine& m)
      requires(Machine::begun::count > 0)
    {
      each_begun([&m](auto which) {
        if constexpr (Machine::begun::all[which].by == Thread)
          chain<Machine, Machine::begun::groups + which>::end_calls_of_this(m);
      });
    }
  };
  static constexpr identity self_at(const position&) { return {}; }

  /// Calls \p use with the number of each task that is a coroutine, as a constant.
  template <class Use>
  [[gnu::always_inline]] static void each_begun([[maybe_unused]] const Use& use) {
    [&]<std::size_t... Which>(std::index_sequence<Which...>) {
      (use(std::integral_constant<std::size_t, Which>{}), ...);
    }(std::make_index_sequence<Machine::begun::count>{});
  }
  /// Whether a node is replayed together with the one before it, without anything between them.
  static constexpr bool continues(std::size_t place) {
    if constexpr (Machine::replays) {
      if (place == 0 || waits_at(place) || (!pulls && place == first_new)) return false;
      return Machine::device_type::captures_after(node_at(place - 1), node_at(place));
    }
    return false;
  }
  /// The place before which this thread begins calls; its length: behind all. What one launch does
  /// is not taken apart for them, and none of it waits for them.
  static constexpr std::size_t beginning_place(const planner::begun_call& b) {
    std::size_t place = b.before;
    while (place < length && continues(place)) ++place;
    return place;
  }
  /// Whether this thread begins calls of coroutines before a place.
  static constexpr auto beginning = [] {
    std::array<bool, length + 1> any{};
    for (const auto& b : Machine::begun::all)
      if (b.by == Thread) any[beginning_place(b)] = true;
    return any;
  }();
  /// Begins those, each as soon as its waits are over. One that fails, or may not begin any more,
  /// stops the pipeline, as this thread finds out.
  [[gnu::noinline]] static void begin_calls([[maybe_unused]] Machine& m,
                                            [[maybe_unused]] const moment& at,
                                            [[maybe_unused]] std::size_t place) {
    each_begun([&](auto which) {
      constexpr auto b = Machine::begun::all[which];
      if constexpr (b.by == Thread)
        if (beginning_place(b) == place)
          chain<Machine, Machine::begun::groups + which>::begin_call(m, at);
    });
  }
  static bool begin_last_calls(Machine& m, const moment& at) {
    if constexpr (beginning[length]) begin_calls(m, at, length);
    return true;
  }

  // Of the chain of a task that is a coroutine, which has this one node.

  static auto& calls_of_this(Machine& m) { return m.calls.of[Thread - Machine::begun::groups]; }
  /// What follows runs on the thread that begins its calls; `finish` on the one that ends them.
  template <std::size_t Place>
  struct rules_of_call {
    using call = typename Machine::call_of_coroutine;
    static std::size_t progress(const call& c) { return c.at.progress(); }
    static void await(const call& c) { c.machine->await_all(c.at, node<Place>); }
    static bool stopped(const call& c) { return c.machine->stopped[Thread].early; }
    static bool stopping(const call& c) { return c.machine->stopping_at_once(); }
    static void refuse(const call& c) { chain::refuse(*c.machine, c.at.progress(), Place); }
    static bool fires(const call& c) {
      if (chain::calls(*c.machine, node<Place>, c.at.progress())) return true;
      pass_over(*c.machine, c.at, node<Place>);
      return false;
    }
    static void start(const call& c, runner::suspended_call& told) {
      if constexpr (Machine::submits)
        step::template order_before<node<Place>, false>(*c.machine, c.at);
      if constexpr (Machine::observed) step::template started<node<Place>>(*c.machine, c.at);
      step::template begin_call<node<Place>>(*c.machine, c.at, told, slot_list<Place>{},
                                             parameters<Place>{});
    }
    static void finish(const call& c) {
      if constexpr (Machine::observed) step::template finished<node<Place>>(*c.machine, c.at);
      pass(c);
    }
    static void pass(const call& c) { tell<Place>(*c.machine, c.at); }
    static void fail(const call& c) {
      chain::fail(*c.machine, c.at.progress(), Place);
      if (!stopped(c)) pass(c);
    }
  };
  static void begin_call(Machine& m, const moment& at) {
    calls_of_this(m).template begin<rules_of_call<0>>({&m, at});
  }
  static void end_calls_of_this(Machine& m) {
    const std::size_t next = calls_of_this(m).end();
    if (!m.stopped[Thread].early) rules::leave_before(m, identity{}, next, moment::epoch_of(next));
  }

  template <class Pull>
  [[gnu::always_inline]] static runner::progress_result every_task(Machine& m, position& where,
                                                                   moment& at, Pull& pull) {
    if constexpr (pulls) {
      bool batch = false;
      if (!pull_place<true>(m, where, at, pull, batch)) [[unlikely]]
        return runner::progress_result::stopped;
      if (!batch) [[unlikely]]
        return end(m, where, pull);
      return places<1, length, polls<Pull>>(m, where, at) && begin_last_calls(m, at)
                 ? runner::progress_result::complete
                 : runner::progress_result::stopped;
    } else {
      if (!places<0, first_new, polls<Pull>>(m, where, at)) [[unlikely]]
        return runner::progress_result::stopped;
      if constexpr (beginning[first_new]) begin_calls(m, at, first_new);
      await<first_new>(m, at);
      if (at.progress() >= m.batches() + newest) [[unlikely]]
        return end(m, where, pull);
      return places<first_new, length, polls<Pull>>(m, where, at) && begin_last_calls(m, at)
                 ? runner::progress_result::complete
                 : runner::progress_result::stopped;
    }
  }

  /// The rest of the progress in which the source turned out to have ended.
  template <class Pull>
  [[gnu::noinline]] static runner::progress_result end(Machine& m, const position& where,
                                                       Pull& pull) {
    const runner::progress_result w = walk(m, where, where.now(), pull, pulls ? 1 : first_new);
    return w == runner::progress_result::complete ? runner::progress_result::partial : w;
  }

  /// Runs what is at a place that is not known here. (Where this thread pulls, there is no body.)
  template <std::size_t First>
  [[gnu::always_inline]] static void body_at(Machine& m, const moment& at, std::size_t place) {
    // In pieces, because Clang limits a fold to 256 terms.
    constexpr std::size_t last = planner::smaller(length, First + 64);
    body_among<First>(m, at, place, std::make_index_sequence<last - First>{});
    if constexpr (last < length) body_at<last>(m, at, place);
  }
  template <std::size_t First, std::size_t... Index>
  [[gnu::always_inline]] static void body_among(Machine& m, const moment& at, std::size_t place,
                                                std::index_sequence<Index...>) {
    static_cast<void>(
        ((place == First + Index && (masked_body<First + Index>(m, at), true)) || ...));
  }
  /// The body at a place of a progress that may not be a steady one.
  template <std::size_t Place>
  [[gnu::always_inline]] static void masked_body(Machine& m, const moment& at,
                                                 bool follows = false) {
    if constexpr (plan.runs[node<Place>].at_end)
      if (m.is_behind_stream(node<Place>, at.progress())) [[unlikely]]
        return body_at_end<Place>(m, at);
    step::template run<node<Place>, !Machine::submits>(m, at, slot_list<Place>{},
                                                       parameters<Place>{}, follows);
  }
  /// That of a task which runs for what is left of a group.
  template <std::size_t Place>
  [[gnu::noinline, gnu::cold]] static void body_at_end(Machine& m, const moment& at) {
    using moment_of_node = moment_at_end<Machine, node<Place>>;
    detail::step<Machine, Thread, moment_of_node>::template run<node<Place>, false>(
        m, moment_of_node(m, at.progress()), slot_list<Place>{}, parameters<Place>{});
  }

  /// The chain from a place on, each task only if it fires.
  template <class Pull>
  [[gnu::noinline]] static runner::progress_result walk(Machine& m,
                                                        [[maybe_unused]] const position& where,
                                                        const moment& at, Pull& pull,
                                                        std::size_t first) {
    if constexpr (is_unrolled) {
      bool goes_on = true;
      if constexpr (pulls) {
        bool batch = false;
        while (first == 0 && goes_on && !pull_place<false>(m, where, at, pull, batch))
          goes_on = !m.stopped[identity::number(at.progress())].early;
      }
      goes_on = goes_on && from<polls<Pull>>(m, at, planner::larger(first, std::size_t{pulls}));
      return after_walk(m, at, goes_on);
    } else {
      runner::stopping_point& here = m.stopped[identity::number(at.progress())];
      here.asking = true;
      here.place = first;
      // Once more, from where a task has failed.
      while (!walk_pieces(m, where, at, pull, here.place))
        if (here.early) return runner::progress_result::stopped;
      here.asking = false;
      return after_walk(m, at, true);
    }
  }
  static runner::progress_result after_walk(Machine& m, const moment& at, bool goes_on) {
    goes_on = goes_on && begin_last_calls(m, at);
    return goes_on ? runner::progress_result::complete : runner::progress_result::stopped;
  }
  /// A long chain from a place on.
  template <class Pull>
  static bool walk_pieces(Machine& m, [[maybe_unused]] const position& where, const moment& at,
                          Pull& pull, std::size_t first) {
    if constexpr (pulls) {
      bool batch = false;
      if (first == 0 && !pull_place<false>(m, where, at, pull, batch)) return false;
      return places<1, length, polls<Pull>, false>(m, where, at);
    } else {
      if (first < first_new && !places<0, first_new, polls<Pull>, false>(m, where, at))
        return false;
      // From here on it is known whether there is a newest batch.
      if constexpr (beginning[first_new]) begin_calls(m, at, first_new);
      m.await_all(at, node_at(first_new));
      return places<first_new, length, polls<Pull>, false>(m, where, at);
    }
  }

  /// A short chain from a place on, not unrolled: prefill and drain are few, and another unrolled
  /// copy of every task would cost a fifth of a user's compile time.
  template <bool Polls>
  static bool from(Machine& m, const moment& at, std::size_t first) {
    for (std::size_t place = first; place < length; ++place) {
      const std::size_t n = node_at(place);
      if constexpr (Machine::begun::count > 0)
        if (beginning[place]) begin_calls(m, at, place);
      m.await_all(at, n);
      if constexpr (Polls)
        if (m.stopping_at_once()) return refuse(m, at.progress(), place);
      try {
        if (calls(m, n, at.progress())) {
          body_at<pulls ? 1 : 0>(m, at, place);
        } else {
          pass_over(m, at, n);
        }
      } catch (...) {
        fail(m, at.progress(), place);
        if (m.stopped[identity::number(at.progress())].early) return false;
        --place;  // now to be passed over
        continue;
      }
      if (awaited(n)) m.publish(at, n);
    }
    return true;
  }
  static bool fires(const Machine& m, std::size_t n, std::size_t progress) {
    if (n == plan.pull) return m.batches() == Machine::not_yet_known;
    if constexpr (plan.rated)
      return m.fires(plan.lag[n], progress) && plan.runs_for(n, progress - plan.lag[n]);
    else
      return m.fires(plan.lag[n], progress);
  }

  /// Whether it is called then: one that fires is, unless the run ends before or was given what it
  /// writes.
  static bool calls(const Machine& m, std::size_t n, std::size_t progress) {
    if constexpr (Machine::ends_groups)
      if (m.ends_group(n, progress))
        return !m.failure.ends_before(m.place_of(n, progress - plan.lag[n]));
    return fires(m, n, progress) && !m.is_given(n, plan.lag[n], progress) &&
           (n == plan.pull || !m.failure.ends_before(m.place_of(n, progress - plan.lag[n])));
  }
  /// Of a node that is not.
  static void pass_over(Machine& m, const moment& at, std::size_t n) {
    rules::note_passed(m, identity{}, n, at.progress());
    step::leave_out(m, at, n);
    if (m.given.any()) [[unlikely]]
      m.put_given(n, at.progress());
  }

  /// The places from `First` to `Last`, one after the other, in a progress in which each fires or,
  /// if not `Every`, may not. Whether the pipeline goes on.
  template <std::size_t First, std::size_t Last, bool Polls, bool Every = true>
  [[gnu::always_inline]] static bool places(Machine& m, const position& where, const moment& at) {
    // In pieces, because Clang limits a fold to 256 terms, and functions that are long to compile.
    constexpr std::size_t piece = is_unrolled ? 64 : long_piece;
    if constexpr (Last - First > piece) {
      return places<First, First + piece, Polls, Every>(m, where, at) &&
             places<First + piece, Last, Polls, Every>(m, where, at);
    } else if constexpr (is_unrolled) {
      return piece_of<First, Polls>(m, where, at, std::make_index_sequence<Last - First>{});
    } else {
      constexpr bool all = Every && !plan.rated;
      return masked_piece_of<First, Polls>(m, at,
                                           all ? every_one : firing<Every>(m, at, First, Last),
                                           std::make_index_sequence<Last - First>{});
    }
  }
  template <std::size_t First, bool Polls, std::size_t... Index>
  [[gnu::always_inline]] static bool piece_of(Machine& m, const position& where, const moment& at,
                                              std::index_sequence<Index...>) {
    return (place<First + Index, Polls>(m, where, at) && ...);
  }

  /// A piece of a long chain, which runs those of its places whose bits are set in \p fire: one
  /// function for all progresses, in which each body is compiled once, with one handler for all.
  /// What is around a body is called where it takes more than a few instructions.
  template <std::size_t First, bool Polls, std::size_t... Index>
  [[gnu::noinline]] static bool masked_piece_of(Machine& m, const moment& at,
                                                [[maybe_unused]] std::uint64_t fire,
                                                std::index_sequence<Index...>) {
    std::size_t at_place = First;
    try {
      if ((masked_place<First + Index, Polls>(m, at, at_place, (fire >> Index & 1U) != 0,
                                              Index > 0 && (fire << 1U >> Index & 1U) != 0) &&
           ...))
        return true;
    } catch (...) {
      return fail(m, at.progress(), at_place);
    }
    return refuse(m, at.progress(), at_place);
  }
  template <std::size_t Place, bool Polls>
  [[gnu::always_inline]] static bool masked_place(Machine& m, const moment& at,
                                                  std::size_t& at_place, bool fires,
                                                  bool before_fires) {
    if constexpr (beginning[Place]) begin_calls(m, at, Place);
    if constexpr (waits_at(Place)) m.await_all(at, node<Place>);
    at_place = Place;
    if constexpr (Polls) {
      if (m.stopping()) [[unlikely]]
        if (!asks_again(m, at.progress(), Place, fires)) return false;
    }
    if constexpr (asks_late(Place)) fires = calls(m, node<Place>, at.progress());
    if (fires) [[likely]] {
      masked_body<Place>(m, at, before_fires && following[Place]);
    } else if (!is_behind(m, at.progress(), Place)) {
      pass_over(m, at, node<Place>);
    }
    if constexpr (telling[Place]) m.publish(at, node<Place>);
    return true;
  }
  /// The run was told something when a place's waits were over. Whether the thread goes on, having
  /// asked once more whether the task is called: as it does for each, and if only a task failed.
  [[gnu::noinline, gnu::cold]] static bool asks_again(Machine& m, std::size_t progress,
                                                      std::size_t place, bool& fires) {
    if (!m.is_ending_early() || !m.stopped[identity::number(progress)].asking) return false;
    fires = fires && calls(m, node_at(place), progress);
    return true;
  }
  /// Whether a place has been done before a task failed that the thread goes on from.
  static bool is_behind(const Machine& m, std::size_t progress, std::size_t place) {
    const runner::stopping_point& here = m.stopped[identity::number(progress)];
    return here.asking && place < here.place;
  }

  /// Whether it is known only after a place's waits whether its task fires. What a thread learned
  /// of older batches in its last progress, a worker must be told by its fellows.
  static constexpr bool asks_late(std::size_t place) {
    return workers > 1 && !pulls && place < first_new;
  }
  /// Which of some places fire; a task on the newest batch is asked after what tells whether there
  /// is one.
  template <bool Every>
  static std::uint64_t firing(const Machine& m, const moment& at, std::size_t first,
                              std::size_t last) {
    std::uint64_t set = 0;
    for (std::size_t place = first; place < last; ++place)
      if (Every ? fires(m, node_at(place), at.progress())
                : !is_behind(m, at.progress(), place) && calls(m, node_at(place), at.progress()))
        set |= std::uint64_t{1} << (place - first);
    return set;
  }
  static constexpr std::uint64_t every_one = ~std::uint64_t{0};

  template <std::size_t Place>
  [[gnu::always_inline]] static void await([[maybe_unused]] Machine& m,
                                           [[maybe_unused]] const moment& at) {
    if constexpr (waits_at(Place)) {
      constexpr planner::range of = waits.of[node<Place>];
      await_each<of.first>(m, at, std::make_index_sequence<of.last - of.first>{});
    }
  }
  template <std::size_t First, std::size_t... Index>
  [[gnu::always_inline]] static void await_each(Machine& m, const moment& at,
                                                std::index_sequence<Index...>) {
    (m.template await<Thread, waits.edges[First + Index].producer,
                      static_cast<std::size_t>(waits.edges[First + Index].delta)>(at),
     ...);
  }

  /// Whether a place comes right after the one before it: its thread neither waits nor tells
  /// anybody in between, and calls neither a device nor what makes collectives.
  static constexpr bool follows(std::size_t place) {
    if (Machine::submits || Machine::collects || place == 0) return false;
    if (waits_at(place) || beginning[place] || (!pulls && place == first_new)) return false;
    // Nothing happens at a delivery but waiting.
    if (node_at(place - 1) == plan.deliver) return follows(place - 1);
    const std::size_t before = node_at(place - 1);
    if constexpr (plan.drops)
      if (verdicts_of<schedule>.may_be_skipped(before)) return false;
    if (awaited(before) || asks_late(place - 1)) return false;
    return before == plan.pull || plan.runs[before].every == 1;
  }
  static constexpr auto following = [] {
    std::array<bool, length> all{};
    for (std::size_t i = 0; i < length; ++i) all[i] = follows(i);
    return all;
  }();

  static constexpr bool replayed(std::size_t place) {
    if constexpr (Machine::replays) return Machine::device_type::captures(node_at(place));
    return false;
  }
  static constexpr std::size_t last_together(std::size_t place) {
    while (place + 1 < length && continues(place + 1)) ++place;
    return place;
  }

  /// Runs nodes that the device replays together, as place() runs one.
  template <std::size_t First, bool Polls, std::size_t... More>
  [[gnu::always_inline]] static bool together(Machine& m, const position& where, const moment& at,
                                              std::index_sequence<More...> more) {
    if constexpr (waits_at(First) && (pulls || First != first_new)) await<First>(m, at);
    if constexpr (Polls) {
      if (m.stopping()) [[unlikely]]
        return refuse(m, step::number(where, at), First);
    }
    constexpr bool across = Machine::device_type::spans(node<First>);
    try {
      bool launched = false;
      if constexpr (across) {
        step::go_on(m);
      } else {
        step::template order_before<node<First>, true>(m, at);
      }
      if constexpr (Machine::observed) step::template started<node<First>>(m, at);
      if constexpr (across) {
        launched = m.device.template launch_next_across<node<First>, node<First + 1 + More>...>(
            at.progress());
      } else {
        launched = m.device.template launch_next<node<First>>();
      }
      if (!launched) [[unlikely]] {
        if (!replay<First>(m, where, more)) return false;
      }
      if constexpr (!across) m.device.template after<node<First + sizeof...(More)>>(at.progress());
      if constexpr (Machine::observed) {
        step::template finished<node<First>>(m, at);
        ((step::template started<node<First + 1 + More>>(m, at),
          step::template finished<node<First + 1 + More>>(m, at)),
         ...);
      }
    } catch (...) {
      return fail(m, step::number(where, at), First);
    }
    tell<First>(m, at);
    (tell<First + 1 + More>(m, at), ...);
    return true;
  }
  /// Has the device replay them where that may take calls of their bodies. Whether the pipeline
  /// goes on.
  template <std::size_t First, std::size_t... More>
  [[gnu::noinline]] static bool replay(Machine& m, const position& where,
                                       std::index_sequence<More...>) {
    const moment at = where.now();
    std::size_t place = First;
    bool captured = false;
    try {
      if constexpr (Machine::device_type::spans(node<First>)) {
        m.device.template replay_across<node<First>, node<First + 1 + More>...>(
            at.progress(), m.prepared(), [&](auto index, auto before, bool is_captured) {
              constexpr std::size_t here = First + decltype(index)::value;
              place = here;
              captured = is_captured;
              before();
              step::template run<node<here>, true, true>(m, at, slot_list<here>{},
                                                         parameters<here>{});
            });
      } else {
        m.device.template replay<node<First>, node<First + 1 + More>...>(
            at.progress(), m.prepared(), [&](bool is_captured) {
              place = First;  // they may be called again
              captured = is_captured;
              step::template run<node<First>, true, true>(m, at, slot_list<First>{},
                                                          parameters<First>{});
              ((place = First + 1 + More,
                step::template run<node<First + 1 + More>, true, true>(
                    m, at, slot_list<First + 1 + More>{}, parameters<First + 1 + More>{})),
               ...);
            });
      }
    } catch (...) {
      return fail(m, at.progress(), place, captured ? First : place);
    }
    return true;
  }

  template <std::size_t Place>
  [[gnu::always_inline]] static void tell([[maybe_unused]] Machine& m,
                                          [[maybe_unused]] const moment& at) {
    if constexpr (telling[Place]) m.template signal_at<node<Place>>(at).publish(at.epoch());
  }

  /// Runs what is at a place unless the pipeline stops, and tells who waits for it.
  template <std::size_t Place, bool Polls>
  [[gnu::always_inline]] static bool place(Machine& m, [[maybe_unused]] const position& where,
                                           const moment& at) {
    if constexpr (continues(Place)) {
      return true;
    } else if constexpr (replayed(Place)) {
      if constexpr (beginning[Place]) begin_calls(m, at, Place);
      return together<Place, Polls>(m, where, at,
                                    std::make_index_sequence<last_together(Place) - Place>{});
    } else {
      if constexpr (beginning[Place]) begin_calls(m, at, Place);
      if constexpr (waits_at(Place) && (pulls || Place != first_new)) await<Place>(m, at);
      if constexpr (Polls) {
        if (m.stopping()) [[unlikely]]
          return refuse(m, step::number(where, at), Place);
      }
      try {
        if (plan.runs[node<Place>].every == 1 ||
            plan.runs_for(node<Place>, at.progress() - plan.lag[node<Place>]))
          step::template run<node<Place>, true>(m, at, slot_list<Place>{}, parameters<Place>{},
                                                following[Place]);
        else
          step::leave_out(m, at, node<Place>);
      } catch (...) {
        return fail(m, step::number(where, at), Place);
      }
      if constexpr (telling[Place]) m.template signal_at<node<Place>>(at).publish(at.epoch());
      return true;
    }
  }

  /// Runs the place where this thread pulls, in a progress in which it does or, if not `Every`, may
  /// not. Whether the pipeline goes on, and whether there was a batch.
  template <bool Every, class Pull>
  [[gnu::always_inline]] static bool pull_place(Machine& m, [[maybe_unused]] const position& where,
                                                const moment& at, Pull& pull, bool& batch) {
    await<0>(m, at);
    if constexpr (polls<Pull>) {
      if constexpr (!Machine::alone && Machine::pulls_apart)
        runner::light_fence();  // see machine::release_pull
      if (Every ? m.stopping() : m.stopping_at_once()) [[unlikely]]
        return refuse(m, step::number(where, at), 0);
    }
    try {
      if (Every || calls(m, plan.pull, at.progress())) {
        batch = step::template take < Every || !Machine::submits > (m, where, at, pull);
      } else {
        pass_over(m, at, plan.pull);
      }
    } catch (...) {
      return fail(m, step::number(where, at), 0);
    }
    if constexpr (awaited(plan.pull)) m.template signal_at<plan.pull>(at).publish(at.epoch());
    return true;
  }

  // These take the progress, not the moment: of whose address something knows, that does not stay
  // in registers.
  [[gnu::noinline, gnu::cold]] static bool refuse(Machine& m, std::size_t progress,
                                                  std::size_t place) {
    if (m.is_ending_early()) {
      m.stopped[identity::number(progress)].place = place;
    } else {
      rules::stop_at(m, identity{}, progress, place, moment::epoch_of(progress));
    }
    return false;
  }
  /// Inside a handler.
  [[gnu::noinline, gnu::cold]] static bool fail(Machine& m, std::size_t progress,
                                                std::size_t place) {
    return fail(m, progress, place, place);
  }
  /// Where no place from \p undone on has been done: what was only captured has not.
  [[gnu::noinline, gnu::cold]] static bool fail(Machine& m, std::size_t progress, std::size_t place,
                                                std::size_t undone) {
    rules::failed(m, identity{}, node_at(place), undone, progress, moment::epoch_of(progress),
                  std::current_exception());
    return false;
  }
};

}  // namespace stretto::typed::detail
