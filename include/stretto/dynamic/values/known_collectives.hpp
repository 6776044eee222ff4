// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/dynamic/values/type_identity.hpp>
#include <string_view>

namespace stretto::dynamic::detail {

/// The collectives that a pipeline is given, by what contexts have of them.
struct known_collectives {
  std::string_view name;  ///< empty: it is given none
  type_identity type;
};

}  // namespace stretto::dynamic::detail
