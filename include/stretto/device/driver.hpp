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
  destroy_event,
  record,
  wait,
  synchronize_event,
  query,
  last_error,
  allocate,
  release,
  allocate_pinned,
  free_pinned,
  begin_capture,
  end_capture,
  record_external,
  wait_external,
  instantiate,
  destroy_graph,
  destroy_executable,
  launch
};

/// A device's runtime: an object, copied into each pipeline, whose functions mirror the CUDA
/// runtime's and return its status. The real one is empty (cuda/driver.hpp); tests have one that
/// records what it is asked.
template <class D>
concept driver =
    std::copy_constructible<D> &&
    requires(const D& d, typename D::status s, typename D::stream stream, typename D::event event,
             typename D::graph graph, typename D::executable executable, int number, void* memory,
             std::size_t bytes, call c) {
      { D::success } -> std::convertible_to<typename D::status>;
      { D::not_ready } -> std::convertible_to<typename D::status>;
      { D::name(s) } -> std::convertible_to<const char*>;
      { D::text(s) } -> std::convertible_to<const char*>;
      { D::sticky(s) } -> std::same_as<bool>;
      { D::call_name(c) } -> std::convertible_to<const char*>;
      { d.device_count(number) } -> std::same_as<typename D::status>;
      { d.current_device(number) } -> std::same_as<typename D::status>;
      { d.set_device(number) } -> std::same_as<typename D::status>;
      { d.least_priority(number, number) } -> std::same_as<typename D::status>;
      { d.create_stream(stream, number) } -> std::same_as<typename D::status>;
      { d.destroy_stream(stream) } -> std::same_as<typename D::status>;
      { d.synchronize_stream(stream) } -> std::same_as<typename D::status>;
      { d.device_of(stream, number) } -> std::same_as<typename D::status>;
      { d.create_event(event) } -> std::same_as<typename D::status>;
      { d.create_blocking_event(event) } -> std::same_as<typename D::status>;
      { d.destroy_event(event) } -> std::same_as<typename D::status>;
      { d.record(event, stream) } -> std::same_as<typename D::status>;
      { d.wait(stream, event) } -> std::same_as<typename D::status>;
      { d.synchronize_event(event) } -> std::same_as<typename D::status>;
      { d.query(event) } -> std::same_as<typename D::status>;
      { d.last_error() } -> std::same_as<typename D::status>;
      { d.allocate(memory, bytes, stream) } -> std::same_as<typename D::status>;
      { d.free(memory, stream) } -> std::same_as<typename D::status>;
      { d.allocate_pinned(memory, bytes) } -> std::same_as<typename D::status>;
      { d.free_pinned(memory) } -> std::same_as<typename D::status>;
      { d.begin_capture(stream) } -> std::same_as<typename D::status>;
      { d.end_capture(stream, graph) } -> std::same_as<typename D::status>;
      { d.record_external(event, stream) } -> std::same_as<typename D::status>;
      { d.wait_external(stream, event) } -> std::same_as<typename D::status>;
      { d.instantiate(executable, graph) } -> std::same_as<typename D::status>;
      { d.destroy_graph(graph) } -> std::same_as<typename D::status>;
      { d.destroy_executable(executable) } -> std::same_as<typename D::status>;
      { d.launch(executable, stream) } -> std::same_as<typename D::status>;
    };

}  // namespace stretto::device
