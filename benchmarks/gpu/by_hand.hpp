// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include "pipeline.hpp"

namespace benchmarks {

/// The loop that `training` stands for, written by hand on one thread, with the same calls of CUDA:
/// as few waits as keep the order, events in turn, and a look at every status.
class by_hand {
 public:
  explicit by_hand(const durations& d) : d_(d) {
    for (cudaStream_t* s : {&copy_, &compute_, &communicate_})
      check(cudaStreamCreateWithFlags(s, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    for (auto* all : {&copied_, &computed_, &communicated_})
      for (cudaEvent_t& e : *all)
        check(cudaEventCreateWithFlags(&e, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    for (int*& p : batch_) p = pinned_ints();
    for (std::size_t i = 0; i < copies; ++i) input_[i] = device_ints();
  }
  by_hand(const by_hand&) = delete;
  by_hand& operator=(const by_hand&) = delete;
  ~by_hand() {
    for (const cudaStream_t s : {copy_, compute_, communicate_}) {
      cudaStreamSynchronize(s);
      cudaStreamDestroy(s);
    }
    for (auto* all : {&copied_, &computed_, &communicated_})
      for (const cudaEvent_t e : *all) cudaEventDestroy(e);
    for (int* p : batch_) cudaFreeHost(p);
    for (int* p : input_) cudaFree(p);
  }

  /// Batches until \p source has no more; \p each is called when a batch has been submitted.
  template <class Source, class Each>
  void run(Source source, Each each) {
    std::size_t batches = 0;
    bool more = true;
    for (std::size_t i = 0; more || i < batches + 2; ++i) {
      if (more) {
        if (i >= buffers) check(cudaEventSynchronize(copied_[i % buffers]), "cudaEventSynchronize");
        more = source(batch_[i % buffers]);
        if (more) batches = i + 1;
      }
      if (i < batches) {
        if (i >= copies) await(copy_, computed_, i - copies);
        do_copy(d_, batch_[i % buffers], input_[i % copies], copy_);
        done(copied_, i, copy_);
      }
      if (i >= 1 && i - 1 < batches) {
        await(compute_, copied_, i - 1);
        if (i - 1 >= copies) await(compute_, communicated_, i - 1 - copies);
        do_compute(d_, compute_);
        done(computed_, i - 1, compute_);
      }
      if (i >= 2 && i - 2 < batches) {
        await(communicate_, computed_, i - 2);
        do_communicate(d_, communicate_);
        done(communicated_, i - 2, communicate_);
        each();
      }
    }
  }

 private:
  static constexpr std::size_t copies = 2;
  static constexpr std::size_t buffers = 1 + spare_buffers;
  using events = std::array<cudaEvent_t, buffers>;

  static void check(cudaError_t status, const char* call) {
    if (status != cudaSuccess) [[unlikely]]
      throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(status));
  }
  static int* pinned_ints() {
    void* memory = nullptr;
    check(cudaHostAlloc(&memory, values * sizeof(int), cudaHostAllocPortable), "cudaHostAlloc");
    return static_cast<int*>(memory);
  }
  static int* device_ints() {
    void* memory = nullptr;
    check(cudaMalloc(&memory, values * sizeof(int)), "cudaMalloc");
    return static_cast<int*>(memory);
  }

  static void await(cudaStream_t s, const events& of, std::size_t b) {
    check(cudaStreamWaitEvent(s, of[b % buffers], cudaEventWaitDefault), "cudaStreamWaitEvent");
  }
  static void done(const events& of, std::size_t b, cudaStream_t s) {
    check(cudaGetLastError(), "cudaGetLastError");
    check(cudaEventRecord(of[b % buffers], s), "cudaEventRecord");
  }

  durations d_;
  cudaStream_t copy_ = nullptr;
  cudaStream_t compute_ = nullptr;
  cudaStream_t communicate_ = nullptr;
  events copied_{};
  events computed_{};
  events communicated_{};
  std::array<int*, buffers> batch_{};
  std::array<int*, copies> input_{};
};

}  // namespace benchmarks
