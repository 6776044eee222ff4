// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstddef>

/// The device backend: streams, events and memory of a device, reached through a driver.
namespace stretto::device {

/// What is asked of a driver, each a function of it by the same name (`release`: `free`).
enum class call {
  device_count,
  current_device,
  set_device,
  least_priority,
  create_stream,
  destroy_stream,
  synchronize_stream,
  device_of,
  create_event,
  create_blocking_event,
  create_timed_event,
  destroy_event,
  record,
  wait,
  synchronize_event,
  query,
  elapsed_time,
  last_error,
  exchange_capture_mode,
  allocate,
  release,
  allocate_pinned,
  free_pinned,
  device_pool,
  create_pool,
  destroy_pool,
  set_release_threshold,
  allocate_from,
  can_access,
  give_access,
  begin_capture,
  end_capture,
  record_external,
  wait_external,
  instantiate,
  destroy_graph,
  destroy_executable,
  launch
};

/// Whose captures keep a thread from calls that they forbid, such as asking an event how far it is.
enum class capture_mode {
  global,  ///< its own, and those of others that were begun in this mode: what threads begin with
  this_thread,  ///< its own
  relaxed       ///< nobody's
};

namespace detail {

/// What is asked of a driver about pools of memory.
template <class Driver>
concept has_pools =
    requires(const Driver& d, typename Driver::pool pool, typename Driver::stream stream,
             int device, void* memory, std::size_t bytes) {
      { d.device_pool(pool, device) } -> std::same_as<typename Driver::status>;
      { d.create_pool(pool, device) } -> std::same_as<typename Driver::status>;
      { d.destroy_pool(pool) } -> std::same_as<typename Driver::status>;
      { d.set_release_threshold(pool, bytes) } -> std::same_as<typename Driver::status>;
      { d.allocate_from(memory, bytes, pool, stream) } -> std::same_as<typename Driver::status>;
      { d.give_access(pool, device) } -> std::same_as<typename Driver::status>;
    };

}  // namespace detail

/// A device's runtime: an object, copied into each pipeline, whose functions mirror the CUDA
/// runtime's and return its status. The real one is empty (cuda/driver.hpp); tests have one that
/// records what it is asked.
template <class Driver>
concept driver =
    std::copy_constructible<Driver> && detail::has_pools<Driver> &&
    requires(const Driver& d, typename Driver::status s, typename Driver::stream stream,
             typename Driver::event event, typename Driver::graph graph,
             typename Driver::executable executable, int number, bool yes, void* memory,
             std::size_t bytes, call c, capture_mode mode) {
      { Driver::success } -> std::convertible_to<typename Driver::status>;
      { Driver::not_ready } -> std::convertible_to<typename Driver::status>;
      { Driver::name(s) } -> std::convertible_to<const char*>;
      { Driver::text(s) } -> std::convertible_to<const char*>;
      { Driver::sticky(s) } -> std::same_as<bool>;
      { Driver::call_name(c) } -> std::convertible_to<const char*>;
      { d.device_count(number) } -> std::same_as<typename Driver::status>;
      { d.current_device(number) } -> std::same_as<typename Driver::status>;
      { d.set_device(number) } -> std::same_as<typename Driver::status>;
      { d.least_priority(number, number) } -> std::same_as<typename Driver::status>;
      { d.create_stream(stream, number) } -> std::same_as<typename Driver::status>;
      { d.destroy_stream(stream) } -> std::same_as<typename Driver::status>;
      { d.synchronize_stream(stream) } -> std::same_as<typename Driver::status>;
      { d.device_of(stream, number) } -> std::same_as<typename Driver::status>;
      { d.create_event(event) } -> std::same_as<typename Driver::status>;
      { d.create_blocking_event(event) } -> std::same_as<typename Driver::status>;
      { d.destroy_event(event) } -> std::same_as<typename Driver::status>;
      { d.record(event, stream) } -> std::same_as<typename Driver::status>;
      { d.wait(stream, event) } -> std::same_as<typename Driver::status>;
      { d.synchronize_event(event) } -> std::same_as<typename Driver::status>;
      { d.query(event) } -> std::same_as<typename Driver::status>;
      { d.last_error() } -> std::same_as<typename Driver::status>;
      { d.exchange_capture_mode(mode) } -> std::same_as<typename Driver::status>;
      { d.allocate(memory, bytes, stream) } -> std::same_as<typename Driver::status>;
      { d.free(memory, stream) } -> std::same_as<typename Driver::status>;
      { d.allocate_pinned(memory, bytes) } -> std::same_as<typename Driver::status>;
      { d.free_pinned(memory) } -> std::same_as<typename Driver::status>;
      { d.can_access(yes, number, number) } -> std::same_as<typename Driver::status>;
      { d.begin_capture(stream) } -> std::same_as<typename Driver::status>;
      { d.end_capture(stream, graph) } -> std::same_as<typename Driver::status>;
      { d.record_external(event, stream) } -> std::same_as<typename Driver::status>;
      { d.wait_external(stream, event) } -> std::same_as<typename Driver::status>;
      { d.instantiate(executable, graph) } -> std::same_as<typename Driver::status>;
      { d.destroy_graph(graph) } -> std::same_as<typename Driver::status>;
      { d.destroy_executable(executable) } -> std::same_as<typename Driver::status>;
      { d.launch(executable, stream) } -> std::same_as<typename Driver::status>;
    };

/// A driver that can tell when a stream came by an event: `timeline` asks for that, and nothing
/// else does. `elapsed_time` is in milliseconds, from one complete event to another of the same
/// device.
template <class Driver>
concept timed_driver =
    driver<Driver> && requires(const Driver& d, typename Driver::event event, float milliseconds) {
      { d.create_timed_event(event) } -> std::same_as<typename Driver::status>;
      { d.elapsed_time(milliseconds, event, event) } -> std::same_as<typename Driver::status>;
    };

}  // namespace stretto::device
