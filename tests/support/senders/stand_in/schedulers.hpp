// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>
#include "environments.hpp"
#include "senders.hpp"

// Schedulers: [exec.sched].
namespace stdexec {

struct scheduler_tag {};
using scheduler_t = scheduler_tag;

template <class Tag>
struct get_completion_scheduler_t {
  template <class Env>
    requires stand_in::answers<Env, get_completion_scheduler_t>
  auto operator()(const Env& env) const noexcept {
    return env.query(*this);
  }
};
template <class Tag>
inline constexpr get_completion_scheduler_t<Tag> get_completion_scheduler{};

struct schedule_t {
  template <class Scheduler>
    requires requires(Scheduler&& on) {
      { std::forward<Scheduler>(on).schedule() } -> sender;
    }
  auto operator()(Scheduler&& on) const {
    return std::forward<Scheduler>(on).schedule();
  }
};
inline constexpr schedule_t schedule{};

template <class Type>
concept scheduler =
    std::derived_from<typename std::remove_cvref_t<Type>::scheduler_concept, scheduler_tag> &&
    requires(Type&& on) {
      { schedule(std::forward<Type>(on)) } -> sender;
      {
        get_completion_scheduler<set_value_t>(get_env(schedule(std::forward<Type>(on))))
      } -> std::same_as<std::remove_cvref_t<Type>>;
    } && std::equality_comparable<std::remove_cvref_t<Type>> &&
    std::copyable<std::remove_cvref_t<Type>>;

struct get_scheduler_t {
  template <class Env>
    requires stand_in::answers<Env, get_scheduler_t>
  scheduler auto operator()(const Env& env) const noexcept {
    return env.query(*this);
  }
};
inline constexpr get_scheduler_t get_scheduler{};

}  // namespace stdexec
