// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/compiled/linkage.hpp>
#include <stretto/declare/address_of.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/threads/run_maker.hpp>
#include <string_view>

namespace stretto::runner::detail {

/// Whom to ask whether to stop waiting for a run; nobody, if `requested` is null. (Tokens wake
/// nobody up.)
struct wait_question {
  void* stop = nullptr;
  bool (*requested)(void* stop) = nullptr;
};
template <class Stop>
wait_question ask(Stop& stop) {
  return {const_cast<void*>(static_cast<const void*>(declare::address_of(stop))),
          [](void* asked) -> bool { return static_cast<Stop*>(asked)->stop_requested(); }};
}

/// User threads that run thread groups of a pipeline: a slot for each host thread of those groups.
/// A run begins when all are taken, and no thread leaves before it has ended; so within a run an
/// attached thread is like any other.
///
/// Pipelines without any have no object of it, and their files compile nothing of it:
/// attached_threads.hpp makes it for the others.
class attachments {
 public:
  attachments() = default;
  attachments(const attachments&) = delete;
  attachments& operator=(const attachments&) = delete;
  /// Releases all waiting threads and waits until they have left.
  virtual ~attachments() = default;

  /// Whether a host thread is a user thread.
  virtual bool has(std::size_t host) const = 0;

  // For the thread that makes runs.

  /// Waits until all slots are taken, and commits the threads to the run. False if a stop was
  /// requested before they were, which \p stop is asked, if it can be.
  virtual bool await_all(wait_question stop) = 0;
  /// Sets them going, when all else is prepared.
  virtual void begin() = 0;

  // For the user's threads.

  /// Acquires one of the \p workers slots of a group, the first of which is that of \p host: then
  /// it is that of \p host. Whether there is one.
  virtual bool acquire(std::size_t workers, std::size_t& host) = 0;
  /// Waits for a run. False, and the slot is released, if the pipeline is destroyed, or a stop
  /// requested, which \p stop is asked, before there is one.
  virtual bool await_run(std::size_t host, wait_question stop) = 0;
  /// After the run. The pipeline may be gone as soon as the slot is free.
  virtual void release(std::size_t host) = 0;
};

inline constexpr std::string_view only_caller_runs_it =
    "the thread that asks for results runs it; no other can";

/// Acquires a slot of a thread group of a pipeline for the calling thread: which host thread it is.
/// \p lent is null if the pipeline has no attachments. Throws `usage_error` if there is none to
/// have.
STRETTO_INLINE std::size_t acquire_slot(attachments* lent, const run_maker& maker,
                                        planner::view<std::string_view> groups,
                                        planner::view<std::size_t> workers, std::string_view group);

}  // namespace stretto::runner::detail

#if !defined(STRETTO_COMPILED)
#  include <stretto/run/threads/attachments.ipp>
#endif
