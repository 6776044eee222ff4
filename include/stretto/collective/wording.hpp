// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Parts of the sentences that errors between ranks say.
namespace stretto::collective {

/// What comes before item \p i of \p count in a sentence.
inline const char* before_item(std::size_t i, std::size_t count) {
  return i == 0 ? "" : i + 1 == count ? " and " : ", ";
}

/// "rank 1", or "ranks 0, 2 and 3".
inline std::string ranks_text(const std::vector<std::size_t>& ranks) {
  std::string text(ranks.size() == 1 ? "rank " : "ranks ");
  for (std::size_t i = 0; i < ranks.size(); ++i)
    text.append(before_item(i, ranks.size())).append(std::to_string(ranks[i]));
  return text;
}

/// "rank 1 of role `trainer` and rank 2 of role `keeper`"; \p roles are by rank.
inline std::string ranks_text(const std::vector<std::size_t>& ranks,
                              const std::vector<std::string>& roles) {
  std::string text;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    text.append(before_item(i, ranks.size())).append("rank ").append(std::to_string(ranks[i]));
    text.append(" of role `").append(roles[ranks[i]]).append("`");
  }
  return text;
}

/// "5 batches", "1 batch".
inline std::string batches_text(std::size_t batches) {
  return std::to_string(batches).append(batches == 1 ? " batch" : " batches");
}

/// "task `train` on batch 3".
inline std::string place_text(std::string_view task, std::size_t batch) {
  return std::string("task `").append(task).append("` on batch ").append(std::to_string(batch));
}

/// "10 s", "250 ms".
inline std::string seconds_text(std::chrono::milliseconds time) {
  if (time.count() % 1000 == 0) return std::to_string(time.count() / 1000).append(" s");
  return std::to_string(time.count()).append(" ms");
}

}  // namespace stretto::collective
