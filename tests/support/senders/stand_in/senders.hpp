// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>
#include "completions.hpp"
#include "environments.hpp"

// Sender concepts and what a sender announces: [exec.snd.concepts], [exec.getcomplsigs]. What is
// awaited by coroutines is no sender here.
namespace stdexec {

struct sender_tag {};
using sender_t = sender_tag;

template <class Type>
concept sender =
    std::derived_from<typename std::remove_cvref_t<Type>::sender_concept, sender_tag> &&
    requires(const std::remove_cvref_t<Type>& of) {
      { get_env(of) } -> queryable;
    } && std::move_constructible<std::remove_cvref_t<Type>> &&
    std::constructible_from<std::remove_cvref_t<Type>, Type>;

namespace stand_in {

/// A sender of this library that is made of others: each of them is looked at by itself.
struct adaptor_tag : sender_tag {};

template <class Sender, class... Env>
concept tells_signatures = requires {
  std::remove_reference_t<Sender>::template get_completion_signatures<Sender, Env...>();
};
template <class Sender, class... Env>
consteval auto signatures_of() {
  if constexpr (tells_signatures<Sender, Env...>) {
    return std::remove_reference_t<Sender>::template get_completion_signatures<Sender, Env...>();
  } else if constexpr (tells_signatures<Sender>) {
    return std::remove_reference_t<Sender>::template get_completion_signatures<Sender>();
  }
}

template <class Superset, class Signatures>
inline constexpr bool includes = true;
template <class... Known, class... Signature>
inline constexpr bool
    includes<completion_signatures<Known...>, completion_signatures<Signature...>> =
        std::is_same_v<joined<completion_signatures<Known...>, completion_signatures<Signature...>>,
                       joined<completion_signatures<Known...>>>;
/// Whether all that a sender announces for an environment is among what it announces for any.
template <class Sender, class Env>
consteval bool announces_alike() {
  if constexpr (std::derived_from<typename std::remove_cvref_t<Sender>::sender_concept,
                                  adaptor_tag>) {
    return true;
  } else {
    return includes<decltype(signatures_of<Sender>()), decltype(signatures_of<Sender, Env>())>;
  }
}

}  // namespace stand_in

template <class Sender, class... Env>
  requires(sizeof...(Env) <= 1)
consteval auto get_completion_signatures() {
  return stand_in::signatures_of<Sender, Env...>();
}

template <class Type, class... Env>
concept sender_in = sender<Type> && sizeof...(Env) <= 1 && (queryable<Env> && ...) &&
                    stand_in::are_signatures<decltype(stand_in::signatures_of<Type, Env...>())>;

template <class Sender, class... Env>
  requires sender_in<Sender, Env...>
using completion_signatures_of_t = decltype(get_completion_signatures<Sender, Env...>());

template <class Sender, class... Env>
  requires sender_in<Sender, Env...>
inline constexpr bool sends_stopped =
    stand_in::announces<completion_signatures_of_t<Sender, Env...>, set_stopped_t>;

}  // namespace stdexec
