// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every allocation fails in turn, on the thread that runs the loop or on any: errors are told, and
// the pipeline can be used again.

#include <doctest/doctest.h>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <new>
#include <stdexcept>
#include <stretto/stretto.hpp>
#include <string>
#include <utility>
#include <vector>
#include "../../support/tested.hpp"
#include "deadline.hpp"

namespace {

// How allocations fail: -1, not at all; otherwise after N more.
std::atomic<long> left{-1};
std::atomic<bool> once{true};
std::atomic<bool> only_caller{false};
thread_local bool is_caller = false;
std::atomic<bool> failed{false};

void* allocate(std::size_t size, std::size_t alignment) {
  if ((!only_caller || is_caller) && left.load() >= 0) {
    const long n = left.fetch_sub(1);
    if (n <= 0) {
      left = once ? -1 : 0;
      if (n == 0) {
        failed = true;
        throw std::bad_alloc();
      }
    }
  }
  void* const memory =
      alignment > alignof(std::max_align_t)
          ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
          : std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t n) { return allocate(n, 1); }
void* operator new[](std::size_t n) { return allocate(n, 1); }
void* operator new(std::size_t n, std::align_val_t a) {
  return allocate(n, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t n, std::align_val_t a) {
  return allocate(n, static_cast<std::size_t>(a));
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  std::free(p);
}
[[gnu::noinline]] void operator delete[](void* p, std::size_t, std::align_val_t) noexcept {
  std::free(p);
}

namespace {

namespace st = stretto;

struct in : st::slot<int> {};
struct numbers : st::slot<std::vector<int>> {};
struct text : st::slot<std::string> {};
struct a_task_whose_name_is_no_short_string {
  using stream = st::stream<"a">;
  static constexpr int lookahead = 2;
  using reads = st::reads<in>;
  using writes = st::writes<numbers>;
  void operator()(int x, std::vector<int>& v) const {
    v = std::vector<int>(10, x);
    if (x == 7) throw std::runtime_error("the task's own");
  }
};
struct print {
  using stream = st::stream<"b">;
  using reads = st::reads<numbers>;
  using writes = st::writes<text>;
  void operator()(const std::vector<int>& v, std::string& s) const {
    s = std::string(40, static_cast<char>('a' + v[0]));
  }
};
struct job : st::schedule<st::source<in, st::thread<"reader">>, st::result<text>,
                          st::streams<"a", "b">, a_task_whose_name_is_no_short_string, print> {};
struct job_alone : st::replan<job, st::threads<st::on_caller>> {};

enum class kind { ends, fails, is_left };

/// What is wrong with a run in which an allocation failed; null if nothing is.
template <class Pipeline>
const char* wrong_with(Pipeline& p, kind what) {
  bool task_failed = false;
  bool other = false;
  std::size_t got = 0;
  try {
    std::vector<int> source{1, 2, 3, 4, 5, 6};
    if (what == kind::fails) source[4] = 7;
    auto run = p.run(source);
    while (run.next())
      if (++got == 3 && what == kind::is_left) break;
  } catch (const st::task_error&) {
    task_failed = true;
  } catch (const st::usage_error&) {
    return "the pipeline was refused for no reason";
  } catch (const std::exception&) {  // bad_alloc, or that the system has no more threads
    other = true;
  }
  left = -1;
  const st::run_report& r = p.report();
  if (task_failed && r.failures.empty()) return "a task's error is not in the report";
  if (what == kind::ends && !task_failed && !other && got != 6) return "results are lost";
  if (what == kind::fails && !task_failed && !other) return "an error is lost";
  if (r.end == st::run_end::failed && r.failures.empty()) return "a failure without a failure";
  for (const auto& f : r.failures)
    if (f.error == nullptr || (f.task.empty() && !r.incomplete)) return "a failure says nothing";
  if (!r.incomplete && r.pulled != r.finished + r.in_flight.size()) return "a batch vanished";
  try {
    p.reset();
    got = 0;
    for (const std::string& s : p.run(std::vector{1, 2, 3})) got += s.size() == 40 ? 1U : 0U;
  } catch (...) {
    return "the pipeline cannot be used again";
  }
  return got == 3 ? nullptr : "the next run is wrong";
}

template <class Schedule>
void check_all() {
  is_caller = true;
  for (const bool failing_once : {true, false})
    for (const bool caller : {true, false})
      for (const kind what : {kind::ends, kind::fails, kind::is_left}) {
        once = failing_once;
        only_caller = caller;
        long n = 0;
        do {
          failed = false;
          const char* wrong = nullptr;
          left = n;
          try {
            tested::pipeline<Schedule> p;
            wrong = wrong_with(p, what);
            left = -1;
            if (wrong == nullptr) wrong = wrong_with(p, what);
          } catch (const std::bad_alloc&) {  // there is no pipeline
          }
          left = -1;
          if (wrong == nullptr) continue;
          CAPTURE(n);
          CAPTURE(failing_once);
          CAPTURE(caller);
          CAPTURE(static_cast<int>(what));
          FAIL_CHECK(wrong);
        } while (failed && ++n < 5000);
        CHECK(n >= 3);  // some did fail
      }
}

TEST_CASE("no memory: whichever allocation fails, errors are told and the pipeline can go on") {
  const deadline limit("runs without memory");
  check_all<job>();
  check_all<job_alone>();
}

}  // namespace
