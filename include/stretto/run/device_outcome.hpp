// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <exception>
#include <stretto/run/accounting.hpp>
#include <stretto/run/report.hpp>
#include <utility>

namespace stretto::runner {

/// Late errors of a device, from tasks or from what the user did with results, and their way into
/// the run's report.
class device_outcome {
 public:
  /// When all threads have left a run. Where \p results_on_stream, the user's work on the last
  /// result is still to come, on the thread's device.
  template <class Device>
  void synchronize_tasks(Device& device, bool results_on_stream) {
    of_tasks_ = device.synchronize();
    if (!results_on_stream) device.give_device_back();
  }
  /// Something else has ended the device's work, and is the reason for what it says.
  void ended_by(std::exception_ptr error) { of_tasks_ = std::move(error); }
  /// \p delivered results were handed out. (A template, so that who has no device does not compile
  /// what it calls.)
  template <class Report>
  void tell(Report& report, std::size_t delivered) {
    if (of_tasks_) detail::discard(report, delivered, std::move(of_tasks_));
  }

  /// Waits for what the user has put on the stream of the results.
  template <class Device>
  void synchronize_results(Device& device) {
    std::exception_ptr failure = device.synchronize();
    if (failure && !of_results_) of_results_ = std::move(failure);
  }
  /// Waits for the last result of a run. Whether something of it failed; then the report says so.
  template <class Device>
  bool synchronize_last_result(Device& device, run_report& report) {
    synchronize_results(device);
    device.give_device_back();
    if (!of_results_) return false;
    fail_at_end(report, std::exchange(of_results_, nullptr));
    return true;
  }

 private:
  std::exception_ptr of_tasks_;
  std::exception_ptr of_results_;
};

}  // namespace stretto::runner
