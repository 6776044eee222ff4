// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <stretto/device/driver.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "status.hpp"

namespace stretto::testing::recording {

constexpr const char* name_of(device::call c) {
  using enum device::call;
  switch (c) {
    case device_count: return "device_count";
    case current_device: return "current_device";
    case set_device: return "set_device";
    case least_priority: return "least_priority";
    case create_stream: return "create_stream";
    case destroy_stream: return "destroy_stream";
    case synchronize_stream: return "synchronize_stream";
    case device_of: return "device_of";
    case create_event: return "create_event";
    case create_blocking_event: return "create_blocking_event";
    case create_timed_event: return "create_timed_event";
    case destroy_event: return "destroy_event";
    case record: return "record";
    case wait: return "wait";
    case synchronize_event: return "synchronize_event";
    case query: return "query";
    case elapsed_time: return "elapsed_time";
    case last_error: return "last_error";
    case exchange_capture_mode: return "exchange_capture_mode";
    case allocate: return "allocate";
    case release: return "free";
    case allocate_pinned: return "allocate_pinned";
    case free_pinned: return "free_pinned";
    case device_pool: return "device_pool";
    case create_pool: return "create_pool";
    case destroy_pool: return "destroy_pool";
    case set_release_threshold: return "set_release_threshold";
    case allocate_from: return "allocate_from";
    case can_access: return "can_access";
    case give_access: return "give_access";
    case begin_capture: return "begin_capture";
    case end_capture: return "end_capture";
    case record_external: return "record_external";
    case wait_external: return "wait_external";
    case instantiate: return "instantiate";
    case destroy_graph: return "destroy_graph";
    case destroy_executable: return "destroy_executable";
    case launch: return "launch";
  }
  return "?";
}

/// What a call is about: a thing by its number, which has a name, or a plain number.
struct operand {
  enum class kind { stream, event, graph, executable, pool, block, number };
  kind what;
  long number;
};

/// A call to the driver, or work that a body has put on a stream.
struct entry {
  std::optional<device::call> call;  // none: work
  std::string label;                 // of work
  bool is_copy = false;
  status result = status::success;
  int device = 0;  // the calling thread's current one
  int thread = 0;  // in the order of first calls
  std::vector<operand> about;

  // With the names that things have when the log is asked for.
  std::string thread_name, stream_name;
  std::string text;  // `record(e3, compute)`, `kernel(compute, "forward b4")`
};

/// What was asked of a driver, in the order of the calls.
class log : public std::vector<entry> {
 public:
  log by(std::string_view thread) const {
    return only([&](const entry& e) { return e.thread_name == thread; });
  }
  log on(std::string_view stream) const {
    return only([&](const entry& e) { return e.stream_name == stream; });
  }
  log of(std::initializer_list<device::call> calls) const {
    return only([&](const entry& e) { return among(e, calls); });
  }
  log without(std::initializer_list<device::call> calls) const {
    return only([&](const entry& e) { return !among(e, calls); });
  }
  /// Kernels and copies.
  log work() const {
    return only([](const entry& e) { return !e.call; });
  }
  /// What orders work on the device: records and waits, kernels and copies, launches of graphs.
  log ordering() const {
    return only([](const entry& e) {
      using enum device::call;
      return !e.call || among(e, {record, wait, record_external, wait_external, launch});
    });
  }
  std::size_t count(device::call c) const { return of({c}).size(); }
  std::size_t count(std::string_view what) const {
    return only([&](const entry& e) { return e.text == what; }).size();
  }

  /// A line for each.
  std::string text() const {
    std::string all;
    for (const entry& e : *this) (all += e.text) += '\n';
    return all;
  }

 private:
  template <class Wanted>
  log only(Wanted wanted) const {
    log some;
    std::copy_if(begin(), end(), std::back_inserter(some), wanted);
    return some;
  }
  static bool among(const entry& e, std::initializer_list<device::call> calls) {
    return e.call && std::find(calls.begin(), calls.end(), *e.call) != calls.end();
  }
};

}  // namespace stretto::testing::recording
