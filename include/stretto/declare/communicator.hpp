// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <stretto/declare/name.hpp>
#include <stretto/declare/tag.hpp>
#include <string_view>

namespace stretto {

/// A group of ranks, named by a type: `using communicator = stretto::communicator<"tables">;` in a
/// task with `static constexpr bool collective = true`. A collective task without one is among the
/// ranks of "world". One over NCCL may be among those of several: `communicator<"world",
/// "tables">`; its context is about the first one, and tells of the others by their names
/// (`among`).
template <fixed_string Name, fixed_string... Further>
struct communicator {
  using stretto_tag = tag::communicator;
  static constexpr std::string_view value = Name.view();
  static constexpr std::array<std::string_view, sizeof...(Further)> further{Further.view()...};
};

/// Part of a schedule whose ranks may have unequal numbers of batches: before each batch they agree
/// whether all of them have one, and all stop after the same. A batch that a rank had pulled when
/// another had none is dropped. Pulling is then the first collective of each progress. Without
/// collectives given to the pipeline it changes nothing but that order.
struct agreed_end {
  using stretto_tag = tag::agreed_end;
};

}  // namespace stretto
