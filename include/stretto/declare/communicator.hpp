// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/declare/name.hpp>
#include <stretto/declare/tag.hpp>
#include <string_view>

namespace stretto {

/// A group of ranks, named by a type: `using communicator = stretto::communicator<"tables">;` in a
/// task with `static constexpr bool collective = true`. A collective task without one is among the
/// ranks of "world".
template <fixed_string Name>
struct communicator {
  using stretto_tag = tag::communicator;
  static constexpr std::string_view value = Name.view();
};

/// Part of a schedule whose ranks may have unequal numbers of batches: before each batch they agree
/// whether all of them have one, and all stop after the same. A batch that a rank had pulled when
/// another had none is dropped. Pulling is then the first collective of each progress. Without
/// collectives given to the pipeline it changes nothing but that order.
struct agreed_end {
  using stretto_tag = tag::agreed_end;
};

}  // namespace stretto
