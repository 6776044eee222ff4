// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <stretto/declare/address_of.hpp>
#include <stretto/dynamic/execute/chain.hpp>
#include <stretto/dynamic/execute/machine.hpp>
#include <stretto/dynamic/execute/slot_copies.hpp>
#include <stretto/dynamic/values/result.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/run/accounting.hpp>
#include <stretto/run/collective_outcome.hpp>
#include <stretto/run/device_outcome.hpp>
#include <stretto/run/report.hpp>
#include <stretto/run/threads/thread_team.hpp>
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
  static constexpr bool can_be_on_stream = Machine::submits;

  /// \p settings: what was passed for the device and for collectives.
  template <class Schedule, class... Given>
  executor(Schedule&& s, const std::tuple<const Given&...>& settings)
      : machine(std::forward<Schedule>(s), settings) {}

  bool team() const { return !machine.alone; }
  const std::vector<std::string_view>& host_names() const { return machine.host_names; }
  const std::vector<std::string_view>& node_names() const { return machine.node_names; }
  const auto& group_names() const { return machine.plan.plan().threads.names; }
  const auto& workers() const { return machine.plan.plan().threads.workers; }
  runner::thread_team::job job() { return {&machine, &work}; }

  void restart(position& at) { at.restart(machine.hosts.front(), machine.first); }
  void begin_run() {
    if constexpr (Machine::collects)
      if (machine.has_tickets()) machine.collectives.begin_run();
  }

  template <class Value, class Source>
  void pull_from(Source& source) {
    machine.feed = {declare::address_of(source), [](void* from, void* slot) {
                      return (*static_cast<Source*>(from))(*static_cast<Value*>(slot));
                    }};
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

  template <class Number>
  result yielded(const position& at, Number) {
    return machine.result_at(at);
  }

  runner::run_accounting accounting() const {
    return machine.accounting(machine.batches(), machine.first);
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
  /// A host thread's part of a run.
  static void work(void* owner, std::size_t host) {
    Machine& m = *static_cast<Machine*>(owner);
    position at;
    at.restart(m.hosts[host], m.first);
    chain::run(m, at);
  }
};

}  // namespace stretto::dynamic::detail
