// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <exception>
#include <stretto/collective/demand.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/local/context.hpp>
#include <stretto/local/core.hpp>
#include <stretto/local/settings.hpp>
#include <stretto/run/backend.hpp>
#include <stretto/run/report.hpp>
#include <stretto/static/errors/transfers.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/static/values/declared.hpp>
#include <tuple>
#include <type_traits>

namespace stretto::local {

/// The ranks are pipelines of one process, each on a thread of its own:
/// `stretto::pipeline<stretto::projection<job, "trainer">, local::collectives>
/// p{local::rank(all, 1)};` They make transfers and agree on the end. Other collective tasks run in
/// one order on all ranks, and know of `rank()` and `ranks()`.
///
/// The constructor throws `usage_error` if there is no such rank or another pipeline is it. A run
/// begins with a comparison of plans (`plan_mismatch_error`) and of who plays which role
/// (`usage_error`). If a rank fails or leaves its run, all others fail with `peer_error`; what does
/// not come in time is a `timeout_error`, who does not come a `missing_rank_error`.
struct collectives {
  using stretto_tag = tag::collectives;
  static constexpr bool submits = true;
  /// Whether transfers send such values; why not, if not.
  template <class Value>
  static constexpr bool sends =
      std::is_copy_constructible_v<Value> && std::is_move_assignable_v<Value>;
  using unsent = typed::not_copied;
  using settings = pack<rank>;
  using in_context = local::in_context;

  template <class Schedule>
  class binding {
    static constexpr bool none_on_streams = [] {
      constexpr auto on_streams = typed::declared<Schedule>::on_streams();
      for (const std::size_t n : plan_of<Schedule>.tickets)
        if (n < on_streams.size() && on_streams[n]) return false;
      return true;
    }();

   public:
    template <class... Given>
    explicit binding(const std::tuple<const Given&...>& settings)
        : core_(runner::setting_or_default<rank>(settings), collective::demand_of<Schedule>()) {}

    template <class Device>
    void attach(const Device& /*device*/) {
      constexpr bool is_possible = none_on_streams || !requires(const Device& d) { d.driver(); };
      static_assert(
          is_possible,
          "what ranks of one process send is in host memory where streams are a device's: leave "
          "out `using stream = ...`, and have a task before it copy to pinned memory");
    }

    void begin_run() { core_.begin_run(); }
    local::in_context context_of(std::size_t node) { return {core_, node}; }
    template <class Stopping>
    void before(std::size_t node, std::size_t batch, std::size_t progress,
                const Stopping& stopping) {
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
    detail::core core_;
  };
};

}  // namespace stretto::local
