// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>
#include "judged.hpp"

namespace conformance {

/// Where Stretto's judgement of a record differs from what the original engine computed, a line
/// each: what, expected, got. Of an invalid record: whether the original's kind is among those
/// found.
std::vector<std::string> differences(const nlohmann::json& record, const judged& got);

}  // namespace conformance
