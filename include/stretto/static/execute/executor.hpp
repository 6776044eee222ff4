// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <stretto/declare/address_of.hpp>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/plan/derive/looked_back.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/accounting.hpp>
#include <stretto/run/collective_outcome.hpp>
#include <stretto/run/device_outcome.hpp>
#include <stretto/run/progress_result.hpp>
#include <stretto/run/report.hpp>
#include <stretto/run/result.hpp>
#include <stretto/run/threads/thread_team.hpp>
#include <stretto/run/value_type.hpp>
#include <stretto/static/execute/chain.hpp>
#include <stretto/static/execute/local_loop.hpp>
#include <stretto/static/execute/machine.hpp>
#include <stretto/static/execute/team_work.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace stretto::typed::detail {

/// By node: where it is in its chain.
template <class Schedule>
inline constexpr auto places_of = [] {
  std::array<std::size_t, std::remove_cvref_t<decltype(plan_of<Schedule>)>::nodes> places{};
  runner::find_places(plan_of<Schedule>.chained, plan_of<Schedule>.chains, places.data());
  return places;
}();

/// Stands where the calling thread is alone.
struct no_work {
  template <class Machine>
  explicit no_work(Machine&) {}
};

/// What a session (run/session/session.hpp) runs of a schedule of types.
template <class Machine, bool Pins>
class executor {
  using schedule = typename Machine::schedule;
  using hosts = typename Machine::hosts;
  using source_value = typename declared<schedule>::source_part::slot::value_type;
  using slot_list = typename declared<schedule>::results;
  using position = typename Machine::position;
  static constexpr const auto& plan = Machine::plan;
  static constexpr bool caller_pulls = plan.thread_of[plan.pull] == 0;

 public:
  using machine_type = Machine;
  using chain = detail::chain<Machine, 0>;
  using reference = decltype(runner::result_of(slot_list{}));
  static constexpr bool pins = Pins;
  static constexpr bool has_team = !Machine::alone;
  static constexpr bool others_may_pull = !caller_pulls;
  static constexpr bool can_be_on_stream = [] {
    if constexpr (Machine::submits) {
      return Machine::device_type::results_on_stream;
    } else {
      return false;
    }
  }();

  /// \p settings: all that was passed to the pipeline.
  template <class... Given>
  executor(task_objects<schedule> tasks, const std::tuple<const Given&...>& settings)
      : machine(std::move(tasks), settings) {}

  static constexpr bool team() { return has_team; }
  static constexpr const auto& host_names() { return hosts::names; }
  /// The host threads that there are: of a coroutine there is none.
  static constexpr planner::view<std::string_view> team_names() {
    return {hosts::names.data(), hosts::count - Machine::begun::count};
  }
  static constexpr planner::view<std::string_view> group_names() {
    return {plan.thread_names.data(), Machine::begun::groups};
  }
  static constexpr planner::view<std::size_t> workers() {
    return {plan.workers.data(), Machine::begun::groups};
  }
  runner::thread_team::job job() { return work_.job(); }

  void restart(position& at) { at.restart(machine.memory, machine.first); }
  void place(position& at, std::size_t progress) {
    at.restart(machine.memory, progress);
    static_cast<void>(at.advance());
  }
  /// False if \p stop says so while other ranks are waited for.
  template <class Stopping>
  bool begin_run([[maybe_unused]] const Stopping& stop) {
    if constexpr (Machine::collects) return machine.collectives.begin_run(stop);
    return true;
  }

  template <class Value, class Source>
  void pull_from([[maybe_unused]] Source& source) {
    if constexpr (!caller_pulls)
      work_.pull_from({declare::address_of(source), [](void* from, Value& slot) {
                         return (*static_cast<Source*>(from))(slot);
                       }});
  }

  static constexpr std::size_t deliver_lag() { return plan.lag[plan.deliver]; }
  static constexpr bool results_on_stream() { return can_be_on_stream; }

  void await_earlier_pulls([[maybe_unused]] const position& at) {
    if constexpr (!caller_pulls && plan.max_lookahead > 0)
      machine.signal_of(plan.pull, at.next_progress() - plan.in_flight() + 1)
          .await(at.epoch() + 1 - static_cast<std::uint32_t>(plan.max_lookahead));
  }

  // For positions (run/position.hpp).

  static constexpr const planner::declaration& declaration() { return declared<schedule>::value; }
  static constexpr planner::view<name> all_slots() { return plan.slot_list; }
  /// What the batches from \p next on look back at.
  static planner::list<planner::earlier_value> looked_back(std::size_t next) {
    return planner::looked_back(declaration(), all_slots(), next);
  }
  static bool is_made_by_device(std::size_t slot) {
    return decltype(machine.values)::is_made_by_device(slot);
  }
  void* address_of(const planner::earlier_value& v) {
    return with_slot(v.slot, [&]<class Slot>(pack<Slot>) -> void* {
      constexpr std::size_t s = number_of_slot<schedule, Slot>;
      return declare::address_of(
          value_in<Slot, plan.copies[s], schedule>(machine.memory, v.batch / plan.every_of(s)));
    });
  }
  static constexpr planner::view<std::size_t> order() { return plan.order; }
  bool holds_type(std::size_t slot, const runner::value_type& type) const {
    return type_of(slot) == type;
  }
  runner::value_type type_of(std::size_t slot) const {
    return with_slot(slot, []<class Slot>(pack<Slot>) {
      // Whatever can be assigned is assigned by who has the value.
      using type = typename Slot::value_type;
      return runner::value_type{&declare::identity<type>, declare::qualified_name<type>()};
    });
  }
  static constexpr bool may_be_unwritten([[maybe_unused]] std::size_t slot) {
    if constexpr (may_drop) {
      const planner::range by = verdicts_of<schedule>.unwritten_of[slot];
      return by.first != by.last;
    }
    return false;
  }
  void tell_unwritten([[maybe_unused]] const planner::earlier_value& v,
                      [[maybe_unused]] bool unwritten) {
    if constexpr (may_drop) machine.verdicts.tell_unwritten(v.slot, v.batch, unwritten);
  }
  /// The position before a batch.
  template <class Position>
  Position taken(std::size_t next) {
    return Position::before(*this, next, [this](Position& to, const auto& v) {
      if constexpr (may_drop)
        if (machine.verdicts.is_unwritten(v.slot, v.batch))
          return with_slot(
              v.slot, [&]<class Slot>(pack<Slot>) { to.template seed_dropped<Slot>(v.batch); });
      with_slot(v.slot, [&]<class Slot>(pack<Slot>) {
        using type = typename Slot::value_type;
        if constexpr (may_be_looked_back<Slot>()) {
          constexpr bool copies =
              std::is_copy_constructible_v<type> && std::is_copy_assignable_v<type>;
          static_assert(copies,
                        "a position has copies of the values that later batches look back at, and "
                        "those of a slot of this schedule cannot be copied, as none can that a "
                        "device makes: let the pipeline go on by st::onwards");
          if constexpr (copies)
            to.template seed<Slot>(v.batch, *static_cast<const type*>(address_of(v)));
        }
      });
    });
  }

  template <class Number>
  reference yielded(const position& at, Number number) {
    return result_as(at.now(), number, slot_list{});
  }

  static constexpr bool may_drop = plan.drops;
  bool withholds(const position& at) { return withholds_at(at.progress()); }
  std::size_t withheld() const { return machine.verdicts.withheld(); }
  std::string_view dropped_by([[maybe_unused]] const position& at) const {
    if constexpr (may_drop)
      return plan.names[machine.verdicts.dropped_by(at.progress() - deliver_lag())];
    return {};
  }
  std::exception_ptr why_dropped([[maybe_unused]] const position& at) const {
    if constexpr (may_drop) return machine.verdicts.why_dropped(at.progress() - deliver_lag());
    return nullptr;
  }
  runner::verdict_table verdicts() const { return machine.verdicts.table(); }
  static constexpr const auto& node_names() { return plan.names; }
  static constexpr const auto& lag() { return plan.lag; }

  /// Runs steady progresses of a thread that is alone as a loop of its own: see local_loop.hpp.
  /// \p use gets what each batch yields, and its number.
  template <class Source>
  using steady_loop = local_loop<Machine, Source>;
  template <class Source>
  static constexpr bool loops = steady_loop<Source>::exists;
  template <class Source, class Use, class GoesOn>
  [[gnu::always_inline]] runner::progress_result loop(position& at, Source& source, const Use& use,
                                                      const GoesOn& goes_on) {
    const auto yield = [&](const auto& now) {
      const auto number = [&now] { return now.progress() - deliver_lag(); };
      if constexpr (may_drop)
        if (withholds_at(now.progress())) return;
      use(result_as(now, number, slot_list{}), number);
    };
    return steady_loop<Source>::run(machine, at, source, yield, goes_on);
  }
  /// Runs progresses of such a loop that somebody else has, until a batch is through that no task
  /// dropped.
  template <class Loop, class Source>
  [[gnu::always_inline]] runner::progress_result next_of(Loop& loop, position& at, Source& source) {
    while (true) {
      const runner::progress_result w = loop.next(machine, at, source);
      if constexpr (may_drop)
        if (w == runner::progress_result::complete && withholds_at(loop.progress())) continue;
      return w;
    }
  }
  /// What that batch yields.
  template <class Loop>
  [[gnu::always_inline]] reference yielded_of(Loop& loop) {
    const auto now = loop.now();
    return result_as(
        now, [&now] { return now.progress() - deliver_lag(); }, slot_list{});
  }

  [[gnu::noinline]] runner::run_accounting accounting() const {
    // A variable, because nvcc cannot print it as an argument.
    const runner::run_accounting all{plan.names,
                                     plan.order,
                                     plan.lag,
                                     plan.thread_of,
                                     plan.chained,
                                     plan.chains,
                                     plan.workers,
                                     machine.stopped,
                                     places_of<schedule>,
                                     machine.passed,
                                     machine.batches_of_source(),
                                     machine.first,
                                     plan.runs,
                                     machine.verdicts.table()};
    return all;
  }

  /// Collectives may have ended the device's work, and are then the reason for what it says.
  void ended([[maybe_unused]] runner::device_outcome& outcome) {
    if constexpr (Machine::submits && Machine::collects)
      runner::take_lost(machine.collectives, outcome);
  }
  /// Tells the other ranks how the run ended.
  void reported([[maybe_unused]] run_report& report) noexcept {
    if constexpr (Machine::collects) runner::tell_ranks(machine.collectives, report);
  }

  Machine machine;

 private:
  /// Whether a batch may look back at what a slot held for an earlier one. (A function: nvcc
  /// evaluates a constant of a template as soon as it reads it, which took 0.2 GB here.)
  template <class Slot>
  static constexpr bool may_be_looked_back() {
    return planner::is_looked_back(declared<schedule>::value, name_of<Slot>);
  }
  /// Calls \p use with the slot of that number, in a pack.
  template <class Use>
  static auto with_slot(std::size_t number, Use use) {
    return [&]<class First, class... Slot>(pack<First, Slot...>) {
      using result = decltype(use(pack<First>{}));
      result (*const calls[])(Use&) = {[](Use& u) -> result { return u(pack<First>{}); },
                                       [](Use& u) -> result { return u(pack<Slot>{}); }...};
      return calls[number](use);
    }(typename slots_of<schedule>::type{});
  }

  [[gnu::always_inline]] bool withholds_at(std::size_t progress) {
    return machine.verdicts.withholds(progress - deliver_lag());
  }

  template <class Moment, class Number, class... Slot>
  [[gnu::always_inline]] reference result_as([[maybe_unused]] const Moment& at,
                                             [[maybe_unused]] Number number, pack<Slot...>) {
    if constexpr (sizeof...(Slot) == 0) {
      return number();
    } else if constexpr (sizeof...(Slot) == 1) {
      return (at.template value<Slot, deliver_lag()>(machine.memory), ...);
    } else {
      return reference{at.template value<Slot, deliver_lag()>(machine.memory)...};
    }
  }

  [[no_unique_address]] std::conditional_t<Machine::alone, no_work,
                                           team_work<Machine, erased_pull<source_value>>>
      work_{machine};
};

}  // namespace stretto::typed::detail
