// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>
#include "called.hpp"

/// What calls about captures and graphs do.
namespace stretto::testing::recording {

inline status begin_capture(called& c, stream s, device::capture_mode mode) {
  if (!c.usable(s)) return status::invalid_resource_handle;
  if (s->in != nullptr) return c.refuse(status::invalid_value, "is captured already");
  auto begun = std::make_shared<capture>(capture{.origin = s, .thread = c.here.id, .mode = mode});
  capture::join(begun, *s, {});
  ++c.here.captures;
  return status::success;
}

inline status end_capture(called& c, stream s, graph& made) {
  made = nullptr;
  if (!c.usable(s)) return status::invalid_resource_handle;
  const std::shared_ptr<capture> ended = s->in;
  if (ended == nullptr || ended->origin != s)
    return c.refuse(status::invalid_value, "no capture was begun here");
  if (ended->thread != c.here.id)
    return c.refuse(status::capture_wrong_thread, "another thread has begun it");
  --c.here.captures;
  const std::size_t lanes = ended->streams.size();
  const std::vector<stream> unjoined = ended->unjoined();
  ended->end();
  if (!unjoined.empty() || !ended->valid) c.end_blocks(ended->blocks);
  if (!unjoined.empty()) {
    return c.refuse(status::capture_unjoined,
                    c.m.name(*unjoined.front()) += " has work that was not joined");
  }
  if (!ended->valid) return status::capture_invalidated;
  const int id = static_cast<int>(c.m.graphs.size());
  made = &c.m.graphs.emplace_back(graph_object{id, lanes, std::move(ended->nodes), ended->blocks});
  c.about(operand::kind::graph, id);
  return status::success;
}

inline status record_external(called& c, event e, stream s) {
  if (!c.usable(e, s)) return status::invalid_resource_handle;
  if (s->in == nullptr) return c.refuse(status::invalid_value, "outside of a capture");
  if (e->device != s->device)
    return c.refuse(status::invalid_resource_handle, "an event of another device");
  capture::add(*s, node{.what = {}, .records = e});
  return status::success;
}

inline status wait_external(called& c, stream s, event e) {
  if (!c.usable(s, e)) return status::invalid_resource_handle;
  if (s->in == nullptr) return c.refuse(status::invalid_value, "outside of a capture");
  capture::add(*s, node{.what = {}, .waits = e});
  return status::success;
}

inline status instantiate(called& c, executable& made, graph g) {
  made = nullptr;
  const int id = static_cast<int>(c.m.executables.size());
  if (!c.usable(g)) return status::invalid_value;
  const bool allocates = !g->blocks.open.empty() || !g->blocks.freed.empty();
  if (allocates && g->latest != nullptr && !g->latest->destroyed)
    return c.refuse(status::invalid_value, "memory that it allocates is an executable's already");
  c.about_first(operand::kind::executable, id);
  g->instantiated = true;
  std::vector<queue*> lanes;
  for (std::size_t i = 0; i < g->lanes; ++i) lanes.push_back(&c.m.new_queue());
  made =
      &c.m.executables.emplace_back(executable_object{id, g->nodes, std::move(lanes), g->blocks});
  g->latest = made;
  return status::success;
}

inline status destroy_graph(called& c, graph g) {
  if (!c.usable(g)) return status::invalid_value;
  if (!g->instantiated) c.end_blocks(g->blocks);
  g->destroyed = true;
  return status::success;
}

/// One that still runs is no mistake: it goes when it is done.
inline status destroy_executable(called& c, executable x) {
  if (!c.usable(x)) return status::invalid_value;
  x->destroyed = true;
  c.end_blocks(x->blocks);
  for (queue* lane : x->lanes) lane->close();
  return status::success;
}

/// A node is put on its lane; \p begun is what the whole launch comes after.
inline work_ptr put_node(called& c, const executable_object& x, const node& n,
                         const work_ptr& begun, const std::vector<work_ptr>& done) {
  std::vector<work_ptr> after{begun};
  for (const std::size_t earlier : n.after) after.push_back(done[earlier]);
  for (event e : {n.records, n.waits})
    if (e != nullptr && e->destroyed) c.m.breach(c.said, c.m.name(*e) += " was destroyed");
  if (n.waits != nullptr) {
    if (n.waits->latest == nullptr) {
      c.m.breach(c.said, c.m.name(*n.waits) += " was never recorded");
    } else {
      after.push_back(n.waits->latest);
    }
  }
  if (n.records == nullptr) return c.m.put(*x.lanes[n.lane], n.what, after, c.said);
  work_ptr work = x.lanes[n.lane]->place({}, after);
  x.lanes[n.lane]->put(work, c.m.arrival(work, after));
  n.records->latest = work;
  n.records->in = nullptr;
  return work;
}

/// A launch comes after what is on the stream and after the last launch of the same executable. The
/// events outside of it are recorded, and the records waited for are chosen, at the call.
inline status launch(called& c, executable x, stream s) {
  if (!c.usable(x, s)) return status::invalid_resource_handle;
  if (s->in != nullptr) {
    return c.invalidate(s->in, status::capture_unsupported, "into a stream that is captured");
  }
  for (void* at : x->blocks.open)
    if (c.m.launched_memory.count(at) != 0)
      return c.refuse(status::invalid_value, "memory of its last launch was not freed");
  c.m.launched_memory.insert(x->blocks.open.begin(), x->blocks.open.end());
  c.m.wait_for_room(*s, c.hold);
  std::vector<work_ptr> before = c.m.before_next(*s);
  if (x->latest != nullptr) before.push_back(x->latest);
  const work_ptr begun = s->work->put({.label = {}, .after = before, .body = {}, .effect = {}});
  std::vector<work_ptr> done;
  for (const node& n : x->nodes) done.push_back(put_node(c, *x, n, begun, done));
  x->latest = s->work->put({.label = {}, .after = done, .body = {}, .effect = {}});
  return status::success;
}

}  // namespace stretto::testing::recording
