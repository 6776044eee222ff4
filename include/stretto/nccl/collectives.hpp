// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/collective/demand.hpp>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/device/backend.hpp>
#include <stretto/device/driver.hpp>
#include <stretto/device/ordering.hpp>
#include <stretto/nccl/binding.hpp>
#include <stretto/nccl/context.hpp>
#include <stretto/nccl/interface.hpp>
#include <stretto/nccl/memory.hpp>
#include <stretto/nccl/settings.hpp>
#include <stretto/run/asked_of_device.hpp>
#include <stretto/static/errors/transfers.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <string_view>
#include <tuple>

namespace stretto::nccl {

/// An option of `pipeline`: collective tasks, which are on streams of a device, put their
/// collectives there by a library like NCCL. `nccl::collectives` (stretto/nccl.hpp) is this with
/// NCCL and CUDA.
///
/// Each rank runs the same schedule, or the projection of one for its role; a transfer is a send
/// and a receive on the streams of its ends, over the first communicator. Collectives are submitted
/// in the order of the tickets, over all communicators, threads and progresses, and one thread at a
/// time is in the library. Bodies get an `in_context` in addition to the rest of their context.
///
/// A pipeline then takes `communicators`, `timeouts`, `registered_memory`, and a `Library` if that
/// holds something. Its constructor makes the communicators: it throws `usage_error` if a task's
/// was not passed, `nccl::error` if NCCL refuses, `missing_rank_error` if a rank does not come,
/// `peer_error` if one fails. A run begins with a comparison of plans (`plan_mismatch_error`).
/// While it is on, a thread watches what is on streams. If a rank fails, leaves its run or has no
/// such batch, all others fail with `peer_error` or `batch_count_error`; what does not complete in
/// time is a `timeout_error`; what NCCL reports, an `nccl::error`. After any of these the
/// communicators have been aborted, and another run is refused.
///
/// `dynamic::pipeline` takes it, too. There a collective on no stream is a `usage_error` of the
/// constructor.
template <library_like Library, device::driver Driver>
struct collectives_over {
  using stretto_tag = tag::collectives;
  static constexpr bool submits = true;
  /// Whether transfers send such values; why not, if not.
  template <class Value>
  static constexpr bool sends = lies_on_device<Value>;
  using unsent = typed::not_on_device;
  using communicators = communicators_of<Library>;
  using registered = registered_memory<Library, Driver>;
  using settings = pack<communicators, timeouts, Library, registered>;
  using in_context = nccl::in_context<Library, Driver>;

  template <class Schedule>
  class binding : public detail::binding<Library, Driver> {
    using base = detail::binding<Library, Driver>;
    static constexpr const auto& plan = plan_of<Schedule>;
    using order = device::ordering<Schedule>;
    static constexpr bool all_on_streams = [] {
      for (const std::size_t n : plan.tickets)
        if (n != plan.pull && order::stream_of[n] == order::none) return false;
      return true;
    }();
    static_assert(all_on_streams,
                  "collective tasks of NCCL, and transfers, are on streams: each needs `using "
                  "stream = ...`");

   public:
    template <class... Given>
    explicit binding(const std::tuple<const Given&...>& settings)
        : base(settings, collective::demand_of<Schedule>()) {}

    template <class Device>
    void attach(const Device& device) {
      this->make(device, plan.nodes, plan.tickets, [&](std::size_t n) {
        return device.stream(order::stream_name(order::stream_of[n]));
      });
    }
  };

  // For the runtime version.

  using table_binding = detail::table_binding<Library, Driver>;
  static constexpr bool on_streams = true;
  static constexpr std::string_view context_name = declare::qualified_name<in_context>();
};

}  // namespace stretto::nccl
