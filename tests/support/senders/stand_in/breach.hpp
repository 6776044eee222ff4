// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace stdexec::stand_in {

/// Collects breaches of the protocol while it lives. Without one a breach ends the program, so that
/// tests written for the real library need not ask.
class collected_breaches {
 public:
  collected_breaches() {
    const std::lock_guard hold(lock());
    collector() = this;
  }
  collected_breaches(const collected_breaches&) = delete;
  collected_breaches& operator=(const collected_breaches&) = delete;
  ~collected_breaches() {
    const std::lock_guard hold(lock());
    collector() = nullptr;
  }

  /// The sentences since the last call.
  std::vector<std::string> take() {
    const std::lock_guard hold(lock());
    return std::exchange(sentences_, {});
  }

 private:
  friend void breach(const char* sentence) noexcept;

  static std::mutex& lock() {
    static std::mutex one;
    return one;
  }
  static collected_breaches*& collector() {
    static collected_breaches* current = nullptr;
    return current;
  }

  std::vector<std::string> sentences_;
};

/// Something was done that the words of the standard rule out.
inline void breach(const char* sentence) noexcept {
  const std::lock_guard hold(collected_breaches::lock());
  if (collected_breaches* const collects = collected_breaches::collector()) {
    collects->sentences_.emplace_back(sentence);
    return;
  }
  std::fprintf(stderr, "senders: %s\n", sentence);
  std::abort();
}

}  // namespace stdexec::stand_in
