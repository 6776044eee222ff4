// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../kernels.hpp"
#include <chrono>
#include <thread>
#include "recorded.hpp"

namespace kernels {
namespace {

using stand_in::recorded;
namespace recording = stand_in::recording;

void wait(unsigned us) { std::this_thread::sleep_for(std::chrono::microseconds(us)); }

}  // namespace

void spin(unsigned us, cudaStream_t s) {
  stand_in::driver().enqueue(
      recorded(s), [us] { wait(us); }, "spin");
}
void write(unsigned us, int value, int* out, std::size_t count, cudaStream_t s) {
  const auto body = [=] {
    wait(us);
    for (std::size_t i = 0; i < count; ++i) out[i] = value;
  };
  stand_in::driver().enqueue(recorded(s), body, "write",
                             {recording::writes(out, count * sizeof(int))});
}
void add(unsigned us, const int* in, int addend, int* out, std::size_t count, cudaStream_t s) {
  const auto body = [=] {
    wait(us);
    for (std::size_t i = 0; i < count; ++i) out[i] = in[i] + addend;
  };
  const std::size_t bytes = count * sizeof(int);
  stand_in::driver().enqueue(recorded(s), body, "add",
                             {recording::reads(in, bytes), recording::writes(out, bytes)});
}
void crash(cudaStream_t s) {
  stand_in::driver().enqueue_failing(recorded(s), recording::status::illegal_address, "crash");
}
void refused(cudaStream_t s) {
  stand_in::driver().enqueue_refused(recorded(s), recording::status::invalid_configuration,
                                     "refused");
}

}  // namespace kernels
