// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/device/driver.hpp>

/// A device's runtime that does nothing, in a translation unit of its own: what is left is what a
/// host thread does to get its calls out.
namespace benchmarks::noop {

int call_on(const void* what, const void* other);
int launch(int kernel, const void* slot);
void make(void*& handle);

struct driver {
  using status = int;
  using stream = void*;
  using event = void*;
  using graph = void*;
  using executable = void*;
  using pool = void*;
  static constexpr status success = 0;
  static constexpr status not_ready = 1;

  static const char* name(status) { return "none"; }
  static const char* text(status) { return "nothing goes wrong here"; }
  static bool sticky(status) { return false; }
  static const char* call_name(stretto::device::call) { return "a call"; }

  static status device_count(int& n) { return n = 1, success; }
  static status current_device(int& n) { return n = 0, success; }
  static status set_device(int) { return success; }
  static status least_priority(int& a, int& b) { return a = b = 0, success; }
  static status create_stream(stream& s, int) { return make(s), success; }
  static status destroy_stream(stream s) { return call_on(s, nullptr); }
  static status synchronize_stream(stream s) { return call_on(s, nullptr); }
  static status device_of(stream, int& n) { return n = 0, success; }
  static status create_event(event& e) { return make(e), success; }
  static status create_blocking_event(event& e) { return make(e), success; }
  static status destroy_event(event e) { return call_on(e, nullptr); }
  static status record(event e, stream s) { return call_on(e, s); }
  static status wait(stream s, event e) { return call_on(s, e); }
  static status synchronize_event(event e) { return call_on(e, nullptr); }
  static status query(event e) { return call_on(e, nullptr); }
  static status last_error() { return call_on(nullptr, nullptr); }
  static status exchange_capture_mode(stretto::device::capture_mode& mode) {
    return call_on(&mode, nullptr);
  }
  static status allocate(void*& at, std::size_t, stream) { return make(at), success; }
  static status free(void* at, stream s) { return call_on(at, s); }
  static status allocate_pinned(void*& at, std::size_t) { return make(at), success; }
  static status free_pinned(void* at) { return call_on(at, nullptr); }
  static status can_access(bool& yes, int, int) { return yes = true, success; }
  static status device_pool(pool& p, int) { return make(p), success; }
  static status create_pool(pool& p, int) { return make(p), success; }
  static status destroy_pool(pool p) { return call_on(p, nullptr); }
  static status set_release_threshold(pool p, std::size_t) { return call_on(p, nullptr); }
  static status allocate_from(void*& at, std::size_t, pool, stream) { return make(at), success; }
  static status give_access(pool, int) { return success; }
  static status begin_capture(stream s) { return call_on(s, nullptr); }
  static status end_capture(stream s, graph& g) { return make(g), call_on(s, nullptr); }
  static status record_external(event e, stream s) { return call_on(e, s); }
  static status wait_external(stream s, event e) { return call_on(s, e); }
  static status instantiate(executable& x, graph g) { return make(x), call_on(g, nullptr); }
  static status destroy_graph(graph g) { return call_on(g, nullptr); }
  static status destroy_executable(executable x) { return call_on(x, nullptr); }
  static status launch(executable x, stream s) { return call_on(x, s); }
};
static_assert(stretto::device::driver<driver>);

}  // namespace benchmarks::noop
