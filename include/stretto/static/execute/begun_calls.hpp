// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/suspends.hpp>
#include <stretto/plan/derive/threads.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <string_view>
#include <type_traits>

namespace stretto::typed::detail {

/// Tasks that are coroutines. In the plan each is a thread group of its own, of which there is no
/// thread: another thread begins its calls, at their place in the plan's order, and goes on.
template <class Schedule>
struct begun_calls {
  static constexpr const auto& plan = plan_of<Schedule>;

  static constexpr std::size_t count = [] {
    std::size_t all = 0;
    for (std::size_t n = 0; n < plan.tasks; ++n)
      if (planner::suspends(declared<Schedule>::value, n)) ++all;
    return all;
  }();
  /// The groups that threads run.
  static constexpr std::size_t groups = plan.threads - count;

  struct begun {
    std::size_t node = 0;
    std::size_t by = 0;      ///< the thread that begins it
    std::size_t before = 0;  ///< the place in that thread's chain before which it does
  };
  /// By group, from `groups` on. A thread that the task names is the one if there is one of that
  /// name, else the calling thread.
  static constexpr std::array<begun, count> all = [] {
    const planner::declaration& d = declared<Schedule>::value;
    std::array<std::size_t, plan.nodes> position{};
    for (std::size_t i = 0; i < plan.nodes; ++i) position[plan.order[i]] = i;
    std::array<begun, count> found{};
    for (std::size_t g = groups; g < plan.threads; ++g) {
      begun& b = found[g - groups];
      b.node = plan.chained[plan.chains[g].first];
      const std::string_view thread = planner::thread_name(d.tasks[b.node]);
      for (std::size_t t = 0; t < groups; ++t)
        if (plan.thread_names[t] == thread && thread != d.caller_runs) b.by = t;
      const planner::range chain = plan.chains[b.by];
      // Whoever pulls does that first.
      b.before = plan.thread_of[plan.pull] == b.by ? 1 : 0;
      while (chain.first + b.before < chain.last &&
             position[plan.chained[chain.first + b.before]] < position[b.node])
        ++b.before;
    }
    return found;
  }();
};

/// What is known of a call that was begun: of the coroutine, and of the progress it is for.
template <class Moment, class Suspendable>
struct call_under_way {
  typename Suspendable::call call;
  std::optional<Moment> at;
  void* machine = nullptr;
  std::size_t next = 0;  ///< the progress of the next call
};
template <class Moment, class Suspendable, std::size_t Count>
struct calls_under_way {
  std::array<call_under_way<Moment, Suspendable>, Count> of;
  void restart(std::size_t progress) {
    for (auto& each : of) each.next = progress;
  }
};
template <class Moment, class Suspendable>
struct calls_under_way<Moment, Suspendable, 0> {
  static void restart(std::size_t) {}
};

/// Whether a coroutine's parameters are there as long as it is: values, or references to slots.
template <bool TakesContext, class... Declared, class... Passed>
consteval bool outlive_their_call(pack<Declared...>, pack<Passed...>) {
  if constexpr (TakesContext) {
    return []<class Context, class... Rest>(pack<Context, Rest...>) {
      return !std::is_reference_v<Context> &&
             outlive_their_call<false>(pack<Rest...>{}, pack<Passed...>{});
    }(pack<Declared...>{});
  } else {
    return ((!std::is_reference_v<Declared> ||
             std::is_convertible_v<std::remove_reference_t<Passed>*,
                                   std::remove_reference_t<Declared>*>)&&...);
  }
}

}  // namespace stretto::typed::detail
