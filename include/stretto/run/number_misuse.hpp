// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/declare/name.hpp>
#include <stretto/errors/words.hpp>

/// What is said of numbers that a slot cannot hold as what they are, wherever they come from: see
/// `cuts_off` and `is_taken_amiss` of source.hpp.
namespace stretto::runner {

/// That \p slot, a `Value`, cannot say what \p given, a `Given`, says.
template <class Given, class Value>
constexpr errors::words loses_a_part(const errors::words& given, const errors::words& slot) {
  return given + " `" + errors::words(declare::qualified_name<Given>()) + "`, of which " + slot +
         ", of type `" + errors::words(declare::qualified_name<Value>()) +
         "`, would lose a part: give the slot a type that holds it, or convert it";
}

/// That \p slot, a `Value`, takes \p given, a `Given`, for something else than its value.
template <class Given, class Value>
constexpr errors::words takes_amiss(const errors::words& given, const errors::words& slot) {
  return given + " `" + errors::words(declare::qualified_name<Given>()) + "`, of which no `" +
         errors::words(declare::qualified_name<Value>()) + "` is made: " + slot +
         " would take it for something else, as a string takes a number for a character; convert "
         "it";
}

}  // namespace stretto::runner
