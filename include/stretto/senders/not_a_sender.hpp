// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <exception>
#include <stretto/run/not_a_run.hpp>
#include <stretto/senders/stdexec.hpp>

namespace stretto::sending {

/// What a sender becomes after a compile error, so that no other error follows: it sends anything.
struct not_a_sender {
  using sender_concept = stdexec::sender_t;
  template <class, class...>
  static consteval auto get_completion_signatures() {
    return stdexec::completion_signatures<stdexec::set_value_t(runner::any_result),
                                          stdexec::set_error_t(std::exception_ptr),
                                          stdexec::set_stopped_t()>{};
  }
  struct operation {
    using operation_state_concept = stdexec::operation_state_t;
    void start() & noexcept {}
  };
  template <class Receiver>
  operation connect(Receiver) const {
    return {};
  }
};

}  // namespace stretto::sending
