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

  bool operator()() const { return requested != nullptr && requested(stop); }
};
template <class Stop>
wait_question ask(Stop& stop) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): becomes what it was before it is asked
  return {const_cast<void*>(static_cast<const void*>(declare::address_of(stop))),
          [](void* asked) -> bool { return static_cast<Stop*>(asked)->stop_requested(); }};
}

/// User threads that run thread groups of a pipeline: a slot for each host thread of those groups.
/// A run begins when all are taken, and no thread leaves before it has ended; so within a run an
/// attached thread is like any other.
///
/// Pipelines without any have no object of it, and their files compile nothing of it:
/// attached_threads.hpp makes it for the others. (By a table, not by virtual functions: where only
/// one class has those, GCC compiles calls of them as calls of that class.)
class attachments {
 public:
  attachments(const attachments&) = delete;
  attachments& operator=(const attachments&) = delete;

  /// Whether a host thread is a user thread.
  bool has(std::size_t host) const { return how_.has(*this, host); }
  /// Whether a run waits for one to be that host thread. On any thread, at any time.
  bool lacks(std::size_t host) const { return how_.lacks(*this, host); }

  // For the thread that makes runs.

  /// Waits until all slots are taken, and commits the threads to the run. False if a stop was
  /// requested before they were, which \p stop is asked, if it can be. Who is waited for is said
  /// after a while.
  bool await_all(wait_question stop) { return how_.await_all(*this, stop); }
  /// Sets them going, when all else is prepared.
  void begin() { how_.begin(*this); }

  // For the user's threads.

  /// Acquires one of the \p workers slots of a group, the first of which is that of \p host: then
  /// it is that of \p host. Whether there is one.
  bool acquire(std::size_t workers, std::size_t& host) {
    return how_.acquire(*this, workers, host);
  }
  /// Waits for a run. False, and the slot is released, if the pipeline is destroyed, or a stop
  /// requested, which \p stop is asked, before there is one.
  bool await_run(std::size_t host, wait_question stop) { return how_.await_run(*this, host, stop); }
  /// After the run. The pipeline may be gone as soon as the slot is free.
  void release(std::size_t host) { how_.release(*this, host); }

  /// Releases all waiting threads, waits until they have left, and deletes the object.
  static void end(attachments* a) {
    if (a != nullptr) a->how_.end(*a);
  }

 protected:
  struct functions {
    bool (*has)(const attachments&, std::size_t host);
    bool (*lacks)(const attachments&, std::size_t host);
    bool (*await_all)(attachments&, wait_question);
    void (*begin)(attachments&);
    bool (*acquire)(attachments&, std::size_t workers, std::size_t& host);
    bool (*await_run)(attachments&, std::size_t host, wait_question);
    void (*release)(attachments&, std::size_t host);
    void (*end)(attachments&);
  };
  explicit attachments(const functions& how) : how_(how) {}
  ~attachments() = default;

 private:
  const functions& how_;
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
