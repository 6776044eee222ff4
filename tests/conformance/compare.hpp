// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>
#include "judged.hpp"
#include "violations.hpp"

namespace conformance {

/// A finding in the words of what is wrong with a record.
violation as_violation(const nlohmann::json& record, const stretto::planner::finding& f);

/// Where Stretto's judgement of a record differs from what the original engine computed, a line
/// each: what, expected, got. For an invalid record: whether the original's kind is found, whether
/// all that is found is true of the record, and all that is wrong with it is found.
std::vector<std::string> differences(const nlohmann::json& record, const judged& got);

}  // namespace conformance
