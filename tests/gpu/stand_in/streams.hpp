// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

// What the handles of CUDA's runtime point to in the stand-in. (Their names are CUDA's.)

/// What streams that are captured together are given, in the order in which it comes, which is one
/// that their waits allow.
struct captured_work {
  struct node {
    std::function<void()> work;
    cudaEvent_t records = nullptr;  ///< outside of the graph, instead of work
  };
  std::vector<node> nodes = {};
  std::vector<CUstream_st*> streams = {};  ///< the first one is that of the begin; none: it is over
};

/// Work done in order by a thread of its own, or, while it is captured, written down.
struct CUstream_st {
  using work = std::function<void()>;

  CUstream_st() : thread_([this] { serve(); }) {}
  ~CUstream_st();
  CUstream_st(const CUstream_st&) = delete;
  CUstream_st& operator=(const CUstream_st&) = delete;

  void put(work w);
  void await_idle();

  std::shared_ptr<captured_work> captured;  ///< by the one thread that uses the stream

 private:
  void serve();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<work> waiting_;
  bool busy_ = false;
  bool ends_ = false;
  std::thread thread_;  ///< after all that it uses
};

/// Knows of its latest record whether the stream has come by it, or in which capture it was.
struct CUevent_st {
  std::shared_ptr<std::atomic<bool>> recorded;
  std::shared_ptr<std::chrono::steady_clock::time_point> when;  ///< once it has
  std::shared_ptr<captured_work> in;
  bool timed = false;
};

struct CUgraph_st {
  std::vector<captured_work::node> nodes;
};
struct CUgraphExec_st {
  std::shared_ptr<const std::vector<captured_work::node>> nodes;
};

struct CUmemPoolHandle_st {
  std::uint64_t release_threshold = 0;
};

namespace stand_in {

/// What a launch leaves behind on the calling thread.
void refuse(cudaError_t status);

}  // namespace stand_in
