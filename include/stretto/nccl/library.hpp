// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>
#include <nccl.h>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stretto/nccl/interface.hpp>
#include <type_traits>

namespace stretto::nccl {

/// NCCL as pipelines ask for it: each function one call of NCCL's, whose result it returns. Holds
/// nothing.
class library {
 public:
  using result = ncclResult_t;
  using communicator = ncclComm_t;
  using identifier = ncclUniqueId;
  using operation = ncclRedOp_t;
  using datatype = ncclDataType_t;
  using stream = cudaStream_t;
  using config = ncclConfig_t;
  using registration = void*;

  static constexpr result success = ncclSuccess;
  static constexpr result in_progress = ncclInProgress;
  static constexpr operation sum = ncclSum;

  static const char* text(result r) { return ncclGetErrorString(r); }
  /// What NCCL says of its last error; it is not always of this communicator.
  static const char* last_error(communicator c) { return ncclGetLastError(c); }

  /// NCCL's name of a type: an arithmetic one of the host, or `__half`, `__nv_bfloat16`.
  template <class Type>
  static constexpr datatype type_of() {
    if constexpr (std::is_same_v<Type, float>) {
      return ncclFloat32;
    } else if constexpr (std::is_same_v<Type, double>) {
      return ncclFloat64;
    } else if constexpr (std::is_same_v<Type, __half>) {
      return ncclFloat16;
    } else if constexpr (std::is_same_v<Type, __nv_bfloat16>) {
      return ncclBfloat16;
    } else if constexpr (std::is_same_v<Type, std::byte>) {
      return ncclUint8;
    } else {
      static_assert(std::is_integral_v<Type> && sizeof(Type) != 2,
                    "NCCL has no such type: 8, 32 or 64 bits, or a floating-point type");
      constexpr bool is_signed = std::is_signed_v<Type>;
      if constexpr (sizeof(Type) == 1) return is_signed ? ncclInt8 : ncclUint8;
      if constexpr (sizeof(Type) == 4) return is_signed ? ncclInt32 : ncclUint32;
      if constexpr (sizeof(Type) == 8) return is_signed ? ncclInt64 : ncclUint64;
    }
  }

  /// Whether kernels of several communicators on a device begin in the order in which they are
  /// launched, so that no two ranks wait for each other with no room for what the other has begun.
  /// NCCL 2.26 does that where it is told to by NCCL_LAUNCH_ORDER_IMPLICIT=1.
  static bool keeps_launch_order() {
    constexpr int first_that_does = 22600;
    const char* const asked = std::getenv("NCCL_LAUNCH_ORDER_IMPLICIT");
    int version = 0;
    return asked != nullptr && std::strtol(asked, nullptr, 0) > 0 &&
           ncclGetVersion(&version) == ncclSuccess && version >= first_that_does;
  }

  static result unique_id(identifier& id) { return ncclGetUniqueId(&id); }
  /// Nothing but that calls on the communicator do not block: each may return `in_progress`, and
  /// async_error() then says when it is done.
  static config standard_config() {
    config all = NCCL_CONFIG_INITIALIZER;
    all.blocking = 0;
    return all;
  }
  /// On the current device. It does not block, nor do later calls, unless \p all says `blocking =
  /// 1`.
  static result init(communicator& c, int size, const identifier& id, int rank, config all) {
    if (all.blocking == NCCL_CONFIG_UNDEF_INT) all.blocking = 0;
    return ncclCommInitRankConfig(&c, size, id, rank, &all);
  }
  /// Of \p parent, on its device; \p c is written to when \p parent is ready again.
  static result split(communicator parent, int color, int key, communicator& c, config all) {
    if (all.blocking == NCCL_CONFIG_UNDEF_INT) all.blocking = 0;
    return ncclCommSplit(parent, color, key, &c, &all);
  }
  static result async_error(communicator c, result& r) { return ncclCommGetAsyncError(c, &r); }
  static result finalize(communicator c) { return ncclCommFinalize(c); }
  static result destroy(communicator c) { return ncclCommDestroy(c); }
  static result abort(communicator c) { return ncclCommAbort(c); }
  static result count(communicator c, int& n) { return ncclCommCount(c, &n); }
  static result rank(communicator c, int& n) { return ncclCommUserRank(c, &n); }
  static result device(communicator c, int& n) { return ncclCommCuDevice(c, &n); }
  /// On the current device, whose other memory it is no part of.
  static result allocate(void*& at, std::size_t bytes) { return ncclMemAlloc(&at, bytes); }
  static result release(void* at) { return ncclMemFree(at); }
  static result register_memory(communicator c, void* at, std::size_t bytes, registration& as) {
    return ncclCommRegister(c, at, bytes, &as);
  }
  static result deregister(communicator c, registration as) { return ncclCommDeregister(c, as); }
  static result group_start() { return ncclGroupStart(); }
  static result group_end() { return ncclGroupEnd(); }

  static result all_reduce(const void* in, void* out, std::size_t n, datatype type, operation op,
                           communicator c, stream s) {
    return ncclAllReduce(in, out, n, type, op, c, s);
  }
  static result broadcast(const void* in, void* out, std::size_t n, datatype type, int root,
                          communicator c, stream s) {
    return ncclBroadcast(in, out, n, type, root, c, s);
  }
  static result reduce(const void* in, void* out, std::size_t n, datatype type, operation op,
                       int root, communicator c, stream s) {
    return ncclReduce(in, out, n, type, op, root, c, s);
  }
  /// \p n elements of each rank.
  static result all_gather(const void* in, void* out, std::size_t n, datatype type, communicator c,
                           stream s) {
    return ncclAllGather(in, out, n, type, c, s);
  }
  /// \p n elements for each rank.
  static result reduce_scatter(const void* in, void* out, std::size_t n, datatype type,
                               operation op, communicator c, stream s) {
    return ncclReduceScatter(in, out, n, type, op, c, s);
  }
  static result send(const void* in, std::size_t n, datatype type, int to, communicator c,
                     stream s) {
    return ncclSend(in, n, type, to, c, s);
  }
  static result receive(void* out, std::size_t n, datatype type, int from, communicator c,
                        stream s) {
    return ncclRecv(out, n, type, from, c, s);
  }

  /// The function of NCCL's that a call is.
  static const char* call_name(call what) {
    switch (what) {
      case call::unique_id: return "ncclGetUniqueId";
      case call::init: return "ncclCommInitRankConfig";
      case call::split: return "ncclCommSplit";
      case call::async_error: return "ncclCommGetAsyncError";
      case call::finalize: return "ncclCommFinalize";
      case call::destroy: return "ncclCommDestroy";
      case call::abort: return "ncclCommAbort";
      case call::count: return "ncclCommCount";
      case call::rank: return "ncclCommUserRank";
      case call::device: return "ncclCommCuDevice";
      case call::allocate: return "ncclMemAlloc";
      case call::release: return "ncclMemFree";
      case call::register_memory: return "ncclCommRegister";
      case call::deregister: return "ncclCommDeregister";
      case call::group_start: return "ncclGroupStart";
      case call::group_end: return "ncclGroupEnd";
      case call::all_reduce: return "ncclAllReduce";
      case call::broadcast: return "ncclBroadcast";
      case call::reduce: return "ncclReduce";
      case call::all_gather: return "ncclAllGather";
      case call::reduce_scatter: return "ncclReduceScatter";
      case call::send: return "ncclSend";
      case call::receive: return "ncclRecv";
    }
    return "a call of NCCL";
  }
};

static_assert(library_like<library>);

}  // namespace stretto::nccl
