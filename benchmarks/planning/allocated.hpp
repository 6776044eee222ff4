// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

// How many bytes are allocated, of one thread. Replaces operator new: for one file of a program.

namespace allocated {

std::size_t live = 0;
std::size_t peak = 0;  ///< the most that there was

constexpr std::size_t header = alignof(std::max_align_t);

void* allocate(std::size_t size) {
  void* const p = std::malloc(size + header);
  if (p == nullptr) throw std::bad_alloc();
  *static_cast<std::size_t*>(p) = size;
  live += size;
  peak = live > peak ? live : peak;
  return static_cast<char*>(p) + header;
}

void deallocate(void* p) {
  if (p == nullptr) return;
  void* const start = static_cast<char*>(p) - header;
  live -= *static_cast<std::size_t*>(start);
  std::free(start);
}

}  // namespace allocated

// The array and nothrow forms call these.
void* operator new(std::size_t size) { return allocated::allocate(size); }
void operator delete(void* p) noexcept { allocated::deallocate(p); }
void operator delete(void* p, std::size_t) noexcept { allocated::deallocate(p); }
