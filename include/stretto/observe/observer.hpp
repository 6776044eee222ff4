// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <span>
#include <stretto/declare/context.hpp>
#include <stretto/declare/tag.hpp>
#include <string_view>

namespace stretto {

/// The default observer: none. An observer is a class with these members (and `stretto_tag`),
/// given to `pipeline` as an option; `started` and `finished` are called on the thread that runs
/// the task. One that wants to know more has
/// `attached(threads, tasks, streams)`, with the stream of each task, empty if it has none;
/// `started(thread, task, batch, phase)`;
/// `failed(thread, task, batch)`, called in place of `finished` when a task ended by an exception;
/// `stream_made(name, stream)`, called after `attached` for each stream that is on a device, with
/// what it is there, such as a `cudaStream_t`.
///
/// What `started` or `finished` throws stops the run, nested in an `observer_error`. What `failed`
/// throws is dropped: the task's own error is told.
struct no_observer {
  using stretto_tag = tag::observer;
  static constexpr bool observes = false;

  /// Once, before anything runs: the names behind the numbers.
  void attached(std::span<const std::string_view> /*threads*/,
                std::span<const std::string_view> /*tasks*/) {}
  void started(std::size_t /*thread*/, std::size_t /*task*/, std::size_t /*batch*/) {}
  void finished(std::size_t /*thread*/, std::size_t /*task*/, std::size_t /*batch*/) {}
};

namespace observe {

template <class Observer>
concept observes_streams = requires(Observer& o, std::span<const std::string_view> names) {
  o.attached(names, names, names);
};
template <class Observer>
concept observes_phases =
    requires(Observer& o, std::size_t n, phase now) { o.started(n, n, n, now); };
template <class Observer, class Device>
concept observes_device = requires(Observer& o, Device& d, std::string_view name) {
  o.stream_made(name, d.stream(name));
};
template <class Observer>
concept observes_failures = requires(Observer& o, std::size_t n) { o.failed(n, n, n); };

}  // namespace observe
}  // namespace stretto
