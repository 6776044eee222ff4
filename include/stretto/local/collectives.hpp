// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/collective/binding.hpp>
#include <stretto/collective/demand.hpp>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/local/context.hpp>
#include <stretto/local/core.hpp>
#include <stretto/local/settings.hpp>
#include <stretto/run/sent_value_of.hpp>
#include <stretto/static/errors/transfers.hpp>
#include <string_view>
#include <tuple>

namespace stretto::local {

namespace detail {

using binding = collective::binding<core, in_context>;

struct on_no_stream {
  static constexpr std::string_view text =
      " is a collective of ranks of one process, and what those send is in host memory where "
      "streams are a device's: leave out its stream, and have a task before it copy to pinned "
      "memory";
};

}  // namespace detail

/// The ranks are pipelines of one process, each on a thread of its own:
/// `stretto::pipeline<stretto::projection<job, "trainer">, local::collectives>
/// p{local::rank(all, 1)};` They make transfers and agree on the end. Other collective tasks run in
/// one order on all ranks, and get an `in_context` in addition to the rest of their context.
///
/// The constructor throws `usage_error` if there is no such rank or another pipeline is it. A run
/// begins with a comparison of plans (`plan_mismatch_error`) and of who plays which role
/// (`usage_error`). If a rank fails or leaves its run, all others fail with `peer_error`; what does
/// not come in time is a `timeout_error`, who does not come a `missing_rank_error`. Where a run is
/// cancelled (`cancel_on`) before all ranks have begun it, it ends so, and the others fail.
///
/// `dynamic::pipeline` takes it, too. There a collective on a stream of a device is a `usage_error`
/// of the constructor.
struct collectives {
  using stretto_tag = tag::collectives;
  static constexpr bool submits = true;
  /// Whether transfers send such values; why not, if not.
  template <class Value>
  static constexpr bool sends = runner::sent_as_copy<Value>;
  using unsent = typed::not_copied;
  using settings = pack<rank>;
  using in_context = local::in_context;

  template <class Schedule>
  class binding : public detail::binding {
   public:
    template <class... Given>
    explicit binding(const std::tuple<const Given&...>& settings)
        : detail::binding(settings, collective::demand_of<Schedule>()) {}

    template <class Device>
    void attach(const Device& /*device*/) {
      constexpr bool is_possible =
          collective::none_on_streams<Schedule> || !requires(const Device& d) { d.driver(); };
      static_assert(
          is_possible,
          "what ranks of one process send is in host memory where streams are a device's: leave "
          "out `using stream = ...`, and have a task before it copy to pinned memory");
    }
  };

  // For the runtime version.

  using table_binding =
      collective::table_binding<detail::core, local::in_context, detail::on_no_stream>;
  static constexpr bool on_streams = false;
  static constexpr std::string_view context_name = declare::qualified_name<in_context>();
};

}  // namespace stretto::local
