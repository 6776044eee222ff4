// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/role.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/errors/emit.hpp>
#include <stretto/errors/misuse_text.hpp>
#include <stretto/errors/names.hpp>
#include <stretto/errors/words.hpp>
#include <stretto/static/errors/first_diagnostic.hpp>
#include <stretto/static/errors/roles.hpp>
#include <stretto/static/values/declared.hpp>
#include <string_view>

/// Schedules with roles in a pipeline that does not fit them.
namespace stretto::typed {

/// Why the values of a slot cannot be sent: to ranks of one process,
struct not_copied {
  static constexpr std::string_view why =
      "which cannot be copied and moved; ranks of one process send copies";
};
/// over a network,
struct not_bytes {
  static constexpr std::string_view why =
      "which is more than bytes, as far as its type tells; other processes get copies of those: "
      "send a "
      "value that is trivially copyable, and neither a pointer nor a view, or a std::vector or "
      "std::string of such, or say of a container without further members "
      "`template <> inline constexpr bool stretto::sent_by_elements<...> = true;`";
};

/// and from device to device.
struct not_on_device {
  static constexpr std::string_view why =
      "which is no memory on a device of one size; NCCL sends from device to device: let the slot "
      "hold a `stretto::cuda::array`, which a task on a stream fills";
};

template <class Transfer, class Why>
struct unsendable {
  using slot = typename Transfer::slot_sent;
  static auto named()
      -> pack<invalid::values_of_a_slot_cannot_be_sent<Transfer, typename slot::value_type>>;
  static constexpr errors::words text() {
    return "transfer `" + errors::words(name_of<Transfer>.text) + "` sends slot `" +
           errors::words(name_of<slot>.text) + "` of type `" +
           errors::words(declare::qualified_name<typename slot::value_type>()) + "`, " +
           errors::words(Why::why);
  }
};

namespace detail {

template <class Schedule>
struct unsent_projection {
  static auto named()
      -> pack<invalid::a_projection_needs_collectives_that_make_transfers<Schedule>>;
  static constexpr errors::words text() {
    return errors::shown<Schedule>() +
           " is what one rank of several runs, and needs collectives that send from role to role: "
           "`stretto::local::collectives`, `stretto::mpi::collectives` or "
           "`stretto::nccl::collectives` among the options of its pipeline";
  }
};
template <class Schedule>
struct unprojected {
  static auto named() -> pack<
      invalid::with_collectives_each_rank_runs_a_projection_of_a_schedule_with_roles<Schedule>>;
  static constexpr errors::words text() {
    return "schedule " + errors::shown<Schedule>() +
           " has roles, so that with collectives each rank runs its own part: give the pipeline "
           "`stretto::projection<" +
           errors::words(name_of<Schedule>.text) + ", \"role\">`";
  }
};

}  // namespace detail

namespace detail {

/// Whether a task is no end of a transfer, or one of values that can be sent.
template <class Task, class Collectives>
consteval bool sends_if_it_transfers() {
  if constexpr (declare::is_transfer<Task>) {
    return Collectives::template sends<typename Task::slot_sent::value_type>;
  } else {
    return true;
  }
}
/// The transfer that a task is, or is one end of.
template <class Task>
struct transfer_of {
  using type = Task;
};
template <class Task>
  requires requires { typename Task::transfer; }
struct transfer_of<Task> {
  using type = typename Task::transfer;
};
template <class Task, class Collectives>
consteval auto sent_diagnostic() {
  if constexpr (sends_if_it_transfers<Task, Collectives>()) {
    return errors::no_error{};
  } else {
    return unsendable<typename transfer_of<Task>::type, typename Collectives::unsent>{};
  }
}
template <class Collectives, class... Task>
auto sent_diagnostics(pack<Task...>) -> pack<decltype(sent_diagnostic<Task, Collectives>())...>;

}  // namespace detail

/// What is wrong with a valid schedule with roles in a pipeline with these collectives, or
/// `no_error`. `Projected`: it is projected when the program runs.
template <class Schedule, class Collectives, bool Projected = false>
consteval auto transfers_diagnostic() {
  if constexpr (Projected || detail::is_projection<Schedule>) {
    if constexpr (requires { typename Collectives::unsent; }) {
      return detail::first_of<decltype(detail::sent_diagnostics<Collectives>(
          typename declared<Schedule>::tasks{}))>{};
    } else if constexpr (Projected) {
      return errors::no_error{};  // the pipeline says so
    } else {
      return detail::unsent_projection<Schedule>{};
    }
  } else if constexpr (Collectives::submits && detail::is_of_roles<Schedule>) {
    return detail::unprojected<Schedule>{};
  } else {
    return errors::no_error{};
  }
}

}  // namespace stretto::typed
