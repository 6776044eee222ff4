// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <exception>
#include <stretto/collective/demand.hpp>
#include <stretto/local/context.hpp>
#include <stretto/local/core.hpp>
#include <stretto/local/settings.hpp>
#include <stretto/run/backend.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/report.hpp>
#include <stretto/run/text_builder.hpp>
#include <tuple>
#include <utility>

namespace stretto::local::detail {

/// What a pipeline holds of the ranks of its process, whether types were planned or values: see
/// run/backend.hpp for what it is asked.
class binding {
 public:
  template <class... Given>
  binding(const std::tuple<const Given&...>& settings, collective::demand all)
      : core_(runner::setting_or_default<rank>(settings), std::move(all)) {}

  void begin_run() { core_.begin_run(); }
  local::in_context context_of(std::size_t node) { return {core_, node}; }
  template <class Stopping>
  void before(std::size_t node, std::size_t batch, std::size_t progress, const Stopping& stopping) {
    core_.before(node, batch, progress, stopping);
  }
  void tell_end(std::size_t batches) { core_.tell_end(batches); }
  void after(std::size_t /*node*/, std::size_t /*batch*/, std::size_t /*progress*/) {
    core_.after();
  }
  template <class Stopping>
  bool agree(bool batch_here, std::size_t progress, const Stopping& stopping) {
    return core_.agree(batch_here, progress, stopping);
  }
  void failed(const run_report& report) noexcept { core_.failed(report); }
  std::exception_ptr finished(std::size_t batches) noexcept { return core_.finished(batches); }

 private:
  core core_;
};

/// What a pipeline of the runtime version holds of them.
class table_binding : public binding {
 public:
  /// Throws `usage_error` if a collective task is on a stream of a device.
  template <class... Given>
  table_binding(const collective::planned_values& known,
                const std::tuple<const Given&...>& settings)
      : binding(settings, collective::demand_of(checked(known))) {}

 private:
  static const collective::planned_values& checked(const collective::planned_values& known) {
    for (const std::size_t n : known.plan.tickets)
      if (known.on_streams[n] != 0)
        throw usage_error(runner::text_builder()
                              .add("task ")
                              .name(known.names[n])
                              .add(" is a collective of ranks of one process, and what those send "
                                   "is in host memory where streams are a device's: leave out its "
                                   "stream, and have a task before it copy to pinned memory")
                              .text());
    return known;
  }
};

}  // namespace stretto::local::detail
