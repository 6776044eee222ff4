// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <span>
#include <stretto/declare/context.hpp>
#include <stretto/declare/tag.hpp>
#include <string_view>

namespace stretto {

/// Says of a task that began that its thread has done nothing else since it finished the task
/// before: it waited for nobody, told nobody, and made no call except a stop token's. So the one
/// began when the other ended.
struct back_to_back {};

/// The default observer: none. An observer is a class with these members (and `stretto_tag`),
/// given to `pipeline` as an option; `started` and `finished` are called on the thread that runs
/// the task. One that wants to know more has
/// `attached(threads, tasks, streams)`, with the stream of each task, empty if it has none;
/// `started(thread, task, batch, phase)`;
/// `started(thread, task, batch, back_to_back)` besides the one without, if it does not ask for the
/// phase: called in its place where tasks are back to back, as far as that is known;
/// `submitted(thread, task, batch)`, called where streams are on a device when a body has put its
/// work on its task's stream, before anybody who waits for that work can go on;
/// `failed(thread, task, batch)`, called in place of `finished` when a task ended by an exception;
/// `failure_dropped(thread, task, batch)`, called in place of `finished` when the exception did not
/// end the run, but dropped the batch (`on_failure`);
/// `passed_over(thread, task, batch)`, called in place of `started` and `finished` where a task
/// does not run because another one has dropped the batch;
/// `no_batch(thread, task, batch)`, called in place of `finished` where the source has none;
/// `rates(every, phase)`, called after `attached`: of how many batches each task runs for one, and
/// how many of them come before that; `planned(plan)`, called then: a `planner::plan_view` of
/// types, a `dynamic::planned_schedule` of values (an observer for both versions takes both; a
/// pipeline whose plan it does not take does not call it); `stream_made(name, stream)`, called
/// after `attached` for each stream that is on a device, with what it is there, such as a
/// `cudaStream_t`; `device_made(device, in_flight)`, called after that, if it is to put work of its
/// own around each task's, with what the pipeline holds of the device (`driver()`, `stream(name)`
/// and `on_stream(task)`), and how many batches may be in flight; not with graphs; `run_begins()`
/// and `run_ended()`, called on the thread that made the run, before anything of it runs, and when
/// all threads have left it and what they put on streams is done. `run` throws what `run_begins`
/// does; `run_ended` throws nothing; `begins_at(batch)`, called before that, with the number of the
/// run's first batch.
///
/// What `started`, `submitted`, `finished`, `failure_dropped` or `passed_over` throws stops the
/// run, nested in an `observer_error`. What `failed` throws is dropped: the task's own error is
/// told.
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
template <class Observer>
concept observes_successions = !observes_phases<Observer> && requires(Observer& o, std::size_t n) {
  o.started(n, n, n, back_to_back{});
};
template <class Observer>
concept observes_rates =
    requires(Observer& o, std::span<const std::size_t> numbers) { o.rates(numbers, numbers); };
template <class Observer, class Plan>
concept observes_plan = requires(Observer& o, const Plan& p) { o.planned(p); };
template <class Observer, class Device>
concept observes_device = requires(Observer& o, Device& d, std::string_view name) {
  o.stream_made(name, d.stream(name));
};
template <class Observer, class Device>
concept works_on_device = requires(Observer& o, Device& d, std::size_t n) { o.device_made(d, n); };
template <class Observer>
concept observes_submissions = requires(Observer& o, std::size_t n) { o.submitted(n, n, n); };
template <class Observer>
concept observes_runs = requires(Observer& o) {
  o.run_begins();
  o.run_ended();
};
template <class Observer>
concept observes_beginnings = requires(Observer& o, std::size_t n) { o.begins_at(n); };
template <class Observer>
concept observes_failures = requires(Observer& o, std::size_t n) { o.failed(n, n, n); };
template <class Observer>
concept observes_dropped_failures =
    requires(Observer& o, std::size_t n) { o.failure_dropped(n, n, n); };
template <class Observer>
concept observes_drops = requires(Observer& o, std::size_t n) { o.passed_over(n, n, n); };
template <class Observer>
concept observes_empty_sources = requires(Observer& o, std::size_t n) { o.no_batch(n, n, n); };

}  // namespace observe
}  // namespace stretto
