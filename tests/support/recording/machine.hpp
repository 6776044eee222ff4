// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stretto/device/driver.hpp>
#include <string>
#include <utility>
#include <vector>
#include "capture.hpp"
#include "device_clock.hpp"
#include "faults.hpp"
#include "log.hpp"
#include "memory.hpp"
#include "queue.hpp"
#include "status.hpp"

namespace stretto::testing::recording {

/// A host thread as the driver sees it.
struct host {
  int id;
  int device = 0;
  status left_behind = status::success;
  int captures = 0;  // begun here and not ended
  device::capture_mode mode = device::capture_mode::global;
};

/// The state of a world. All of it is under the engine's lock.
struct machine {
  explicit machine(int device_count) : devices(device_count) {
    for (int n = 0; n < devices; ++n) pools.push_back({n, n, true});
  }
  machine(const machine&) = delete;
  machine& operator=(const machine&) = delete;
  ~machine() {
    {
      const std::lock_guard hold(shared.lock);
      shared.ending = true;
      shared.changed.notify_all();
    }
    queues.clear();
  }

  const int devices;
  std::set<void*> launched_memory;  // that a launch of a graph has allocated, until it is freed
  bool keeps_not_ready = false;     // as the last error of the thread that asked
  bool holds_up = false;            // calls that may wait for the device do
  bool held_up = false;             // somebody is in such a call
  std::size_t times_held_up = 0;
  bool loads_lazily = false;     // the first kernel of each label waits for the device
  std::set<std::string> loaded;  // labels
  std::size_t times_full = 0;
  std::size_t room = 0;                 // how much work a stream takes; 0: any amount
  std::map<int, queue*> legacy_queues;  // by device
  bool peers = true;                    // devices can be given access to each other's memory
  device_clock time;
  engine shared;
  faults wrong;
  memory bytes;
  std::vector<std::shared_ptr<entry>> said;
  std::vector<std::string> breaches;
  std::deque<stream_object> streams;
  std::deque<event_object> events;
  std::deque<graph_object> graphs;
  std::deque<executable_object> executables;
  std::deque<pool_object> pools;  // first those that devices have, by device
  std::deque<queue> queues;       // those of streams and of executables
  std::map<std::uint64_t, host> hosts;
  std::map<std::pair<operand::kind, long>, std::string> names;
  std::map<int, std::string> thread_names;
  std::map<long, std::string> promised;      // by stream: what a library has yet to put there
  std::map<std::string, work_ptr> labelled;  // the newest work of each label
  std::vector<std::string> ran;              // labels, as the work was done

  /// The calling thread. Ids of the operating system are used again, these are not.
  host& here() {
    static std::atomic<std::uint64_t> threads{0};
    thread_local const std::uint64_t self = ++threads;
    const auto known = hosts.find(self);
    if (known != hosts.end()) return known->second;
    return hosts.emplace(self, host{static_cast<int>(hosts.size())}).first->second;
  }

  bool idle() const {
    return std::all_of(queues.begin(), queues.end(), [](const queue& q) { return q.idle(); });
  }
  queue& new_queue() { return queues.emplace_back(shared); }

  std::string name(const operand& o) const {
    using enum operand::kind;
    if (o.what == number) return std::to_string(o.number);
    if (o.number < 0) return "null";
    const auto given = names.find({o.what, o.number});
    if (given != names.end()) return given->second;
    std::string made(1, o.what == stream       ? 's'
                        : o.what == event      ? 'e'
                        : o.what == graph      ? 'g'
                        : o.what == executable ? 'x'
                        : o.what == pool       ? 'p'
                                               : 'm');
    return made += std::to_string(o.number);
  }
  std::string name(const stream_object& s) const { return name({operand::kind::stream, s.id}); }
  std::string name(const event_object& e) const { return name({operand::kind::event, e.id}); }

  std::string text(const entry& e) const {
    std::string line = e.call ? name_of(*e.call) : e.is_copy ? "copy" : "kernel";
    line += '(';
    for (std::size_t i = 0; i < e.about.size(); ++i) {
      if (i != 0) line += ", ";
      line += name(e.about[i]);
    }
    if (!e.label.empty()) (((line += e.about.empty() ? "\"" : ", \"") += e.label)) += '"';
    line += ')';
    if (e.result != status::success && e.result != status::not_ready)
      (line += " -> ") += recording::name_of(e.result);
    return line;
  }

  entry named(const entry& e) const {
    entry whole = e;
    const auto given = thread_names.find(e.thread);
    whole.thread_name = given != thread_names.end()
                            ? given->second
                            : std::string("t").append(std::to_string(e.thread));
    for (const operand& o : e.about)
      if (o.what == operand::kind::stream) whole.stream_name = name(o);
    whole.text = text(e);
    return whole;
  }

  /// A rule of the device's runtime was broken by this.
  void breach(const entry& by, const std::string& what) {
    std::string line = text(by);
    (line += ": ") += what;
    breaches.push_back(std::move(line));
  }
  /// What comes to a stream before that which a library has yet to put there overtakes it.
  void by_leave_of_library(const entry& by, const operand& on) {
    if (on.what != operand::kind::stream) return;
    const auto found = promised.find(on.number);
    if (found != promised.end())
      breach(by, std::string("before `").append(found->second).append("` is on ") += name(on));
  }

  /// What an event's record does in its turn.
  operation arrival(const work_ptr& work, std::vector<work_ptr> after) {
    return {.label = {}, .after = std::move(after), .body = {}, .effect = [this, &to = *work] {
              to.time = time.now();
            }};
  }

  /// Host threads know that this work is done, and what came before it.
  void seen(const work_ptr& work) {
    if (work != nullptr) shared.known.join(work->after);
  }
  void wait_until_done(const work_ptr& work, std::unique_lock<std::mutex>& hold) {
    if (work == nullptr) return;
    shared.changed.wait(hold, [&] { return work->done; });
    seen(work);
  }

  /// A call that may wait until the device is idle does, if it was so said: meanwhile those of
  /// other threads that need the device do not come back.
  void hold_up(std::unique_lock<std::mutex>& hold) {
    if (holds_up) wait_for_device(hold);
  }
  /// The first launch of a kernel may, if it was so said: it is loaded only then.
  void load(const std::string& label, std::unique_lock<std::mutex>& hold) {
    if (loads_lazily && loaded.insert(label).second) wait_for_device(hold);
  }
  /// A stream that is full takes work again when some of it has begun.
  void wait_for_room(const stream_object& s, std::unique_lock<std::mutex>& hold) {
    if (room == 0 || s.in != nullptr || s.work->waiting() < room) return;
    ++times_full;
    shared.changed.wait(hold, [&] { return shared.lost || s.work->waiting() < room; });
  }

  /// What comes before whatever is put next on a stream besides what is there: of one that blocks,
  /// what was put on its device's legacy stream.
  std::vector<work_ptr> before_next(const stream_object& s) const {
    const auto legacy = legacy_queues.find(s.device);
    if (!s.blocks || legacy == legacy_queues.end()) return {};
    return {legacy->second->latest()};
  }
  /// The queue of a device's legacy stream.
  queue& legacy(int device) {
    queue*& known = legacy_queues[device];
    if (known == nullptr) known = &new_queue();
    return *known;
  }

  void wait_for_device(std::unique_lock<std::mutex>& hold) {
    shared.changed.wait(hold, [&] { return !held_up; });
    held_up = true;
    ++times_held_up;
    shared.changed.wait(hold, [&] { return idle(); });
    held_up = false;
    shared.changed.notify_all();
  }
  void wait_until_let(std::unique_lock<std::mutex>& hold) {
    shared.changed.wait(hold, [&] { return !held_up; });
  }

  /// Puts work on a queue, after \p others.
  work_ptr put(queue& on, const task_of_a_stream& what, const std::vector<work_ptr>& others,
               const entry& by) {
    const work_ptr work = on.place(what.label, others);
    std::vector<memory::storage> held;
    bool sound = true;
    for (const access& use : what.uses)
      sound &= bytes.touch(use, work, held, [&](const std::string& why) { breach(by, why); });
    operation todo{.label = {}, .after = others, .body = {}, .effect = {}};
    if (sound) {
      todo.body = guarded(what, by);
      todo.effect = [this, effect = what.effect, label = what.label, held] {
        if (effect) effect();
        if (!label.empty()) ran.push_back(label);
      };
    }
    on.put(work, std::move(todo));
    if (!what.label.empty()) labelled[what.label] = work;
    return work;
  }

  void lose(status s) {
    wrong.happened(s);
    if (wrong.lost() != status::success) shared.lost = true;
    shared.changed.notify_all();
  }

 private:
  std::function<void()> guarded(const task_of_a_stream& what, const entry& by) {
    if (!what.body) return {};
    return [this, body = what.body, by] {
      try {
        body();
      } catch (const std::exception& thrown) {
        const std::lock_guard hold(shared.lock);
        breach(by, std::string("threw ").append(thrown.what()));
      }
    };
  }
};

}  // namespace stretto::testing::recording
