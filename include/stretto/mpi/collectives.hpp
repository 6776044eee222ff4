// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/collective/binding.hpp>
#include <stretto/collective/demand.hpp>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/mpi/context.hpp>
#include <stretto/mpi/core.hpp>
#include <stretto/mpi/settings.hpp>
#include <stretto/run/value_bytes.hpp>
#include <stretto/static/errors/transfers.hpp>
#include <stretto/static/query/communicators.hpp>
#include <string_view>
#include <tuple>

namespace stretto::mpi {

namespace detail {

using binding = collective::binding<core, in_context>;

struct on_no_stream {
  static constexpr std::string_view text =
      " is a collective of MPI, and those are host tasks where streams are a device's: leave out "
      "its stream, and have a task before it copy to pinned memory";
};

}  // namespace detail

/// The collectives of a pipeline are MPI's: `stretto::pipeline<schedule, mpi::collectives>
/// p{mpi::communicators{{"world", MPI_COMM_WORLD}}, mpi::timeout(std::chrono::seconds(30))};`
///
/// Each rank runs the same schedule, or the projection of one for its role. Its collective tasks
/// run in the order of their tickets, on whichever threads, never two at a time: MPI needs
/// MPI_THREAD_SERIALIZED, less where they are all on the calling thread. They get an `in_context`
/// in addition to the rest of their context.
///
/// The constructor throws `usage_error` if MPI is not initialised or allows too few threads, and
/// if a task is among the ranks of a communicator that was not passed. A run begins with a
/// comparison of plans (`plan_mismatch_error`). If a rank fails, leaves its run or has no such
/// batch, all others fail with `peer_error` or `batch_count_error`; what does not complete in time
/// is a `timeout_error`, who does not come an `missing_rank_error`. After any of these the
/// pipeline's communicators may have collectives that never complete: it refuses to run again, and
/// a program ends by MPI_Abort.
///
/// `dynamic::pipeline` takes it, too. There a collective on a stream of a device is a `usage_error`
/// of the constructor.
struct collectives {
  using stretto_tag = tag::collectives;
  static constexpr bool submits = true;
  /// Whether transfers send such values; why not, if not.
  template <class Value>
  static constexpr bool sends = runner::sent_as_bytes<Value>;
  using unsent = typed::not_bytes;
  using settings = pack<communicators, timeout>;
  using in_context = mpi::in_context;

  template <class Schedule>
  class binding : public detail::binding {
    static_assert(
        typed::has_one_communicator_each<Schedule>,
        "a collective task of MPI is among the ranks of one communicator: name the others "
        "in tasks of their own");

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
          "collective tasks of MPI are host tasks where streams are a device's: leave out "
          "`using stream = ...`, and have a task before it copy to pinned memory");
    }
  };

  // For the runtime version.

  using table_binding =
      collective::table_binding<detail::core, mpi::in_context, detail::on_no_stream>;
  static constexpr bool on_streams = false;
  static constexpr std::string_view context_name = declare::qualified_name<in_context>();
};

}  // namespace stretto::mpi
