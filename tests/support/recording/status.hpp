// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace stretto::testing::recording {

/// What a call returns, with CUDA's numbers and names.
enum class status {
  success = 0,
  invalid_value = 1,
  memory_allocation = 2,
  launch_out_of_resources = 701,
  invalid_configuration = 9,
  invalid_device = 101,
  invalid_resource_handle = 400,
  not_ready = 600,
  illegal_address = 700,
  assertion = 710,
  launch_failure = 719,
  not_permitted = 800,
  capture_unsupported = 900,
  capture_invalidated = 901,
  capture_unjoined = 904,
  capture_isolation = 905,
  capture_implicit = 906,
  captured_event = 907,
  capture_wrong_thread = 908,
  unknown = 999
};

/// The device is lost: no later call of the process succeeds.
constexpr bool sticky(status s) {
  return s == status::illegal_address || s == status::assertion || s == status::launch_failure;
}

constexpr const char* name_of(status s) {
  switch (s) {
    case status::success: return "cudaSuccess";
    case status::invalid_value: return "cudaErrorInvalidValue";
    case status::memory_allocation: return "cudaErrorMemoryAllocation";
    case status::launch_out_of_resources: return "cudaErrorLaunchOutOfResources";
    case status::invalid_configuration: return "cudaErrorInvalidConfiguration";
    case status::invalid_device: return "cudaErrorInvalidDevice";
    case status::invalid_resource_handle: return "cudaErrorInvalidResourceHandle";
    case status::not_ready: return "cudaErrorNotReady";
    case status::illegal_address: return "cudaErrorIllegalAddress";
    case status::assertion: return "cudaErrorAssert";
    case status::launch_failure: return "cudaErrorLaunchFailure";
    case status::not_permitted: return "cudaErrorNotPermitted";
    case status::capture_unsupported: return "cudaErrorStreamCaptureUnsupported";
    case status::capture_invalidated: return "cudaErrorStreamCaptureInvalidated";
    case status::capture_unjoined: return "cudaErrorStreamCaptureUnjoined";
    case status::capture_isolation: return "cudaErrorStreamCaptureIsolation";
    case status::capture_implicit: return "cudaErrorStreamCaptureImplicit";
    case status::captured_event: return "cudaErrorCapturedEvent";
    case status::capture_wrong_thread: return "cudaErrorStreamCaptureWrongThread";
    case status::unknown: break;
  }
  return "cudaErrorUnknown";
}

constexpr const char* text_of(status s) {
  switch (s) {
    case status::success: return "no error";
    case status::invalid_value: return "invalid argument";
    case status::memory_allocation: return "out of memory";
    case status::launch_out_of_resources: return "too many resources requested for launch";
    case status::invalid_configuration: return "invalid configuration argument";
    case status::invalid_device: return "invalid device ordinal";
    case status::invalid_resource_handle: return "invalid resource handle";
    case status::not_ready: return "device not ready";
    case status::illegal_address: return "an illegal memory access was encountered";
    case status::assertion: return "device-side assert triggered";
    case status::launch_failure: return "unspecified launch failure";
    case status::not_permitted: return "operation not permitted";
    case status::capture_unsupported: return "operation not permitted when stream is capturing";
    case status::capture_invalidated:
      return "operation failed due to a previous error during capture";
    case status::capture_unjoined: return "capturing stream has unjoined work";
    case status::capture_isolation:
      return "dependency created on uncaptured work in another stream";
    case status::capture_implicit:
      return "operation would make the legacy stream depend on a capturing blocking stream";
    case status::captured_event:
      return "operation not permitted on an event last recorded in a capturing stream";
    case status::capture_wrong_thread:
      return "attempt to terminate a thread-local capture sequence from another thread";
    case status::unknown: break;
  }
  return "unknown error";
}

}  // namespace stretto::testing::recording
