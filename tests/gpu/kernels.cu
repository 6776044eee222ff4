// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels.hpp"

namespace kernels {
namespace {

constexpr unsigned block = 128;

__device__ void wait(unsigned us) {
  unsigned long long start = 0;
  unsigned long long now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - start < us * 1000ULL);
}

// One block each, so that a kernel of another stream finds room next to it. What others may write
// meanwhile is read after the spin, and not out of a cache.
__global__ void spin_kernel(unsigned us) { wait(us); }

__global__ void write_kernel(unsigned us, int value, volatile int* out, std::size_t count) {
  wait(us);
  for (std::size_t i = threadIdx.x; i < count; i += block) out[i] = value;
}

__global__ void add_kernel(unsigned us, const volatile int* in, int addend, volatile int* out,
                           std::size_t count) {
  wait(us);
  for (std::size_t i = threadIdx.x; i < count; i += block) out[i] = in[i] + addend;
}

__global__ void crash_kernel(int* nowhere) { *nowhere = 1; }

}  // namespace

void spin(unsigned us, cudaStream_t s) { spin_kernel<<<1, 1, 0, s>>>(us); }
void write(unsigned us, int value, int* out, std::size_t count, cudaStream_t s) {
  write_kernel<<<1, block, 0, s>>>(us, value, out, count);
}
void add(unsigned us, const int* in, int addend, int* out, std::size_t count, cudaStream_t s) {
  add_kernel<<<1, block, 0, s>>>(us, in, addend, out, count);
}
void crash(cudaStream_t s) { crash_kernel<<<1, 1, 0, s>>>(nullptr); }
void refused(cudaStream_t s) { spin_kernel<<<1, 1U << 20U, 0, s>>>(0); }

}  // namespace kernels
