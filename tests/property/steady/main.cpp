// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A pipeline on two threads that spin, for check.py to look at: what its steady progresses do
// besides calling the tasks. `steady run_ahead|barrier PROGRESSES` says in system calls where they
// begin and end, and fails if they allocate. PLANT puts in what check.py must find.

#include <sys/syscall.h>
#include <unistd.h>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <stretto/stretto.hpp>
#include <string_view>

#define PLANT_NOTHING 0
#define PLANT_MUTEX 1
#define PLANT_FUNCTION 2
#define PLANT_ALLOCATION 3
#define PLANT_SYSTEM_CALL 4
#define PLANT_VIRTUAL_CALL 5
#define PLANT_LOCKED_INSTRUCTION 6
#ifndef PLANT
#  define PLANT PLANT_NOTHING
#endif

namespace {
std::atomic<std::size_t> allocations{0};
}

void* operator new(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* const p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  const auto a = static_cast<std::size_t>(alignment);
  if (void* const p = std::aligned_alloc(a, (size + a - 1) / a * a)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
// Not inlined, or GCC takes `free` for a mistake: it does not see that the aligned `new` is
// aligned_alloc.
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace {

namespace st = stretto;

struct base {
  virtual ~base() = default;
  virtual void call() {}
};
struct derived : base {
  void call() override { asm volatile(""); }
};

/// In a task on the worker's thread.
void plant() {
#if PLANT == PLANT_MUTEX
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
#elif PLANT == PLANT_FUNCTION
  static std::function<void()> f = [] { asm volatile(""); };
  f();
#elif PLANT == PLANT_ALLOCATION
  const auto p = std::make_unique<int>(1);
  asm volatile("" ::"r"(p.get()) : "memory");
#elif PLANT == PLANT_SYSTEM_CALL
  syscall(SYS_gettid);
#elif PLANT == PLANT_VIRTUAL_CALL
  static base* const object = std::getenv("PATH") != nullptr ? new derived : new base;
  object->call();
#elif PLANT == PLANT_LOCKED_INSTRUCTION
  static std::atomic<int> count{0};
  count.fetch_add(1);
#endif
}

/// A number in the instructions, by which check.py sees that it looks at the right ones.
template <int Task>
[[gnu::always_inline]] inline void mark() {
#if defined(__x86_64__)
  asm volatile("movl %0, %%eax" : : "i"(0x57e00000 + Task) : "eax");
#endif
}

struct number : st::slot<int> {};
struct ahead : st::slot<int> {};
struct next : st::slot<int> {};
struct last : st::slot<int> {};

struct prepare {
  using stream = st::stream<"worker">;
  static constexpr int lookahead = 2;
  using reads = st::reads<number>;
  using writes = st::writes<ahead>;
  void operator()(const int& in, int& out) const {
    mark<1>();
    out = in + 1;
  }
};
struct transform {
  using stream = st::stream<"worker">;
  static constexpr int lookahead = 1;
  static constexpr bool collective = true;
  using reads = st::reads<ahead>;
  using writes = st::writes<next>;
  void operator()(st::context auto& ctx, const int& in, int& out) const {
    mark<2>();
    plant();
    out = in + static_cast<int>(ctx.batch() % 2);
  }
};
struct finish {
  using stream = st::stream<"caller's">;
  static constexpr bool collective = true;
  using reads = st::reads<next, ahead>;
  using writes = st::writes<last>;
  void operator()(const int& a, const int& b, int& out) const {
    mark<3>();
    out = a - b;
  }
};
struct schedule
    : st::replan<st::schedule<st::source<number>, st::result<last>,
                              st::streams<"worker", "caller's">, prepare, transform, finish>,
                 st::caller_runs<"caller's">> {};
static_assert(st::plan_of<schedule>.threads == 2);

/// A system call that nothing else makes.
void say_so() { syscall(SYS_getppid); }

template <class Pace>
int run(long progresses) {
  st::pipeline<schedule, st::spin, Pace> pipeline;
  auto results = pipeline.run([i = 0](int& slot) mutable {
    slot = ++i;
    return true;
  });
  long left = progresses + 50;
  long sum = 0;
  std::size_t before = 0;
  std::size_t made = 0;
  for (const int r : results) {
    sum += r;
    if (left == progresses) [[unlikely]] {
      before = allocations.load(std::memory_order_relaxed);
      say_so();
    }
    if (--left == 0) [[unlikely]]
      break;
  }
  say_so();
  made = allocations.load(std::memory_order_relaxed) - before;
  std::printf("%zu allocations in %ld steady progresses; %ld\n", made, progresses, sum);
  return made == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3) {
    const long progresses = std::atol(argv[2]);
    const std::string_view pace = argv[1];
    if (pace == "run_ahead") return run<st::run_ahead>(progresses);
    if (pace == "barrier") return run<st::barrier>(progresses);
  }
  std::fputs("usage: steady run_ahead|barrier PROGRESSES\n", stderr);
  return 2;
}
