// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <string>
#include <vector>

namespace stretto::dynamic {

/// What a generated header is to be like.
struct header_options {
  std::string name_space = "pipeline";
  std::vector<std::string> includes{};  ///< with their quotes or brackets
};

/// A schedule as a C++ header of task types, whose plan is the same; bodies are declared, for the
/// user to define. Names that are no identifiers get one, and keep the name as their `name`. Throws
/// `schedule_error` if anything is wrong with the schedule, `usage_error` if types cannot say what
/// it says.
STRETTO_INLINE std::string to_header(const schedule& s, const header_options& o = {});

}  // namespace stretto::dynamic

#if !defined(STRETTO_COMPILED)
#  include <stretto/dynamic/header.ipp>
#endif
