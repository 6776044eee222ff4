// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>
#include <cstddef>
#include <limits>
#include <span>
#include <stretto/run/error.hpp>
#include <type_traits>

namespace stretto::mpi {

/// MPI's name of an arithmetic type, of bool or of std::byte.
template <class Type>
MPI_Datatype datatype_of() {
  if constexpr (std::is_same_v<Type, std::byte>) {
    return MPI_BYTE;
  } else if constexpr (std::is_same_v<Type, bool>) {
    return MPI_CXX_BOOL;
  } else if constexpr (std::is_same_v<Type, float>) {
    return MPI_FLOAT;
  } else if constexpr (std::is_same_v<Type, double>) {
    return MPI_DOUBLE;
  } else if constexpr (std::is_same_v<Type, long double>) {
    return MPI_LONG_DOUBLE;
  } else {
    static_assert(std::is_integral_v<Type>, "an arithmetic type, bool or std::byte");
    constexpr bool is_signed = std::is_signed_v<Type>;
    if constexpr (sizeof(Type) == 1) return is_signed ? MPI_INT8_T : MPI_UINT8_T;
    if constexpr (sizeof(Type) == 2) return is_signed ? MPI_INT16_T : MPI_UINT16_T;
    if constexpr (sizeof(Type) == 4) return is_signed ? MPI_INT32_T : MPI_UINT32_T;
    if constexpr (sizeof(Type) == 8) return is_signed ? MPI_INT64_T : MPI_UINT64_T;
  }
}

/// A contiguous range: a vector, an array, a span.
template <class Range>
concept elements = requires(Range& range) { std::span(range); };

namespace detail {

template <elements Range>
auto span_of(Range& range) {
  const std::span all(range);
  return std::span<typename decltype(all)::element_type>(all);
}

/// The datatype of the elements sent and received, which is one.
template <class From, class To = From>
MPI_Datatype datatype_in(std::span<From>, std::span<To> = {}) {
  static_assert(std::is_same_v<std::remove_const_t<From>, std::remove_const_t<To>>,
                "what is sent is of one type, what is received of another");
  return datatype_of<std::remove_const_t<From>>();
}

/// A number of elements as MPI takes it.
inline int count_of(std::size_t elements) {
  if (elements > static_cast<std::size_t>((std::numeric_limits<int>::max)()))
    throw usage_error("a collective of MPI takes at most 2,147,483,647 elements: cut it in two");
  return static_cast<int>(elements);
}

}  // namespace detail
}  // namespace stretto::mpi
