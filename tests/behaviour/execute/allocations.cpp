// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// In steady state a pipeline allocates nothing, on no thread: the global operators are counted.

#include <doctest/doctest.h>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <stretto/stretto.hpp>
#include <vector>
#include "../../support/tested.hpp"
#include "deadline.hpp"

namespace {

std::atomic<std::size_t> allocations{0};
std::atomic<std::size_t> deallocations{0};

void* allocate(std::size_t size, std::size_t alignment) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  // aligned_alloc wants a multiple of the alignment.
  void* const p = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}

void deallocate(void* p) {
  if (p != nullptr) deallocations.fetch_add(1, std::memory_order_relaxed);
  std::free(p);
}

}  // namespace

// The array and nothrow forms call these.
void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* p) noexcept { deallocate(p); }
void operator delete(void* p, std::size_t) noexcept { deallocate(p); }
void operator delete(void* p, std::align_val_t) noexcept { deallocate(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { deallocate(p); }

namespace {

namespace st = stretto;

struct raw : st::slot<int> {};
struct values : st::slot<std::vector<int>> {};
struct sum : st::slot<long> {};

struct spread {
  using stream = st::stream<"a">;
  static constexpr int lookahead = 2;
  using reads = st::reads<raw>;
  using writes = st::writes<values>;
  void operator()(const int& in, std::vector<int>& out) const { out.assign(100, in); }
};
struct add {
  using stream = st::stream<"b">;
  static constexpr bool collective = true;
  using reads = st::reads<values>;
  using writes = st::writes<sum>;
  bool* leak;
  void operator()(st::context auto& ctx, const std::vector<int>& in, long& out) const {
    out = 0;
    for (const int v : in) out += v;
    if (*leak && ctx.batch() % 2 == 0) static_cast<void>(std::make_unique<int>(1).get());
  }
};
struct aside {
  static constexpr int lookahead = 1;
  static constexpr bool collective = true;
  using cross_iter_depends_on = st::cross_iter_depends_on<st::ago<add, 2>>;
  void operator()(st::context auto&) const {}
};
struct loop
    : st::schedule<st::source<raw>, st::result<sum>, st::streams<"a", "b">, spread, add, aside> {};

/// Allocations and deallocations over the steady progresses of a run.
template <class Pipeline, class Source>
std::size_t counted(Pipeline& pipeline, Source&& source) {
  constexpr int warm = 10;  // every copy of a slot has its memory then
  constexpr int steady = 200;
  auto run = pipeline.run(source);
  for (int i = 0; i < warm; ++i) REQUIRE(run.next());
  const std::size_t before = allocations.load() + deallocations.load();
  long total = 0;
  for (int i = 0; i < steady; ++i) {
    if (!run.next()) break;
    total += run.result();
  }
  const std::size_t after = allocations.load() + deallocations.load();
  CHECK(total == 100L * (warm + warm + steady - 1) * steady / 2);
  return after - before;
}

template <class Schedule, class... Options>
void check_none() {
  const deadline limit("a counted run");
  bool leak = false;
  tested::pipeline<Schedule, Options...> pipeline{add{&leak}};
  std::vector<int> batches(300);
  for (std::size_t i = 0; i < batches.size(); ++i) batches[i] = static_cast<int>(i);
  CHECK(counted(pipeline, batches) == 0);
  CHECK(counted(pipeline, [next = 0](int& slot) mutable {
          slot = next++;
          return true;
        }) == 0);
  CHECK(counted(pipeline, [next = 0]() mutable { return std::optional(next++); }) == 0);
  leak = true;
  // That it counts at all, on whatever thread: twice for each second batch, of which the thread may
  // be at another one at the end than at the beginning.
  const std::size_t leaked = counted(pipeline, batches);
  CHECK(leaked >= 196);
  CHECK(leaked <= 204);
}

TEST_CASE("no allocation: on the calling thread") {
  check_none<st::replan<loop, st::threads<st::on_caller>>>();
}
TEST_CASE("no allocation: the serial plan") { check_none<st::serial<loop>>(); }
TEST_CASE("no allocation: by stream") { check_none<loop>(); }
TEST_CASE("no allocation: per task") { check_none<st::replan<loop, st::threads<st::per_task>>>(); }
TEST_CASE("no allocation: threads that sleep at once") {
  check_none<loop, st::spin_then_sleep<0>>();
}
TEST_CASE("no allocation: the source on a thread of its own") {
  check_none<st::schedule<st::source<raw, st::lookahead<3>, st::thread<"reader">>, st::result<sum>,
                          st::streams<"a", "b">, spread, add, aside>>();
}

}  // namespace
