// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>
#include "called.hpp"

/// What bodies of tasks put on streams.
namespace stretto::testing::recording {

/// Puts work on a stream, or into the graph that the stream is captured for. A refused one leaves
/// \p answer behind, as a launch does whose configuration is wrong.
inline status put_work(machine& m, stream s, task_of_a_stream what, entry by, bool is_kernel,
                       status answer = status::success) {
  std::unique_lock hold(m.shared.lock);
  m.wait_until_let(hold);
  host& here = m.here();
  by.device = here.device;
  by.thread = here.id;
  by.label = what.label;
  by.about.insert(by.about.begin(), {operand::kind::stream, s == nullptr ? -1 : s->id});
  const auto said = std::make_shared<entry>(std::move(by));
  m.said.push_back(said);
  if (answer == status::success) answer = m.wrong.lost();
  if (answer == status::success) {
    if (on_a_queue) {
      m.breach(*said, "made by work on a stream");
      answer = status::not_permitted;
    } else if (s == nullptr || s->destroyed) {
      m.breach(*said, "not a stream, or one that was destroyed");
      answer = status::invalid_resource_handle;
    } else if (is_kernel && s->device != here.device) {
      m.breach(*said, "a stream of another device than the current one");
      answer = status::invalid_resource_handle;
    } else {
      m.by_leave_of_library(*said, said->about.front());
    }
  }
  if (is_kernel && s != nullptr)
    for (access& use : what.uses) use.device = s->device;
  if (answer != status::success) {
    said->result = answer;
    here.left_behind = answer;
  } else if (s->in != nullptr) {
    if (s->in->thread != here.id) m.breach(*said, "another thread captures " + m.name(*s));
    capture::add(*s, node{.what = std::move(what)});
  } else {
    if (is_kernel) m.load(what.label, hold);
    m.wait_for_room(*s, hold);
    m.put(*s->work, what, m.before_next(*s), *said);
  }
  return answer;
}

/// A kernel that a body puts on no stream in particular: on the current device's legacy stream. It
/// comes after what is on the streams that block, and what is put there later comes after it. While
/// one of them is captured it is refused, and the capture is lost.
inline status enqueue_legacy(machine& m, std::function<void()> body, std::string label,
                             std::vector<access> uses) {
  std::unique_lock hold(m.shared.lock);
  host& here = m.here();
  const auto said = std::make_shared<entry>();
  said->device = here.device;
  said->thread = here.id;
  said->label = label;
  m.said.push_back(said);
  bool captured = false;
  std::vector<work_ptr> before;
  for (stream_object& s : m.streams) {
    if (!s.blocks || s.destroyed || s.device != here.device) continue;
    if (s.work->latest() != nullptr) before.push_back(s.work->latest());
    if (s.in == nullptr) continue;
    s.in->valid = false;
    captured = true;
  }
  if (captured) {
    m.breach(*said, "on the legacy stream, while a stream that blocks is captured");
    return said->result = here.left_behind = status::capture_implicit;
  }
  for (access& use : uses) use.device = here.device;
  m.put(m.legacy(here.device), {std::move(label), std::move(body), {}, std::move(uses)}, before,
        *said);
  return status::success;
}

inline status enqueue(machine& m, stream s, std::function<void()> body, std::string label,
                      std::vector<access> uses) {
  return put_work(m, s, {std::move(label), std::move(body), {}, std::move(uses)}, {}, true);
}

inline status enqueue_failing(machine& m, stream s, status how, std::string label) {
  return put_work(m, s, {std::move(label), {}, [&m, how] { m.lose(how); }, {}}, {}, true);
}

/// Waits for all streams of the current device, the legacy one among them. The programming guide
/// forbids it while one of them is captured, by whatever thread ("Prohibited and Unhandled
/// Operations"); the capture is lost.
inline status synchronize_device(machine& m) {
  std::unique_lock hold(m.shared.lock);
  host& here = m.here();
  bool captured = false;
  std::vector<work_ptr> all;
  for (stream_object& s : m.streams) {
    if (s.device != here.device) continue;
    all.push_back(s.work->latest());
    if (s.in == nullptr) continue;
    s.in->valid = false;
    captured = true;
  }
  if (captured) {
    m.breaches.emplace_back("synchronize_device(): while a stream is captured");
    return here.left_behind = status::capture_unsupported;
  }
  const auto legacy = m.legacy_queues.find(here.device);
  if (legacy != m.legacy_queues.end()) all.push_back(legacy->second->latest());
  for (const work_ptr& work : all) m.wait_until_done(work, hold);
  return m.wrong.lost();
}

/// The bytes are copied under the lock, so that a copy that races is found by the rules, and does
/// no harm. One to memory that is not page-locked is over when the call returns, if calls that may
/// wait do.
inline status copy(machine& m, stream s, void* to, const void* from, std::size_t bytes,
                   std::string label) {
  entry by;
  by.is_copy = true;
  by.about.push_back({operand::kind::number, static_cast<long>(bytes)});
  task_of_a_stream what{std::move(label),
                        {},
                        [=] { std::memmove(to, from, bytes); },
                        {reads(from, bytes), writes(to, bytes)}};
  const status answer = put_work(m, s, std::move(what), std::move(by), false);
  std::unique_lock hold(m.shared.lock);
  if (answer == status::success && s->in == nullptr && m.holds_up && m.bytes.pageable(to))
    m.wait_until_done(s->work->latest(), hold);
  return answer;
}

}  // namespace stretto::testing::recording
