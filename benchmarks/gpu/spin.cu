// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spin.hpp"

namespace benchmarks {
namespace {

__global__ void spin_kernel(unsigned us) {
  if (us == 0) return;
  unsigned long long start = 0;
  unsigned long long now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - start < us * 1000ULL);
}

}  // namespace

void spin(unsigned us, cudaStream_t s) { spin_kernel<<<1, 1, 0, s>>>(us); }

}  // namespace benchmarks
