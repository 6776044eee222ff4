// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace stretto {

/// A list of types.
template <class... T>
struct pack {
  static constexpr std::size_t size = sizeof...(T);
};

template <class, class>
struct joined;
template <class... A, class... B>
struct joined<pack<A...>, pack<B...>> {
  using type = pack<A..., B...>;
};

/// What a part of a schedule is, told by its member `stretto_part`. (Partial specialisations could
/// tell too, but nvcc does not deduce string arguments in them.) A part without it is a task.
namespace part {
struct source {};
struct result {};
struct streams {};
struct threads {};
struct caller_runs {};
struct place {};
struct slack {};
struct thread_group {};
struct order {};
struct stream {};
struct lookahead {};
struct thread {};
struct weight {};
struct serially {};
struct waiting {};
struct pace {};
struct strict {};
struct observer {};
struct affinity {};
struct device {};
struct collectives {};
struct communicator {};
struct agreed_end {};
struct result_on {};

/// The part that makes a schedule serial.
struct one_by_one {
  using stretto_part = serially;
};
}  // namespace part

}  // namespace stretto
