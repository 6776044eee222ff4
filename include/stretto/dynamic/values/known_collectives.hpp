// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/dynamic/values/type_identity.hpp>
#include <stretto/run/sent_value.hpp>
#include <string_view>

namespace stretto::dynamic::detail {

/// How what contexts have of collectives sends and receives values.
struct transfer_calls {
  bool (*can_send)(const runner::sent_value& how);
  void (*send)(const void* among, const runner::sent_value& how, const void* value);
  void (*receive)(const void* among, const runner::sent_value& how, void* value);
  std::string_view otherwise;  ///< why a value cannot be sent
};

template <class Collectives>
constexpr transfer_calls make_transfer_calls() {
  using among = typename Collectives::in_context;
  return {.can_send = &among::can_send,
          .send = [](const void* at, const runner::sent_value& how,
                     const void* value) { static_cast<const among*>(at)->send_as(how, value); },
          .receive = [](const void* at, const runner::sent_value& how,
                        void* value) { static_cast<const among*>(at)->receive_as(how, value); },
          .otherwise = Collectives::unsent::why};
}
template <class Collectives>
inline constexpr transfer_calls transfer_calls_of = make_transfer_calls<Collectives>();

/// Those of collectives; null if they make no transfers.
template <class Collectives>
constexpr const transfer_calls* transfers_of() {
  if constexpr (requires { typename Collectives::unsent; }) {
    return &transfer_calls_of<Collectives>;
  } else {
    return nullptr;
  }
}

/// The collectives that a pipeline is given, by what contexts have of them.
struct known_collectives {
  std::string_view name;  ///< empty: it is given none
  type_identity type;
  const transfer_calls* transfers = nullptr;
};

}  // namespace stretto::dynamic::detail
