// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Not compiled with the option whose calls it counts.

#include "work.hpp"
#include <malloc.h>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

std::uint64_t counted = 0;
std::uint64_t last = ~std::uint64_t{0};
std::size_t held = 0;
std::size_t most_held = 0;

}  // namespace

namespace work {

std::uint64_t blocks() { return counted; }
std::size_t bytes() { return held; }
std::size_t peak() { return most_held; }
void forget_peak() { most_held = held; }
void stop_after(std::uint64_t most) { last = most == 0 ? ~std::uint64_t{0} : counted + most; }

}  // namespace work

extern "C" void __sanitizer_cov_trace_pc() {
  if (++counted <= last) return;
  std::fputs("it takes too long\n", stderr);
  std::abort();
}

void* operator new(std::size_t size) {
  void* const memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  held += malloc_usable_size(memory);
  if (held > most_held) most_held = held;
  return memory;
}
void operator delete(void* memory) noexcept {
  held -= malloc_usable_size(memory);
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
