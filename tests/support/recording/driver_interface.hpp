// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <functional>
#include <stretto/device/context.hpp>
#include <stretto/device/driver.hpp>
#include <string>
#include <vector>
#include "access.hpp"
#include "handles.hpp"
#include "status.hpp"

namespace stretto::testing::recording {

/// Speaks to a world as the real driver speaks to CUDA's runtime. The world outlives it. What only
/// compiles, as cases of compile_fail do, needs no more; driver.hpp has the definitions, which take
/// seconds.
class driver {
 public:
  using status = recording::status;
  using stream = recording::stream;
  using event = recording::event;
  using graph = recording::graph;
  using executable = recording::executable;
  using pool = recording::pool;

  static constexpr status success = status::success;
  static constexpr status not_ready = status::not_ready;
  static const char* name(status s);
  static const char* text(status s);
  static bool sticky(status s);
  static const char* call_name(device::call c);

  explicit driver(world& w);

  status device_count(int& n) const;
  status current_device(int& n) const;
  status set_device(int n) const;
  status least_priority(int& least, int& greatest) const;

  status create_stream(stream& s, int priority) const;
  status destroy_stream(stream s) const;
  status synchronize_stream(stream s) const;
  status device_of(stream s, int& n) const;

  status create_event(event& e) const;
  status create_blocking_event(event& e) const;
  status create_timed_event(event& e) const;
  status destroy_event(event e) const;
  status record(event e, stream s) const;
  status wait(stream s, event e) const;
  status synchronize_event(event e) const;
  status query(event e) const;
  status elapsed_time(float& milliseconds, event from, event to) const;
  /// What the last failed call of this thread, or a refused kernel, has left behind; not again.
  status last_error() const;
  /// What `last_error` would return; it stays. No fault hits it.
  status peek_at_last_error() const;

  /// Gives the calling thread \p mode, which becomes the one that it had.
  status exchange_capture_mode(device::capture_mode& mode) const;

  status allocate(void*& at, std::size_t bytes, stream s) const;
  status free(void* at, stream s) const;
  status allocate_pinned(void*& at, std::size_t bytes) const;
  status free_pinned(void* at) const;

  status device_pool(pool& p, int device) const;
  status create_pool(pool& p, int device) const;
  status destroy_pool(pool p) const;
  status set_release_threshold(pool p, std::size_t bytes) const;
  status allocate_from(void*& at, std::size_t bytes, pool p, stream s) const;

  status can_access(bool& yes, int device, int of) const;
  status give_access(pool p, int device) const;

  status begin_capture(stream s) const;
  status end_capture(stream s, graph& g) const;
  status record_external(event e, stream s) const;
  status wait_external(stream s, event e) const;
  status instantiate(executable& x, graph g) const;
  status destroy_graph(graph g) const;
  status destroy_executable(executable x) const;
  status launch(executable x, stream s) const;

  /// As the world's.
  void name_this_thread(std::string given) const;

  /// Called by bodies, or by other threads of the user.
  status begin_capture(stream s, device::capture_mode mode) const;

  // What bodies of tasks put on streams. Not of the backend's interface, and no fault hits them.

  /// A kernel: \p body runs in its turn. What it uses, as it says, must be ordered.
  status enqueue(stream s, std::function<void()> body, std::string label,
                 std::vector<access> uses = {}) const;
  /// A kernel that fails when its turn comes: a later call says so.
  status enqueue_failing(stream s, status how, std::string label) const;
  /// A kernel that is not taken: last_error() says so.
  status enqueue_refused(stream s, status why, std::string label) const;
  /// Memory of the current device that a library makes, in no stream's order, and that goes at
  /// once.
  void* make_mapped(std::size_t bytes) const;
  void end_mapped(void* at) const;
  /// A library says that it is going to put something on a stream by itself; then, that it has, or
  /// will not. Whatever comes to the stream in between is a breach.
  void promise(stream s, std::string what) const;
  void keep_promise(stream s) const;
  /// A stream that is in order with the legacy stream of its device, as cudaStreamCreate makes it.
  status create_ordered_stream(stream& s) const;
  /// A kernel on the legacy stream of the current device.
  status enqueue_legacy(std::function<void()> body, std::string label,
                        std::vector<access> uses = {}) const;
  /// Waits for all of the current device's streams, as cudaDeviceSynchronize does.
  status synchronize_device() const;
  /// Copies bytes of memory of the driver's, or that the world was made to know.
  status copy(stream s, void* to, const void* from, std::size_t bytes,
              std::string label = {}) const;

 private:
  template <class Act>
  status make(device::call what, std::vector<operand> about, Act act) const;
  void forget(graph& g) const;

  machine* machine_;
};

static_assert(device::timed_driver<driver>);

}  // namespace stretto::testing::recording

namespace stretto {

template <>
struct asked_of_device<testing::recording::stream>
    : device::asked_stream<testing::recording::driver> {};

}  // namespace stretto
