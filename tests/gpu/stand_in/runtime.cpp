// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The functions of CUDA's runtime that the driver calls, done by threads of the host: enough to run
// the tests of this folder, and to see that they notice a missing wait, where there is no device.
// The contracts are checked elsewhere, by the recording driver.

#include <cuda_runtime_api.h>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>
#include "streams.hpp"

namespace {

constexpr std::size_t alignment = 256;
constexpr std::size_t most_bytes = std::size_t{1} << 40U;
thread_local cudaError_t left_behind = cudaSuccess;

cudaError_t told(cudaError_t status) {
  if (status != cudaSuccess) left_behind = status;
  return status;
}

/// Filled with what no test expects.
cudaError_t allocate(void** memory, std::size_t bytes) {
  if (bytes > most_bytes) return told(cudaErrorMemoryAllocation);
  *memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (*memory == nullptr) return told(cudaErrorMemoryAllocation);
  std::memset(*memory, 0x5a, bytes);
  return cudaSuccess;
}

/// Records an event: what a stream does when it comes by.
CUstream_st::work arrival_of(CUevent_st& e) {
  auto now = std::make_shared<std::atomic<bool>>(false);
  auto when = std::make_shared<std::chrono::steady_clock::time_point>();
  e.recorded = now;
  e.when = when;
  e.in.reset();
  return [now, when] {
    *when = std::chrono::steady_clock::now();
    now->store(true, std::memory_order_release);  // what the stream did before
    now->notify_all();
  };
}

}  // namespace

void stand_in::refuse(cudaError_t status) { told(status); }

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  return device == 0 ? cudaSuccess : told(cudaErrorInvalidDevice);
}
cudaError_t cudaPeekAtLastError() { return left_behind; }
cudaError_t cudaGetLastError() { return std::exchange(left_behind, cudaSuccess); }
const char* cudaGetErrorName(cudaError_t status) {
  return status == cudaErrorMemoryAllocation ? "cudaErrorMemoryAllocation" : "another cudaError";
}
const char* cudaGetErrorString(cudaError_t status) { return cudaGetErrorName(status); }

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = -5;
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* s, unsigned, int) {
  *s = new CUstream_st;
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned flags) {
  return cudaStreamCreateWithPriority(s, flags, 0);
}
cudaError_t cudaStreamDestroy(cudaStream_t s) {
  delete s;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t s) {
  s->await_idle();
  return cudaSuccess;
}
cudaError_t cudaStreamGetDevice(cudaStream_t, int* device) { return cudaGetDevice(device); }

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned flags) {
  *e = new CUevent_st;
  (*e)->timed = (flags & cudaEventDisableTiming) == 0;
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t e) {
  delete e;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s) {
  e->in = s->captured;
  if (e->in) return cudaSuccess;
  s->put(arrival_of(*e));
  return cudaSuccess;
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t s, unsigned flags) {
  if (flags != cudaEventRecordExternal || !s->captured) return told(cudaErrorNotSupported);
  s->captured->nodes.push_back({{}, e});
  return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned) {
  if (e->in) {
    if (e->in->streams.empty()) return told(cudaErrorCapturedEvent);
    if (s->captured && s->captured != e->in) return told(cudaErrorStreamCaptureIsolation);
    if (!s->captured) e->in->streams.push_back(s);
    s->captured = e->in;
    return cudaSuccess;
  }
  if (s->captured) return told(cudaErrorStreamCaptureIsolation);
  if (const auto seen = e->recorded)
    s->put([seen] { seen->wait(false, std::memory_order_acquire); });
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t e) {
  if (e->recorded) e->recorded->wait(false, std::memory_order_acquire);
  return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t e) {
  const bool done = !e->recorded || e->recorded->load(std::memory_order_acquire);
  return done ? cudaSuccess : cudaErrorNotReady;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  if (!from->timed || !to->timed || !from->recorded || !to->recorded)
    return told(cudaErrorInvalidResourceHandle);
  if (cudaEventQuery(from) != cudaSuccess || cudaEventQuery(to) != cudaSuccess)
    return told(cudaErrorNotReady);
  *milliseconds = std::chrono::duration<float, std::milli>(*to->when - *from->when).count();
  return cudaSuccess;
}

cudaError_t cudaMalloc(void** memory, std::size_t bytes) { return allocate(memory, bytes); }
cudaError_t cudaMallocAsync(void** memory, std::size_t bytes, cudaStream_t) {
  return allocate(memory, bytes);
}
cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned) {
  return allocate(memory, bytes);
}
cudaError_t cudaFree(void* memory) {
  std::free(memory);
  return cudaSuccess;
}
cudaError_t cudaFreeAsync(void* memory, cudaStream_t s) {
  s->put([memory] { std::free(memory); });
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* memory) { return cudaFree(memory); }
cudaError_t cudaMemset(void* memory, int value, std::size_t bytes) {
  std::memset(memory, value, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind,
                            cudaStream_t s) {
  s->put([to, from, bytes] { std::memcpy(to, from, bytes); });
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
  *can = 0;  // there is one device
  return cudaSuccess;
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int) {
  *pool = nullptr;
  return cudaSuccess;
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* wanted) {
  if (wanted->allocType != cudaMemAllocationTypePinned ||
      wanted->location.type != cudaMemLocationTypeDevice || wanted->location.id != 0)
    return told(cudaErrorInvalidValue);
  *pool = new CUmemPoolHandle_st;
  return cudaSuccess;
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  delete pool;
  return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void* value) {
  if (which != cudaMemPoolAttrReleaseThreshold) return told(cudaErrorInvalidValue);
  pool->release_threshold = *static_cast<std::uint64_t*>(value);
  return cudaSuccess;
}
cudaError_t cudaMallocFromPoolAsync(void** memory, std::size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t) {
  return pool != nullptr ? allocate(memory, bytes) : told(cudaErrorInvalidValue);
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc*, std::size_t) {
  return told(cudaErrorInvalidDevice);
}

cudaError_t cudaStreamBeginCapture(cudaStream_t s, cudaStreamCaptureMode) {
  s->captured = std::make_shared<captured_work>();
  s->captured->streams.push_back(s);
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t* g) {
  const std::shared_ptr<captured_work> ended = s->captured;
  *g = new CUgraph_st{std::move(ended->nodes)};
  for (CUstream_st* const each : std::exchange(ended->streams, {})) each->captured.reset();
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* x, cudaGraph_t g, unsigned long long) {
  *x = new CUgraphExec_st{std::make_shared<const std::vector<captured_work::node>>(g->nodes)};
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t g) {
  delete g;
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t x) {
  delete x;
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t x, cudaStream_t s) {
  for (const captured_work::node& n : *x->nodes)
    s->put(n.records == nullptr ? n.work : arrival_of(*n.records));
  return cudaSuccess;
}

}  // extern "C"
