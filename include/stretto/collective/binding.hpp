// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <exception>
#include <stretto/collective/demand.hpp>
#include <stretto/run/backend.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/report.hpp>
#include <stretto/run/text_builder.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/static/values/declared.hpp>
#include <string_view>
#include <tuple>
#include <utility>

/// What a pipeline holds of collectives that are made by the host.
namespace stretto::collective {

/// Whether types were planned or values: see run/backend.hpp for what it is asked. `Core` is made
/// of the pipeline's settings and a `demand`, `Context` of a core and a node.
template <class Core, class Context>
class binding {
 public:
  template <class... Given>
  binding(const std::tuple<const Given&...>& settings, demand all)
      : core_(settings, std::move(all)) {}

  template <class Stopping>
  bool begin_run(const Stopping& stopping) {
    return core_.begin_run(stopping);
  }
  runner::missing_ranks missing() const { return core_.missing(); }
  Context context_of(std::size_t node) { return {core_, node}; }
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
  Core core_;
};

/// Whether all collectives of a schedule are host tasks where streams are a device's. What one of
/// the host is given is in memory when its body runs; what a task on a stream of a device reads is
/// not: its body runs when the stream has yet to come there.
template <class Schedule>
inline constexpr bool none_on_streams = [] {
  constexpr auto on_streams = typed::declared<Schedule>::on_streams();
  for (const std::size_t n : plan_of<Schedule>.tickets)
    if (n < on_streams.size() && on_streams[n]) return false;
  return true;
}();

/// For the runtime version. `Refusal::text` is what to say of a collective on a stream of a device.
template <class Core, class Context, class Refusal>
class table_binding : public binding<Core, Context> {
 public:
  /// Throws `usage_error` if a collective task is on a stream of a device.
  template <class... Given>
  table_binding(const planned_values& known, const std::tuple<const Given&...>& settings)
      : binding<Core, Context>(settings, demand_of(checked(known))) {}

 private:
  static const planned_values& checked(const planned_values& known) {
    for (const std::size_t n : known.plan.tickets)
      if (known.on_streams[n] != 0)
        throw usage_error(runner::text_builder()
                              .add("task ")
                              .name(known.names[n])
                              .add(std::string_view(Refusal::text))
                              .text());
    return known;
  }
};

}  // namespace stretto::collective
