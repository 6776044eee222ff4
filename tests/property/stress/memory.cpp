// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory.hpp"
#include <unistd.h>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> live{0};

/// In front of each allocation, as large as its alignment.
struct header {
  std::size_t size;
  std::size_t offset;
};

void* allocate(std::size_t size, std::size_t alignment) {
  const std::size_t offset = alignment < sizeof(header) ? sizeof(header) : alignment;
  // aligned_alloc wants a multiple of the alignment.
  const std::size_t all = (offset + size + alignment - 1) / alignment * alignment;
  void* const p = std::aligned_alloc(alignment, all);
  if (p == nullptr) throw std::bad_alloc();
  char* const user = static_cast<char*>(p) + offset;
  new (user - sizeof(header)) header{size, offset};
  live.fetch_add(size, std::memory_order_relaxed);
  return user;
}

void deallocate(void* user) {
  if (user == nullptr) return;
  char* const bytes = static_cast<char*>(user);
  const header* const h = std::launder(reinterpret_cast<header*>(bytes - sizeof(header)));
  live.fetch_sub(h->size, std::memory_order_relaxed);
  std::free(bytes - h->offset);
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

namespace stress::memory {

std::size_t live_bytes() { return live.load(std::memory_order_relaxed); }

std::size_t resident_bytes() {
  std::size_t pages = 0;
  std::size_t resident = 0;
  if (std::FILE* f = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(f, "%zu %zu", &pages, &resident) != 2) resident = 0;
    std::fclose(f);
  }
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace stress::memory
