// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <stretto/device/driver.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>
#include "handles.hpp"
#include "machine.hpp"

namespace stretto::testing::recording {

/// A machine with devices whose runtime is spoken to by drivers (driver.hpp): what it was asked,
/// what was done against its rules, and what is to go wrong. Work runs asynchronously on threads of
/// its own, one for each stream. All functions may be called by any thread.
class world {
 public:
  explicit world(int devices = 1) : machine_(devices) {}
  world(const world&) = delete;
  world& operator=(const world&) = delete;

  // What happened.

  log logged() const {
    const std::lock_guard hold(machine_.shared.lock);
    return rendered();
  }
  /// What happened; the log begins anew.
  log take_log() {
    const std::lock_guard hold(machine_.shared.lock);
    log all = rendered();
    machine_.said.clear();
    return all;
  }
  /// What was done that CUDA forbids, or that is a mistake though CUDA lets it pass.
  std::vector<std::string> breaches() const {
    const std::lock_guard hold(machine_.shared.lock);
    return machine_.breaches;
  }
  std::vector<std::string> take_breaches() {
    const std::lock_guard hold(machine_.shared.lock);
    return std::exchange(machine_.breaches, {});
  }
  /// What was made and not given back.
  std::vector<std::string> leaks() const {
    const std::lock_guard hold(machine_.shared.lock);
    std::vector<std::string> all = machine_.bytes.leaks();
    add_leaks(all, machine_.streams, operand::kind::stream);
    add_leaks(all, machine_.events, operand::kind::event);
    add_leaks(all, machine_.graphs, operand::kind::graph);
    add_leaks(all, machine_.executables, operand::kind::executable);
    for (const pool_object& p : machine_.pools)
      if (!p.of_device && !p.destroyed)
        all.push_back(machine_.name({operand::kind::pool, p.id}) += " was not destroyed");
    return all;
  }
  /// The labels of kernels and copies, in the order in which they were done.
  std::vector<std::string> ran() const {
    const std::lock_guard hold(machine_.shared.lock);
    return machine_.ran;
  }
  /// Whether streams, events and waits of host threads put the newest work labelled \p first before
  /// that labelled \p second, whatever the pace. Both must have been put on streams.
  bool ordered(const std::string& first, const std::string& second) const {
    const std::lock_guard hold(machine_.shared.lock);
    return machine_.labelled.at(first)->comes_before(*machine_.labelled.at(second));
  }
  /// Whether all work that was put on streams is done.
  bool idle() const {
    const std::lock_guard hold(machine_.shared.lock);
    return machine_.idle();
  }
  /// Ends when all work that was put on streams is done. No host thread knows of it.
  void settle() {
    std::unique_lock hold(machine_.shared.lock);
    machine_.shared.changed.wait(hold, [&] { return machine_.idle(); });
  }

  // What host code does with memory that streams use, told by it.

  void host_reads(const void* at, std::size_t size) { used_by_host(reads(at, size), "host_reads"); }
  void host_writes(const void* at, std::size_t size) {
    used_by_host(writes(at, size), "host_writes");
  }
  /// As these, and really: under the lock, as copies are, so that a copy at the wrong time is found
  /// by the rules, and is no race.
  template <class Value>
  Value host_read(const Value* at) {
    const std::lock_guard hold(machine_.shared.lock);
    touched_by_host(reads(at, sizeof *at), "host_read");
    return *at;
  }
  /// The rules do not know until when the host reads: this takes its time, and whoever writes there
  /// meanwhile breaks them.
  template <class Value>
  Value host_read_slowly(const Value* at) {
    const Value first = host_read(at);
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    const std::lock_guard hold(machine_.shared.lock);
    if (*at != first)
      machine_.breaches.emplace_back("host_read_slowly: written while the host reads");
    return first;
  }
  template <class Value>
  void host_write(Value* at, Value value) {
    const std::lock_guard hold(machine_.shared.lock);
    touched_by_host(writes(at, sizeof *at), "host_write");
    *at = value;
  }
  /// Copies may use this memory of the host's, too.
  void make_known(void* at, std::size_t size) {
    const std::lock_guard hold(machine_.shared.lock);
    machine_.bytes.adopt(at, size);
  }

  // Names in the log. Without: s0, e0, t0 in the order of creation.

  void name(stream s, std::string given) { name({operand::kind::stream, s->id}, std::move(given)); }
  void name(event e, std::string given) { name({operand::kind::event, e->id}, std::move(given)); }
  /// The N-th event that was created, from 0.
  void name_event(int id, std::string given) { name({operand::kind::event, id}, std::move(given)); }
  void name_this_thread(std::string given) {
    const std::lock_guard hold(machine_.shared.lock);
    machine_.thread_names[machine_.here().id] = std::move(given);
  }

  // What goes wrong.

  /// The \p nth call of this kind from now, counted from 0, returns \p s.
  void fail(device::call what, std::size_t nth, status s) {
    const std::lock_guard hold(machine_.shared.lock);
    machine_.wrong.fail(what, nth, s);
  }
  /// The \p k-th of all calls from now, counted from 0, returns \p s.
  void fail_at(std::size_t k, status s) {
    const std::lock_guard hold(machine_.shared.lock);
    machine_.wrong.fail_at(k, s);
  }
  /// The \p nth call of this kind from now does nothing, and says that all is well.
  void ignore(device::call what, std::size_t nth) {
    const std::lock_guard hold(machine_.shared.lock);
    machine_.wrong.ignore(what, nth);
  }
  /// How many of these faults have not come yet.
  std::size_t faults_left() const {
    const std::lock_guard hold(machine_.shared.lock);
    return machine_.wrong.left();
  }
  /// They do not come any more.
  void forget_faults() {
    const std::lock_guard hold(machine_.shared.lock);
    machine_.wrong.forget();
  }
  std::size_t count_calls() const {
    const std::lock_guard hold(machine_.shared.lock);
    return machine_.wrong.count();
  }
  std::size_t count_calls(device::call what) const {
    const std::lock_guard hold(machine_.shared.lock);
    return machine_.wrong.count(what);
  }

  /// That something is not ready becomes the last error, and hides an earlier one. The programming
  /// guide says that it does not ("Error Checking"); PyTorch clears it because it was seen to.
  void keep_not_ready() {
    const std::lock_guard hold(machine_.shared.lock);
    machine_.keeps_not_ready = true;
  }
  /// No device can be given access to another's memory.
  void keep_apart() {
    const std::lock_guard hold(machine_.shared.lock);
    machine_.peers = false;
  }

  // How fast streams are.

  /// From now on streams and host threads run at random paces.
  void jitter(unsigned seed) {
    const std::lock_guard hold(machine_.shared.lock);
    machine_.shared.jitter = true;
    machine_.shared.random.seed(seed);
  }
  /// From now on the calls that CUDA may have wait until the device is idle do so (those that make
  /// pinned memory and give it back), and hold up others' calls meanwhile; and a copy to memory
  /// that is not page-locked is waited for.
  void wait_implicitly() {
    const std::lock_guard hold(machine_.shared.lock);
    machine_.holds_up = true;
  }
  /// How often that has happened.
  std::size_t implicit_waits() const {
    const std::lock_guard hold(machine_.shared.lock);
    return machine_.times_held_up;
  }
  /// From now on the first kernel of each label waits until the device is idle, as lazy loading may
  /// have it, and holds up others' calls meanwhile.
  void load_lazily() {
    const std::lock_guard hold(machine_.shared.lock);
    machine_.loads_lazily = true;
  }
  /// From now on a stream on which \p room pieces of work have not begun takes no more: who puts it
  /// there waits.
  void take_at_most(std::size_t room) {
    const std::lock_guard hold(machine_.shared.lock);
    machine_.room = room;
  }
  /// How often somebody has waited for that.
  std::size_t full_streams() const {
    const std::lock_guard hold(machine_.shared.lock);
    return machine_.times_full;
  }
  /// By which clock events are timed. Otherwise it is the host's.
  void set_clock(const device_clock& by) {
    const std::lock_guard hold(machine_.shared.lock);
    machine_.time = by;
  }
  /// Has time pass by a device's clock that stands.
  void pass(std::chrono::nanoseconds time) {
    const std::lock_guard hold(machine_.shared.lock);
    machine_.time.pass(time);
  }
  /// The stream begins no work until it is resumed.
  void pause(stream s) { held(s, true); }
  void resume(stream s) { held(s, false); }

  machine& state() { return machine_; }

 private:
  log rendered() const {
    log all;
    for (const auto& e : machine_.said) all.push_back(machine_.named(*e));
    return all;
  }
  template <class Objects>
  void add_leaks(std::vector<std::string>& all, const Objects& objects, operand::kind what) const {
    for (const auto& o : objects)
      if (!o.destroyed) all.push_back(machine_.name({what, o.id}) += " was not destroyed");
  }
  void name(operand of, std::string given) {
    const std::lock_guard hold(machine_.shared.lock);
    machine_.names[{of.what, of.number}] = std::move(given);
  }
  void used_by_host(const access& use, const char* how) {
    const std::lock_guard hold(machine_.shared.lock);
    touched_by_host(use, how);
  }
  void touched_by_host(const access& use, const char* how) {
    machine_.bytes.touch_by_host(use, machine_.shared.known, [&](const std::string& why) {
      machine_.breaches.push_back(std::string(how).append(": ").append(why));
    });
  }
  void held(stream s, bool is) {
    const std::lock_guard hold(machine_.shared.lock);
    s->work->hold(is);
  }

  mutable machine machine_;
};

}  // namespace stretto::testing::recording
