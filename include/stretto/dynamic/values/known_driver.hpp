// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/dynamic/values/type_identity.hpp>
#include <string_view>

namespace stretto::dynamic::detail {

/// The driver of the device that the streams are on.
struct known_driver {
  std::string_view name;  ///< empty: they are on the host
  type_identity type;
};

}  // namespace stretto::dynamic::detail
