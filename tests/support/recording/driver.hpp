// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>
#include "called.hpp"
#include "driver_interface.hpp"
#include "graphs.hpp"
#include "kernels.hpp"
#include "pools.hpp"
#include "streams.hpp"

namespace stretto::testing::recording {

inline const char* driver::name(status s) { return name_of(s); }
inline const char* driver::text(status s) { return text_of(s); }
inline bool driver::sticky(status s) { return recording::sticky(s); }
inline const char* driver::call_name(device::call c) { return name_of(c); }
inline driver::driver(world& w) : machine_(&w.state()) {}
inline driver::status driver::device_count(int& n) const {
  return make(device::call::device_count, {}, [&](called& c) {
    n = c.m.devices;
    return success;
  });
}
inline driver::status driver::current_device(int& n) const {
  return make(device::call::current_device, {}, [&](called& c) {
    n = c.here.device;
    return success;
  });
}
inline driver::status driver::set_device(int n) const {
  return make(device::call::set_device, {}, [&](called& c) {
    c.about(operand::kind::number, n);
    if (n < 0 || n >= c.m.devices) return c.refuse(status::invalid_device, "no such device");
    c.here.device = n;
    return success;
  });
}
inline driver::status driver::least_priority(int& least, int& greatest) const {
  return make(device::call::least_priority, {}, [&](called&) {
    least = 0;
    greatest = -5;
    return success;
  });
}
inline driver::status driver::create_stream(stream& s, int priority) const {
  return make(device::call::create_stream, {},
              [&](called& c) { return recording::create_stream(c, s, priority); });
}
inline driver::status driver::destroy_stream(stream s) const {
  return make(device::call::destroy_stream, {named(s)},
              [&](called& c) { return recording::destroy_stream(c, s); });
}
inline driver::status driver::synchronize_stream(stream s) const {
  return make(device::call::synchronize_stream, {named(s)},
              [&](called& c) { return recording::synchronize_stream(c, s); });
}
inline driver::status driver::device_of(stream s, int& n) const {
  return make(device::call::device_of, {named(s)}, [&](called& c) {
    if (!c.usable(s)) return status::invalid_resource_handle;
    n = s->device;
    return success;
  });
}
inline driver::status driver::create_event(event& e) const {
  return make(device::call::create_event, {},
              [&](called& c) { return recording::create_event(c, e, false); });
}
inline driver::status driver::create_blocking_event(event& e) const {
  return make(device::call::create_blocking_event, {},
              [&](called& c) { return recording::create_event(c, e, true); });
}
inline driver::status driver::create_timed_event(event& e) const {
  return make(device::call::create_timed_event, {},
              [&](called& c) { return recording::create_event(c, e, false, true); });
}
inline driver::status driver::destroy_event(event e) const {
  return make(device::call::destroy_event, {named(e)},
              [&](called& c) { return recording::destroy_event(c, e); });
}
inline driver::status driver::record(event e, stream s) const {
  return make(device::call::record, {named(e), named(s)},
              [&](called& c) { return recording::record(c, e, s); });
}
inline driver::status driver::wait(stream s, event e) const {
  return make(device::call::wait, {named(s), named(e)},
              [&](called& c) { return recording::wait(c, s, e); });
}
inline driver::status driver::synchronize_event(event e) const {
  return make(device::call::synchronize_event, {named(e)},
              [&](called& c) { return recording::synchronize_event(c, e); });
}
inline driver::status driver::query(event e) const {
  return make(device::call::query, {named(e)}, [&](called& c) { return recording::query(c, e); });
}
inline driver::status driver::elapsed_time(float& milliseconds, event from, event to) const {
  return make(device::call::elapsed_time, {named(from), named(to)},
              [&](called& c) { return recording::elapsed_time(c, milliseconds, from, to); });
}
inline driver::status driver::last_error() const {
  return make(device::call::last_error, {},
              [](called& c) { return std::exchange(c.here.left_behind, success); });
}
inline driver::status driver::peek_at_last_error() const {
  const std::lock_guard hold(machine_->shared.lock);
  return machine_->here().left_behind;
}
inline driver::status driver::exchange_capture_mode(device::capture_mode& mode) const {
  return make(device::call::exchange_capture_mode, {}, [&](called& c) {
    c.on_device_of_streams();
    c.about(operand::kind::number, static_cast<long>(mode));
    std::swap(c.here.mode, mode);
    return success;
  });
}
inline driver::status driver::allocate(void*& at, std::size_t bytes, stream s) const {
  return make(device::call::allocate, {named(s)},
              [&](called& c) { return recording::allocate(c, at, bytes, nullptr, s); });
}
inline driver::status driver::free(void* at, stream s) const {
  return make(device::call::release, {named(s)}, [&](called& c) { return release(c, at, s); });
}
inline driver::status driver::allocate_pinned(void*& at, std::size_t bytes) const {
  return make(device::call::allocate_pinned, {},
              [&](called& c) { return recording::allocate_pinned(c, at, bytes); });
}
inline driver::status driver::free_pinned(void* at) const {
  return make(device::call::free_pinned, {},
              [&](called& c) { return recording::free_pinned(c, at); });
}
inline driver::status driver::device_pool(pool& p, int device) const {
  return make(device::call::device_pool, {}, [&](called& c) {
    c.about(operand::kind::number, device);
    if (!c.existing(device)) return status::invalid_device;
    p = &c.m.pools[static_cast<std::size_t>(device)];
    return success;
  });
}
inline driver::status driver::create_pool(pool& p, int device) const {
  return make(device::call::create_pool, {},
              [&](called& c) { return recording::create_pool(c, p, device); });
}
inline driver::status driver::destroy_pool(pool p) const {
  return make(device::call::destroy_pool, {named(p)},
              [&](called& c) { return recording::destroy_pool(c, p); });
}
inline driver::status driver::set_release_threshold(pool p, std::size_t bytes) const {
  return make(device::call::set_release_threshold, {named(p)}, [&](called& c) {
    c.about(operand::kind::number, static_cast<long>(bytes));
    if (!c.usable(p)) return status::invalid_value;
    p->release_threshold = bytes;
    return success;
  });
}
inline driver::status driver::allocate_from(void*& at, std::size_t bytes, pool p, stream s) const {
  return make(device::call::allocate_from, {named(p), named(s)}, [&](called& c) {
    if (!c.usable(p)) return status::invalid_value;
    return recording::allocate(c, at, bytes, p, s);
  });
}
inline driver::status driver::can_access(bool& yes, int device, int of) const {
  return make(device::call::can_access, {}, [&](called& c) {
    yes = c.m.peers && device != of;
    return c.existing(device) && c.existing(of) ? success : status::invalid_device;
  });
}
inline driver::status driver::give_access(pool p, int device) const {
  return make(device::call::give_access, {named(p)},
              [&](called& c) { return recording::give_access(c, p, device); });
}
inline driver::status driver::begin_capture(stream s) const {
  return begin_capture(s, device::capture_mode::this_thread);
}
inline driver::status driver::end_capture(stream s, graph& g) const {
  const status result = make(device::call::end_capture, {named(s)},
                             [&](called& c) { return recording::end_capture(c, s, g); });
  if (result != success) forget(g);
  return result;
}
inline driver::status driver::record_external(event e, stream s) const {
  return make(device::call::record_external, {named(e), named(s)},
              [&](called& c) { return recording::record_external(c, e, s); });
}
inline driver::status driver::wait_external(stream s, event e) const {
  return make(device::call::wait_external, {named(s), named(e)},
              [&](called& c) { return recording::wait_external(c, s, e); });
}
inline driver::status driver::instantiate(executable& x, graph g) const {
  return make(device::call::instantiate, {named(g)},
              [&](called& c) { return recording::instantiate(c, x, g); });
}
inline driver::status driver::destroy_graph(graph g) const {
  return make(device::call::destroy_graph, {named(g)},
              [&](called& c) { return recording::destroy_graph(c, g); });
}
inline driver::status driver::destroy_executable(executable x) const {
  return make(device::call::destroy_executable, {named(x)},
              [&](called& c) { return recording::destroy_executable(c, x); });
}
inline driver::status driver::launch(executable x, stream s) const {
  return make(device::call::launch, {named(x), named(s)},
              [&](called& c) { return recording::launch(c, x, s); });
}
inline void driver::name_this_thread(std::string given) const {
  const std::lock_guard hold(machine_->shared.lock);
  machine_->thread_names[machine_->here().id] = std::move(given);
}
inline driver::status driver::begin_capture(stream s, device::capture_mode mode) const {
  return make(device::call::begin_capture, {named(s)},
              [&](called& c) { return recording::begin_capture(c, s, mode); });
}
inline driver::status driver::enqueue(stream s, std::function<void()> body, std::string label,
                                      std::vector<access> uses) const {
  return recording::enqueue(*machine_, s, std::move(body), std::move(label), std::move(uses));
}
inline driver::status driver::enqueue_failing(stream s, status how, std::string label) const {
  return recording::enqueue_failing(*machine_, s, how, std::move(label));
}
inline driver::status driver::enqueue_refused(stream s, status why, std::string label) const {
  return put_work(*machine_, s, {std::move(label), {}, {}, {}}, {}, true, why);
}
inline void* driver::make_mapped(std::size_t bytes) const {
  const std::lock_guard hold(machine_->shared.lock);
  return machine_->bytes.address(
      machine_->bytes.add(memory::kind::device, bytes, nullptr, machine_->here().device));
}
inline void driver::end_mapped(void* at) const {
  const std::lock_guard hold(machine_->shared.lock);
  const int id = machine_->bytes.release(
      at, memory::kind::device, nullptr, machine_->shared.known,
      [&](const std::string& why) { machine_->breaches.push_back("end_mapped: " + why); });
  if (id >= 0) machine_->bytes.drop(id);
}
inline void driver::promise(stream s, std::string what) const {
  const std::lock_guard hold(machine_->shared.lock);
  machine_->promised[s->id] = std::move(what);
}
inline void driver::keep_promise(stream s) const {
  const std::lock_guard hold(machine_->shared.lock);
  machine_->promised.erase(s->id);
}
inline driver::status driver::create_ordered_stream(stream& s) const {
  return make(device::call::create_stream, {},
              [&](called& c) { return recording::create_stream(c, s, 0, true); });
}
inline driver::status driver::enqueue_legacy(std::function<void()> body, std::string label,
                                             std::vector<access> uses) const {
  return recording::enqueue_legacy(*machine_, std::move(body), std::move(label), std::move(uses));
}
inline driver::status driver::synchronize_device() const {
  return recording::synchronize_device(*machine_);
}
inline driver::status driver::copy(stream s, void* to, const void* from, std::size_t bytes,
                                   std::string label) const {
  return recording::copy(*machine_, s, to, from, bytes, std::move(label));
}
template <class Act>
driver::status driver::make(device::call what, std::vector<operand> about, Act act) const {
  return recording::make(*machine_, what, std::move(about), act);
}
inline void driver::forget(graph& g) const {
  const std::lock_guard hold(machine_->shared.lock);
  if (g != nullptr) g->destroyed = true;
  g = nullptr;
}

}  // namespace stretto::testing::recording
