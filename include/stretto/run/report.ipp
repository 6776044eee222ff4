// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <exception>
#include <stretto/run/error.hpp>
#include <stretto/run/report.hpp>
#include <string>

namespace stretto {

[[gnu::cold]] STRETTO_INLINE std::string run_report::failure::what() const {
  if (error == nullptr) return {};
  try {
    std::rethrow_exception(error);
  } catch (...) {
    return runner::what_was_thrown();
  }
}

}  // namespace stretto
