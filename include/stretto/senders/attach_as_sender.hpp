// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <exception>
#include <stretto/errors/emit.hpp>
#include <stretto/senders/not_a_sender.hpp>
#include <stretto/senders/senders_misuse.hpp>
#include <stretto/senders/stdexec.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace stretto {

namespace sending {
namespace detail {

template <class Pipeline, class Receiver>
class attach_operation {
 public:
  using operation_state_concept = stdexec::operation_state_t;

  attach_operation(Pipeline& pipeline, std::string group, Receiver receiver)
      : pipeline_(pipeline), group_(std::move(group)), receiver_(std::move(receiver)) {}
  attach_operation(const attach_operation&) = delete;
  attach_operation& operator=(const attach_operation&) = delete;
  ~attach_operation() = default;

  void start() & noexcept {
    bool took_part = false;
    std::exception_ptr error;
    try {
      took_part = pipeline_.attach(group_, stdexec::get_stop_token(stdexec::get_env(receiver_)));
    } catch (...) {
      error = std::current_exception();
    }
    if (error != nullptr) {
      stdexec::set_error(std::move(receiver_), std::move(error));
    } else if (took_part) {
      stdexec::set_value(std::move(receiver_));
    } else {
      stdexec::set_stopped(std::move(receiver_));
    }
  }

 private:
  Pipeline& pipeline_;
  std::string group_;
  Receiver receiver_;
};

template <class Pipeline>
class attach_sender {
 public:
  using sender_concept = stdexec::sender_t;

  attach_sender(Pipeline& pipeline, std::string_view group) : pipeline_(&pipeline), group_(group) {}

  template <class, class...>
  static consteval auto get_completion_signatures() {
    return stdexec::completion_signatures<stdexec::set_value_t(),
                                          stdexec::set_error_t(std::exception_ptr),
                                          stdexec::set_stopped_t()>{};
  }

  template <stdexec::receiver Receiver>
  attach_operation<Pipeline, Receiver> connect(Receiver receiver) const {
    return {*pipeline_, group_, std::move(receiver)};
  }

 private:
  Pipeline* pipeline_;
  std::string group_;
};

}  // namespace detail

/// The type of `attach_as_sender`: an object, of whose calls GCC says once that they are refused.
struct attach_as_sender_of {
  template <class Pipeline>
    requires(errors::is_no_error<unfit_pipeline<Pipeline>>)
  auto operator()(Pipeline&& pipeline, std::string_view group) const {
    return detail::attach_sender<std::remove_reference_t<Pipeline>>(pipeline, group);
  }
  /// Of what has no threads: a compile error that says why.
  template <class Pipeline, auto Why = errors::why<unfit_pipeline<Pipeline>>>
    requires(!errors::is_no_error<unfit_pipeline<Pipeline>>)
  STRETTO_REFUSED not_a_sender operator()(Pipeline&&, std::string_view) const {
    static_cast<void>(errors::emit_in_body<unfit_pipeline<Pipeline>>::value);
    return {};
  }
};

}  // namespace sending

/// A thread of a pipeline that a scheduler provides, as a sender: the thread that starts it is
/// attached to a thread group for one run, as by `pipeline.attach(group, token)` with the
/// receiver's stop token, and completes when that returns. So it takes a thread of the scheduler
/// for as long as a run takes:
///
///     stdexec::sync_wait(stdexec::when_all(
///         stdexec::starts_on(pool, st::attach_as_sender(pipeline, "decode")),
///         st::run_as_sender(pipeline, source)));
///
/// Sends nothing when the group has nothing left to do in the run, however that ends. Is stopped
/// if a stop was requested before a run began, or if the pipeline was destroyed; its error is the
/// `usage_error` of `attach`. The pipeline is referred to, the name kept.
inline constexpr sending::attach_as_sender_of attach_as_sender{};

}  // namespace stretto
