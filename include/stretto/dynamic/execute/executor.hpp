// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <stretto/declare/address_of.hpp>
#include <stretto/declare/name.hpp>
#include <stretto/dynamic/execute/chain.hpp>
#include <stretto/dynamic/execute/machine.hpp>
#include <stretto/dynamic/execute/slot_copies.hpp>
#include <stretto/dynamic/values/concat.hpp>
#include <stretto/dynamic/values/result.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/dynamic/values/slot_type.hpp>
#include <stretto/plan/derive/looked_back.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/accounting.hpp>
#include <stretto/run/collective_outcome.hpp>
#include <stretto/run/device_outcome.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/report.hpp>
#include <stretto/run/source.hpp>
#include <stretto/run/threads/thread_team.hpp>
#include <stretto/run/value_type.hpp>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace stretto::dynamic::detail {

/// What a session (run/session/session.hpp) runs of a schedule that is a value.
template <class Machine, bool Pins>
class executor {
  using position = typename Machine::position;

 public:
  using machine_type = Machine;
  using chain = detail::chain<Machine>;
  using reference = result;
  static constexpr bool pins = Pins;
  static constexpr bool has_team = true;
  static constexpr bool others_may_pull = true;
  static constexpr bool can_be_on_stream = Machine::submits;

  /// \p settings: what was passed for the device and for collectives.
  template <class Schedule, class... Given>
  executor(Schedule&& s, const std::tuple<const Given&...>& settings)
      : machine(std::forward<Schedule>(s), settings) {}

  bool team() const { return !machine.alone; }
  const std::vector<std::string_view>& host_names() const { return machine.host_names; }
  /// The host threads that there are: of a coroutine there is none.
  planner::view<std::string_view> team_names() const {
    return {machine.host_names.data(), machine.threads()};
  }
  const std::vector<std::string_view>& node_names() const { return machine.node_names; }
  planner::view<std::string_view> group_names() const {
    return {machine.plan.plan().threads.names.data(), groups()};
  }
  planner::view<std::size_t> workers() const {
    return {machine.plan.plan().threads.workers.data(), groups()};
  }
  runner::thread_team::job job() { return {&machine, &work}; }

  void restart(position& at) { at.restart(machine.hosts.front(), machine.first); }
  void place(position& at, std::size_t progress) {
    at.restart(machine.hosts.front(), progress);
    static_cast<void>(at.advance());
  }
  void begin_run() {
    if constexpr (Machine::collects)
      if (machine.has_tickets()) machine.collectives.begin_run();
  }

  template <class Value, class Source>
  void pull_from(Source& source) {
    machine.skipping = {};
    machine.feed = {declare::address_of(source), [](void* from, void* slot) {
                      return (*static_cast<Source*>(from))(*static_cast<Value*>(slot));
                    }};
    if (!planner::drops_failures(machine.plan.declaration().from)) return;
    machine.feed.fill = [](void* from, void* slot) {
      return runner::pull_whole(*static_cast<Source*>(from), *static_cast<Value*>(slot));
    };
    machine.skip_failures();
  }

  std::size_t deliver_lag() const { return machine.deliver_lag(); }
  bool results_on_stream() const {
    if constexpr (Machine::submits) {
      return machine.device.on_stream(machine.deliver());
    } else {
      return false;
    }
  }

  void await_earlier_pulls(const position& at) {
    const auto deepest = static_cast<std::uint32_t>(machine.plan.plan().resolved.max_lookahead);
    if (machine.plan.plan().threads.thread_of[machine.pull()] != 0 && deepest > 0)
      machine.signal_of(machine.pull(), at.next_progress() - deepest)
          .await(at.epoch() + 1 - deepest);
  }

  static constexpr bool may_drop = true;
  bool withholds(const position& at) {
    return machine.verdicts.withholds(machine.deliver(), at.progress() - deliver_lag());
  }
  std::size_t withheld() const { return machine.verdicts.withheld(); }
  std::string_view dropped_by(const position& at) const {
    return machine
        .node_names[machine.verdicts.dropped_by(machine.deliver(), at.progress() - deliver_lag())];
  }

  std::exception_ptr why_dropped(const position& at) const {
    return machine.verdicts.why_dropped(machine.deliver(), at.progress() - deliver_lag());
  }
  const runner::verdict_table& verdicts() const { return machine.verdicts.table(); }
  const auto& lag() const { return machine.plan.lag(); }

  // For positions (run/position.hpp).

  const planner::declaration& declaration() const { return machine.plan.declaration(); }
  planner::view<name> all_slots() const { return machine.plan.plan().resolved.slot_list; }
  /// What the batches from \p next on look back at.
  planner::list<planner::earlier_value> looked_back(std::size_t next) const {
    return planner::looked_back(declaration(), all_slots(), next);
  }
  bool is_made_by_device(std::size_t slot) const { return machine.rooms[slot].make_by != nullptr; }
  void* address_of(const planner::earlier_value& v) {
    return machine.slot_list[v.slot].of_batch(v.batch);
  }
  planner::view<std::size_t> order() const { return machine.plan.plan().order; }
  bool holds_type(std::size_t slot, const runner::value_type& type) const {
    return type_of(slot) == type;
  }
  runner::value_type type_of(std::size_t slot) const {
    const slot_type& held = machine.slot_list[slot].type();
    return {held.identity.address(), held.name};
  }
  bool may_be_unwritten(std::size_t slot) const {
    return !machine.verdicts.droppers_of(slot).empty();
  }
  void tell_unwritten(const planner::earlier_value& v, bool unwritten) {
    machine.verdicts.tell_unwritten(v.slot, v.batch, unwritten);
  }
  /// The position before a batch; `Type` are the types of slots that may be looked back at.
  template <class Position, class... Type>
  Position taken(std::size_t next) {
    return Position::before(*this, next, [this](Position& to, const auto& v) {
      const std::string_view slot = all_slots()[v.slot].text;
      const slot_type& held = machine.slot_list[v.slot].type();
      if (machine.verdicts.is_unwritten(v.slot, v.batch)) {
        to.seed_dropped(slot, v.batch);
      } else if (!((held == type_of_values<Type>() &&
                    (to.template seed<Type>(slot, v.batch,
                                            *static_cast<const Type*>(address_of(v))),
                     true)) ||
                   ...)) {
        throw usage_error(joined("later batches look back at slot `", slot, "`, which holds `",
                                 held.name,
                                 "`: name that type where the position is taken, as in "
                                 "`pipeline.position<long, float>()`"));
      }
    });
  }

  template <class Number>
  result yielded(const position& at, Number) {
    return machine.result_at(at);
  }

  runner::run_accounting accounting() const {
    return machine.accounting(machine.batches_of_source(), machine.first);
  }

  /// Collectives may have ended the device's work, and are then the reason for what it says.
  void ended([[maybe_unused]] runner::device_outcome& outcome) {
    if constexpr (Machine::submits && Machine::collects)
      if (machine.has_tickets()) runner::take_lost(machine.collectives, outcome);
  }
  /// Tells the other ranks how the run ended.
  void reported([[maybe_unused]] run_report& report) noexcept {
    if constexpr (Machine::collects)
      if (machine.has_tickets()) runner::tell_ranks(machine.collectives, report);
  }

  Machine machine;

 private:
  std::size_t groups() const {
    return machine.plan.plan().threads.names.size() - machine.begun.size();
  }
  template <class Type>
  static const slot_type& type_of_values() {
    return dynamic::type_of<Type>();
  }
  /// A host thread's part of a run.
  static void work(void* owner, std::size_t host) {
    Machine& m = *static_cast<Machine*>(owner);
    position at;
    at.restart(m.hosts[host], m.first);
    chain::run(m, at);
  }
};

}  // namespace stretto::dynamic::detail
