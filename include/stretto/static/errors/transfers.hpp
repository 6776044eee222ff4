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
#include <stretto/static/errors/roles.hpp>
#include <string_view>
#include <type_traits>

/// Schedules with roles in a pipeline that does not fit them.
namespace stretto::typed {

/// Why the values of a slot cannot be sent: for ranks of one process,
struct not_copied {
  static constexpr std::string_view why =
      "which cannot be copied and moved; ranks of one process send copies";
};
/// and over a network.
struct not_bytes {
  static constexpr std::string_view why =
      "which is neither trivially copyable nor a std::vector of what is, nor a pointer to it; "
      "other "
      "processes get copies of bytes: put what they need into such a value";
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
           "`stretto::local::collectives` or `stretto::mpi::collectives` among the options of its "
           "pipeline";
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

/// What is wrong with a valid schedule with roles in a pipeline with these collectives, or
/// `no_error`.
template <class Schedule, class Collectives>
consteval auto transfers_diagnostic() {
  if constexpr (detail::is_projection<Schedule> && !requires { requires Collectives::transfers; }) {
    return detail::unsent_projection<Schedule>{};
  } else if constexpr (Collectives::submits && detail::is_of_roles<Schedule>) {
    return detail::unprojected<Schedule>{};
  } else {
    return errors::no_error{};
  }
}

}  // namespace stretto::typed
