// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/part.hpp>

#if defined(__linux__)
#  include <sched.h>
#endif

namespace stretto {

/// Pipeline option: threads run wherever the system puts them (the default).
struct floating {
  using stretto_part = part::affinity;
  static constexpr bool pins = false;
};

/// Pipeline option: each thread group on a core of its own, the i-th on the i-th of the cores that
/// the process may use, in turn if there are fewer. The calling thread is on the first while a run
/// exists. Schedulers that pack threads onto few cores otherwise undo the overlap. Linux; elsewhere
/// it does nothing.
struct pinned {
  using stretto_part = part::affinity;
  static constexpr bool pins = true;
};

namespace detail {

#if defined(__linux__)
/// The cores that the calling thread may use.
class cores {
 public:
  cores() {
    CPU_ZERO(&set_);
    known_ = sched_getaffinity(0, sizeof set_, &set_) == 0;
  }

  /// Puts the calling thread on one of them. A system that refuses is let have its way: where a
  /// thread runs never changes what it computes.
  void pin(std::size_t index) const {
    if (!known_) return;
    index %= static_cast<std::size_t>(CPU_COUNT(&set_));
    cpu_set_t one;
    CPU_ZERO(&one);
    for (std::size_t core = 0; core < CPU_SETSIZE; ++core) {
      if (!CPU_ISSET(core, &set_)) continue;
      if (index-- != 0) continue;
      CPU_SET(core, &one);
      break;
    }
    sched_setaffinity(0, sizeof one, &one);
  }

  /// Lets the calling thread use all of them again.
  void unpin() const {
    if (known_) sched_setaffinity(0, sizeof set_, &set_);
  }

 private:
  cpu_set_t set_;
  bool known_ = false;
};
#else
class cores {
 public:
  void pin(std::size_t) const {}
  void unpin() const {}
};
#endif

/// Keeps the calling thread on its core for as long as a run lives.
template <bool Pins>
class caller_pin {
 public:
  void hold() {
    allowed_ = cores();
    allowed_.pin(0);
  }
  void release() const { allowed_.unpin(); }

 private:
  cores allowed_;
};
template <>
class caller_pin<false> {
 public:
  void hold() {}
  void release() const {}
};

}  // namespace detail
}  // namespace stretto
