// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>
#include "completions.hpp"
#include "operations.hpp"
#include "receivers.hpp"
#include "senders.hpp"

namespace stdexec {
namespace stand_in {

template <class Receiver, class... Value>
class just_operation {
 public:
  using operation_state_concept = operation_state_tag;

  just_operation(Receiver to, std::tuple<Value...> values)
      : to_(std::move(to)), values_(std::move(values)) {}
  just_operation(const just_operation&) = delete;
  just_operation& operator=(const just_operation&) = delete;
  ~just_operation() = default;

  void start() & noexcept {
    std::apply([&](Value&... each) { set_value(std::move(to_), std::move(each)...); }, values_);
  }

 private:
  Receiver to_;
  std::tuple<Value...> values_;
};

template <class... Value>
struct just_sender {
  using sender_concept = sender_tag;

  template <class, class...>
  static consteval auto get_completion_signatures() {
    return completion_signatures<set_value_t(Value...)>();
  }
  template <receiver Receiver>
  just_operation<Receiver, Value...> connect(Receiver to) && {
    return {std::move(to), std::move(values)};
  }
  template <receiver Receiver>
    requires(std::is_copy_constructible_v<Value> && ...)
  just_operation<Receiver, Value...> connect(Receiver to) const& {
    return {std::move(to), values};
  }

  std::tuple<Value...> values;
};

}  // namespace stand_in

/// Sends values: [exec.just].
struct just_t {
  template <class... Value>
  auto operator()(Value&&... values) const {
    return stand_in::just_sender<std::decay_t<Value>...>{{std::forward<Value>(values)...}};
  }
};
inline constexpr just_t just{};

}  // namespace stdexec
