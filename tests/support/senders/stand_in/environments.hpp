// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

// Environments and their queries: [exec.queryable], [exec.env].
namespace stdexec {

template <class Type>
concept queryable = std::destructible<Type>;

namespace stand_in {
/// Whether an environment answers a query, which must not throw.
template <class Env, class Query>
concept answers = requires(const Env& env) {
  { env.query(Query{}) } noexcept;
};
template <class Env, class Query>
using answer_of = decltype(std::declval<const Env&>().query(Query{}));
}  // namespace stand_in

/// Answers nothing.
struct empty_env {};

struct get_env_t {
  template <class Type>
    requires requires(const Type& of) {
      { of.get_env() } noexcept -> queryable;
    }
  decltype(auto) operator()(const Type& of) const noexcept {
    return of.get_env();
  }
  template <class Type>
  empty_env operator()(const Type&) const noexcept {
    // One that may throw would be passed over in silence.
    static_assert(
        !requires(const Type& of) { of.get_env(); }, "get_env() is noexcept");
    return {};
  }
};
inline constexpr get_env_t get_env{};

template <class Type>
using env_of_t = decltype(get_env(std::declval<Type>()));

}  // namespace stdexec
