// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <compare>
#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>

namespace conformance {

inline constexpr std::size_t nobody = static_cast<std::size_t>(-1);

/// One thing that is wrong with a record. Tasks are numbers in its list; the source is the number
/// behind the last.
struct violation {
  int rule = 0;
  std::string kind;
  std::size_t task = nobody;
  std::size_t other = nobody;
  std::string entry{};  ///< of the task at fault, such as `reads ["loss",0]`; empty: none alone

  friend auto operator<=>(const violation&, const violation&) = default;
};

/// Text for the entry at a position of one of a task's lists, as violations have it.
std::string entry_text(const nlohmann::json& task, const std::string& field, std::size_t position);

/// Everything that is wrong with a record in strict mode, worked out from its fields by the
/// definitions of the rules alone, in the plainest way that there is. Shares nothing with the
/// planner, which it is there to judge. A name that several tasks have means the first of them.
std::set<violation> violations(const nlohmann::json& record);

/// Whether a report that has \p told need not have \p v as well.
bool is_told_by(const violation& v, const violation& told);

/// Whether another violation stands in the way of \p v, so that a report may leave \p v out.
bool is_hidden(const violation& v, const std::set<violation>& all);

/// Text such as `rule 5 unresolved_read of "loss" by reads ["x",0]`.
std::string text(const nlohmann::json& record, const violation& v);

}  // namespace conformance
