// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/declare/pack.hpp>
#include <stretto/errors/emit.hpp>

/// The first of what may be wrong.
namespace stretto::typed::detail {

/// The place of the first `true`, or the size.
template <std::size_t Batches>
constexpr std::size_t first_true(const std::array<bool, Batches>& flags) {
  std::size_t place = 0;
  for (const bool flag : flags) {
    if (flag) break;
    ++place;
  }
  return place;
}

/// The first diagnostic that is one.
template <class... Diagnostic>
consteval auto first_diagnostic(pack<Diagnostic...> all) {
  if constexpr (constexpr std::size_t place =
                    first_true<sizeof...(Diagnostic)>({!errors::is_no_error<Diagnostic>...});
                place < sizeof...(Diagnostic)) {
    return declare::nth<place, decltype(all)>{};
  } else {
    return errors::no_error{};
  }
}

template <class Complaints>
using first_of = decltype(first_diagnostic(Complaints{}));

}  // namespace stretto::typed::detail
