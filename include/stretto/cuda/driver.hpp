// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>
#include <cstddef>
#include <cstdint>
#include <stretto/device/context.hpp>
#include <stretto/device/driver.hpp>

namespace stretto::cuda {

/// The CUDA runtime as the device backend asks for it: each function one call of CUDA's, whose
/// status it returns. Holds nothing.
class driver {
 public:
  using status = cudaError_t;
  using stream = cudaStream_t;
  using event = cudaEvent_t;
  using graph = cudaGraph_t;
  using executable = cudaGraphExec_t;
  using pool = cudaMemPool_t;

  static constexpr status success = cudaSuccess;
  static constexpr status not_ready = cudaErrorNotReady;

  static const char* name(status s) { return cudaGetErrorName(s); }
  static const char* text(status s) { return cudaGetErrorString(s); }

  /// Whether it leaves the process without a usable device: CUDA says of these that every later
  /// call will return the same error, until the process is started anew.
  static bool sticky(status s) {
    switch (s) {
      case cudaErrorIllegalAddress:
      case cudaErrorMisalignedAddress:
      case cudaErrorInvalidAddressSpace:
      case cudaErrorInvalidPc:
      case cudaErrorIllegalInstruction:
      case cudaErrorHardwareStackError:
      case cudaErrorAssert:
      case cudaErrorLaunchFailure:
      case cudaErrorLaunchTimeout:
      case cudaErrorTensorMemoryLeak:
      case cudaErrorContained:
      case cudaErrorExternalDevice:
      case cudaErrorECCUncorrectable:
      case cudaErrorMpsClientTerminated: return true;
      default: return false;
    }
  }

  static status device_count(int& count) { return cudaGetDeviceCount(&count); }
  static status current_device(int& device) { return cudaGetDevice(&device); }
  static status set_device(int device) { return cudaSetDevice(device); }

  static status least_priority(int& least, int& greatest) {
    return cudaDeviceGetStreamPriorityRange(&least, &greatest);
  }
  /// One that does not synchronize with the legacy default stream.
  static status create_stream(stream& s, int priority) {
    return cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, priority);
  }
  static status destroy_stream(stream s) { return cudaStreamDestroy(s); }
  static status synchronize_stream(stream s) { return cudaStreamSynchronize(s); }
  static status device_of(stream s, int& device) { return cudaStreamGetDevice(s, &device); }

  static status create_event(event& e) {
    return cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
  }
  static status create_blocking_event(event& e) {
    return cudaEventCreateWithFlags(&e, cudaEventDisableTiming | cudaEventBlockingSync);
  }
  /// One of which `elapsed_time` can be asked. The others leave their time out, which costs less.
  static status create_timed_event(event& e) {
    return cudaEventCreateWithFlags(&e, cudaEventDefault);
  }
  static status destroy_event(event e) { return cudaEventDestroy(e); }
  static status record(event e, stream s) { return cudaEventRecord(e, s); }
  static status wait(stream s, event e) { return cudaStreamWaitEvent(s, e, cudaEventWaitDefault); }
  static status synchronize_event(event e) { return cudaEventSynchronize(e); }
  /// That it is not ready is an answer, and not left behind for the next who asks for errors. The
  /// programming guide ("Error Checking") says that CUDA does not keep it; runtimes were seen that
  /// do. Whatever else was left behind stays.
  static status query(event e) {
    const status s = cudaEventQuery(e);
    if (s == cudaErrorNotReady && cudaPeekAtLastError() == cudaErrorNotReady)
      static_cast<void>(cudaGetLastError());
    return s;
  }
  static status elapsed_time(float& milliseconds, event from, event to) {
    return cudaEventElapsedTime(&milliseconds, from, to);
  }
  static status last_error() { return cudaGetLastError(); }
  /// Gives the calling thread \p mode, which becomes the one that it had.
  static status exchange_capture_mode(device::capture_mode& mode) {
    using device::capture_mode;
    cudaStreamCaptureMode own = mode == capture_mode::global ? cudaStreamCaptureModeGlobal
                                : mode == capture_mode::this_thread
                                    ? cudaStreamCaptureModeThreadLocal
                                    : cudaStreamCaptureModeRelaxed;
    const status s = cudaThreadExchangeStreamCaptureMode(&own);
    mode = own == cudaStreamCaptureModeGlobal        ? capture_mode::global
           : own == cudaStreamCaptureModeThreadLocal ? capture_mode::this_thread
                                                     : capture_mode::relaxed;
    return s;
  }

  /// From the pool of the stream's device.
  static status allocate(void*& memory, std::size_t bytes, stream s) {
    return cudaMallocAsync(&memory, bytes, s);
  }
  static status free(void* memory, stream s) { return cudaFreeAsync(memory, s); }
  /// Page-locked, for every device.
  static status allocate_pinned(void*& memory, std::size_t bytes) {
    return cudaHostAlloc(&memory, bytes, cudaHostAllocPortable);
  }
  static status free_pinned(void* memory) { return cudaFreeHost(memory); }

  /// The pool that `allocate` takes memory of a device from.
  static status device_pool(pool& p, int device) { return cudaDeviceGetMemPool(&p, device); }
  /// One of memory of a device, which nobody shares with other processes.
  static status create_pool(pool& p, int device) {
    cudaMemPoolProps wanted{};
    wanted.allocType = cudaMemAllocationTypePinned;
    wanted.handleTypes = cudaMemHandleTypeNone;
    wanted.location.type = cudaMemLocationTypeDevice;
    wanted.location.id = device;
    return cudaMemPoolCreate(&p, &wanted);
  }
  static status destroy_pool(pool p) { return cudaMemPoolDestroy(p); }
  /// How many bytes a pool keeps when somebody waits for a stream or an event; more it gives back.
  static status set_release_threshold(pool p, std::size_t bytes) {
    std::uint64_t most = bytes;  // which CUDA calls cuuint64_t
    return cudaMemPoolSetAttribute(p, cudaMemPoolAttrReleaseThreshold, &most);
  }
  static status allocate_from(void*& memory, std::size_t bytes, pool p, stream s) {
    return cudaMallocFromPoolAsync(&memory, bytes, p, s);
  }

  /// Whether kernels on \p device can be given access to memory of device \p of.
  static status can_access(bool& yes, int device, int of) {
    int can = 0;
    const status s = cudaDeviceCanAccessPeer(&can, device, of);
    yes = can != 0;
    return s;
  }
  /// Gives kernels on \p device access to the memory of a pool: `cudaDeviceEnablePeerAccess` does
  /// not apply to pools.
  static status give_access(pool p, int device) {
    cudaMemAccessDesc access{};
    access.location.type = cudaMemLocationTypeDevice;
    access.location.id = device;
    access.flags = cudaMemAccessFlagsProtReadWrite;
    return cudaMemPoolSetAccess(p, &access, 1);
  }

  /// Calls that capturing forbids are refused to this thread only: others may allocate meanwhile.
  static status begin_capture(stream s) {
    return cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal);
  }
  static status end_capture(stream s, graph& g) { return cudaStreamEndCapture(s, &g); }
  static status record_external(event e, stream s) {
    return cudaEventRecordWithFlags(e, s, cudaEventRecordExternal);
  }
  static status wait_external(stream s, event e) {
    return cudaStreamWaitEvent(s, e, cudaEventWaitExternal);
  }
  /// Kernels keep the priorities of the streams that they were captured from.
  static status instantiate(executable& x, graph g) {
    return cudaGraphInstantiate(&x, g, cudaGraphInstantiateFlagUseNodePriority);
  }
  static status destroy_graph(graph g) { return cudaGraphDestroy(g); }
  static status destroy_executable(executable x) { return cudaGraphExecDestroy(x); }
  static status launch(executable x, stream s) { return cudaGraphLaunch(x, s); }

  /// The function of CUDA's that a call is.
  static const char* call_name(device::call c) {
    using device::call;
    switch (c) {
      case call::device_count: return "cudaGetDeviceCount";
      case call::current_device: return "cudaGetDevice";
      case call::set_device: return "cudaSetDevice";
      case call::least_priority: return "cudaDeviceGetStreamPriorityRange";
      case call::create_stream: return "cudaStreamCreateWithPriority";
      case call::destroy_stream: return "cudaStreamDestroy";
      case call::synchronize_stream: return "cudaStreamSynchronize";
      case call::device_of: return "cudaStreamGetDevice";
      case call::create_event:
      case call::create_blocking_event:
      case call::create_timed_event: return "cudaEventCreateWithFlags";
      case call::destroy_event: return "cudaEventDestroy";
      case call::record: return "cudaEventRecord";
      case call::wait:
      case call::wait_external: return "cudaStreamWaitEvent";
      case call::synchronize_event: return "cudaEventSynchronize";
      case call::query: return "cudaEventQuery";
      case call::elapsed_time: return "cudaEventElapsedTime";
      case call::last_error: return "cudaGetLastError";
      case call::exchange_capture_mode: return "cudaThreadExchangeStreamCaptureMode";
      case call::allocate: return "cudaMallocAsync";
      case call::release: return "cudaFreeAsync";
      case call::allocate_pinned: return "cudaHostAlloc";
      case call::free_pinned: return "cudaFreeHost";
      case call::device_pool: return "cudaDeviceGetMemPool";
      case call::create_pool: return "cudaMemPoolCreate";
      case call::destroy_pool: return "cudaMemPoolDestroy";
      case call::set_release_threshold: return "cudaMemPoolSetAttribute";
      case call::allocate_from: return "cudaMallocFromPoolAsync";
      case call::can_access: return "cudaDeviceCanAccessPeer";
      case call::give_access: return "cudaMemPoolSetAccess";
      case call::begin_capture: return "cudaStreamBeginCapture";
      case call::end_capture: return "cudaStreamEndCapture";
      case call::record_external: return "cudaEventRecordWithFlags";
      case call::instantiate: return "cudaGraphInstantiate";
      case call::destroy_graph: return "cudaGraphDestroy";
      case call::destroy_executable: return "cudaGraphExecDestroy";
      case call::launch: return "cudaGraphLaunch";
    }
    return "a call of CUDA";
  }
};

static_assert(device::timed_driver<driver>);

}  // namespace stretto::cuda

namespace stretto {

template <>
struct asked_of_device<cudaStream_t> : device::asked_stream<cuda::driver> {};

}  // namespace stretto
