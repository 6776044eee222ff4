// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <stretto/device/driver.hpp>
#include <string>
#include <utility>
#include <vector>
#include "machine.hpp"
#include "world.hpp"

namespace stretto::testing::recording {

inline operand named(stream s) { return {operand::kind::stream, s == nullptr ? -1 : s->id}; }
inline operand named(event e) { return {operand::kind::event, e == nullptr ? -1 : e->id}; }
inline operand named(graph g) { return {operand::kind::graph, g == nullptr ? -1 : g->id}; }
inline operand named(executable x) {
  return {operand::kind::executable, x == nullptr ? -1 : x->id};
}
inline operand named(pool p) { return {operand::kind::pool, p == nullptr ? -1 : p->id}; }

/// A call that is being made: it holds the lock, and stands in the log.
struct called {
  machine& m;
  entry& said;
  host& here;
  std::unique_lock<std::mutex>& hold;

  /// The call breaks a rule. \return what CUDA answers.
  status refuse(status answer, const std::string& why) {
    m.breach(said, why);
    return answer;
  }
  status invalidate(const std::shared_ptr<capture>& c, status answer, const std::string& why) {
    c->valid = false;
    return refuse(answer, why);
  }

  void about(operand::kind what, long number) { said.about.push_back({what, number}); }
  void about_first(operand::kind what, long number) {
    said.about.insert(said.about.begin(), {what, number});
  }

  /// Whether all these handles can be used.
  template <class... Handle>
  bool usable(Handle... handle) {
    return (is_alive(handle) && ...);
  }

  /// Pinned memory and events are made on the device that is current, as is the context of a thread
  /// that says whose captures it minds: where streams are all on
  /// others, a context comes to be there that nobody wants.
  void on_device_of_streams() {
    bool any = false;
    for (const stream_object& s : m.streams) {
      if (s.destroyed) continue;
      if (s.device == here.device) return;
      any = true;
    }
    if (any) m.breach(said, "no stream is on the current device");
  }

  /// A graph's memory goes with it, unless a launch has allocated what nobody has freed.
  void end_blocks(const graph_memory& blocks) {
    const auto end = [this](void* at) {
      if (m.launched_memory.count(at) != 0) return;
      const int id = m.bytes.release(at, memory::kind::device, nullptr, m.shared.known,
                                     [](const std::string&) {});
      if (id >= 0) m.bytes.drop(id);
    };
    for (void* at : blocks.open) end(at);
    for (void* at : blocks.freed) end(at);
  }

  /// Another thread than the one that captures puts its work into a graph that knows nothing of it.
  void by_capturing_thread(stream_object& s) {
    if (s.in != nullptr && s.in->thread != here.id)
      m.breach(said, "another thread captures " + m.name(s));
  }

  bool existing(int device) {
    if (device >= 0 && device < m.devices) return true;
    m.breach(said, "no such device");
    return false;
  }

  /// Whether this thread may make calls that wait, allocate or ask events, which a capture of its
  /// own forbids, and, unless the thread's mode says otherwise, one of another's begun in the
  /// global mode.
  bool free_of_captures() {
    using enum device::capture_mode;
    if (here.mode == relaxed) return true;
    bool of_another = false;
    for (stream_object& s : m.streams) {
      if (s.in == nullptr) continue;
      const bool forbids = s.in->thread != here.id && here.mode == global && s.in->mode == global;
      of_another = of_another || forbids;
      if (forbids || s.in->thread == here.id) s.in->valid = false;
    }
    if (here.captures == 0 && !of_another) return true;
    m.breach(said, here.captures > 0 ? "made by a thread that captures"
                                     : "made while another thread captures in the global mode");
    return false;
  }

 private:
  template <class Handle>
  bool is_alive(Handle handle) {
    if (handle == nullptr) {
      m.breach(said, "not a handle");
    } else if (handle->destroyed) {
      m.breach(said, m.name(named(handle)) += " was destroyed");
    }
    return handle != nullptr && !handle->destroyed;
  }
};

/// These are done even if they report that something else has failed before.
constexpr bool done_anyway(device::call c) {
  using enum device::call;
  switch (c) {
    case destroy_stream:
    case destroy_event:
    case destroy_graph:
    case destroy_executable:
    case destroy_pool:
    case release:
    case free_pinned:
    case synchronize_stream:
    case synchronize_event:
    case end_capture: return true;
    default: return false;
  }
}

/// While another thread waits for the device inside of the runtime, these wait for that thread.
constexpr bool needs_device(device::call c) {
  using enum device::call;
  return c == record || c == wait || c == query || c == elapsed_time || c == launch ||
         c == allocate || c == allocate_from || c == release || c == allocate_pinned ||
         c == free_pinned;
}

/// What has a place in a stream's order.
constexpr bool goes_to_streams(device::call c) {
  using enum device::call;
  return c == record || c == wait || c == launch || c == allocate || c == release;
}

/// Logs a call with the handles that it is given, and makes it unless a fault says otherwise.
template <class Act>
status make(machine& m, device::call what, std::vector<operand> about, Act act) {
  std::unique_lock hold(m.shared.lock);
  if (const unsigned drawn = m.shared.draw(); drawn != 0) {
    hold.unlock();
    dawdle(drawn / 2);
    hold.lock();
  }
  if (needs_device(what)) m.wait_until_let(hold);
  host& here = m.here();
  auto said = std::make_shared<entry>();
  said->call = what;
  said->device = here.device;
  said->thread = here.id;
  said->about = std::move(about);
  m.said.push_back(said);
  called call{m, *said, here, hold};
  if (on_a_queue) return call.refuse(status::not_permitted, "made by work on a stream");
  if (goes_to_streams(what))
    for (const operand& o : said->about) m.by_leave_of_library(*said, o);

  const std::optional<status> fault = m.wrong.next(what);
  status result = fault.value_or(status::success);
  if (sticky(result)) m.lose(result);
  if (!fault || (result != status::success && done_anyway(what))) {
    const status own = act(call);
    if (result == status::success) result = own;
    if (result == status::success) result = m.wrong.reported().value_or(result);
  }
  said->result = result;
  const bool kept = result != status::not_ready || m.keeps_not_ready;
  if (result != status::success && kept && what != device::call::last_error)
    here.left_behind = result;
  return result;
}

}  // namespace stretto::testing::recording
