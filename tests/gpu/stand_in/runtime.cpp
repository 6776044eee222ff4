// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The functions of CUDA's runtime that the driver and the tests of this folder call, asked of the
// recording driver, which has streams that really run and keeps CUDA's rules.

#include <cuda_runtime_api.h>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include "recorded.hpp"

namespace {

namespace recording = stand_in::recording;
using recording::status;
using stand_in::driver;
using stand_in::of_cuda;
using stand_in::recorded;

/// A call that hands out a handle.
template <class Handle, class Call>
cudaError_t made(Handle* to, Call call) {
  decltype(recorded(Handle{})) own = nullptr;
  const status s = call(own);
  *to = of_cuda(own);
  return of_cuda(s);
}

/// What only this stand-in refuses: nobody here asks for it.
cudaError_t not_offered() { return cudaErrorNotSupported; }

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) { return of_cuda(driver().device_count(*count)); }
cudaError_t cudaGetDevice(int* device) { return of_cuda(driver().current_device(*device)); }
cudaError_t cudaSetDevice(int device) { return of_cuda(driver().set_device(device)); }
cudaError_t cudaDeviceSynchronize() { return of_cuda(driver().synchronize_device()); }
cudaError_t cudaPeekAtLastError() { return of_cuda(driver().peek_at_last_error()); }
cudaError_t cudaGetLastError() { return of_cuda(driver().last_error()); }
const char* cudaGetErrorName(cudaError_t s) { return recording::name_of(recorded(s)); }
const char* cudaGetErrorString(cudaError_t s) { return recording::text_of(recorded(s)); }

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return of_cuda(driver().least_priority(*least, *greatest));
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* s, unsigned flags, int priority) {
  return made(s, [&](recording::stream& own) {
    return flags == cudaStreamNonBlocking ? driver().create_stream(own, priority)
                                          : driver().create_ordered_stream(own);
  });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned flags) {
  return cudaStreamCreateWithPriority(s, flags, 0);
}
cudaError_t cudaStreamDestroy(cudaStream_t s) {
  return of_cuda(driver().destroy_stream(recorded(s)));
}
cudaError_t cudaStreamSynchronize(cudaStream_t s) {
  return of_cuda(driver().synchronize_stream(recorded(s)));
}
cudaError_t cudaStreamGetDevice(cudaStream_t s, int* device) {
  return of_cuda(driver().device_of(recorded(s), *device));
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned flags) {
  return made(e, [&](recording::event& own) {
    if ((flags & cudaEventDisableTiming) == 0) return driver().create_timed_event(own);
    return (flags & cudaEventBlockingSync) == 0 ? driver().create_event(own)
                                                : driver().create_blocking_event(own);
  });
}
cudaError_t cudaEventDestroy(cudaEvent_t e) { return of_cuda(driver().destroy_event(recorded(e))); }
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s) {
  return of_cuda(driver().record(recorded(e), recorded(s)));
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t s, unsigned flags) {
  if (flags == cudaEventRecordDefault) return cudaEventRecord(e, s);
  return of_cuda(driver().record_external(recorded(e), recorded(s)));
}
cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned flags) {
  return of_cuda(flags == cudaEventWaitDefault ? driver().wait(recorded(s), recorded(e))
                                               : driver().wait_external(recorded(s), recorded(e)));
}
cudaError_t cudaEventSynchronize(cudaEvent_t e) {
  return of_cuda(driver().synchronize_event(recorded(e)));
}
cudaError_t cudaEventQuery(cudaEvent_t e) { return of_cuda(driver().query(recorded(e))); }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  return of_cuda(driver().elapsed_time(*milliseconds, recorded(from), recorded(to)));
}

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  *memory = driver().make_mapped(bytes);
  return cudaSuccess;
}
cudaError_t cudaMallocAsync(void** memory, std::size_t bytes, cudaStream_t s) {
  return of_cuda(driver().allocate(*memory, bytes, recorded(s)));
}
cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned) {
  return of_cuda(driver().allocate_pinned(*memory, bytes));
}
cudaError_t cudaFree(void* memory) {
  driver().end_mapped(memory);
  return cudaSuccess;
}
cudaError_t cudaFreeAsync(void* memory, cudaStream_t s) {
  return of_cuda(driver().free(memory, recorded(s)));
}
cudaError_t cudaFreeHost(void* memory) { return of_cuda(driver().free_pinned(memory)); }
cudaError_t cudaMemset(void* memory, int value, std::size_t bytes) {
  return of_cuda(driver().enqueue_legacy([=] { std::memset(memory, value, bytes); }, "memset",
                                         {recording::writes(memory, bytes)}));
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind,
                            cudaStream_t s) {
  return of_cuda(driver().copy(recorded(s), to, from, bytes));
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int of) {
  bool yes = false;
  const status s = driver().can_access(yes, device, of);
  *can = yes ? 1 : 0;
  return of_cuda(s);
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* p, int device) {
  return made(p, [&](recording::pool& own) { return driver().device_pool(own, device); });
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* p, const cudaMemPoolProps* wanted) {
  if (wanted->allocType != cudaMemAllocationTypePinned ||
      wanted->location.type != cudaMemLocationTypeDevice)
    return not_offered();
  return made(p,
              [&](recording::pool& own) { return driver().create_pool(own, wanted->location.id); });
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t p) {
  return of_cuda(driver().destroy_pool(recorded(p)));
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t p, cudaMemPoolAttr which, void* value) {
  if (which != cudaMemPoolAttrReleaseThreshold) return not_offered();
  return of_cuda(driver().set_release_threshold(recorded(p), *static_cast<std::uint64_t*>(value)));
}
cudaError_t cudaMallocFromPoolAsync(void** memory, std::size_t bytes, cudaMemPool_t p,
                                    cudaStream_t s) {
  return of_cuda(driver().allocate_from(*memory, bytes, recorded(p), recorded(s)));
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t p, const cudaMemAccessDesc* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const status s = driver().give_access(recorded(p), to[i].location.id);
    if (s != status::success) return of_cuda(s);
  }
  return cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  // In the same order.
  auto own = static_cast<stretto::device::capture_mode>(*mode);
  const status s = driver().exchange_capture_mode(own);
  *mode = static_cast<cudaStreamCaptureMode>(own);
  return of_cuda(s);
}
cudaError_t cudaStreamBeginCapture(cudaStream_t s, cudaStreamCaptureMode mode) {
  if (mode != cudaStreamCaptureModeThreadLocal) return not_offered();
  return of_cuda(driver().begin_capture(recorded(s)));
}
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t* g) {
  return made(g, [&](recording::graph& own) { return driver().end_capture(recorded(s), own); });
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* x, cudaGraph_t g, unsigned long long) {
  return made(x,
              [&](recording::executable& own) { return driver().instantiate(own, recorded(g)); });
}
cudaError_t cudaGraphDestroy(cudaGraph_t g) { return of_cuda(driver().destroy_graph(recorded(g))); }
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t x) {
  return of_cuda(driver().destroy_executable(recorded(x)));
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t x, cudaStream_t s) {
  return of_cuda(driver().launch(recorded(x), recorded(s)));
}

// Of kernels only the one that waits is launched by its name.

cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption*, void**,
                                unsigned, cudaLibraryOption*, void**, unsigned) {
  *library = static_cast<cudaLibrary_t>(const_cast<void*>(code));
  return cudaSuccess;
}
cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
  const auto* const code = static_cast<const char*>(static_cast<const void*>(library));
  const bool is_there = std::strstr(code, (std::string(".entry ") + name + "(").c_str()) != nullptr;
  *kernel = is_there ? static_cast<cudaKernel_t>(static_cast<void*>(library)) : nullptr;
  return is_there ? cudaSuccess : cudaErrorSymbolNotFound;
}
cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void** arguments, std::size_t,
                             cudaStream_t s) {
  const std::chrono::nanoseconds time(*static_cast<std::uint64_t*>(arguments[0]));
  return of_cuda(driver().enqueue(
      recorded(s), [time] { std::this_thread::sleep_for(time); }, "pause"));
}

}  // extern "C"
