// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <stretto/collective/demand.hpp>
#include <stretto/nccl/context.hpp>
#include <stretto/nccl/core.hpp>
#include <stretto/nccl/memory.hpp>
#include <stretto/nccl/settings.hpp>
#include <stretto/run/backend.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/report.hpp>
#include <stretto/run/text_builder.hpp>
#include <tuple>
#include <utility>
#include <vector>

namespace stretto::nccl::detail {

/// What a pipeline holds of a library, whether types were planned or values: see run/backend.hpp
/// for what it is asked.
template <class Library, class Driver>
class binding {
 public:
  template <class... Given>
  binding(const std::tuple<const Given&...>& settings, collective::demand all)
      : pull_(all.pull),
        core_(runner::setting_or_default<Library>(settings),
              runner::setting_or_default<communicators_of<Library>>(settings),
              runner::setting_or_default<timeouts>(settings),
              runner::setting_or_default<registered_memory<Library, Driver>>(settings),
              std::move(all)) {}

  /// \p values_are_there: whether the slots' values have been made.
  void come_after(std::function<bool()> values_are_there) {
    core_.come_after(std::move(values_are_there));
  }

  template <class Stopping>
  bool begin_run(const Stopping& stopping) {
    return core_.begin_run(stopping);
  }
  runner::missing_ranks missing() const { return core_.missing(); }
  nccl::in_context<Library, Driver> context_of(std::size_t node) { return {core_, node}; }
  template <class Stopping>
  void before(std::size_t node, std::size_t batch, std::size_t progress, const Stopping& stopping) {
    core_.before(node, batch, progress, stopping);
  }
  void tell_end(std::size_t batches) { core_.tell_end(batches); }
  void after(std::size_t node, std::size_t batch, std::size_t /*progress*/) {
    core_.after(node, batch);
  }
  void threw(std::size_t node) noexcept { core_.threw(node); }
  void go_on() const { core_.go_on(); }
  template <class Stopping>
  bool agree(bool batch_here, std::size_t progress, const Stopping& stopping) {
    return core_.agree(batch_here, pull_, progress, stopping);
  }
  std::exception_ptr lost() noexcept { return core_.lost(); }
  void failed(const run_report& report) noexcept { core_.failed(report); }
  std::exception_ptr finished(std::size_t batches) noexcept { return core_.finished(batches); }

 protected:
  /// Makes the communicators. \p stream_of tells the stream of a collective task; \p nodes: how
  /// many there are in all.
  template <class Device, class Tickets, class StreamOf>
  void make(const Device& device, std::size_t nodes, const Tickets& tickets, StreamOf stream_of) {
    static_assert(
        requires { device.driver(); },
        "collectives of NCCL are on streams of a device: pass stretto::on_cuda as an option, too");
    std::vector<typename Driver::stream> streams(nodes);
    for (const std::size_t n : tickets)
      if (n != pull_) streams[n] = stream_of(n);
    core_.attach(device.driver(), std::move(streams));
  }

 private:
  std::size_t pull_;
  core<Library, Driver> core_;
};

/// What a pipeline of the runtime version holds of a library.
template <class Library, class Driver>
class table_binding : public binding<Library, Driver> {
  using base = binding<Library, Driver>;

 public:
  /// Throws `usage_error` if a collective task is on no stream.
  template <class... Given>
  table_binding(const collective::planned_values& known,
                const std::tuple<const Given&...>& settings)
      : base(settings, collective::demand_of(checked(known))), plan_(known.plan) {}

  template <class Device>
  void attach(const Device& device) {
    this->make(device, plan_.order.size(), plan_.tickets,
               [&](std::size_t n) { return device.spot_of(n)->stream; });
  }

 private:
  static const collective::planned_values& checked(const collective::planned_values& known) {
    for (const std::size_t n : known.plan.tickets)
      if (n != known.plan.resolved.pull() && known.on_streams[n] == 0)
        throw usage_error(
            runner::text_builder()
                .add("task ")
                .name(known.names[n])
                .add(" is a collective of NCCL, and those are on streams: give it one")
                .text());
    return known;
  }

  const planner::plan& plan_;
};

}  // namespace stretto::nccl::detail
