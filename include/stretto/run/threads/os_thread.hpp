// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stdexcept>
#include <stretto/text/utf8.hpp>
#include <string_view>

#if defined(__unix__) || defined(__APPLE__)
#  include <pthread.h>
#else
#  include <exception>
#  include <thread>
#endif

/// A thread of a pipeline's own. Not by std::thread where there are POSIX threads: `thread` would
/// take a tenth of the time that a small pipeline takes to compile.
namespace stretto::runner::detail {

[[noreturn]] inline void no_more_threads() {
  throw std::runtime_error("the system has no more threads for the pipeline");
}

#if defined(__unix__) || defined(__APPLE__)

class os_thread {
 public:
  os_thread() = default;
  os_thread(const os_thread&) = delete;
  os_thread& operator=(const os_thread&) = delete;

  /// Runs \p body, which must not throw, on \p object. Throws std::runtime_error if the system has
  /// no more threads.
  template <class Object, void (*Body)(Object&)>
  void start(Object& object) {
    const auto main = [](void* o) -> void* {
      Body(*static_cast<Object*>(o));
      return nullptr;
    };
    if (pthread_create(&id_, nullptr, main, &object) != 0) no_more_threads();
    started_ = true;
  }
  void join() {
    if (started_) pthread_join(id_, nullptr);
    started_ = false;
  }

 private:
  pthread_t id_{};
  bool started_ = false;
};

/// As debuggers and profilers show it; systems cut names off.
inline void name_this_thread([[maybe_unused]] std::string_view name) {
#  if defined(__linux__)
  char own[16] = {};  // what Linux takes, with the 0 at the end
  std::size_t size = 0;
  for (const char c : text::beginning(name, sizeof own - 1)) own[size++] = c;
  pthread_setname_np(pthread_self(), own);
#  endif
}

#else

class os_thread {
 public:
  template <class Object, void (*Body)(Object&)>
  void start(Object& object) {
    try {
      thread_ = std::thread([&object] { Body(object); });
    } catch (const std::exception&) {
      no_more_threads();
    }
  }
  void join() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::thread thread_;
};

inline void name_this_thread(std::string_view) {}

#endif

}  // namespace stretto::runner::detail
