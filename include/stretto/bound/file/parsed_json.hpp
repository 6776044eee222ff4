// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <set>
#include <stretto/bound/file/file_text.hpp>
#include <stretto/dynamic/file/not_json.hpp>
#include <stretto/dynamic/file/problem.hpp>
#include <stretto/text/utf8.hpp>
#include <stretto/text/visible.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto::bound::detail {

/// JSON. Throws `dynamic::file_error` if the text of the file \p name is none, or an object has a
/// field twice, of which a parser keeps one, in silence.
inline nlohmann::json parsed_json(std::string_view text, std::string_view name) {
  std::vector<std::set<std::string>> open;
  const auto look = [&](int, nlohmann::json::parse_event_t event, nlohmann::json& value) {
    using at = nlohmann::json::parse_event_t;
    if (event == at::object_start) open.emplace_back();
    if (event == at::object_end) open.pop_back();
    if (event == at::key && !open.back().insert(value.get<std::string>()).second)
      refuse(name, "field \"" + text::visible(value.get<std::string>()) + "\" appears twice");
    return true;
  };
  try {
    return nlohmann::json::parse(text, look);
  } catch (const nlohmann::json::parse_error& e) {
    throw dynamic::file_error(name, {dynamic::shared::not_json(text, e.byte, e.what())});
  } catch (const nlohmann::json::exception& e) {  // a number that is too large
    refuse(name, dynamic::shared::not_json(text, 0, e.what()).what);
  }
}

/// A value as messages show it; whatever nests in it stays out.
inline std::string shown_json(const nlohmann::json& value) {
  if (value.is_structured()) return value.is_array() ? "a list" : "an object";
  constexpr std::size_t most_bytes = 40;
  const std::string all = value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  return text::visible(text::beginning(all, most_bytes)) + (all.size() <= most_bytes ? "" : "...");
}

}  // namespace stretto::bound::detail
