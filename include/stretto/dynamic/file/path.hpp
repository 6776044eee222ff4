// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stretto::dynamic::detail {

/// Where in a document a reader is. Lives on the stack and becomes text only where something is
/// wrong.
struct path {
  const path* up = nullptr;
  std::string_view key{};
  std::size_t index = 0;

  path in(std::string_view member) const { return {this, member, 0}; }
  path at(std::size_t entry) const { return {this, {}, entry}; }

  /// Such as `tasks[3].lookahead`; of the document itself, nothing.
  std::string text() const {
    if (up == nullptr) return {};
    const std::string before = up->text();
    if (key.data() == nullptr) return before + "[" + std::to_string(index) + "]";
    return before + (before.empty() ? "" : ".") + std::string(key);
  }
};

}  // namespace stretto::dynamic::detail
