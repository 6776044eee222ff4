// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <exception>
#include <stretto/run/accounting.hpp>
#include <stretto/run/device_outcome.hpp>
#include <stretto/run/report.hpp>
#include <utility>

/// What collectives have to say when all threads have left a run: see run/backend.hpp.
namespace stretto::runner {

/// They may have ended the device's work, and are then the reason for what it says.
template <class Collectives>
void take_lost(Collectives& all, device_outcome& outcome) {
  if constexpr (requires { all.lost(); })
    if (std::exception_ptr aborted = all.lost()) outcome.ended_by(std::move(aborted));
}

/// Tells the other ranks how the run ended.
template <class Collectives>
void tell_ranks(Collectives& all, run_report& report) noexcept {
  try {
    if (report.end != run_end::completed && report.end != run_end::drained)
      return all.failed(report);
    if (std::exception_ptr apart = all.finished(report.finished))
      fail_at_end(report, std::move(apart));
  } catch (...) {
    fail_at_end(report, std::current_exception());
  }
}

}  // namespace stretto::runner
