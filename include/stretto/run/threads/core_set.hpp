// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/list.hpp>
#include <stretto/run/exceptions.hpp>
#include <stretto/run/text_builder.hpp>

#if defined(__linux__)
#  include <sched.h>
#  include <sys/syscall.h>
#  include <unistd.h>
#endif

namespace stretto::runner::detail {

/// What the system calls a thread.
using thread_number = int;

/// Some of the machine's cores, as the system numbers them. Where threads cannot be told where to
/// run, no set has any.
class core_set {
 public:
#if defined(__linux__)
  static constexpr long most = CPU_SETSIZE;

  core_set() { CPU_ZERO(&set_); }

  /// Those that the calling thread runs on now.
  static core_set of_this_thread() {
    core_set s;
    if (sched_getaffinity(0, sizeof s.set_, &s.set_) != 0) CPU_ZERO(&s.set_);
    return s;
  }
  /// Those that a thread of this process can be put on: the machine's, or its share of them. The
  /// system tells when a thread asks for all.
  static core_set of_this_process() {
    core_set all;
    for (long core = 0; core < most; ++core) all.add(core);
    const core_set before = of_this_thread();
    all.apply();
    const core_set given = of_this_thread();
    before.apply();
    return given;
  }

  bool has(long core) const {
    return core >= 0 && core < most && CPU_ISSET(static_cast<std::size_t>(core), &set_);
  }
  void add(long core) { CPU_SET(static_cast<std::size_t>(core), &set_); }
  void remove(long core) { CPU_CLR(static_cast<std::size_t>(core), &set_); }
  std::size_t size() const { return static_cast<std::size_t>(CPU_COUNT(&set_)); }

  /// Puts the calling thread on them, if there are any. A refusal is ignored: where a thread
  /// runs never changes what it computes.
  void apply() const { apply_to(0); }
  /// Puts a thread of this process on them; 0: the calling one.
  void apply_to(thread_number thread) const {
    if (!empty()) sched_setaffinity(thread, sizeof set_, &set_);
  }

  static void let_others_run() { sched_yield(); }
  /// The calling thread, as other threads can name it to the system.
  static thread_number this_thread() { return static_cast<thread_number>(syscall(SYS_gettid)); }

 private:
  cpu_set_t set_;
#else
  static constexpr long most = 0;
  static core_set of_this_thread() { return {}; }
  static core_set of_this_process() { return {}; }
  bool has(long) const { return false; }
  void add(long) {}
  void remove(long) {}
  std::size_t size() const { return 0; }
  void apply() const {}
  void apply_to(thread_number) const {}
  static void let_others_run() {}
  static thread_number this_thread() { return 0; }
#endif

 public:
  bool empty() const { return size() == 0; }

  /// One of them, in turn.
  core_set turn(std::size_t index) const {
    core_set one;
    if (empty()) return one;
    index %= size();
    long core = 0;
    while (!has(core) || index-- != 0) ++core;
    one.add(core);
    return one;
  }
  core_set without(const core_set& others) const {
    core_set left = *this;
    for (long core = 0; core < most; ++core)
      if (others.has(core)) left.remove(core);
    return left;
  }
};

/// As `0-3, 6`.
inline void name_cores(text_builder& text, const core_set& cores) {
  bool first = true;
  for (long core = 0; core < core_set::most; ++core) {
    if (!cores.has(core)) continue;
    const long from = core;
    while (cores.has(core + 1)) ++core;
    text.add(first ? "" : ", ").add(from);
    if (core > from) text.add("-").add(core);
    first = false;
  }
}

}  // namespace stretto::runner::detail
