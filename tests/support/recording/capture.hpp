// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <stretto/device/driver.hpp>
#include <string>
#include <utility>
#include <vector>
#include "completion.hpp"
#include "memory.hpp"
#include "queue.hpp"

namespace stretto::testing::recording {

struct capture;

/// What a handle to a stream points to. It stays when the stream is destroyed, so that later use is
/// seen.
struct stream_object {
  int id;
  int device;
  int priority;
  queue* work;
  bool destroyed = false;
  bool blocks = false;  // is in order with the legacy stream of its device

  std::shared_ptr<capture> in = nullptr;  // while it is captured
  std::size_t lane = 0;                   // of the capture's streams
  std::vector<std::size_t> tail = {};     // the captured nodes that its next work comes after
};

/// What a handle to an event points to. It stands for the record made last: of work, or of nodes of
/// a capture.
struct event_object {
  int id;
  int device;
  bool blocking;
  bool timed = false;
  bool destroyed = false;

  work_ptr latest = nullptr;
  std::shared_ptr<capture> in = nullptr;
  std::vector<std::size_t> nodes = {};
};

/// Work as a body gives it to a stream.
struct task_of_a_stream {
  std::string label;
  std::function<void()> body;    // without the lock
  std::function<void()> effect;  // under the lock
  std::vector<access> uses;
};

/// A piece of a graph: work, or an event outside of the graph that it records or waits for.
struct node {
  task_of_a_stream what;
  event_object* records = nullptr;
  event_object* waits = nullptr;
  std::size_t lane = 0;
  std::vector<std::size_t> after = {};
};

/// Memory that a graph allocates at each launch, at the same addresses.
struct graph_memory {
  std::vector<void*> open = {};   // somebody else frees it before the next launch
  std::vector<void*> freed = {};  // the graph itself does
};

/// Streams on their way to becoming a graph.
struct capture {
  stream_object* origin;
  int thread;  // may not wait or allocate meanwhile
  device::capture_mode mode = device::capture_mode::this_thread;  // who else may not
  bool valid = true;
  bool over = false;
  std::vector<stream_object*> streams = {};
  std::vector<node> nodes = {};
  graph_memory blocks = {};

  static void add(stream_object& s, node n) {
    n.lane = s.lane;
    n.after = s.tail;
    s.tail = {s.in->nodes.size()};
    s.in->nodes.push_back(std::move(n));
  }

  static void join(const std::shared_ptr<capture>& c, stream_object& s,
                   std::vector<std::size_t> tail) {
    s.in = c;
    s.lane = c->streams.size();
    s.tail = std::move(tail);
    c->streams.push_back(&s);
  }

  static void come_after(stream_object& s, const std::vector<std::size_t>& nodes) {
    for (const std::size_t n : nodes)
      if (std::find(s.tail.begin(), s.tail.end(), n) == s.tail.end()) s.tail.push_back(n);
  }

  /// The streams with work that the origin does not come after.
  std::vector<stream_object*> unjoined() const {
    std::vector<bool> reached(nodes.size(), false);
    std::vector<std::size_t> open = origin->tail;
    while (!open.empty()) {
      const std::size_t n = open.back();
      open.pop_back();
      if (reached[n]) continue;
      reached[n] = true;
      open.insert(open.end(), nodes[n].after.begin(), nodes[n].after.end());
    }
    std::vector<stream_object*> some;
    for (stream_object* s : streams)
      if (!std::all_of(s->tail.begin(), s->tail.end(), [&](std::size_t n) { return reached[n]; }))
        some.push_back(s);
    return some;
  }

  /// The streams take work again.
  void end() {
    over = true;
    const std::vector<stream_object*> all = std::exchange(streams, {});
    for (stream_object* s : all) {
      s->tail.clear();
      s->in = nullptr;  // of the last one perhaps this capture's last owner: the caller holds it
    }
  }
};

struct executable_object;

/// What a handle to a graph points to.
struct graph_object {
  int id;
  std::size_t lanes;
  std::vector<node> nodes;
  graph_memory blocks = {};
  bool instantiated = false;
  bool destroyed = false;
  executable_object* latest = nullptr;  // that was made of it
};

/// What a handle to an executable graph points to: each captured stream has a queue of its own, so
/// that branches run at the same time.
struct executable_object {
  int id;
  std::vector<node> nodes;
  std::vector<queue*> lanes;
  graph_memory blocks = {};
  work_ptr latest = nullptr;  // its last launch, which the next one comes after
  bool destroyed = false;
};

}  // namespace stretto::testing::recording
