// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <exception>
#include <optional>
#include <stretto/run/session/begun_call_names.hpp>
#include <stretto/run/suspended_call.hpp>
#include <utility>

namespace stretto::runner {

/// The calls of a task that is a coroutine, progress by progress: begun by a thread that has others
/// to run, ended by whoever resumes the coroutine last. `Call` is a small value that knows a
/// machine and a progress. What to do with it, `Rules` say, as functions of it:
///
///     progress(call)     the number
///     await(call)        waits for what the task has to wait for
///     stopped(call)      whether the task runs no more in this run
///     stopping(call)     whether the pipeline is to stop
///     refuse(call)       the task runs no more, from this progress on
///     fires(call)        whether the task has a batch to work on, once its waits are over; may
///                        throw where what it would write is given instead
///     start(call, told)  begins the coroutine, which tells \c told when it ends
///     finish(call)       the task is done: tells those who wait for that
///     pass(call)         the task had nothing to do: likewise
///     fail(call)         in a handler of what was thrown: the run fails
template <class Call>
class begun_calls {
 public:
  void restart(std::size_t progress) { next_ = progress; }

  /// Begins the call of a progress, as soon as its waits are over. If that fails, or if no more
  /// calls may begin, the pipeline stops, as this thread finds out.
  template <class Rules>
  void begin(const Call& now) {
    if (next_ == Rules::progress(now) + 1) return;  // in this progress it has been asked before
    call_.await_end();                              // of the batch before
    if (Rules::stopped(now)) return;
    Rules::await(now);
    if (Rules::stopping(now)) {
      Rules::refuse(now);
      return;
    }
    next_ = Rules::progress(now) + 1;
    try {
      if (!Rules::fires(now)) {
        Rules::pass(now);
        return;
      }
    } catch (...) {
      Rules::fail(now);
      return;
    }
    now_.emplace(now);
    call_.begin(&ended<Rules>, this);
    try {
      Rules::start(now, call_);
    } catch (...) {  // before there was a coroutine
      Rules::fail(now);
      call_.end();
    }
  }

  /// Waits until the last call has ended; there are no others in this run. The progress that the
  /// next would have been of.
  std::size_t end() {
    call_.await_end();
    return next_;
  }

 private:
  /// Where the coroutine ended.
  template <class Rules>
  static void ended(void* of, std::exception_ptr error) noexcept {
    auto& calls = *static_cast<begun_calls*>(of);
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): `begin` has put it there
    const Call now = *calls.now_;
    try {
      if (error != nullptr) std::rethrow_exception(std::move(error));
      Rules::finish(now);
    } catch (...) {
      Rules::fail(now);
    }
    calls.call_.end();
  }

  suspended_call call_;
  std::optional<Call> now_;
  std::size_t next_ = 0;  ///< the progress of the next call
};

}  // namespace stretto::runner
