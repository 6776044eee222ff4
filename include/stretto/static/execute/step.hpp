// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <boost/hana/basic_tuple.hpp>
#include <cstddef>
#include <span>
#include <stretto/declare/address_of.hpp>
#include <stretto/declare/context.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/observe/observer.hpp>
#include <stretto/plan/derive/threads.hpp>
#include <stretto/plan/model/firing.hpp>
#include <stretto/run/backend.hpp>
#include <stretto/run/observer_error.hpp>
#include <stretto/run/stand_in.hpp>
#include <stretto/static/errors/body.hpp>
#include <stretto/static/execute/coroutine_parameters.hpp>
#include <stretto/static/execute/machine.hpp>
#include <stretto/static/execute/past_values.hpp>
#include <stretto/static/execute/ring.hpp>
#include <type_traits>

namespace stretto::typed::detail {

/// Running one node in one progress: what the device orders before it, the body with its slots and
/// context, what collectives and observers are told.
template <class Machine, std::size_t Thread, class Moment = typename Machine::position::moment>
class step {
  using schedule = typename Machine::schedule;
  using position = typename Machine::position;
  using moment = Moment;
  using tasks = typename declared<schedule>::tasks;
  using hosts = typename Machine::hosts;
  static constexpr const auto& plan = Machine::plan;

 public:
  /// The slots of a node and what its body gets of them, which its functions are given: looked up
  /// there, they would take another function for each node.
  template <std::size_t Node, bool = (Node < plan.tasks)>
  struct arguments {
    using slot_list = pack<>;
    using parameters = pack<>;
  };
  template <std::size_t Node>
  struct arguments<Node, true> : body<declare::nth<Node, tasks>, typename Machine::context> {};

  /// Runs a node that does not pull. (Whether the progress is a steady one makes no difference
  /// where there is no device.) Of a node that is replayed, only its body. \p follows: it comes
  /// right after another one.
  template <std::size_t Node, bool Steady, bool OnlyBody = false, class... Slot, class... Parameter>
  [[gnu::always_inline]] static void run(Machine& m, const moment& at, pack<Slot...>,
                                         pack<Parameter...>,
                                         [[maybe_unused]] bool follows = false) {
    if constexpr (Node == plan.deliver) {
      // The result is handed out by whoever runs the calling thread's chain, as soon as it is
      // there.
      if constexpr (Machine::submits) order_before<plan.deliver, Steady>(m, at);
    } else {
      using task = declare::nth<Node, tasks>;
      constexpr std::size_t lag = lags_of<schedule>[Node];
      constexpr bool collective = Machine::collects && own<scalar::collective, task> && !OnlyBody;
      constexpr bool shared =
          hosts::workers(Thread) > 1 && planner::shared_by_workers(declared<schedule>::value, Node);
      constexpr bool drops = drops_if<Node, planner::may_drop>();
      constexpr bool catches = drops_if<Node, planner::drops_failures>();
      constexpr bool replaceable =
          runner::replaces_bodies<decltype(Machine::observer)> && !collective && !OnlyBody;
      using object_type = std::conditional_t<shared, const task, task>;
      if constexpr (plan.drops)
        if (skips<Node>(m, judged_batch<lag>(at))) {
          leave_out(m, at, Node);
          if constexpr (observe::observes_drops<decltype(m.observer)>) passed_over<Node>(m, at);
          return;
        }
      if constexpr (Machine::submits && !OnlyBody) order_before<Node, Steady>(m, at);
      if constexpr (Machine::observed && !OnlyBody) started<Node>(m, at, follows);
      if constexpr (collective && plan.rated) runner::tell_end(m.collectives, m);
      if constexpr (collective)
        m.collectives.before(Node, at.progress() - lag, at.progress(),
                             [&m] { return m.stopping(); });
      // Const where workers share it.
      typename called_task<drops, catches>::template type<object_type> object =
          boost::hana::at_c<Node % declare::row_size>(
              static_cast<task_row<schedule, Node / declare::row_size>&>(m.tasks).all);
      bool stood_in = false;
      if constexpr (replaceable) stood_in = stand_in<Node, false>(m, at, written_by<task>{});
      if (!stood_in) {
        if constexpr (body<task, typename Machine::context>::wants_context) {
          auto ctx = context_at<Node>(m, at);
          if constexpr (has_items<task>)
            for (std::size_t call = 0; call < calls<Node>; ++call)
              object(ctx, static_cast<Parameter>(
                              past_values<lag>::template get_items<Slot>(at, past_of(m), call))...);
          else if constexpr (body<task, typename Machine::context>::looks_back)
            object(ctx,
                   static_cast<Parameter>(past_values<lag>::template get<Slot>(at, past_of(m)))...);
          else
            object(ctx, static_cast<Parameter>(at.template value<Slot, lag>(m.memory))...);
        } else if constexpr (has_items<task>) {
          for (std::size_t call = 0; call < calls<Node>; ++call)
            object(static_cast<Parameter>(
                past_values<lag>::template get_items<Slot>(at, past_of(m), call))...);
        } else if constexpr (body<task, typename Machine::context>::looks_back) {
          object(static_cast<Parameter>(past_values<lag>::template get<Slot>(at, past_of(m)))...);
        } else {
          object(static_cast<Parameter>(at.template value<Slot, lag>(m.memory))...);
        }
      }
      if constexpr (catches)
        if (object.error != nullptr) [[unlikely]] {
          m.verdicts.template fail<Node>(at.progress() - lag, object.error);
          if constexpr (Machine::observed && !OnlyBody) failure_dropped<Node>(m, at);
          return;
        }
      if constexpr (drops) m.verdicts.template say<Node>(at.progress() - lag, object.said);
      if constexpr (replaceable)
        if (!stood_in) stand_in<Node, true>(m, at, written_by<task>{});
      // Before others make calls, which could hide what it has left behind.
      if constexpr (Machine::submits) m.device.template after_body<Node>();
      if constexpr (collective) m.collectives.after(Node, at.progress() - lag, at.progress());
      if constexpr (Machine::submits && Machine::observed && !OnlyBody) submitted<Node>(m, at);
      if constexpr (Machine::submits && !OnlyBody) m.device.template after<Node>(at.progress());
      if constexpr (Machine::observed && !OnlyBody) finished<Node>(m, at);
    }
  }

  /// Of a node that is not called in a progress, because it does not fire or because its batch was
  /// dropped: its stream waits as ever, and the event is recorded. So whoever waits for that waits
  /// for what the node would have come after, and each wait that the plan left out, as others lead
  /// to it, stays left out with reason. A wait for the work on a dropped batch is one for what its
  /// stream had to do before.
  static void leave_out([[maybe_unused]] Machine& m, [[maybe_unused]] const moment& at,
                        [[maybe_unused]] std::size_t node) {
    if constexpr (Machine::submits) {
      // A worker that learns late of the end finds nothing recorded there any more.
      if (m.over(at.progress())) return;
      m.device.before(node, at.progress());
      if (node != plan.deliver) m.device.after(node, at.progress());
    }
  }

  /// Begins a call of a node that is a coroutine, which tells \p of when it ends.
  template <std::size_t Node, class Call, class... Slot, class... Parameter>
  static void begin_call(Machine& m, const moment& at, Call& of, pack<Slot...>,
                         pack<Parameter...>) {
    using task = declare::nth<Node, tasks>;
    using called = body<task, typename Machine::context>;
    constexpr std::size_t lag = lags_of<schedule>[Node];
    check_coroutine<task, typename Machine::context>(pack<Parameter...>{});
    task& object = boost::hana::at_c<Node % declare::row_size>(
        static_cast<task_row<schedule, Node / declare::row_size>&>(m.tasks).all);
    auto made = [&] {
      if constexpr (called::wants_context) {
        auto ctx = context_at<Node>(m, at);
        return of.made([&] {
          return object(ctx, static_cast<Parameter>(at.template value<Slot, lag>(m.memory))...);
        });
      } else {
        return of.made([&] {
          return object(static_cast<Parameter>(at.template value<Slot, lag>(m.memory))...);
        });
      }
    }();
    std::move(made).begin(of);
  }

  /// The number of a progress, where it is needed but rarely. Where a progress is a few launches it
  /// is read again then, so that in others it is counted and no more.
  static std::size_t number([[maybe_unused]] const position& where,
                            [[maybe_unused]] const moment& at) {
    if constexpr (Machine::replays) return where.progress();
    return at.progress();
  }

  /// Asks the source for a batch; whether there was one.
  template <bool Steady, class Pull>
  [[gnu::always_inline]] static bool take(Machine& m, const position& where, const moment& at,
                                          Pull& pull) {
    using slot = typename declared<schedule>::source_part::slot;
    if constexpr (Machine::submits) order_before<plan.pull, Steady>(m, at);
    if constexpr (Machine::observed) started<plan.pull>(m, at);
    bool batch = pull(at.template value<slot, 0>(m.memory));
    if constexpr (Machine::collects && declared<schedule>::value.from.collective)
      batch = m.collectives.agree(batch, at.progress(), [&m] { return m.stopping(); });
    if (!batch) m.end_source(number(where, at));
    if constexpr (Machine::observed) pulled(m, at, batch);
    return batch;
  }

  /// Has the device wait for what a node needs.
  template <std::size_t Node, bool Steady>
  [[gnu::always_inline]] static void order_before(Machine& m, const moment& at) {
    if constexpr (Steady) {
      m.device.template before<Node>(at.progress());
    } else {
      m.device.before(Node, at.progress());
    }
    go_on(m);
  }
  /// What a host task has waited for may have ended only because it was aborted.
  [[gnu::always_inline]] static void go_on([[maybe_unused]] Machine& m) {
    if constexpr (Machine::collects)
      if constexpr (requires { m.collectives.go_on(); }) m.collectives.go_on();
  }

  template <class Value>
  static void* place_of(Value& value) {
    return declare::address_of(value);
  }
  /// The first of them.
  template <class Slot, auto Items>
  static void* place_of(const produces<Slot, Items>& items) {
    return items.data();
  }
  template <class Task>
  using written_by = typename body<Task, typename Machine::context>::writes;
  /// Asks whether an observer has stood in for a body, or tells it that the body is done.
  template <std::size_t Node, bool Done, class... Write>
  static bool stand_in(Machine& m, const moment& at, pack<Write...>) {
    const std::size_t progress = at.progress();
    const std::size_t host = hosts::at(Thread, progress);
    const std::size_t batch = progress - plan.lag[Node];
    void* const places[] = {place_of(past_values<plan.lag[Node]>::template get_items<Write>(
                                at, static_cast<ring<schedule>&>(m.memory), 0))...,
                            nullptr};
    const std::span<void* const> written(&places[0], sizeof...(Write));
    try {
      if constexpr (Done) {
        m.observer.body_done(host, Node, batch, written);
        return true;
      } else {
        return m.observer.stand_in(host, Node, batch, written);
      }
    } catch (...) {
      runner::throw_observer_error(Done);
    }
  }

  template <std::size_t Node>
  static void started(Machine& m, const moment& at, [[maybe_unused]] bool follows = false) {
    const std::size_t progress = at.progress();
    const std::size_t host = hosts::at(Thread, progress);
    try {
      if constexpr (observe::observes_phases<decltype(m.observer)>) {
        m.observer.started(host, Node, progress - plan.lag[Node], phase_at(m, progress));
      } else {
        if constexpr (observe::observes_successions<decltype(m.observer)>)
          if (follows)
            return m.observer.started(host, Node, progress - plan.lag[Node], back_to_back{});
        m.observer.started(host, Node, progress - plan.lag[Node]);
      }
    } catch (...) {
      runner::throw_observer_error(false);
    }
  }
  template <std::size_t Node>
  static void submitted([[maybe_unused]] Machine& m, [[maybe_unused]] const moment& at) {
    if constexpr (observe::observes_submissions<decltype(m.observer)>) {
      const std::size_t progress = at.progress();
      try {
        m.observer.submitted(hosts::at(Thread, progress), Node, progress - plan.lag[Node]);
      } catch (...) {
        runner::throw_observer_error(true);
      }
    }
  }
  template <std::size_t Node>
  static void finished(Machine& m, const moment& at) {
    const std::size_t progress = at.progress();
    try {
      m.observer.finished(hosts::at(Thread, progress), Node, progress - plan.lag[Node]);
    } catch (...) {
      runner::throw_observer_error(true);
    }
  }

  /// Of the source; \p batch: it had one.
  static void pulled(Machine& m, const moment& at, [[maybe_unused]] bool batch) {
    if constexpr (observe::observes_empty_sources<decltype(m.observer)>) {
      if (!batch) {
        const std::size_t progress = at.progress();
        try {
          m.observer.no_batch(hosts::at(Thread, progress), plan.pull, progress);
        } catch (...) {
          runner::throw_observer_error(true);
        }
        return;
      }
    }
    finished<plan.pull>(m, at);
  }

  /// What \p Asked says of a task, where any drops batches: for each look at a schedule's tasks
  /// nvcc takes memory for all of them.
  template <std::size_t Node, bool (*Asked)(const planner::task&)>
  static consteval bool drops_if() {
    if constexpr (plan.drops) {
      return Asked(declared<schedule>::value.tasks[Node]);
    } else {
      return false;
    }
  }
  /// Of a task whose batch is dropped because it failed.
  template <std::size_t Node>
  static void failure_dropped(Machine& m, const moment& at) {
    if constexpr (observe::observes_dropped_failures<decltype(m.observer)>) {
      const std::size_t progress = at.progress();
      try {
        m.observer.failure_dropped(hosts::at(Thread, progress), Node, progress - plan.lag[Node]);
      } catch (...) {
        runner::throw_observer_error(true);
      }
    } else {
      finished<Node>(m, at);
    }
  }
  template <std::size_t Node>
  static void passed_over(Machine& m, const moment& at) {
    const std::size_t progress = at.progress();
    try {
      m.observer.passed_over(hosts::at(Thread, progress), Node, progress - plan.lag[Node]);
    } catch (...) {
      runner::throw_observer_error(false);
    }
  }

 private:
  /// Whether a task is called with items of slots, and how often for a batch.
  template <class Task>
  static constexpr bool has_items = [] {
    if constexpr (declared<schedule>::has_items) {
      return task_fields<Task>::has_items;
    } else {
      return false;
    }
  }();
  template <std::size_t Node>
  static constexpr auto calls =
      static_cast<std::size_t>(declared<schedule>::value.tasks[Node].calls);

  /// Whether a node is passed over because a task before it has dropped the batch.
  template <std::size_t Node>
  [[gnu::always_inline]] static bool skips(Machine& m, std::size_t batch) {
    if constexpr (verdicts_of<schedule>.may_be_skipped(Node))
      return m.verdicts.template skips<Node>(batch);
    return false;
  }

  /// The batch whose verdicts count for a node: at the end, that of the last one.
  template <std::size_t Lag>
  [[gnu::always_inline]] static std::size_t judged_batch(const moment& at) {
    if constexpr (requires { at.last_batch(); }) {
      return at.last_batch();
    } else {
      return at.progress() - Lag;
    }
  }

  /// Where values of earlier batches are.
  static auto& past_of(Machine& m) {
    if constexpr (plan.drops)
      return m;
    else
      return static_cast<ring<schedule>&>(m.memory);
  }

  static phase phase_at(const Machine& m, std::size_t progress) {
    if (progress > m.batches()) return phase::drain;
    return planner::filled(plan.max_lookahead, progress - m.first) ? phase::steady : phase::prefill;
  }

  /// What a body gets that asks for its context.
  template <std::size_t Node>
  [[gnu::always_inline]] static auto context_at(Machine& m, const moment& at) {
    if constexpr (gives_handle<Node>()) {
      return m.device.template handle_at<Node>();
    } else {
      const std::size_t progress = at.progress();
      return context_at<Node>(
          m, task_context(progress - plan.lag[Node], progress, phase_at(m, progress),
                          name_of<declare::nth<Node, tasks>>.text, plan.thread_names[Thread]));
    }
  }
  template <std::size_t Node>
  static consteval bool gives_handle() {
    if constexpr (Machine::submits)
      return Machine::device_type::template gives_handle<Node>;
    else
      return false;
  }
  template <std::size_t Node>
  [[gnu::always_inline]] static auto context_at([[maybe_unused]] Machine& m,
                                                const task_context& here) {
    if constexpr (Machine::submits && Machine::collects) {
      return typename Machine::context(m.device.template context_at<Node>(here),
                                       m.collectives.context_of(Node));
    } else if constexpr (Machine::submits) {
      return m.device.template context_at<Node>(here);
    } else if constexpr (Machine::collects) {
      return typename Machine::context(here, m.collectives.context_of(Node));
    } else {
      return here;
    }
  }
};

}  // namespace stretto::typed::detail
