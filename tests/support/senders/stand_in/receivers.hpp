// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>
#include "completions.hpp"
#include "environments.hpp"

// Receiver concepts: [exec.recv.concepts].
namespace stdexec {

struct receiver_tag {};
using receiver_t = receiver_tag;

template <class Type>
concept receiver =
    std::derived_from<typename std::remove_cvref_t<Type>::receiver_concept, receiver_tag> &&
    requires(const std::remove_cvref_t<Type>& of) {
      { get_env(of) } -> queryable;
    } && std::move_constructible<std::remove_cvref_t<Type>> &&
    std::constructible_from<std::remove_cvref_t<Type>, Type> &&
    !std::is_final_v<std::remove_cvref_t<Type>>;

namespace stand_in {
template <class Receiver, class Signature>
inline constexpr bool takes = false;
template <class Receiver, class Tag, class... Arg>
inline constexpr bool takes<Receiver, Tag(Arg...)> = std::is_invocable_v<Tag, Receiver, Arg...>;
template <class Receiver, class Signatures>
inline constexpr bool takes_all = false;
template <class Receiver, class... Signature>
inline constexpr bool takes_all<Receiver, completion_signatures<Signature...>> =
    (takes<Receiver, Signature> && ...);
}  // namespace stand_in

template <class Type, class Signatures>
concept receiver_of = receiver<Type> && stand_in::takes_all<std::remove_cvref_t<Type>, Signatures>;

}  // namespace stdexec
