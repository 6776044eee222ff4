// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <stretto/collective/demand.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/device/backend.hpp>
#include <stretto/device/driver.hpp>
#include <stretto/device/ordering.hpp>
#include <stretto/nccl/context.hpp>
#include <stretto/nccl/core.hpp>
#include <stretto/nccl/interface.hpp>
#include <stretto/nccl/memory.hpp>
#include <stretto/nccl/settings.hpp>
#include <stretto/run/backend.hpp>
#include <stretto/run/report.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <tuple>
#include <utility>
#include <vector>

namespace stretto::nccl {

/// An option of `pipeline`: collective tasks, which are on streams of a device, put their
/// collectives there by a library like NCCL. `nccl::collectives` (stretto/nccl.hpp) is this with
/// NCCL and CUDA.
///
/// Each rank runs the same schedule. Collectives are submitted in the order of the tickets, over
/// all communicators, threads and progresses, and one thread at a time is in the library. Bodies
/// get an `in_context` in addition to the rest of their context.
///
/// A pipeline then takes `communicators`, `timeouts`, `registered_memory`, and a `Library` if that
/// holds something. Its constructor makes the communicators: it throws `usage_error` if a task's
/// was not passed, `nccl::error` if NCCL refuses, `missing_rank_error` if a rank does not come,
/// `peer_error` if one fails. A run begins with a comparison of plans (`plan_mismatch_error`).
/// While it is on, a thread watches what is on streams. If a rank fails, leaves its run or has no
/// such batch, all others fail with `peer_error` or `batch_count_error`; what does not complete in
/// time is a `timeout_error`; what NCCL reports, an `nccl::error`. After any of these the
/// communicators have been aborted, and another run is refused.
template <library_like Library, device::driver Driver>
struct collectives_over {
  using stretto_tag = tag::collectives;
  static constexpr bool submits = true;
  using communicators = communicators_of<Library>;
  using registered = registered_memory<Library, Driver>;
  using settings = pack<communicators, timeouts, Library, registered>;
  using in_context = nccl::in_context<Library, Driver>;

  template <class Schedule>
  class binding {
    static constexpr const auto& plan = plan_of<Schedule>;
    using order = device::ordering<Schedule>;
    static constexpr bool all_on_streams = [] {
      for (const std::size_t n : plan.tickets)
        if (n != plan.pull && order::stream_of[n] == order::none) return false;
      return true;
    }();
    static_assert(all_on_streams,
                  "collective tasks of NCCL are on streams: each needs `using stream = ...`");

   public:
    template <class... Given>
    explicit binding(const std::tuple<const Given&...>& settings)
        : core_(runner::setting_or_default<Library>(settings),
                runner::setting_or_default<communicators>(settings),
                runner::setting_or_default<timeouts>(settings),
                runner::setting_or_default<registered>(settings),
                collective::demand_of<Schedule>()) {}

    template <class Device>
    void attach(const Device& device) {
      static_assert(
          requires { device.driver(); },
          "collectives of NCCL are on streams of a device: pass stretto::on_cuda as an option, "
          "too");
      std::vector<typename Driver::stream> streams(plan.nodes);
      for (const std::size_t n : plan.tickets)
        if (n != plan.pull) streams[n] = device.stream(order::stream_name(order::stream_of[n]));
      core_.attach(device.driver(), std::move(streams));
    }

    /// \p values_are_there: whether the slots' values have been made.
    void come_after(std::function<bool()> values_are_there) {
      core_.come_after(std::move(values_are_there));
    }

    void begin_run() { core_.begin_run(); }
    in_context context_of(std::size_t node) { return {core_, node}; }
    template <class Stopping>
    void before(std::size_t node, std::size_t batch, std::size_t progress,
                const Stopping& stopping) {
      core_.before(node, batch, progress, stopping);
    }
    void after(std::size_t node, std::size_t batch, std::size_t /*progress*/) {
      core_.after(node, batch);
    }
    void threw(std::size_t node) noexcept { core_.threw(node); }
    void go_on() const { core_.go_on(); }
    template <class Stopping>
    bool agree(bool batch_here, std::size_t progress, const Stopping& stopping) {
      return core_.agree(batch_here, plan.pull, progress, stopping);
    }
    std::exception_ptr lost() noexcept { return core_.lost(); }
    void failed(const run_report& report) noexcept { core_.failed(report); }
    std::exception_ptr finished(std::size_t batches) noexcept { return core_.finished(batches); }

   private:
    detail::core<Library, Driver> core_;
  };
};

}  // namespace stretto::nccl
