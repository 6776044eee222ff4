// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stdexcept>
#include <stretto/device/driver.hpp>
#include <stretto/run/text_builder.hpp>
#include <string_view>

namespace stretto::device {

/// A call to the device's runtime failed. Nested in the `task_error` of the task for which it was
/// made; thrown as it is where there is no task yet. Devices work behind their threads: what an
/// earlier kernel did wrong may be told by a later call, of another task.
class error : public std::runtime_error {
 public:
  /// \p call as it is called there, such as "cudaStreamWaitEvent"; \p code and \p meaning as the
  /// runtime spells them.
  error(std::string_view call, int number, std::string_view code, std::string_view meaning,
        bool sticky)
      : std::runtime_error(
            runner::text_builder()
                .add(call)
                .add(": ")
                .add(meaning)
                .add(" (")
                .add(code)
                .add(")")
                .add(sticky ? "; work submitted earlier may have caused it, and the device is lost "
                              "to this process: start it anew"
                            : "")
                .text()),
        call_(call),
        number_(number),
        sticky_(sticky) {}

  std::string_view call() const { return call_; }
  /// The runtime's number for what went wrong.
  int code() const { return number_; }
  /// Whether the device is lost to this process: every later call fails, too, until the process is
  /// started anew.
  bool sticky() const { return sticky_; }

 private:
  std::string_view call_;
  int number_;
  bool sticky_;
};

namespace detail {

template <class Driver>
[[noreturn, gnu::noinline, gnu::cold]] void fail(call c, typename Driver::status s) {
  throw error(Driver::call_name(c), static_cast<int>(s), Driver::name(s), Driver::text(s),
              Driver::sticky(s));
}

}  // namespace detail

namespace shared {

/// Throws `error` unless a call went well.
template <class Driver>
[[gnu::always_inline]] inline void checked(call c, typename Driver::status s) {
  if (s != Driver::success) [[unlikely]]
    detail::fail<Driver>(c, s);
}

}  // namespace shared
}  // namespace stretto::device
