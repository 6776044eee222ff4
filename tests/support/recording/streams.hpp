// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>
#include "called.hpp"

/// What calls about streams, events and memory do.
namespace stretto::testing::recording {

inline status create_stream(called& c, stream& made, int priority, bool blocks = false) {
  const int id = static_cast<int>(c.m.streams.size());
  made = &c.m.streams.emplace_back(stream_object{id, c.here.device, priority, &c.m.new_queue()});
  made->blocks = blocks;
  c.about(operand::kind::stream, id);
  if (priority != 0) c.about(operand::kind::number, priority);
  return status::success;
}

/// One that still has work is no mistake: it goes when the work is done.
inline status destroy_stream(called& c, stream s) {
  if (!c.usable(s)) return status::invalid_resource_handle;
  if (s->in != nullptr) (void)c.invalidate(s->in, status::success, "while it is captured");
  s->destroyed = true;
  s->work->close();
  return status::success;
}

inline status synchronize_stream(called& c, stream s) {
  if (!c.usable(s)) return status::invalid_resource_handle;
  if (s->in != nullptr)
    return c.invalidate(s->in, status::capture_unsupported, "while it is captured");
  if (!c.free_of_captures()) return status::capture_unsupported;
  c.m.wait_until_done(s->work->latest(), c.hold);
  return status::success;
}

inline status create_event(called& c, event& made, bool blocking, bool timed = false) {
  c.on_device_of_streams();
  const int id = static_cast<int>(c.m.events.size());
  made = &c.m.events.emplace_back(event_object{id, c.here.device, blocking, timed});
  c.about(operand::kind::event, id);
  return status::success;
}

/// One whose record is still to come is no mistake: whoever waits has taken hold of the record.
inline status destroy_event(called& c, event e) {
  if (!c.usable(e)) return status::invalid_resource_handle;
  e->destroyed = true;
  return status::success;
}

inline status record(called& c, event e, stream s) {
  if (!c.usable(e, s)) return status::invalid_resource_handle;
  if (e->device != s->device)
    return c.refuse(status::invalid_resource_handle, "an event of another device");
  c.by_capturing_thread(*s);
  c.m.wait_for_room(*s, c.hold);
  e->in = s->in;
  e->nodes = s->tail;
  e->latest = nullptr;
  if (s->in != nullptr) return status::success;
  const std::vector<work_ptr> before = c.m.before_next(*s);
  e->latest = s->work->place({}, before);
  s->work->put(e->latest, c.m.arrival(e->latest, before));
  return status::success;
}

inline status wait(called& c, stream s, event e) {
  if (!c.usable(s, e)) return status::invalid_resource_handle;
  c.by_capturing_thread(*s);
  if (e->in != nullptr) {
    if (e->in->over)
      return c.refuse(status::captured_event, "recorded in a capture, which is over");
    if (s->in == nullptr) {
      capture::join(e->in, *s, e->nodes);
    } else if (s->in == e->in) {
      capture::come_after(*s, e->nodes);
    } else {
      return c.invalidate(s->in, status::capture_isolation, "recorded in another capture");
    }
    return status::success;
  }
  if (s->in != nullptr)
    return c.invalidate(s->in, status::capture_isolation, "not recorded in this capture");
  if (e->latest == nullptr) return c.refuse(status::success, "was never recorded");
  const work_ptr awaited = e->latest;
  c.m.wait_for_room(*s, c.hold);
  s->work->put({.label = {}, .after = {awaited}, .body = {}, .effect = {}});
  return status::success;
}

/// Whether a host thread may ask how far an event's record is.
inline status can_ask(called& c, event e) {
  if (!c.usable(e)) return status::invalid_resource_handle;
  if (!c.free_of_captures()) return status::capture_unsupported;
  if (e->in != nullptr) {
    const std::shared_ptr<capture> in = e->in;
    return c.invalidate(in, status::captured_event, "recorded in a capture");
  }
  if (e->latest == nullptr) (void)c.refuse(status::success, "was never recorded");
  return status::success;
}

/// Whether a host thread may ask when an event's record was done.
inline status can_ask_time(called& c, event e) {
  if (!c.usable(e)) return status::invalid_resource_handle;
  if (!c.free_of_captures()) return status::capture_unsupported;
  if (!e->timed) return c.refuse(status::invalid_resource_handle, "made without timing");
  if (e->in != nullptr) return c.refuse(status::invalid_value, "recorded in a capture");
  if (e->latest == nullptr) return c.refuse(status::invalid_resource_handle, "was never recorded");
  if (!e->latest->done) return c.refuse(status::not_ready, "not complete yet: ask query first");
  return status::success;
}

inline status synchronize_event(called& c, event e) {
  const status can = can_ask(c, e);
  if (can == status::success) c.m.wait_until_done(work_ptr(e->latest), c.hold);
  return can;
}

inline status query(called& c, event e) {
  const status can = can_ask(c, e);
  if (can != status::success || e->latest == nullptr) return can;
  if (!e->latest->done) return status::not_ready;
  c.m.seen(e->latest);
  return status::success;
}

/// By the device's clock, from one record to another, both of which have to be known to be done.
inline status elapsed_time(called& c, float& milliseconds, event from, event to) {
  for (event e : {from, to}) {
    const status can = can_ask_time(c, e);
    if (can != status::success) return can;
  }
  if (from->device != to->device)
    return c.refuse(status::invalid_resource_handle, "events of two devices");
  milliseconds =
      static_cast<float>(static_cast<double>(to->latest->time - from->latest->time) / 1e6);
  return status::success;
}

/// From a pool, of whichever device; null: from that of the stream's. On a captured stream it
/// becomes a node of the graph.
inline status allocate(called& c, void*& made, std::size_t size, const pool_object* from,
                       stream s) {
  made = nullptr;
  c.about_first(operand::kind::number, static_cast<long>(size));
  if (!c.usable(s)) return status::invalid_resource_handle;
  if (size >= memory::too_much) return status::memory_allocation;
  if (s->in != nullptr) {
    c.by_capturing_thread(*s);
    const int id = c.m.bytes.add(memory::kind::device, size, nullptr);
    made = c.m.bytes.address(id);
    s->in->blocks.open.push_back(made);
    capture::add(*s, node{});
    c.about_first(operand::kind::block, id);
    return status::success;
  }
  if (!c.free_of_captures()) return status::capture_unsupported;
  if (size == 0) return status::success;
  const std::vector<work_ptr> before = c.m.before_next(*s);
  const work_ptr work = s->work->place("the allocation", before);
  s->work->put(work, {.label = {}, .after = before, .body = {}, .effect = {}});
  const pool_object& of = from != nullptr ? *from : c.m.pools[static_cast<std::size_t>(s->device)];
  const int id = c.m.bytes.add(memory::kind::device, size, work, of.device, of.id);
  made = c.m.bytes.address(id);
  c.about_first(operand::kind::block, id);
  return status::success;
}

/// What is wrong with giving memory back, unless the device is lost, and with it all work.
inline auto complaint(called& c) {
  return [&c](const std::string& why) {
    if (c.m.wrong.lost() == status::success) c.m.breach(c.said, why);
  };
}

inline status release(called& c, void* at, stream s) {
  if (!c.usable(s)) return status::invalid_resource_handle;
  if (s->in != nullptr) {
    c.by_capturing_thread(*s);
    graph_memory& blocks = s->in->blocks;
    if (std::erase(blocks.open, at) == 0)
      return c.invalidate(s->in, status::invalid_value, "memory that the graph has not allocated");
    blocks.freed.push_back(at);
    capture::add(*s, node{});
    return status::success;
  }
  if (!c.free_of_captures()) return status::capture_unsupported;
  if (c.m.launched_memory.erase(at) != 0) return status::success;
  if (at == nullptr) return status::success;
  const std::vector<work_ptr> before = c.m.before_next(*s);
  const work_ptr work = s->work->place("the end of its block", before);
  const int id = c.m.bytes.release(at, memory::kind::device, work, c.m.shared.known, complaint(c));
  s->work->put(work, {.label = {}, .after = before, .body = {}, .effect = [&m = c.m, id] {
                        if (id >= 0) m.bytes.drop(id);
                      }});
  c.about_first(operand::kind::block, id);
  return id >= 0 ? status::success : status::invalid_value;
}

inline status allocate_pinned(called& c, void*& made, std::size_t size) {
  made = nullptr;
  c.on_device_of_streams();
  if (!c.free_of_captures()) return status::capture_unsupported;
  if (size >= memory::too_much) return status::memory_allocation;
  if (size == 0) return status::success;
  c.m.hold_up(c.hold);
  const int id = c.m.bytes.add(memory::kind::pinned, size, nullptr);
  made = c.m.bytes.address(id);
  c.about(operand::kind::block, id);
  c.about(operand::kind::number, static_cast<long>(size));
  return status::success;
}

/// Pinned memory goes at once; whether somebody waits for those who still use it is not promised.
inline status free_pinned(called& c, void* at) {
  if (!c.free_of_captures()) return status::capture_unsupported;
  if (at == nullptr) return status::success;
  c.m.hold_up(c.hold);
  const int id =
      c.m.bytes.release(at, memory::kind::pinned, nullptr, c.m.shared.known, complaint(c));
  c.about(operand::kind::block, id);
  if (id >= 0) c.m.bytes.drop(id);
  return id >= 0 ? status::success : status::invalid_value;
}

}  // namespace stretto::testing::recording
