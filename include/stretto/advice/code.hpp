// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <string>
#include <string_view>

/// Pieces of the C++ that says another plan of a schedule of types.
namespace stretto::advising {

/// How C++ spells what a schedule of types is made of, next to the schedule; nothing of a schedule
/// that is a value.
struct spelling {
  std::string schedule{};
  std::map<std::string, std::string, std::less<>> task_names{};  ///< by name
  std::map<std::string, std::string, std::less<>> slot_names{};  ///< by name
};

/// A text as JSON and C++ both write it.
inline std::string literal(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string quoted = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') quoted += '\\';
    if (code < 0x20U || code == 0x7FU) {
      quoted += "\\u00";
      quoted += digits[code / 16U];
      quoted += digits[code % 16U];
    } else {
      quoted += c;
    }
  }
  quoted += '"';
  return quoted;
}

inline void add_part(std::string& list, const std::string& part) {
  if (!list.empty()) list += ", ";
  list += part;
}

/// The C++ name of what has \p name in a plan.
inline std::string name_in(const std::map<std::string, std::string, std::less<>>& names,
                           const std::string& name) {
  const auto found = names.find(name);
  return found == names.end() ? name : found->second;
}

/// The source of a schedule of types, which is said anew as a whole.
inline std::string source_part(const spelling& how, const dynamic::source& from) {
  std::string part = "st::source<" + name_in(how.slot_names, from.slot);
  if (from.lookahead) part += ", st::lookahead<" + std::to_string(*from.lookahead) + ">";
  if (from.thread != planner::caller) part += ", st::thread<" + literal(from.thread) + ">";
  if (from.weight != 0) part += ", st::weight<" + std::to_string(from.weight) + ">";
  if (!from.on_failure.empty()) {
    part += ", st::on_failure<st::" + from.on_failure;
    if (from.max_failures > 0)
      part += ", st::max_failures<" + std::to_string(from.max_failures) + ">";
    part += ">";
  }
  return part + ">";
}

}  // namespace stretto::advising
